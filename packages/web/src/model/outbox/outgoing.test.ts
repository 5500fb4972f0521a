import { describe, expect, it } from 'vitest';
import { ai, general, ken, lunch, messageOf } from '../../../test/organisation.ts';
import { contentOf, nameOf, outgoing, settled, type Outgoing } from './outgoing.ts';

const { stream_id: streamId } = general;
const sending = (text: string, changes: Partial<Outgoing> = {}): Outgoing => ({
  ...outgoing(streamId, text, 1_700_000_000_999),
  state: 'sending',
  afterId: 100,
  ...changes,
});
const mine = (id: number, content: string) => messageOf(id, ai, general, content);

describe('The outbox', () => {
  it('One arrived message removes only one of two outgoing messages with the same text', () => {
    const [first, second] = settled([sending('了解'), sending('了解')], ai.user_id, streamId, [mine(101, '了解')]);
    expect(first?.messageId).toBe(101);
    expect(second?.messageId).toBeUndefined();
  });

  it('An outgoing message is not matched with older messages or those of others, nor with any before its first attempt', () => {
    const tried = sending('了解');
    expect(settled([tried], ai.user_id, streamId, [mine(100, '了解')])).toEqual([tried]);
    expect(settled([tried], ai.user_id, streamId, [messageOf(101, ken, general, '了解')])).toEqual([tried]);
    expect(settled([tried], ai.user_id, lunch.stream_id, [mine(101, '了解')])).toEqual([tried]);
    const untried = sending('了解', { afterId: undefined });
    expect(settled([untried], ai.user_id, streamId, [mine(101, '了解')])).toEqual([untried]);
  });

  it('An outgoing message is matched with its message even if the server has trimmed the text', () => {
    expect(settled([sending('了解 \n')], ai.user_id, streamId, [mine(101, '了解')])[0]?.messageId).toBe(101);
  });

  it('An outgoing file that has no stored name yet is not matched with a deleted message', () => {
    const file = sending('', { file: new File([], 'a.txt') });
    expect(settled([file], ai.user_id, streamId, [mine(101, '')])).toEqual([file]);
  });

  it('An outgoing message that the server has confirmed is removed when its message is in the timeline', () => {
    const sent = sending('了解', { state: 'sent', messageId: 101 });
    expect(settled([sent], ai.user_id, streamId, [mine(101, '了解')])).toEqual([]);
    expect(settled([sent], ai.user_id, streamId, [mine(102, '次')])).toEqual([sent]);
  });
});

it('nameOf puts a file name on one line and joins a letter and its accent into one character', () => {
  expect(nameOf(new File([], 'カ\u3099イド\n最終.txt'))).toBe('ガイド_最終.txt');
  expect(nameOf(new File([], ' '))).toBe('_');
});

it('[R3.3.1] contentOf writes a file message as its four parts: marker, original name, stored name and size', () => {
  const fileMessage = { name: '見積,最終.xlsx', storedName: `${'a'.repeat(20)}.xlsx`, size: 5 };
  expect(contentOf(sending('', { fileMessage }))).toBe(`engawa-file,見積,最終.xlsx,${'a'.repeat(20)}.xlsx,5`);
});

it('An outgoing message stores the time at which it was sent, in Unix seconds', () => {
  expect(sending('x').timestamp).toBe(1_700_000_000);
});

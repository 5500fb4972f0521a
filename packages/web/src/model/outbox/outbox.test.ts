import { describe, expect, it } from 'vitest';
import { ai, general, ken, lunch, messageOf } from '../../../test/chatServer.ts';
import { contentOf, nameOf, outgoing, settled, type Outgoing } from './outbox.ts';

const { stream_id: streamId } = general;
const sending = (text: string, changes: Partial<Outgoing> = {}): Outgoing => ({
  ...outgoing(streamId, text, 1_700_000_000_999),
  state: 'sending',
  afterId: 100,
  ...changes,
});
const mine = (id: number, content: string) => messageOf(id, ai, general, content);

describe('what is on its way', () => {
  it('is seen in the message that it has become, once', () => {
    const [first, second] = settled([sending('了解'), sending('了解')], ai.user_id, streamId, [mine(101, '了解')]);
    expect(first?.messageId).toBe(101);
    expect(second?.messageId).toBeUndefined();
  });

  it('is not seen in an older message, in another’s, or before it was tried', () => {
    const tried = sending('了解');
    expect(settled([tried], ai.user_id, streamId, [mine(100, '了解')])).toEqual([tried]);
    expect(settled([tried], ai.user_id, streamId, [messageOf(101, ken, general, '了解')])).toEqual([tried]);
    expect(settled([tried], ai.user_id, lunch.stream_id, [mine(101, '了解')])).toEqual([tried]);
    const untried = sending('了解', { afterId: undefined });
    expect(settled([untried], ai.user_id, streamId, [mine(101, '了解')])).toEqual([untried]);
  });

  it('is seen although the server trims it', () => {
    expect(settled([sending('了解 \n')], ai.user_id, streamId, [mine(101, '了解')])[0]?.messageId).toBe(101);
  });

  it('is not seen in a deleted message while its file has no name yet', () => {
    const file = sending('', { file: new File([], 'a.txt') });
    expect(settled([file], ai.user_id, streamId, [mine(101, '')])).toEqual([file]);
  });

  it('goes when what the server confirmed is there', () => {
    const sent = sending('了解', { state: 'sent', messageId: 101 });
    expect(settled([sent], ai.user_id, streamId, [mine(101, '了解')])).toEqual([]);
    expect(settled([sent], ai.user_id, streamId, [mine(102, '次')])).toEqual([sent]);
  });
});

it('names a file on one line, as composed characters', () => {
  expect(nameOf(new File([], 'カ\u3099イド\n最終.txt'))).toBe('ガイド_最終.txt');
  expect(nameOf(new File([], ' '))).toBe('_');
});

it('[R3.3.1] writes a file as a message of four parts', () => {
  const fileMessage = { name: '見積,最終.xlsx', storedName: `${'a'.repeat(20)}.xlsx`, size: 5 };
  expect(contentOf(sending('', { fileMessage }))).toBe(`engawa-file,見積,最終.xlsx,${'a'.repeat(20)}.xlsx,5`);
});

it('has the time of the send in seconds', () => {
  expect(sending('x').timestamp).toBe(1_700_000_000);
});

import { type KnownEvent } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { design, general, ken, messageOf } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { countMentions } from './flagged.ts';
import { happened } from '../sync/events.ts';
import { readingBegan, readingConfirmed } from './readingChanges.ts';
import { type State } from '../state.ts';

const begun = begin({
  unread: new Map([
    [general.stream_id, new Set([101, 102])],
    [design.stream_id, new Set([50])],
  ]),
  flagged: { mentioned: new Set([50, 102]), alerted: new Set(), starChanges: 0 },
});

const after = (state: State, ...events: readonly KnownEvent[]) => happened(state, events, { queueId: 'queue-1', lastEventId: 1 });
const count = ({ flagged, unread, reading }: State, { stream_id } = general) =>
  countMentions(flagged, unread, reading, stream_id);
const said = (id: number, ...flags: string[]): KnownEvent => ({
  id,
  type: 'message',
  message: messageOf(id, ken, general, `${id}`),
  flags,
});
const edited = (id: number, ...flags: string[]): KnownEvent => ({
  id,
  type: 'update_message',
  message_id: id,
  message_ids: [id],
  flags,
  edit_timestamp: 1,
  content: '直した',
});

describe('An unread mention', () => {
  it('[I5.5] The number of unread mentions begins with the server’s list, also for a muted stream', () => {
    expect([count(begun), count(begun, design)]).toEqual([1, 1]);
  });

  it('[I5.5] A message counts as a mention by name, by group or with all, but not by an alert word', () => {
    expect(count(after(begun, said(103, 'mentioned')))).toBe(2);
    expect(count(after(begun, said(103, 'wildcard_mentioned', 'stream_wildcard_mentioned')))).toBe(2);
    expect(count(after(begun, said(103, 'has_alert_word')))).toBe(1);
    expect(count(after(begun, said(103)))).toBe(1);
    expect(count(after(begun, said(103, 'read', 'mentioned')))).toBe(1);
  });

  it('[I5.5] A mention is counted when an edit adds it, and no longer when an edit removes it or the message is deleted', () => {
    const added = after(begun, edited(101, 'mentioned'));
    expect(count(added)).toBe(2);
    expect(count(after(added, edited(101)))).toBe(1);
    const gone = after(begun, { id: 1, type: 'delete_message', message_type: 'stream', message_ids: [102, 101] });
    expect(count(gone)).toBe(0);
  });

  it('[I5.5] A mention stays counted if only the topic of its message changes', () => {
    const moved = { message_id: 102, message_ids: [102], flags: [], edit_timestamp: 1, subject: '別の話' };
    expect(count(after(begun, { id: 1, type: 'update_message', ...moved }))).toBe(1);
  });

  it('[I5.5] A mention is no longer counted when it is read, and is counted again when it is marked as unread', () => {
    expect(count(readingBegan(begun, [102]))).toBe(0);
    const read = readingConfirmed(begun, [101, 102, 50]);
    expect([count(read), count(read, design)]).toEqual([0, 0]);
    const detail = { type: 'stream' as const, stream_id: general.stream_id };
    const again = after(read, {
      id: 1,
      type: 'update_message_flags',
      op: 'remove',
      flag: 'read',
      messages: [101, 90],
      all: false,
      message_details: { '101': detail, '90': { ...detail, mentioned: true } },
    });
    expect(count(again)).toBe(1);
  });

  it('[I5.5] A message without mentions and alert words does not notify the listeners of flagged messages', () => {
    expect(after(begun, said(103)).flagged).toBe(begun.flagged);
    expect(after(begun, said(103, 'has_alert_word')).flagged).not.toBe(begun.flagged);
  });
});

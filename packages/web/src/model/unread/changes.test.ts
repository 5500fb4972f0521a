import { visibilityPolicies, type KnownEvent } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { ai, design, general, ken, messageOf } from '../../../test/organisation.ts';
import { after, begin, twoUnread } from '../../../test/exampleState.ts';
import type { EventOf } from '../connection/state.ts';
import { readingBegan, readingRefused } from './readingChanges.ts';
import { type State } from '../state.ts';
import { countUnread } from './unread.ts';

const begun = begin(twoUnread);

const count = ({ unread, reading }: State, streamId: number) => countUnread(unread, reading, streamId);

const said = (id: number, sender = ken, flags: readonly string[] = []): KnownEvent => ({
  id,
  type: 'message',
  message: messageOf(id, sender, general, `${id}`),
  flags: [...flags],
});
const flagged = (op: 'add' | 'remove', messages: number[], all = false): KnownEvent => ({
  id: 1,
  type: 'update_message_flags',
  op,
  flag: 'read',
  messages,
  all,
});

const changed = (message_id: number, change: Partial<EventOf<'update_message'>>): KnownEvent => ({
  id: 1,
  type: 'update_message',
  message_id,
  message_ids: [message_id],
  flags: [],
  edit_timestamp: 1,
  stream_id: general.stream_id,
  ...change,
});

describe('Unread messages', () => {
  it('The unread count begins with the server’s count, over all topics of a stream', () => {
    expect(count(begun, general.stream_id)).toBe(2);
    expect(count(begun, design.stream_id)).toBe(0);
  });

  it('[R4.5] The unread count grows with a message of another member, but not with an own message or one that is read already', () => {
    expect(count(after(begun, said(103)), general.stream_id)).toBe(3);
    expect(count(after(begun, said(103, ai)), general.stream_id)).toBe(2);
    expect(count(after(begun, said(103, ken, ['read'])), general.stream_id)).toBe(2);
  });

  it('The unread count includes a message once, even if its event arrives twice', () => {
    expect(count(after(begun, said(103), said(103)), general.stream_id)).toBe(3);
  });

  it('[R4.6] The unread count falls when messages are marked as read, and grows when they are marked as unread', () => {
    expect(count(after(begun, flagged('add', [101])), general.stream_id)).toBe(1);
    expect(count(after(begun, flagged('add', [], true)), general.stream_id)).toBe(0);
    const marked = after(begun, flagged('add', [101, 102]), flagged('remove', [102]));
    expect(count(marked, general.stream_id)).toBe(1);
    const place = { type: 'stream', stream_id: design.stream_id } as const;
    const detailed = { ...flagged('remove', [7]), message_details: { 7: place } };
    expect(count(after(begun, detailed), design.stream_id)).toBe(1);
  });

  it('Messages of muted topics are forgotten when they are read, deleted or lost, and remembered when they are unread again', () => {
    const { subject: topic } = messageOf(101, ken, general, '');
    const choice: KnownEvent = {
      id: 1,
      type: 'user_topic',
      stream_id: general.stream_id,
      topic_name: topic,
      visibility_policy: visibilityPolicies.muted,
      last_updated: 1,
    };
    const muted = after(begin(), choice, said(103), said(104), said(105));
    const left = (...events: readonly KnownEvent[]) => [...after(muted, ...events).muted.unread];
    expect(left()).toEqual([103, 104, 105]);
    expect(left(flagged('add', [103]))).toEqual([104, 105]);
    expect(left(flagged('add', [], true))).toEqual([]);
    expect(left({ id: 1, type: 'delete_message', message_type: 'stream', message_ids: [104, 105] })).toEqual([103]);
    expect(left({ id: 1, type: 'subscription', op: 'remove', subscriptions: [general] })).toEqual([]);
    const place = { type: 'stream', stream_id: general.stream_id, topic } as const;
    const again = { ...flagged('remove', [103, 90]), message_details: { 103: place, 90: { ...place, topic: 'another' } } };
    expect(left(flagged('add', [], true), again)).toEqual([103]);
  });

  it('A message that is moved out of a muted topic counts again, and one that is moved into it does not', () => {
    const { subject: topic } = messageOf(101, ken, general, '');
    const choice = { id: 1, type: 'user_topic', visibility_policy: visibilityPolicies.muted, last_updated: 1 } as const;
    const muted = after(begin(), { ...choice, stream_id: general.stream_id, topic_name: topic }, said(103), said(104));
    const move = (id: number, place: Partial<EventOf<'update_message'>>) => changed(id, { orig_subject: topic, ...place });
    const toAnother = after(muted, move(103, { subject: 'another' }));
    expect([...toAnother.muted.unread]).toEqual([104]);
    expect([...after(toAnother, move(103, { orig_subject: 'another', subject: topic })).muted.unread]).toEqual([104, 103]);
    const toDesign = after(muted, move(104, { new_stream_id: design.stream_id }));
    expect([...toDesign.muted.unread]).toEqual([103]);
    expect(count(toDesign, design.stream_id)).toBe(1);
    const back = { stream_id: design.stream_id, new_stream_id: general.stream_id };
    expect([...after(toDesign, move(104, back)).muted.unread]).toEqual([103, 104]);
    // A read message is not remembered, and an edit of the text moves nothing.
    expect([...after(muted, move(90, { subject: topic }), changed(103, { content: 'edited' })).muted.unread]).toEqual([103, 104]);
  });

  it('The unread count falls when an unread message is deleted', () => {
    const deleted: KnownEvent = { id: 1, type: 'delete_message', message_type: 'stream', message_id: 102 };
    expect(count(after(begun, deleted), general.stream_id)).toBe(1);
  });

  it('An unread message that is moved to another stream is counted there', () => {
    const moved: KnownEvent = {
      id: 1,
      type: 'update_message',
      message_id: 102,
      message_ids: [102],
      flags: [],
      edit_timestamp: 1,
      stream_id: general.stream_id,
      new_stream_id: design.stream_id,
    };
    const state = after(begun, moved);
    expect([count(state, general.stream_id), count(state, design.stream_id)]).toEqual([1, 1]);
    // The newest message of both streams is unknown now.
    expect(state.newest.size).toBe(0);
  });

  it('The unread count excludes messages that are being marked as read, and includes them again if the server refuses', () => {
    const reading = readingBegan(begun, [101, 102]);
    expect(count(reading, general.stream_id)).toBe(0);
    expect(count(after(reading, said(103)), general.stream_id)).toBe(1);
    expect(count(readingRefused(reading, [101, 102]), general.stream_id)).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import { ai, general, ken, lunch, messageOf } from '../../../test/organisation.ts';
import {
  arrived,
  requested,
  changed,
  failed,
  find,
  needsLoading,
  bounds,
  trimmed,
  unloaded,
  type MessageChange,
  type Page,
} from './timeline.ts';

const streamId = general.stream_id;
const message = (id: number, content = `${id}`) => messageOf(id, ken, general, content);

const said = (id: number, content?: string): MessageChange => ({
  id,
  type: 'message',
  message: message(id, content),
  flags: [],
});
const edited = (id: number, content: string): MessageChange => ({
  id,
  type: 'update_message',
  message_id: id,
  message_ids: [id],
  flags: [],
  edit_timestamp: 1,
  content,
});
const deleted = (id: number): MessageChange => ({ id, type: 'delete_message', message_type: 'stream', message_ids: [id] });

const page = (ids: readonly number[], found_oldest = false): Page => ({
  anchor: 0,
  found_anchor: false,
  found_oldest,
  found_newest: true,
  messages: ids.map((id) => message(id)),
});

const loaded = (...ids: number[]) => arrived(requested(unloaded, 'newest'), streamId, page(ids));
const ids = ({ messages = [] }: { messages: readonly { id: number }[] | undefined }) => messages.map(({ id }) => id);

describe('A timeline', () => {
  it('A timeline needs loading before its first page, and again after events were missed', () => {
    expect(needsLoading(unloaded)).toBe(true);
    expect(needsLoading(requested(unloaded, 'newest'))).toBe(false);
    expect(needsLoading(loaded(1))).toBe(false);
    expect(needsLoading({ ...loaded(1), stale: true })).toBe(true);
    expect(needsLoading(failed(unloaded, { kind: 'server' }))).toBe(false);
  });

  it('A timeline holds each message once, in the order of ids, whether it came with a page or with an event', () => {
    const timeline = [said(5), said(4), said(3), said(5)].reduce((state, event) => changed(state, streamId, event), loaded(1, 3));
    expect(ids(timeline)).toEqual([1, 3, 4, 5]);
  });

  it('A timeline ignores messages of other streams', () => {
    const before = loaded(1);
    const other: MessageChange = { id: 9, type: 'message', message: messageOf(9, ai, lunch, '別'), flags: [] };
    expect(changed(before, streamId, other)).toBe(before);
  });

  it('When a message is edited, the other messages of its timeline keep their objects', () => {
    const before = loaded(1, 2, 3);
    const after = changed(before, streamId, edited(2, '直しました'));
    expect(after.messages?.map(({ content }) => content)).toEqual(['1', '直しました', '3']);
    expect(after.messages?.[0]).toBe(before.messages?.[0]);
    expect(after.messages?.[1]?.last_edit_timestamp).toBe(1);
  });

  it('[R2.15] A deleted message stays in its timeline without its text', () => {
    const after = changed(loaded(1, 2), streamId, deleted(1));
    expect(after.messages?.[0]).toMatchObject({ id: 1, content: '', deleted: true });
  });

  it('Events that arrive while a page is being loaded are applied to it, whether the server read the page before or after them', () => {
    const asking = [said(3), edited(2, '直しました'), deleted(1)].reduce(
      (state, event) => changed(state, streamId, event),
      requested(unloaded, 'newest'),
    );
    // Read before it happened, and read after.
    for (const read of [page([1, 2]), page([1, 2, 3])]) {
      const timeline = arrived(asking, streamId, read);
      expect(timeline.messages?.map(({ content }) => content)).toEqual(['', '直しました', '3']);
      expect(timeline.held).toEqual([]);
    }
  });

  it('An older page is added before the messages of a timeline, each message once', () => {
    const timeline = arrived(requested(loaded(5, 6), 'older'), streamId, page([3, 4, 5], true));
    expect(ids(timeline)).toEqual([3, 4, 5, 6]);
    expect(timeline.foundOldest).toBe(true);
  });

  it('A timeline drops messages that move to another stream, and must be loaded again when messages move in', () => {
    const moved: MessageChange = {
      id: 9,
      type: 'update_message',
      message_id: 2,
      message_ids: [2],
      flags: [],
      edit_timestamp: 1,
      stream_id: streamId,
      new_stream_id: lunch.stream_id,
    };
    expect(ids(changed(loaded(1, 2, 3), streamId, moved))).toEqual([1, 3]);
    expect(changed(loaded(1, 2, 3), lunch.stream_id, moved).stale).toBe(true);
  });

  it('A timeline of more than 500 messages is cut to its newest hundred, unless a page is being loaded', () => {
    const long = loaded(...Array.from({ length: 501 }, (_, index) => index + 1));
    const short = trimmed({ ...long, foundOldest: true }, bounds.closed);
    expect(ids(short)).toEqual(Array.from({ length: 100 }, (_, index) => index + 402));
    expect(short.foundOldest).toBe(false);
    expect(trimmed(short, bounds.closed)).toBe(short);
    const loading = requested(long, 'older');
    expect(trimmed(loading, bounds.closed)).toBe(loading);
  });

  it('A timeline that is trimmed around a message keeps as many messages before it as after it, and knows that some are missing', () => {
    const long = { ...loaded(...Array.from({ length: 11 }, (_, index) => index + 1)), foundOldest: true };
    const around = (seen?: number) => {
      const { foundOldest, foundNewest, ...short } = trimmed(long, { most: 10, kept: 4 }, seen);
      return { ids: ids(short), foundOldest, foundNewest };
    };
    expect(around(6)).toEqual({ ids: [4, 5, 6, 7], foundOldest: false, foundNewest: false });
    expect(around(2)).toEqual({ ids: [1, 2, 3, 4], foundOldest: true, foundNewest: false });
    expect(around(11)).toEqual({ ids: [8, 9, 10, 11], foundOldest: false, foundNewest: true });
    expect(around()).toEqual({ ids: [8, 9, 10, 11], foundOldest: false, foundNewest: true });
  });

  it('find returns a message of a timeline by its id', () => {
    const { messages = [] } = loaded(2, 4, 8);
    expect([2, 4, 8].map((id) => find(messages, id)?.id)).toEqual([2, 4, 8]);
    expect([1, 3, 9].map((id) => find(messages, id))).toEqual([undefined, undefined, undefined]);
  });
});

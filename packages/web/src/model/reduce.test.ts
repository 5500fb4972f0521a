import { type KnownEvent } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { ai, design, general, ken, lunch, messageOf } from '../../test/organisation.ts';
import { begin, snapshot } from '../../test/exampleState.ts';
import { outgoing } from './outbox/outgoing.ts';
import { attempted, delivered, queued, sendFailed, outboxAfterPage } from './outbox/changes.ts';
import { connectionBecame } from './connection/state.ts';
import { happened, registered } from './sync/changes.ts';
import { opened, pageArrived, pageRequested } from './timeline/changes.ts';
import { readingBegan, readingRefused } from './unread/changes.ts';
import { type State } from './state.ts';
import { countUnread } from './unread/unread.ts';
import type { Page } from './timeline/timeline.ts';
import type { ConversationKey } from './streams/conversation.ts';

const differences = {
  newest: new Map([
    [general.stream_id, messageOf(102, ken, general, '102')],
    [design.stream_id, null],
  ]),
  unread: new Map([[general.stream_id, new Set([101, 102])]]),
};
const begun = begin(differences);

const arrived = (state: State, conversation: ConversationKey, page: Page) =>
  outboxAfterPage(pageArrived(state, conversation, page), conversation);
const after = (state: State, ...events: readonly KnownEvent[]) => happened(state, events, { queueId: 'queue-1', lastEventId: 1 });
const count = ({ unread, reading }: State, streamId: number) => countUnread(unread, reading, streamId);

const said = (id: number, sender = ken, flags: readonly string[] = []): KnownEvent => ({
  id,
  type: 'message',
  message: messageOf(id, sender, general, `${id}`),
  flags: [...flags],
});
const echo = (id: number, content: string): KnownEvent => ({
  id,
  type: 'message',
  message: messageOf(id, ai, general, content),
  flags: ['read'],
});
const flagged = (op: 'add' | 'remove', messages: number[], all = false): KnownEvent => ({
  id: 1,
  type: 'update_message_flags',
  op,
  flag: 'read',
  messages,
  all,
});

describe('Unread messages', () => {
  it('The unread count begins with the server’s, over all topics', () => {
    expect(count(begun, general.stream_id)).toBe(2);
    expect(count(begun, design.stream_id)).toBe(0);
  });

  it('[R4.5] The unread count rises with a message of another member, but not with an own or a read one', () => {
    expect(count(after(begun, said(103)), general.stream_id)).toBe(3);
    expect(count(after(begun, said(103, ai)), general.stream_id)).toBe(2);
    expect(count(after(begun, said(103, ken, ['read'])), general.stream_id)).toBe(2);
  });

  it('The unread count includes a repeated message once', () => {
    expect(count(after(begun, said(103), said(103)), general.stream_id)).toBe(3);
  });

  it('[R4.6] The unread count falls with messages read and rises with messages marked as unread', () => {
    expect(count(after(begun, flagged('add', [101])), general.stream_id)).toBe(1);
    expect(count(after(begun, flagged('add', [], true)), general.stream_id)).toBe(0);
    const marked = after(begun, flagged('add', [101, 102]), flagged('remove', [102]));
    expect(count(marked, general.stream_id)).toBe(1);
    const place = { type: 'stream', stream_id: design.stream_id } as const;
    const detailed = { ...flagged('remove', [7]), message_details: { 7: place } };
    expect(count(after(begun, detailed), design.stream_id)).toBe(1);
  });

  it('The unread count falls when a message is deleted', () => {
    const deleted: KnownEvent = { id: 1, type: 'delete_message', message_type: 'stream', message_id: 102 };
    expect(count(after(begun, deleted), general.stream_id)).toBe(1);
  });

  it('An unread message that is moved is counted in its new stream', () => {
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

  it('The unread count excludes a message that is being marked as read, until the server refuses', () => {
    const reading = readingBegan(begun, [101, 102]);
    expect(count(reading, general.stream_id)).toBe(0);
    expect(count(after(reading, said(103)), general.stream_id)).toBe(1);
    expect(count(readingRefused(reading, [101, 102]), general.stream_id)).toBe(2);
  });
});

describe('Streams', () => {
  const subscription = 'subscription';

  it('A stream is added and removed with its subscription', () => {
    const open = opened(begun, general.stream_id);
    const joined = after(open, { id: 1, type: subscription, op: 'add', subscriptions: [lunch] });
    expect(joined.subscriptions?.get(lunch.stream_id)?.name).toBe('ランチ');
    const { name, stream_id } = general;
    const left = after(joined, { id: 2, type: subscription, op: 'remove', subscriptions: [{ name, stream_id }] });
    expect(left.subscriptions?.has(stream_id)).toBe(false);
    expect(left.current).toBeUndefined();
  });

  it('A stream lists each subscriber once', () => {
    const peers = { type: subscription, stream_ids: [general.stream_id], user_ids: [2, 3] } as const;
    const event = { ...peers, stream_ids: [...peers.stream_ids], user_ids: [...peers.user_ids] };
    const joined = after(begun, { id: 1, ...event, op: 'peer_add' });
    expect(joined.subscriptions?.get(general.stream_id)?.subscribers).toEqual([1, 2, 3]);
    const left = after(joined, { id: 2, ...event, op: 'peer_remove' });
    expect(left.subscriptions?.get(general.stream_id)?.subscribers).toEqual([1]);
  });

  it('A stream is renamed by its event', () => {
    const { stream_id } = general;
    const renamed = after(begun, { id: 1, type: 'stream', op: 'update', stream_id, property: 'name', value: '全社' });
    expect(renamed.subscriptions?.get(stream_id)?.name).toBe('全社');
  });
});

const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => messageOf(from + index, ken, general, ''));
const loadedIn = (state: State) => state.timelines.get(general.stream_id)?.messages ?? [];
const idsIn = (state: State) => loadedIn(state).map(({ id }) => id);

describe('A long timeline', () => {
  const page = { anchor: 0, found_anchor: false, found_oldest: true, found_newest: true };
  const asking = pageRequested(opened(begun, general.stream_id), general.stream_id, 'newest');
  const open = arrived(asking, general.stream_id, { ...page, messages: messages(1, 500) });

  it('A long timeline stays complete while it is open and is trimmed when it is left', () => {
    const grown = after(open, said(501), said(502));
    expect(loadedIn(grown)).toHaveLength(502);
    expect(idsIn(opened(grown, design.stream_id))).toEqual(messages(403, 502).map(({ id }) => id));
  });

  it('A long timeline is trimmed when it grows while another one is open', () => {
    const left = opened(open, design.stream_id);
    expect(loadedIn(left)).toHaveLength(500);
    const grown = after(left, said(501));
    expect(loadedIn(grown)).toHaveLength(100);
    expect(loadedIn(grown).at(-1)?.id).toBe(501);
    expect(grown.timelines.get(general.stream_id)?.foundOldest).toBe(false);
  });

  it('A long timeline is not trimmed while a page is being loaded', () => {
    const later = arrived(asking, general.stream_id, { ...page, messages: messages(100, 599) });
    const left = opened(pageRequested(later, general.stream_id, 'older'), design.stream_id);
    const grown = after(left, said(600));
    expect(loadedIn(grown)).toHaveLength(501);
    const filled = arrived(grown, general.stream_id, { ...page, messages: messages(50, 99) });
    expect(idsIn(filled)).toEqual(messages(501, 600).map(({ id }) => id));
  });
});

describe('An outgoing message', () => {
  const sent = outgoing(general.stream_id, '長い話', 0);
  const { localKey, conversation: streamId } = sent;
  const page = { anchor: 0, found_anchor: false, found_oldest: true, found_newest: true, messages: [] };
  const open = arrived(pageRequested(opened(begun, streamId), streamId, 'newest'), streamId, page);
  const sending = attempted(queued(open, [sent]), localKey);

  it('An outgoing message is dropped by the event with its local id, even if the server changed its text', () => {
    const marked = { ...echo(103, '長い[message truncated]'), local_message_id: localKey };
    expect(after(sending, marked).outbox).toEqual([]);
  });

  it('An outgoing message is dropped when its message arrives after the answer', () => {
    const answered = delivered(sending, localKey, 103);
    expect(answered.outbox).toMatchObject([{ state: 'sent', messageId: 103 }]);
    expect(after(answered, echo(103, '長い話')).outbox).toEqual([]);
  });

  it('An outgoing message is dropped with the answer if its message has arrived, or its stream is not loaded', () => {
    expect(delivered(after(sending, echo(103, '長い話')), localKey, 103).outbox).toEqual([]);
    const elsewhere = attempted(queued(begun, [sent]), localKey);
    expect(delivered(elsewhere, localKey, 103).outbox).toEqual([]);
  });

  it('An outgoing message gives its row’s key to its message, whether event or answer comes first', () => {
    const marked = { ...echo(103, '長い話'), local_message_id: localKey };
    const row = [[103, localKey]];
    expect([...after(sending, marked).sentAs]).toEqual(row);
    expect([...after(delivered(sending, localKey, 103), echo(103, '長い話')).sentAs]).toEqual(row);
    // If both rows are shown already, the key is not moved.
    const other = after(sending, echo(103, '長い話'));
    expect([...delivered(other, localKey, 103).sentAs]).toEqual([]);
  });

  it('An outgoing message is dropped if its message was deleted before it was seen', () => {
    const answered = delivered(sending, localKey, 103);
    const gone: KnownEvent = { id: 1, type: 'delete_message', message_type: 'stream', message_ids: [103] };
    expect(after(answered, gone).outbox).toEqual([]);
    const newer = { ...page, messages: [messageOf(104, ken, general, '次')] };
    expect(arrived(pageRequested(answered, streamId, 'newest'), streamId, newer).outbox).toEqual([]);
  });

  it('An outgoing message is dropped when the server’s newest message is older, because a restored backup has lost it', () => {
    const answered = delivered(sending, localKey, 103);
    expect(registered(answered, { ...snapshot, ...differences, maxMessageId: 103 }).outbox).toMatchObject([{ state: 'sent' }]);
    expect(registered(answered, { ...snapshot, ...differences }).outbox).toEqual([]);
  });

  it('A refused outgoing message is no longer matched with an equal message', () => {
    const seeming = after(sending, echo(103, '長い話'));
    expect(seeming.outbox).toMatchObject([{ messageId: 103 }]);
    expect(sendFailed(seeming, localKey, { kind: 'network' }).outbox).toMatchObject([{ messageId: 103 }]);
    const refused = sendFailed(seeming, localKey, { kind: 'refused', code: 'BAD_REQUEST', message: 'no' });
    expect(refused.outbox).toMatchObject([{ messageId: undefined, state: 'failed' }]);
  });
});

it('a member’s new name reaches all screens', () => {
  const renamed: KnownEvent = { id: 1, type: 'realm_user', op: 'update', person: { user_id: 2, full_name: '石川 けん' } };
  expect(after(begun, renamed).users.get(2)).toEqual({ ...ken, full_name: '石川 けん' });
  expect(after(begun, renamed, renamed).formerNames).toEqual([{ user_id: 2, name: ken.full_name }]);
});

it('an unknown event only moves the cursor', () => {
  const state = happened(begun, [{ id: 9, type: 'unknown', original: {} }], { queueId: 'queue-1', lastEventId: 9 });
  expect(state).toEqual({ ...begun, cursor: { queueId: 'queue-1', lastEventId: 9 } });
});

it('a signed-out model stays signed out', () => {
  expect(connectionBecame(connectionBecame(begun, 'signed-out'), 'online').connection).toBe('signed-out');
});

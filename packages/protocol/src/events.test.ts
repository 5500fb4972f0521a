import { expect, it } from 'vitest';
import { serverEvent } from './events.ts';

const flags = { id: 3, type: 'update_message_flags', op: 'add', flag: 'read', messages: [1, 2], all: false };
const message = {
  id: 7,
  type: 'stream',
  sender_id: 1,
  sender_email: 'tanaka@example.com',
  sender_full_name: '田中 太郎',
  sender_realm_str: '',
  avatar_url: null,
  client: 'website',
  timestamp: 1_790_000_000,
  content: '縁側',
  content_type: 'text/x-markdown',
  is_me_message: false,
  recipient_id: 1,
  display_recipient: '総務部',
  stream_id: 1,
  subject: 'stream events',
  topic_links: [],
  reactions: [],
  submessages: [],
};
const reaction = {
  id: 4,
  type: 'reaction',
  op: 'add',
  message_id: 7,
  user_id: 1,
  emoji_name: 'tea',
  emoji_code: '1f375',
  reaction_type: 'unicode_emoji',
};

const known = [
  { id: 1, type: 'message', message, flags: ['read'], local_message_id: '1.01' },
  { id: 2, type: 'update_message', message_id: 7, message_ids: [7], flags: [], edit_timestamp: 1_790_000_001 },
  { id: 2, type: 'delete_message', message_type: 'stream', message_ids: [7], stream_id: 1 },
  flags,
  reaction,
  { id: 5, type: 'subscription', op: 'remove', subscriptions: [{ name: '総務部', stream_id: 1 }] },
  { id: 5, type: 'subscription', op: 'update', stream_id: 1, property: 'is_muted', value: true },
  { id: 5, type: 'subscription', op: 'peer_add', stream_ids: [1], user_ids: [2] },
  { id: 6, type: 'stream', op: 'update', stream_id: 1, property: 'name', value: '総務' },
  { id: 7, type: 'realm_user', op: 'update', person: { user_id: 1, full_name: '田中 次郎' } },
  { id: 7, type: 'presence', presences: { '7': { active_timestamp: 1_790_000_000, idle_timestamp: 1_790_000_001 } } },
  {
    id: 7,
    type: 'presence',
    user_id: 7,
    email: 'tanaka@example.com',
    server_timestamp: 1_790_000_000.5,
    presence: { website: { client: 'website', status: 'active', timestamp: 1_790_000_000, pushable: false } },
  },
  { id: 7, type: 'user_status', user_id: 7, status_text: '会議中', emoji_name: 'no_entry', emoji_code: '26d4' },
  { id: 8, type: 'heartbeat' },
];

it.each(known)('serverEvent parses an event of a known type: $type $op', (event) => {
  expect(serverEvent.parse(event)).toEqual(event);
});

it('serverEvent drops unknown fields of a known event', () => {
  expect(serverEvent.parse({ ...flags, later: true })).toEqual(flags);
});

it.each([
  { id: 1, type: 'saved_snippets', stream_id: 7 },
  { id: 2, type: 'toString' },
  { id: 3, type: '__proto__' },
  { id: 4, type: 'unknown' },
  { id: 5, type: 'subscription', op: 'paint', colour: 'red' },
  { id: 6, type: 'stream', op: 'occupy', streams: [] },
  { id: 7, type: 'realm_user', op: 'promote', person: { user_id: 1 } },
])(
  'serverEvent returns an event of an unknown type or operation with its id, so that the client can acknowledge it: $type $op',
  (event) => {
    expect(serverEvent.parse(event)).toEqual({ id: event.id, type: 'unknown', original: event });
  },
);

it.each([
  { ...reaction, op: 'replace' },
  { ...flags, op: 'toggle' },
])('serverEvent returns a known type with an unknown operation as an unknown event: $type $op', (event) => {
  expect(serverEvent.parse(event)).toMatchObject({ id: event.id, type: 'unknown' });
});

it.each([
  ['a message without its text', { id: 1, type: 'message', message: { ...message, content: undefined }, flags: [] }],
  ['a message of another kind', { id: 1, type: 'message', message: { ...message, type: 'letter' }, flags: [] }],
  ['a message without flags', { id: 1, type: 'message', message }],
  ['flags of no messages', { ...flags, messages: 'all' }],
  ['flags without an operation', { ...flags, op: undefined }],
  ['a reaction of a text', { ...reaction, message_id: '7' }],
  ['a subscription to nothing', { id: 5, type: 'subscription', op: 'remove' }],
  ['members of nothing', { id: 5, type: 'subscription', op: 'peer_add', stream_ids: 1, user_ids: [] }],
  ['no id', { type: 'heartbeat' }],
  ['a broken id', { id: 1.5, type: 'heartbeat' }],
  ['no type', { id: 1 }],
])('serverEvent rejects a malformed event: %s', (_, event) => {
  expect(serverEvent.safeParse(event).success).toBe(false);
});

it('serverEvent rejects a subscription event without the field “op”', () => {
  expect(serverEvent.safeParse({ id: 5, type: 'subscription', stream_ids: [1] }).success).toBe(false);
});

/** Every event that the server tells: who hears of it, who does not, and what exactly it says, however they listen. */
import {
  type EventType,
  type Message,
  type ParametersIn,
  type Stream,
  addAlertWords,
  addReaction,
  addressDirect,
  busyEmoji,
  createUser,
  deactivateUser,
  deleteMessage,
  deleteStream,
  editMessage,
  presenceBatchSeconds,
  registerQueue,
  removeReaction,
  roles,
  sendMessage,
  serverEvent,
  setTypingStatus,
  subscribe,
  unsubscribe,
  updateMessageFlags,
  updatePointer,
  updatePresence,
  updateRealm,
  updateSettings,
  updateStatus,
  updateStream,
  updateSubscriptionProperties,
  updateUser,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settled } from '../testing/clock.ts';
import { company, sales, square, streams } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { joins } from '../testing/membership.ts';

/** Whose queues listen. `actor`, `member` and `guest` are in 営業部, which is private; 広場 is public. */
const listeners = {
  actor: 'ito',
  member: 'suzuki',
  guest: 'mori',
  administrator: 'sato',
  outsider: 'kato',
  guestOutside: 'takahashi',
  left: 'yamada',
} as const;
type Listener = keyof typeof listeners;
const everyone: readonly Listener[] = ['actor', 'member', 'guest', 'administrator', 'outsider', 'guestOutside', 'left'];
const inside: readonly Listener[] = ['actor', 'member', 'guest'];
const allButGuestOutside = everyone.filter((name) => name !== 'guestOutside');

/** Events as they are on the wire, without their ids. */
type Told = Readonly<Record<string, unknown>>;
type Heard = Partial<Record<Listener, readonly Told[]>>;

const to = (names: readonly Listener[], ...events: readonly Told[]): Heard =>
  Object.fromEntries(names.map((name) => [name, events]));

/** An organisation in which the actor has just said something in 営業部. */
interface Scene {
  readonly server: eg.Server;
  readonly said: number;
  as(name: Listener): eg.Client;
  id(name: Listener): number;
  /** Unix seconds. */
  now(): number;
  /** 営業部, and the id of the message that is sent next. */
  readonly stream: number;
  readonly next: number;
}

interface Row {
  readonly what: string;
  readonly asks?: ParametersIn<typeof registerQueue>;
  readonly does: (at: Scene) => Promise<unknown>;
  /** Who is not named hears nothing. */
  readonly heard: (at: Scene) => Heard;
}

const message = { type: 'stream', to: sales, topic: '昼食', content: 'お先に' };

function messageView(at: Scene, change: Partial<Message> = {}): Omit<Message, 'flags'> {
  return {
    id: at.next,
    type: 'stream',
    sender_id: at.id('actor'),
    sender_email: 'ito@example.com',
    sender_full_name: '伊藤 誠',
    sender_realm_str: '',
    avatar_url: '/avatars/ito.png',
    client: 'Engawa',
    timestamp: at.now(),
    content: 'お先に',
    content_type: 'text/x-markdown',
    is_me_message: false,
    recipient_id: at.stream,
    display_recipient: sales,
    stream_id: at.stream,
    subject: '昼食',
    topic_links: [],
    reactions: [],
    submessages: [],
    ...change,
  };
}

function streamView(at: Scene, change: Partial<Stream> = {}): Stream {
  return {
    stream_id: at.stream,
    name: sales,
    description: `${sales}の連絡`,
    rendered_description: `${sales}の連絡`,
    date_created: Date.UTC(2026, 3, 1) / 1000,
    creator_id: at.id('actor'),
    invite_only: true,
    is_web_public: false,
    is_archived: false,
    stream_post_policy: 1,
    history_public_to_subscribers: true,
    message_retention_days: null,
    first_message_id: at.server.messages[1] ?? null,
    stream_weekly_traffic: null,
    is_announcement_only: false,
    is_recently_active: true,
    picture_url: null,
    ...change,
  };
}

const subscriptionView = (stream: Stream, color: string, subscribers: readonly number[]): Told => ({
  ...stream,
  color,
  is_muted: false,
  in_home_view: true,
  pin_to_top: false,
  desktop_notifications: false,
  audible_notifications: true,
  push_notifications: true,
  email_notifications: false,
  wildcard_mentions_notify: true,
  put_away: false,
  subscribers,
});

const personView = (at: Scene, name: Listener) => ({ user_id: at.id(name), email: eg.emailOf(listeners[name]) });

const direct = (at: Scene) => addressDirect([at.id('administrator'), at.id('left')]);
const inDirect: readonly Listener[] = ['actor', 'administrator', 'left'];

const update = (at: Scene, change: Told): Told => ({
  type: 'update_message',
  user_id: at.id('actor'),
  edit_timestamp: at.now(),
  message_id: at.said,
  message_ids: [at.said],
  rendering_only: false,
  stream_id: at.stream,
  stream_name: sales,
  ...change,
});

const flagsChanged = (change: Told): Told => ({ type: 'update_message_flags', all: false, ...change });

const reacted = (at: Scene, op: 'add' | 'remove'): Told => ({
  type: 'reaction',
  op,
  message_id: at.said,
  emoji_name: 'tada',
  emoji_code: '1f389',
  reaction_type: 'unicode_emoji',
  user_id: at.id('actor'),
  user: { ...personView(at, 'actor'), full_name: '伊藤 誠' },
});

const peersChanged = (at: Scene, op: 'peer_add' | 'peer_remove', name: Listener): Told => ({
  type: 'subscription',
  op,
  stream_ids: [at.stream],
  user_ids: [at.id(name)],
});

const userChanged = (person: Told): Told => ({ type: 'realm_user', op: 'update', person });

const newcomer = { email: 'abe@example.com', full_name: '阿部 新', password: 'himitsu-desu' };

const typing = (at: Scene, change: Told): Told => ({ type: 'typing', sender: personView(at, 'actor'), ...change });

/** Every type that the protocol knows has its rows; a heartbeat is told to who waits, and has a test of its own. */
/** The actor comes, and time passes until they are told of. */
async function comes(at: Scene): Promise<void> {
  await at.as('actor').ok(updatePresence, { status: 'active' });
  await at.server.clock.pass(presenceBatchSeconds);
}
const cameAt = (at: Scene) => at.now() - presenceBatchSeconds;

const table: Readonly<Record<Exclude<EventType, 'heartbeat'>, readonly Row[]>> = {
  message: [
    {
      what: 'to those who are in a private stream, each with their own flags',
      does: (at) => at.as('actor').ok(sendMessage, { ...message, content: '@**鈴木 一郎** お先に' }),
      heard: (at) => {
        const told = { type: 'message', message: messageView(at, { content: '@**鈴木 一郎** お先に' }) };
        return {
          actor: [{ ...told, flags: ['read'] }],
          member: [{ ...told, flags: ['mentioned'] }],
          guest: [{ ...told, flags: [] }],
        };
      },
    },
    {
      what: 'as HTML to those who asked for it',
      asks: { apply_markdown: true },
      does: (at) => at.as('actor').ok(sendMessage, message),
      heard: (at) => {
        const shown = messageView(at, { content: '<p>お先に</p>', content_type: 'text/html' });
        const told = { type: 'message', message: shown };
        return { ...to(['member', 'guest'], { ...told, flags: [] }), ...to(['actor'], { ...told, flags: ['read'] }) };
      },
    },
    {
      what: 'in a public stream also to those outside who asked for all public streams, but to no guest there',
      asks: { narrow: [['stream', square]] },
      does: (at) => at.as('actor').ok(sendMessage, { ...message, to: square }),
      heard: (at) => {
        const stream_id = at.server.stream(square);
        const place = { recipient_id: stream_id, stream_id, display_recipient: square };
        const told = { type: 'message', message: messageView(at, place) };
        return {
          ...to(['member', 'administrator', 'outsider', 'left'], { ...told, flags: [] }),
          actor: [{ ...told, flags: ['read'] }],
          guest: [{ ...told, flags: [] }],
        };
      },
    },
    {
      what: 'to the members of a direct conversation',
      does: (at) => at.as('actor').ok(sendMessage, { type: 'direct', to: direct(at), content: '内緒' }),
      heard: (at) => {
        const { stream_id: _, ...shown } = messageView(at, {
          type: 'private',
          content: '内緒',
          subject: '',
          recipient_id: streams.length + 1,
          display_recipient: [
            { id: at.id('actor'), email: 'ito@example.com', full_name: '伊藤 誠', is_mirror_dummy: false },
            { id: at.id('administrator'), email: 'sato@example.com', full_name: '佐藤 花子', is_mirror_dummy: false },
            { id: at.id('left'), email: 'yamada@example.com', full_name: '山田 健', is_mirror_dummy: false },
          ],
        });
        const told = { type: 'message', message: shown };
        return { ...to(inDirect, { ...told, flags: [] }), actor: [{ ...told, flags: ['read'] }] };
      },
    },
  ],

  update_message: [
    {
      what: 'of a corrected content, as typed and as HTML',
      does: (at) => at.as('actor').ok(editMessage, { message_id: at.said, content: '訂正' }),
      heard: (at) => {
        const told = update(at, {
          content: '訂正',
          rendered_content: '<p>訂正</p>',
          orig_content: 'お先に',
          orig_rendered_content: '<p>お先に</p>',
          is_me_message: false,
        });
        return { ...to(['member', 'guest'], { ...told, flags: [] }), ...to(['actor'], { ...told, flags: ['read'] }) };
      },
    },
    {
      what: 'of another topic',
      does: (at) => at.as('actor').ok(editMessage, { message_id: at.said, topic: '夕食' }),
      heard: (at) => {
        const topic = { orig_subject: '昼食', subject: '夕食', propagate_mode: 'change_one', topic_links: [] };
        const told = update(at, topic);
        return { ...to(['member', 'guest'], { ...told, flags: [] }), ...to(['actor'], { ...told, flags: ['read'] }) };
      },
    },
  ],

  delete_message: [
    {
      what: 'with its id alone',
      does: (at) => at.as('actor').ok(deleteMessage, { message_id: at.said }),
      heard: (at) =>
        to(inside, {
          type: 'delete_message',
          message_type: 'stream',
          message_id: at.said,
          stream_id: at.stream,
          topic: '昼食',
        }),
    },
    {
      what: 'with a list of ids to those who understand one',
      asks: { client_capabilities: { bulk_message_deletion: true } },
      does: (at) => at.as('actor').ok(deleteMessage, { message_id: at.said }),
      heard: (at) =>
        to(inside, {
          type: 'delete_message',
          message_type: 'stream',
          message_ids: [at.said],
          stream_id: at.stream,
          topic: '昼食',
        }),
    },
    {
      what: 'of a direct message to those who take part',
      asks: { event_types: ['delete_message'] },
      async does(at) {
        const sent = await at.as('actor').ok(sendMessage, { type: 'direct', to: direct(at), content: '内緒' });
        await at.as('actor').ok(deleteMessage, { message_id: sent.id });
      },
      heard: (at) => to(inDirect, { type: 'delete_message', message_type: 'private', message_id: at.next }),
    },
  ],

  update_message_flags: [
    {
      what: 'to the member alone, with where what is unread again counts',
      async does(at) {
        const member = at.as('member');
        await member.ok(updateMessageFlags, { messages: [at.said], op: 'add', flag: 'read' });
        await member.ok(updateMessageFlags, { messages: [at.said], op: 'remove', flag: 'read' });
        await member.ok(updateMessageFlags, { messages: [at.said], op: 'add', flag: 'starred' });
      },
      heard: (at) => ({
        member: [
          flagsChanged({ op: 'add', operation: 'add', flag: 'read', messages: [at.said] }),
          flagsChanged({
            op: 'remove',
            operation: 'remove',
            flag: 'read',
            messages: [at.said],
            message_details: { [at.said]: { type: 'stream', stream_id: at.stream, topic: '昼食' } },
          }),
          flagsChanged({ op: 'add', operation: 'add', flag: 'starred', messages: [at.said] }),
        ],
      }),
    },
  ],

  reaction: [
    {
      what: 'to those who have the message',
      async does(at) {
        await at.as('actor').ok(addReaction, { message_id: at.said, emoji_name: 'tada' });
        await at.as('actor').ok(removeReaction, { message_id: at.said, emoji_name: 'tada' });
      },
      heard: (at) => to(inside, reacted(at, 'add'), reacted(at, 'remove')),
    },
  ],

  subscription: [
    {
      what: 'of one’s own when a property is set',
      does: (at) =>
        at.as('member').ok(updateSubscriptionProperties, {
          subscription_data: [
            { stream_id: at.stream, property: 'is_muted', value: true },
            { stream_id: at.stream, property: 'desktop_notifications', value: true },
          ],
        }),
      heard: (at) => {
        const told = { type: 'subscription', op: 'update', stream_id: at.stream };
        return to(
          ['member'],
          { ...told, property: 'in_home_view', value: false },
          { ...told, property: 'is_muted', value: true },
          { ...told, property: 'desktop_notifications', value: true },
        );
      },
    },
    {
      what: 'to a newcomer with the stream, and to those inside as a peer’s',
      does: (at) => at.as('actor').ok(subscribe, { subscriptions: [{ name: sales }], principals: [at.id('outsider')] }),
      heard: (at) => ({
        ...to(inside, peersChanged(at, 'peer_add', 'outsider')),
        outsider: [
          { type: 'stream', op: 'create', streams: [streamView(at)] },
          {
            type: 'subscription',
            op: 'add',
            subscriptions: [
              subscriptionView(
                streamView(at),
                '#76ce90',
                ['suzuki', 'ito', 'kato', 'mori'].map(at.server.user).toSorted((one, other) => one - other),
              ),
            ],
          },
        ],
      }),
    },
    {
      what: 'to one who leaves, whose stream goes with it, and to those who stay as a peer’s',
      asks: { event_types: ['subscription', 'stream'] },
      does: (at) => at.as('member').ok(unsubscribe, { subscriptions: [sales] }),
      heard: (at) => ({
        ...to(['actor', 'guest'], peersChanged(at, 'peer_remove', 'member')),
        member: [
          { type: 'subscription', op: 'remove', subscriptions: [{ name: sales, stream_id: at.stream }] },
          { type: 'stream', op: 'delete', streams: [streamView(at)], stream_ids: [at.stream] },
        ],
      }),
    },
  ],

  stream: [
    {
      what: 'when a private one is called otherwise to those who are in it, with its name until then',
      does: (at) => at.as('actor').ok(updateStream, { stream_id: at.stream, new_name: '営業本部' }),
      heard: (at) =>
        to(inside, {
          type: 'stream',
          op: 'update',
          stream_id: at.stream,
          name: sales,
          property: 'name',
          value: '営業本部',
        }),
    },
    {
      what: 'when it is described otherwise',
      does: (at) => at.as('administrator').ok(updateStream, { stream_id: at.stream, description: '受注 & 見積' }),
      heard: (at) =>
        to(inside, {
          type: 'stream',
          op: 'update',
          stream_id: at.stream,
          name: sales,
          property: 'description',
          value: '受注 & 見積',
          rendered_description: '受注 &#38; 見積',
        }),
    },
    {
      what: 'when a public one is made to all but guests',
      asks: { event_types: ['stream'] },
      does: (at) => at.as('administrator').ok(subscribe, { subscriptions: [{ name: '掲示板' }], invite_only: false }),
      heard: (at) => {
        const made = streamView(at, {
          stream_id: streams.length + 1,
          name: '掲示板',
          description: '',
          rendered_description: '',
          date_created: at.now(),
          creator_id: at.id('administrator'),
          invite_only: false,
          first_message_id: null,
        });
        const told = { type: 'stream', op: 'create', streams: [made] };
        return to(['actor', 'member', 'administrator', 'outsider', 'left'], told);
      },
    },
    {
      what: 'when a private one is closed to those who were in it',
      does: (at) => at.as('administrator').ok(deleteStream, { stream_id: at.stream }),
      heard: (at) => to(inside, { type: 'stream', op: 'delete', streams: [streamView(at)], stream_ids: [at.stream] }),
    },
    {
      what: 'when its first message goes, to those who can see it',
      asks: { event_types: ['stream'] },
      does: (at) => at.as('administrator').ok(deleteMessage, { message_id: at.server.messages[0] ?? 0 }),
      heard: (at) =>
        to(allButGuestOutside, {
          type: 'stream',
          op: 'update',
          stream_id: at.server.stream(square),
          name: square,
          property: 'first_message_id',
          value: null,
        }),
    },
  ],

  realm_user: [
    {
      what: 'to everyone when somebody is new',
      does: (at) => at.as('administrator').ok(createUser, newcomer),
      heard: (at) => {
        const user_id = at.server.user('yamada') + 1;
        const person = {
          user_id,
          email: newcomer.email,
          delivery_email: newcomer.email,
          full_name: newcomer.full_name,
          date_joined: new Date(at.now() * 1000).toISOString(),
          role: roles.member,
          is_owner: false,
          is_admin: false,
          is_guest: false,
          is_billing_admin: false,
          is_bot: false,
          timezone: '',
          avatar_url: null,
          avatar_version: 1,
          is_active: true,
        };
        return to(everyone, { type: 'realm_user', op: 'add', person });
      },
    },
    {
      what: 'to everyone when somebody has another name',
      does: (at) => at.as('administrator').ok(updateUser, { user_id: at.id('guest'), full_name: '森 桜' }),
      heard: (at) => to(everyone, userChanged({ user_id: at.id('guest'), full_name: '森 桜' })),
    },
    {
      what: 'to everyone when somebody has another time zone and another address',
      async does(at) {
        const owner = eg.signIn(at.server, 'tanaka');
        await owner.ok(updateSettings, { timezone: 'Europe/Paris', email: 'shacho@example.com' });
      },
      heard(at) {
        const user_id = at.server.user('tanaka');
        return to(
          everyone,
          userChanged({ user_id, email: 'tanaka@example.com', timezone: 'Europe/Paris' }),
          userChanged({ user_id, delivery_email: 'shacho@example.com' }),
          userChanged({ user_id, new_email: 'shacho@example.com' }),
        );
      },
    },
    {
      what: 'to everyone when somebody has another role, whose own queues end',
      does: (at) => at.as('administrator').ok(updateUser, { user_id: at.id('guest'), role: roles.member }),
      heard(at) {
        const rights = { role: roles.member, is_owner: false, is_admin: false, is_guest: false };
        const person = { user_id: at.id('guest'), ...rights };
        return { ...to(everyone, userChanged(person)), guest: [{ refused: 'BAD_EVENT_QUEUE_ID' }] };
      },
    },
    {
      what: 'to everyone when somebody is deactivated, whose own queues end',
      does: (at) => at.as('administrator').ok(deactivateUser, { user_id: at.id('guest') }),
      heard: (at) => {
        const told = userChanged({ user_id: at.id('guest'), is_active: false });
        const ofSquare = { ...peersChanged(at, 'peer_remove', 'guest'), stream_ids: [at.server.stream(square)] };
        const ofAudit = { ...peersChanged(at, 'peer_remove', 'guest'), stream_ids: [at.server.stream('監査')] };
        return {
          ...to(['administrator', 'outsider', 'left'], ofSquare, told),
          guestOutside: [told],
          actor: [ofSquare, peersChanged(at, 'peer_remove', 'guest'), ofAudit, told],
          member: [ofSquare, peersChanged(at, 'peer_remove', 'guest'), told],
          guest: [{ refused: 'USER_DEACTIVATED' }],
        };
      },
    },
  ],

  typing: [
    {
      what: 'in a stream to its subscribers',
      asks: { client_capabilities: { stream_typing_notifications: true } },
      does: (at) => at.as('actor').ok(setTypingStatus, { op: 'start', type: 'stream', stream_id: at.stream, topic: '昼食' }),
      heard: (at) => to(inside, typing(at, { op: 'start', message_type: 'stream', stream_id: at.stream, topic: '昼食' })),
    },
    {
      what: 'to those who take part in a direct conversation',
      does: (at) => at.as('actor').ok(setTypingStatus, { op: 'stop', to: direct(at) }),
      heard: (at) => {
        const recipients = [personView(at, 'administrator'), personView(at, 'actor'), personView(at, 'left')];
        return to(inDirect, typing(at, { op: 'stop', message_type: 'direct', recipients }));
      },
    },
  ],

  presence: [
    {
      what: 'to everyone when somebody has come, one at a time',
      does: comes,
      heard: (at) => {
        const presence = { website: { client: 'website', status: 'active', timestamp: cameAt(at), pushable: false } };
        const [user_id, email] = [at.id('actor'), 'ito@example.com'];
        return to(everyone, { type: 'presence', user_id, email, server_timestamp: at.now(), presence });
      },
    },
    {
      what: 'to those who know how to be told, of all at once',
      asks: { client_capabilities: { simplified_presence_events: true } },
      async does(at) {
        await at.as('member').ok(updatePresence, { status: 'idle' });
        await comes(at);
      },
      heard: (at) => {
        const presences = { [at.id('actor')]: { active_timestamp: cameAt(at), idle_timestamp: cameAt(at) } };
        return to(everyone, { type: 'presence', presences });
      },
    },
  ],

  user_status: [
    {
      what: 'to everyone',
      does: (at) => at.as('actor').ok(updateStatus, { status_text: '会議中', ...busyEmoji }),
      heard: (at) => {
        const status = { status_text: '会議中', ...busyEmoji, scheduled_end_time: null };
        return to(everyone, { type: 'user_status', user_id: at.id('actor'), ...status });
      },
    },
  ],

  alert_words: [
    {
      what: 'to the member alone',
      does: (at) => at.as('actor').ok(addAlertWords, { alert_words: ['縁側', '庭'] }),
      heard: () => ({ actor: [{ type: 'alert_words', alert_words: ['縁側', '庭'] }] }),
    },
  ],

  user_settings: [
    {
      what: 'to the member alone: what others see of it is theirs to ask',
      does: (at) => at.as('actor').ok(updateSettings, { send_read_receipts: false }),
      heard: () => ({
        actor: [{ type: 'user_settings', op: 'update', property: 'send_read_receipts', value: false }],
      }),
    },
  ],

  realm: [
    {
      what: 'to everyone when other receipts are shown, and to nobody when they are so already',
      async does(at) {
        await at.as('administrator').ok(updateRealm, { read_receipts: 'all' });
        await at.as('administrator').ok(updateRealm, { enable_read_receipts: true });
      },
      heard: () => {
        const data = { enable_read_receipts: true, read_receipts: 'all' };
        return to(everyone, { type: 'realm', op: 'update_dict', property: 'default', data });
      },
    },
    {
      what: 'to everyone what of the organisation is another, and nothing of what stays',
      does: (at) =>
        at.server
          .running()
          .chooseForAll(
            (now) => ({ ...now, name: '縁側商店', editLimits: { content: 1200, deletion: null, topic: null } }),
            at.id('administrator'),
          ),
      heard: () =>
        to(
          everyone,
          { type: 'realm', op: 'update', property: 'name', value: '縁側商店' },
          {
            type: 'realm',
            op: 'update_dict',
            property: 'default',
            data: {
              message_content_edit_limit_seconds: 1200,
              message_content_delete_limit_seconds: null,
              move_messages_within_stream_limit_seconds: null,
            },
          },
        ),
    },
  ],

  directory: [
    {
      what: 'to everyone when departments are others, and whom it is about',
      does: (at) => at.server.running().tellOfDirectory([at.id('member'), at.id('guest')]),
      heard: (at) => to(everyone, { type: 'directory', user_ids: [at.id('member'), at.id('guest')] }),
    },
  ],

  pointer: [
    {
      what: 'to the member alone',
      does: (at) => at.as('actor').ok(updatePointer, { pointer: at.said }),
      heard: (at) => ({ actor: [{ type: 'pointer', pointer: at.said }] }),
    },
  ],
};

async function scene(): Promise<Scene> {
  const server = await company();
  await joins(server, listeners.member, sales);
  const as = (name: Listener) => eg.signIn(server, listeners[name]);
  const { id: said } = await as('actor').ok(sendMessage, message);
  return {
    server,
    said,
    next: said + 1,
    stream: server.stream(sales),
    as,
    id: (name) => server.user(listeners[name]),
    now: () => Math.floor(server.clock.now() / 1000),
  };
}

const polled = z.object({ events: z.array(z.looseObject({ id: z.int(), type: z.string() })) });

/** A listener's queue. It is asked in the raw, so that nothing is lost on what an answer holds. */
class Ear {
  readonly #client: eg.Client;
  readonly #id: string;
  readonly #began: number;
  #cursor: number;

  constructor(client: eg.Client, id: string, began: number) {
    this.#client = client;
    this.#id = id;
    this.#began = began;
    this.#cursor = began;
  }

  /** Waits for the first answer. */
  async waits(): Promise<readonly Told[]> {
    return this.#told(await this.#poll({}));
  }

  /** What is there now after all that was answered. */
  async hears(): Promise<readonly Told[]> {
    return this.#told(await this.#poll({ dont_block: 'true' }));
  }

  /** All of it from the beginning. */
  async hearsAgain(): Promise<readonly Told[]> {
    this.#cursor = this.#began;
    return this.hears();
  }

  #poll(asked: Readonly<Record<string, string>>): Promise<eg.Reply> {
    const query = { queue_id: this.#id, last_event_id: String(this.#cursor), ...asked };
    return this.#client.raw({ path: '/events', query });
  }

  #told(reply: eg.Reply): readonly Told[] {
    if (reply.status !== 200) return [{ refused: eg.refusal(reply).code }];
    return polled.parse(JSON.parse(reply.text)).events.map(({ id, ...told }) => {
      // It is as the protocol describes it, and ids ascend; what is not kept may bear the one before it.
      expect(serverEvent.parse({ id, ...told })).toMatchObject({ type: told.type });
      expect(id).toBeGreaterThan(isKept(told) ? this.#cursor : this.#cursor - 1);
      this.#cursor = id;
      return told;
    });
  }
}

type Ears = ReadonlyMap<Listener, Ear>;

async function earsOf(at: Scene, asks: Row['asks']): Promise<Ears> {
  const ears = everyone.map(async (name) => {
    const { queue_id, last_event_id } = await at.as(name).ok(registerQueue, asks ?? {});
    return [name, new Ear(at.as(name), queue_id, last_event_id)] as const;
  });
  return new Map(await Promise.all(ears));
}

async function heardBy(ears: Ears, listen: (ear: Ear, name: Listener) => Promise<readonly Told[]>): Promise<Heard> {
  const heard: Heard = {};
  for (const [name, ear] of ears) {
    const told = await listen(ear, name);
    if (told.length > 0) heard[name] = told;
  }
  return heard;
}

const isKept = ({ type }: Told): boolean => type !== 'typing' && type !== 'presence' && type !== 'heartbeat';

/** What is told once is not told again. */
const repeated = (heard: Heard): Heard => only(heard, isKept);
/** A queue that has ended says so to every poll. */
const refusals = (heard: Heard): Heard => only(heard, (told) => 'refused' in told);

function only(heard: Heard, stays: (told: Told) => boolean): Heard {
  const left = Object.entries(heard).map(([name, told]) => [name, told.filter(stays)] as const);
  return Object.fromEntries(left.filter(([, told]) => told.length > 0));
}

for (const [type, rows] of Object.entries(table)) {
  describe(`${type} is told`, () => {
    it.each(rows)('[R6.1] $what', async ({ asks, does, heard }) => {
      const at = await scene();
      const [late, waiting] = [await earsOf(at, asks), await earsOf(at, asks)];
      const polls = new Map([...waiting].map(([name, ear]) => [name, ear.waits()]));
      await settled();
      await does(at);
      await settled();

      const expected = heard(at);
      expect(Object.values(expected).flatMap((told) => told.map((each) => each['type']))).toContain(type);
      expect(await heardBy(late, (ear) => ear.hears())).toEqual(expected);
      expect(await heardBy(late, (ear) => ear.hears())).toEqual(refusals(expected));
      expect(await heardBy(late, (ear) => ear.hearsAgain())).toEqual(repeated(expected));

      // A poll that waited has heard the first of it, the next hears the rest; where there is nothing it waited on.
      const heardWaiting = await heardBy(waiting, async (ear, name) => {
        const next = expected[name] ? undefined : await ear.hears();
        const first = (await polls.get(name)) ?? [];
        return [...first, ...(next ?? (first.some((told) => 'refused' in told) ? [] : await ear.hears()))];
      });
      expect(heardWaiting).toEqual(expected);

      await at.server.restart();
      expect(await heardBy(late, (ear) => ear.hearsAgain())).toEqual(repeated(expected));
    });
  });
}

it('heartbeat is told to everyone who waits, whatever types they asked for', async () => {
  const at = await scene();
  const ears = await earsOf(at, { event_types: [] });
  const polls = [...ears.values()].map((ear) => ear.waits());
  await at.server.clock.pass(55);
  expect(await Promise.all(polls)).toEqual(everyone.map(() => [{ type: 'heartbeat' }]));
});

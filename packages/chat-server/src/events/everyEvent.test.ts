/** Checks every event type: which members receive it, which do not, and its exact content. */
import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { settled } from '../testing/clock.ts';
import { company, newStreamView, sales, square, streamView, streams, subscriptionView } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { joins } from '../testing/membership.ts';

/** The members who register queues. `actor`, `member` and `guest` subscribe to 営業部, which is private. 広場 is public. */
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
const allButGuests = everyone.filter((name) => name !== 'guest' && name !== 'guestOutside');
const allButGuestOutside = everyone.filter((name) => name !== 'guestOutside');

/** Events as on the wire, without their ids. */
type WireEvent = Readonly<Record<string, unknown>>;
type Received = Partial<Record<Listener, readonly WireEvent[]>>;

const to = (names: readonly Listener[], ...events: readonly WireEvent[]): Received =>
  Object.fromEntries(names.map((name) => [name, events]));

/** An organisation in which the actor has just sent a message in 営業部 and written a draft. */
interface Setup {
  readonly server: eg.Server;
  readonly messageId: number;
  readonly draftId: number;
  /** A group of the actor, `guest` and `left`. */
  readonly groupId: number;
  as(name: Listener): eg.Client;
  id(name: Listener): number;
  /** Unix seconds. */
  now(): number;
  /** The id of 営業部. */
  readonly stream: number;
  readonly next: number;
}

const entriesOf = (at: Setup) =>
  (['member', 'guest'] as const).map((name) => ({ user_id: at.id(name), reading: 'よみ', title: name, departments: ['1'] }));

interface Row {
  readonly title: string;
  readonly options?: api.ParametersIn<typeof api.registerQueue>;
  readonly act: (at: Setup) => Promise<unknown>;
  /** Members without an entry receive nothing. */
  readonly received: (at: Setup) => Received;
}

const message = { type: 'stream', to: sales, topic: '昼食', content: 'お先に' };

function messageView(at: Setup, change: Partial<api.Message> = {}): Omit<api.Message, 'flags'> {
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

const personView = (at: Setup, name: Listener) => ({ user_id: at.id(name), email: eg.emailOf(listeners[name]) });

const direct = (at: Setup) => api.addressDirect([at.id('administrator'), at.id('left')]);
const inDirect: readonly Listener[] = ['actor', 'administrator', 'left'];

const updateEvent = (at: Setup, change: WireEvent): WireEvent => ({
  type: 'update_message',
  user_id: at.id('actor'),
  edit_timestamp: at.now(),
  message_id: at.messageId,
  message_ids: [at.messageId],
  rendering_only: false,
  stream_id: at.stream,
  stream_name: sales,
  ...change,
});

const flagsEvent = (change: WireEvent): WireEvent => ({ type: 'update_message_flags', all: false, ...change });

const reactionEvent = (at: Setup, op: 'add' | 'remove'): WireEvent => ({
  type: 'reaction',
  op,
  message_id: at.messageId,
  emoji_name: 'tada',
  emoji_code: '1f389',
  reaction_type: 'unicode_emoji',
  user_id: at.id('actor'),
  user: { ...personView(at, 'actor'), full_name: '伊藤 誠' },
});

const peerEvent = (at: Setup, op: 'peer_add' | 'peer_remove', name: Listener): WireEvent => ({
  type: 'subscription',
  op,
  stream_ids: [at.stream],
  user_ids: [at.id(name)],
});

const userEvent = (person: WireEvent): WireEvent => ({ type: 'realm_user', op: 'update', person });

const removalEvent = (user_id: number): WireEvent => ({
  type: 'realm_user',
  op: 'remove',
  person: { user_id, full_name: 'Unknown user' },
});

const additionEvent = (at: Setup, name: Listener): WireEvent => ({
  type: 'realm_user',
  op: 'add',
  person: expect.objectContaining({ user_id: at.id(name), email: eg.emailOf(listeners[name]), is_active: true }),
});

/** The events of the system groups that have the users with this role as direct members. */
const roleEvents = (op: 'add_members' | 'remove_members', user_id: number, role: number): WireEvent[] => {
  const { fullmembers, members, everyone: all } = api.systemGroups;
  const ids = role === api.roles.guest ? [all] : [fullmembers, members];
  return ids.map((group_id) => ({ type: 'user_group', op, group_id, user_ids: [user_id] }));
};

const groupView = (at: Setup): api.UserGroup => {
  const manage = { direct_members: [at.id('actor')], direct_subgroups: [api.administratorsGroup] };
  return {
    id: at.groupId,
    name: '同好会',
    description: '',
    members: [],
    direct_subgroup_ids: [],
    is_system_group: false,
    creator_id: at.id('actor'),
    date_created: at.now(),
    deactivated: false,
    can_add_members_group: manage,
    can_manage_group: manage,
    can_remove_members_group: manage,
    can_join_group: api.systemGroups.nobody,
    can_leave_group: api.systemGroups.everyone,
    can_mention_group: api.systemGroups.everyone,
  };
};

const newcomer = { email: 'abe@example.com', full_name: '阿部 新', password: 'himitsu-desu' };

const draft: api.ParametersIn<typeof api.editDraft>['draft'] = { type: '', to: [], topic: '', content: '書きかけ' };
const draftView = (at: Setup, id: number, revision: number) => ({ id, ...draft, timestamp: at.now(), revision });

const typingEvent = (at: Setup, change: WireEvent): WireEvent => ({ type: 'typing', sender: personView(at, 'actor'), ...change });

/** The actor becomes active, and the next presence tick passes. */
async function becomeActive(at: Setup): Promise<void> {
  await at.as('actor').ok(api.updatePresence, { status: 'active' });
  await at.server.clock.advance(api.presenceBatchSeconds);
}
const activeSince = (at: Setup) => at.now() - api.presenceBatchSeconds;

/** Rows for every event type of the protocol except the heartbeat, which has its own test. */
const table: Readonly<Record<Exclude<api.EventType, 'heartbeat'>, readonly Row[]>> = {
  message: [
    {
      title: 'is delivered to the subscribers of a private stream, each with their own flags',
      act: (at) => at.as('actor').ok(api.sendMessage, { ...message, content: '@**鈴木 一郎** お先に' }),
      received: (at) => {
        const event = { type: 'message', message: messageView(at, { content: '@**鈴木 一郎** お先に' }) };
        return {
          actor: [{ ...event, flags: ['read'] }],
          member: [{ ...event, flags: ['mentioned'] }],
          guest: [{ ...event, flags: [] }],
        };
      },
    },
    {
      title: 'is delivered as HTML to queues with apply_markdown',
      options: { apply_markdown: true },
      act: (at) => at.as('actor').ok(api.sendMessage, message),
      received: (at) => {
        const view = messageView(at, { content: '<p>お先に</p>', content_type: 'text/html' });
        const event = { type: 'message', message: view };
        return { ...to(['member', 'guest'], { ...event, flags: [] }), ...to(['actor'], { ...event, flags: ['read'] }) };
      },
    },
    {
      title: 'is delivered to members outside a public stream whose queue asks for the stream, but not to guests',
      options: { narrow: [['stream', square]] },
      act: (at) => at.as('actor').ok(api.sendMessage, { ...message, to: square }),
      received: (at) => {
        const stream_id = at.server.stream(square);
        const target = { recipient_id: stream_id, stream_id, display_recipient: square };
        const event = { type: 'message', message: messageView(at, target) };
        return {
          ...to(['member', 'administrator', 'outsider', 'left'], { ...event, flags: [] }),
          actor: [{ ...event, flags: ['read'] }],
          guest: [{ ...event, flags: [] }],
        };
      },
    },
    {
      title: 'about new subscribers is delivered to all subscribers, and unread only for the new ones',
      options: { event_types: ['message'] },
      act: (at) => at.as('actor').ok(api.subscribe, { subscriptions: [{ name: sales }], principals: [at.id('outsider')] }),
      received: (at) => {
        const view = messageView(at, {
          client: 'Internal',
          subject: api.defaultTopic,
          content: `@_**加藤 直樹|${at.id('outsider')}**さんを追加しました。`,
          notice: { kind: 'added', user_ids: [at.id('outsider')] },
        });
        const event = { type: 'message', message: view };
        return { ...to(inside, { ...event, flags: ['read'] }), outsider: [{ ...event, flags: [] }] };
      },
    },
    {
      title: 'is delivered to the members of a direct conversation',
      act: (at) => at.as('actor').ok(api.sendMessage, { type: 'direct', to: direct(at), content: '内緒' }),
      received: (at) => {
        const { stream_id: _, ...view } = messageView(at, {
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
        const event = { type: 'message', message: view };
        return { ...to(inDirect, { ...event, flags: [] }), actor: [{ ...event, flags: ['read'] }] };
      },
    },
  ],

  update_message: [
    {
      title: 'contains the new and the former content of a message, as source text and as HTML',
      act: (at) => at.as('actor').ok(api.editMessage, { message_id: at.messageId, content: '訂正' }),
      received: (at) => {
        const event = updateEvent(at, {
          content: '訂正',
          rendered_content: '<p>訂正</p>',
          orig_content: 'お先に',
          orig_rendered_content: '<p>お先に</p>',
          is_me_message: false,
        });
        return { ...to(['member', 'guest'], { ...event, flags: [] }), ...to(['actor'], { ...event, flags: ['read'] }) };
      },
    },
    {
      title: 'contains the new and the former topic of a message',
      act: (at) => at.as('actor').ok(api.editMessage, { message_id: at.messageId, topic: '夕食' }),
      received: (at) => {
        const topic = { orig_subject: '昼食', subject: '夕食', propagate_mode: 'change_one', topic_links: [] };
        const event = updateEvent(at, topic);
        return { ...to(['member', 'guest'], { ...event, flags: [] }), ...to(['actor'], { ...event, flags: ['read'] }) };
      },
    },
  ],

  delete_message: [
    {
      title: 'contains one message id on queues without bulk_message_deletion',
      act: (at) => at.as('actor').ok(api.deleteMessage, { message_id: at.messageId }),
      received: (at) =>
        to(inside, {
          type: 'delete_message',
          message_type: 'stream',
          message_id: at.messageId,
          stream_id: at.stream,
          topic: '昼食',
        }),
    },
    {
      title: 'contains a list of message ids on queues with bulk_message_deletion',
      options: { client_capabilities: { bulk_message_deletion: true } },
      act: (at) => at.as('actor').ok(api.deleteMessage, { message_id: at.messageId }),
      received: (at) =>
        to(inside, {
          type: 'delete_message',
          message_type: 'stream',
          message_ids: [at.messageId],
          stream_id: at.stream,
          topic: '昼食',
        }),
    },
    {
      title: 'is delivered to the participants of a direct conversation',
      options: { event_types: ['delete_message'] },
      async act(at) {
        const sent = await at.as('actor').ok(api.sendMessage, { type: 'direct', to: direct(at), content: '内緒' });
        await at.as('actor').ok(api.deleteMessage, { message_id: sent.id });
      },
      received: (at) => to(inDirect, { type: 'delete_message', message_type: 'private', message_id: at.next }),
    },
  ],

  update_message_flags: [
    {
      title: 'is delivered only to the member who changes a flag, with details of messages that become unread',
      async act(at) {
        const member = at.as('member');
        await member.ok(api.updateMessageFlags, { messages: [at.messageId], op: 'add', flag: 'read' });
        await member.ok(api.updateMessageFlags, { messages: [at.messageId], op: 'remove', flag: 'read' });
        await member.ok(api.updateMessageFlags, { messages: [at.messageId], op: 'add', flag: 'starred' });
      },
      received: (at) => ({
        member: [
          flagsEvent({ op: 'add', operation: 'add', flag: 'read', messages: [at.messageId] }),
          flagsEvent({
            op: 'remove',
            operation: 'remove',
            flag: 'read',
            messages: [at.messageId],
            message_details: { [at.messageId]: { type: 'stream', stream_id: at.stream, topic: '昼食' } },
          }),
          flagsEvent({ op: 'add', operation: 'add', flag: 'starred', messages: [at.messageId] }),
        ],
      }),
    },
  ],

  reaction: [
    {
      title: 'is delivered to the members who can see the message',
      async act(at) {
        await at.as('actor').ok(api.addReaction, { message_id: at.messageId, emoji_name: 'tada' });
        await at.as('actor').ok(api.removeReaction, { message_id: at.messageId, emoji_name: 'tada' });
      },
      received: (at) => to(inside, reactionEvent(at, 'add'), reactionEvent(at, 'remove')),
    },
  ],

  subscription: [
    {
      title: 'is delivered only to the member who changes a property of their subscription',
      act: (at) =>
        at.as('member').ok(api.updateSubscriptionProperties, {
          subscription_data: [
            { stream_id: at.stream, property: 'is_muted', value: true },
            { stream_id: at.stream, property: 'desktop_notifications', value: true },
          ],
        }),
      received: (at) => {
        const event = { type: 'subscription', op: 'update', stream_id: at.stream };
        return to(
          ['member'],
          { ...event, property: 'in_home_view', value: false },
          { ...event, property: 'is_muted', value: true },
          { ...event, property: 'desktop_notifications', value: true },
        );
      },
    },
    {
      title: 'is delivered with the op add to a new subscriber, and with the op peer_add to the other subscribers',
      options: { event_types: ['subscription', 'stream'] },
      act: (at) => at.as('actor').ok(api.subscribe, { subscriptions: [{ name: sales }], principals: [at.id('outsider')] }),
      received: (at) => ({
        ...to(inside, peerEvent(at, 'peer_add', 'outsider')),
        outsider: [
          { type: 'stream', op: 'create', streams: [streamView(at.server, sales)] },
          {
            type: 'subscription',
            op: 'add',
            subscriptions: [
              subscriptionView(
                streamView(at.server, sales),
                '#76ce90',
                ['suzuki', 'ito', 'kato', 'mori'].map(at.server.user).toSorted((one, other) => one - other),
              ),
            ],
          },
        ],
      }),
    },
    {
      title: 'is delivered with the op remove to a member who leaves a stream, and with peer_remove to the remaining subscribers',
      options: { event_types: ['subscription', 'stream'] },
      act: (at) => at.as('member').ok(api.unsubscribe, { subscriptions: [sales] }),
      received: (at) => ({
        ...to(['actor', 'guest'], peerEvent(at, 'peer_remove', 'member')),
        member: [
          { type: 'subscription', op: 'remove', subscriptions: [{ name: sales, stream_id: at.stream }] },
          { type: 'stream', op: 'delete', streams: [streamView(at.server, sales)], stream_ids: [at.stream] },
        ],
      }),
    },
  ],

  stream: [
    {
      title: 'is delivered to the subscribers when a private stream is renamed, with the former name',
      act: (at) => at.as('actor').ok(api.updateStream, { stream_id: at.stream, new_name: '営業本部' }),
      received: (at) =>
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
      title: 'contains the new description of a stream as source text and as HTML',
      act: (at) => at.as('administrator').ok(api.updateStream, { stream_id: at.stream, description: '受注 & 見積' }),
      received: (at) =>
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
      title: 'is delivered to everyone except guests when a public stream is created',
      options: { event_types: ['stream'] },
      act: (at) => at.as('administrator').ok(api.subscribe, { subscriptions: [{ name: '掲示板' }], invite_only: false }),
      received: (at) => {
        const made = newStreamView(at.server, streams.length + 1, 'sato', '掲示板', false, at.next);
        const event = { type: 'stream', op: 'create', streams: [made] };
        return to(['actor', 'member', 'administrator', 'outsider', 'left'], event);
      },
    },
    {
      title: 'is delivered to the subscribers when a private stream is closed, without its creator to guests',
      options: { event_types: ['stream'] },
      act: (at) => at.as('administrator').ok(api.deleteStream, { stream_id: at.stream }),
      received: (at) => {
        const gone = (change: Partial<api.Stream> = {}) => {
          return { type: 'stream', op: 'delete', streams: [streamView(at.server, sales, change)], stream_ids: [at.stream] };
        };
        return { ...to(['actor', 'member'], gone()), guest: [gone({ creator_id: null })] };
      },
    },
    {
      title: 'contains the id of the new first message when the first message of a stream is deleted',
      options: { event_types: ['stream'] },
      act: (at) => at.as('administrator').ok(api.deleteMessage, { message_id: at.server.messages[0] ?? 0 }),
      received: (at) =>
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

  realm_bot: [
    {
      title: 'is delivered to the owner with the key, and to administrators without it, when a bot is created',
      act: (at) => at.as('actor').ok(api.createBot, { full_name: '警報 係', short_name: 'keihou' }),
      received: (at) => {
        const user_id = at.server.user('yamada') + 1;
        const bot = {
          user_id,
          email: 'keihou-bot@chat.example',
          full_name: '警報 係',
          bot_type: 1,
          is_active: true,
          owner_id: at.id('actor'),
          avatar_url: null,
          default_sending_stream: null,
          default_events_register_stream: null,
          default_all_public_streams: false,
          services: [],
        };
        const person = expect.objectContaining({ user_id, is_bot: true, bot_type: 1, bot_owner_id: at.id('actor') });
        const user = [{ type: 'realm_user', op: 'add', person }, ...roleEvents('add_members', user_id, api.roles.member)];
        const added = (change: WireEvent): WireEvent => ({ type: 'realm_bot', op: 'add', bot: { ...bot, ...change } });
        return {
          ...to(allButGuests, ...user),
          actor: [...user, added({ api_key: expect.stringMatching(/^\w{32}$/) })],
          administrator: [...user, added({})],
        };
      },
    },
  ],

  realm_user: [
    {
      title: 'is delivered to everyone except guests when a user is created',
      act: (at) => at.as('administrator').ok(api.createUser, newcomer),
      received: (at) => {
        const user_id = at.server.user('yamada') + 1;
        const person = {
          user_id,
          email: newcomer.email,
          delivery_email: newcomer.email,
          full_name: newcomer.full_name,
          date_joined: new Date(at.now() * 1000).toISOString(),
          role: api.roles.member,
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
        return to(
          allButGuests,
          { type: 'realm_user', op: 'add', person },
          ...roleEvents('add_members', user_id, api.roles.member),
        );
      },
    },
    {
      title: 'is delivered to everyone who sees the user when a user is renamed',
      act: (at) => at.as('administrator').ok(api.updateUser, { user_id: at.id('guest'), full_name: '森 桜' }),
      received: (at) => to(allButGuestOutside, userEvent({ user_id: at.id('guest'), full_name: '森 桜' })),
    },
    {
      title: 'is delivered to everyone who sees the user when a user changes the time zone or email address',
      async act(at) {
        const owner = eg.signIn(at.server, 'tanaka');
        await owner.ok(api.updateSettings, { timezone: 'Europe/Paris', email: 'shacho@example.com' });
      },
      received(at) {
        const user_id = at.server.user('tanaka');
        return to(
          allButGuests,
          userEvent({ user_id, email: 'tanaka@example.com', timezone: 'Europe/Paris' }),
          userEvent({ user_id, delivery_email: 'shacho@example.com' }),
          userEvent({ user_id, new_email: 'shacho@example.com' }),
        );
      },
    },
    {
      title: 'is delivered to everyone who sees the user when the role of a user changes; the queues of that user end',
      act: (at) => at.as('administrator').ok(api.updateUser, { user_id: at.id('guest'), role: api.roles.member }),
      received(at) {
        const rights = { role: api.roles.member, is_owner: false, is_admin: false, is_guest: false };
        const person = { user_id: at.id('guest'), ...rights };
        const moves = [
          ...roleEvents('remove_members', at.id('guest'), api.roles.guest),
          ...roleEvents('add_members', at.id('guest'), api.roles.member),
        ];
        return { ...to(allButGuests, userEvent(person), ...moves), guest: [{ refused: 'BAD_EVENT_QUEUE_ID' }] };
      },
    },
    {
      title: 'is delivered to everyone who sees the user when a user is deactivated; the queues of that user end',
      act: (at) => at.as('administrator').ok(api.deactivateUser, { user_id: at.id('guest') }),
      received: (at) => {
        const leaves = [
          ...roleEvents('remove_members', at.id('guest'), api.roles.guest),
          { type: 'user_group', op: 'remove_members', group_id: at.groupId, user_ids: [at.id('guest')] },
        ];
        const events = [userEvent({ user_id: at.id('guest'), is_active: false }), ...leaves];
        const ofSquare = { ...peerEvent(at, 'peer_remove', 'guest'), stream_ids: [at.server.stream(square)] };
        const ofAudit = { ...peerEvent(at, 'peer_remove', 'guest'), stream_ids: [at.server.stream('監査')] };
        return {
          ...to(['administrator', 'outsider', 'left'], ofSquare, ...events),
          actor: [ofSquare, peerEvent(at, 'peer_remove', 'guest'), ofAudit, ...events],
          member: [ofSquare, peerEvent(at, 'peer_remove', 'guest'), ...events],
          guest: [{ refused: 'USER_DEACTIVATED' }],
        };
      },
    },
    {
      title: 'is delivered with the op add to guests when a user joins their conversation',
      options: { event_types: ['realm_user'] },
      act: (at) => at.as('actor').ok(api.subscribe, { subscriptions: [{ name: sales }], principals: [at.id('outsider')] }),
      received: (at) => to(['guest'], additionEvent(at, 'outsider')),
    },
    {
      title: 'is delivered with the op remove to guests when a user leaves their only common conversation',
      options: { event_types: ['realm_user'] },
      act: (at) => at.as('member').ok(api.unsubscribe, { subscriptions: [sales] }),
      received: (at) => to(['guest'], removalEvent(at.id('member'))),
    },
    {
      title: 'is delivered with the op add to a guest who joins a stream, once for each member whom they did not see',
      options: { event_types: ['realm_user'] },
      async act(at) {
        await at.as('actor').ok(api.subscribe, { subscriptions: [{ name: square }], principals: [at.id('guestOutside')] });
        await at.as('actor').ok(api.subscribe, { subscriptions: [{ name: sales }], principals: [at.id('guestOutside')] });
      },
      received: (at) => ({
        guest: [additionEvent(at, 'guestOutside')],
        guestOutside: [additionEvent(at, 'actor'), additionEvent(at, 'guest'), additionEvent(at, 'member')],
      }),
    },
    {
      title: 'is delivered with the op remove to a guest who leaves a stream, for members of no other conversation of theirs',
      options: { event_types: ['realm_user'] },
      act: (at) => at.as('guest').ok(api.unsubscribe, { subscriptions: [sales] }),
      received: (at) => to(['guest'], removalEvent(at.id('member'))),
    },
    {
      title: 'is delivered with the op add to a guest before the first direct message of a user',
      options: { event_types: ['realm_user'] },
      act: (at) =>
        at.as('outsider').ok(api.sendMessage, {
          type: 'direct',
          to: api.addressDirect([at.id('guestOutside')]),
          content: 'ようこそ',
        }),
      received: (at) => to(['guestOutside'], additionEvent(at, 'outsider')),
    },
  ],

  realm_linkifiers: [
    {
      title: 'is delivered to queues with linkifier_url_template when a linkifier is added, changed, moved and removed',
      options: { client_capabilities: { linkifier_url_template: true } },
      act: (at) => at.as('administrator').ok(api.removeLinkifier, { filter_id: 1 }),
      received: () => to(everyone, { type: 'realm_linkifiers', realm_linkifiers: [] }),
    },
  ],

  realm_playgrounds: [
    {
      title: 'is delivered to everyone when a playground is added and removed',
      async act(at) {
        const playground = { name: '試し', pygments_language: 'Python', url_template: 'https://py.example/{code}' };
        const { id } = await at.as('administrator').ok(api.addPlayground, playground);
        await at.as('administrator').ok(api.removePlayground, { playground_id: id });
      },
      received() {
        const added = { id: 1, name: '試し', pygments_language: 'Python', url_template: 'https://py.example/{code}' };
        const type = 'realm_playgrounds';
        return to(everyone, { type, realm_playgrounds: [added] }, { type, realm_playgrounds: [] });
      },
    },
  ],

  custom_profile_fields: [
    {
      title: 'is delivered to everyone when a profile field is added, and its values to everyone who sees the member',
      async act(at) {
        const { id } = await at.as('administrator').ok(api.createProfileField, { name: '内線', field_type: 1 });
        await at.as('actor').ok(api.updateProfileData, { data: [{ id, value: '12<34' }] });
        await at.as('actor').ok(api.deleteProfileData, { data: [id] });
      },
      received(at) {
        const field = {
          id: 1,
          type: 1,
          order: 1,
          name: '内線',
          hint: '',
          field_data: '',
          required: false,
          editable_by_user: true,
        };
        const added = { type: 'custom_profile_fields', fields: [field] };
        const value = (content: WireEvent) => userEvent({ user_id: at.id('actor'), custom_profile_field: { id: 1, ...content } });
        return {
          ...to(allButGuestOutside, added, value({ value: '12<34', rendered_value: '<p>12&#60;34</p>' }), value({ value: null })),
          guestOutside: [added],
        };
      },
    },
  ],

  realm_emoji: [
    {
      title: 'is delivered to everyone with all emoji when one is added; guests do not get its author',
      act: (at) => at.server.running().addEmoji(at.id('actor'), 'niwa', '/emoji/niwa.png'),
      received(at) {
        const emoji = { name: 'niwa', source_url: '/emoji/niwa.png', still_url: null, deactivated: false };
        const event = (author_id: number | null) => {
          const realm_emoji = expect.objectContaining({ 3: { id: '3', ...emoji, author_id } });
          return { type: 'realm_emoji', op: 'update', realm_emoji };
        };
        return { ...to(allButGuests, event(at.id('actor'))), ...to(['guest', 'guestOutside'], event(null)) };
      },
    },
  ],

  user_group: [
    {
      title: 'is delivered with the op add to everyone except guests when a group is made',
      act: (at) => at.as('actor').ok(api.createUserGroup, { name: '登山部', description: '山', members: [at.id('member')] }),
      received: (at) => {
        const group = { ...groupView(at), id: at.groupId + 1, name: '登山部', description: '山', members: [at.id('member')] };
        return to(allButGuests, { type: 'user_group', op: 'add', group });
      },
    },
    {
      title: 'is delivered when the name and subgroups of a group change; a guest in the group does not get its subgroups',
      async act(at) {
        const user_group_id = at.groupId;
        await at.as('actor').ok(api.updateUserGroup, { user_group_id, name: '登山部' });
        await at.as('actor').ok(api.updateUserGroupSubgroups, { user_group_id, add: [api.systemGroups.owners] });
        await at.as('actor').ok(api.updateUserGroupSubgroups, { user_group_id, delete: [api.systemGroups.owners] });
      },
      received(at) {
        const common = { type: 'user_group', group_id: at.groupId };
        const renamed = { ...common, op: 'update', data: { name: '登山部' } };
        const direct_subgroup_ids = [api.systemGroups.owners];
        return {
          ...to(
            allButGuests,
            renamed,
            { ...common, op: 'add_subgroups', direct_subgroup_ids },
            { ...common, op: 'remove_subgroups', direct_subgroup_ids },
          ),
          guest: [renamed],
        };
      },
    },
    {
      title: 'gives a guest the group that they join, and removes the group that they leave',
      async act(at) {
        const [add, remove] = [[at.id('guestOutside')], [at.id('guest')]];
        await at.as('actor').ok(api.updateUserGroupMembers, { user_group_id: at.groupId, add, delete: remove });
      },
      received(at) {
        const common = { type: 'user_group', group_id: at.groupId };
        const settings = {
          can_add_members_group: api.administratorsGroup,
          can_manage_group: api.administratorsGroup,
          can_remove_members_group: api.administratorsGroup,
        };
        const group = { ...groupView(at), ...settings, creator_id: null, members: [at.id('guestOutside')] };
        return {
          ...to(
            allButGuests,
            { ...common, op: 'remove_members', user_ids: [at.id('guest')] },
            { ...common, op: 'add_members', user_ids: [at.id('guestOutside')] },
          ),
          guest: [{ ...common, op: 'remove' }],
          guestOutside: [{ type: 'user_group', op: 'add', group }],
        };
      },
    },
    {
      title: 'removes a deactivated group from queues without include_deactivated_groups',
      act: (at) => at.as('actor').ok(api.deactivateUserGroup, { user_group_id: at.groupId }),
      received: (at) => to([...allButGuests, 'guest'], { type: 'user_group', op: 'remove', group_id: at.groupId }),
    },
    {
      title: 'reports a deactivated group as deactivated to queues with include_deactivated_groups',
      options: { client_capabilities: { include_deactivated_groups: true } },
      act: (at) => at.as('actor').ok(api.removeUserGroup, { user_group_id: at.groupId }),
      received: (at) =>
        to([...allButGuests, 'guest'], { type: 'user_group', op: 'update', group_id: at.groupId, data: { deactivated: true } }),
    },
    {
      title: 'is delivered for each group of a user who is deactivated',
      options: { event_types: ['user_group'] },
      act: (at) => at.as('administrator').ok(api.deactivateUser, { user_id: at.id('left') }),
      received(at) {
        const user_ids = [at.id('left')];
        return {
          ...to(allButGuests, ...roleEvents('remove_members', at.id('left'), api.roles.member), {
            type: 'user_group',
            op: 'remove_members',
            group_id: at.groupId,
            user_ids,
          }),
          left: [{ refused: 'USER_DEACTIVATED' }],
        };
      },
    },
  ],

  typing: [
    {
      title: 'is delivered to the subscribers of the stream',
      options: { client_capabilities: { stream_typing_notifications: true } },
      act: (at) => at.as('actor').ok(api.setTypingStatus, { op: 'start', type: 'stream', stream_id: at.stream, topic: '昼食' }),
      received: (at) => to(inside, typingEvent(at, { op: 'start', message_type: 'stream', stream_id: at.stream, topic: '昼食' })),
    },
    {
      title: 'is delivered to the participants of a direct conversation',
      act: (at) => at.as('actor').ok(api.setTypingStatus, { op: 'stop', to: direct(at) }),
      received: (at) => {
        const recipients = [personView(at, 'administrator'), personView(at, 'actor'), personView(at, 'left')];
        return to(inDirect, typingEvent(at, { op: 'stop', message_type: 'direct', recipients }));
      },
    },
  ],

  presence: [
    {
      title: 'is delivered to everyone who sees the member when a member becomes active, one event per member',
      act: becomeActive,
      received: (at) => {
        const presence = { website: { client: 'website', status: 'active', timestamp: activeSince(at), pushable: false } };
        const [user_id, email] = [at.id('actor'), 'ito@example.com'];
        return to(allButGuestOutside, { type: 'presence', user_id, email, server_timestamp: at.now(), presence });
      },
    },
    {
      title: 'contains all active members at once on queues with simplified_presence_events',
      options: { client_capabilities: { simplified_presence_events: true } },
      async act(at) {
        await at.as('member').ok(api.updatePresence, { status: 'idle' });
        await becomeActive(at);
      },
      received: (at) => {
        const presences = { [at.id('actor')]: { active_timestamp: activeSince(at), idle_timestamp: activeSince(at) } };
        return to(allButGuestOutside, { type: 'presence', presences });
      },
    },
  ],

  user_status: [
    {
      title: 'is delivered to everyone who sees the member when a member changes their status',
      act: (at) => at.as('actor').ok(api.updateStatus, { status_text: '会議中', ...api.busyEmoji }),
      received: (at) => {
        const status = { status_text: '会議中', ...api.busyEmoji, scheduled_end_time: null };
        return to(allButGuestOutside, { type: 'user_status', user_id: at.id('actor'), ...status });
      },
    },
  ],

  alert_words: [
    {
      title: 'is delivered only to the member who adds alert words',
      act: (at) => at.as('actor').ok(api.addAlertWords, { alert_words: ['縁側', '庭'] }),
      received: () => ({ actor: [{ type: 'alert_words', alert_words: ['縁側', '庭'] }] }),
    },
  ],

  drafts: [
    {
      title: 'is delivered only to the member who writes a draft',
      act: (at) => at.as('actor').ok(api.createDrafts, { drafts: [draft] }),
      received: (at) => ({ actor: [{ type: 'drafts', op: 'add', drafts: [draftView(at, at.draftId + 1, 0)] }] }),
    },
    {
      title: 'is delivered only to the member who edits a draft',
      act: (at) => at.as('actor').ok(api.editDraft, { draft_id: at.draftId, draft }),
      received: (at) => ({ actor: [{ type: 'drafts', op: 'update', draft: draftView(at, at.draftId, 1) }] }),
    },
    {
      title: 'is delivered only to the member who deletes a draft',
      act: (at) => at.as('actor').ok(api.deleteDraft, { draft_id: at.draftId }),
      received: ({ draftId }) => ({ actor: [{ type: 'drafts', op: 'remove', draft_id: draftId }] }),
    },
  ],

  scheduled_messages: [
    {
      title: 'is delivered only to the member whose message is scheduled or changed',
      options: { event_types: ['scheduled_messages'] },
      async act(at) {
        const member = at.as('member');
        const later = { content: 'あとで', scheduled_delivery_timestamp: at.now() + 60 };
        await member.ok(api.createScheduledMessage, { ...later, type: 'stream', to: at.stream, topic: '昼食' });
        await member.ok(api.updateScheduledMessage, { ...later, scheduled_message_id: 1 });
      },
      received: (at) => {
        const type = 'scheduled_messages';
        const view = {
          scheduled_message_id: 1,
          type: 'stream',
          to: at.stream,
          topic: '昼食',
          content: 'あとで',
          rendered_content: '<p>あとで</p>',
          scheduled_delivery_timestamp: at.now() + 60,
          failed: false,
        };
        const added = { type, op: 'add', scheduled_messages: [view] };
        return to(['member'], added, { type, op: 'update', scheduled_message: view });
      },
    },
  ],

  default_streams: [
    {
      title: 'lists the streams that new members join, and is delivered to everyone except guests',
      options: { event_types: ['default_streams'] },
      async act(at) {
        const stream_id = at.server.stream(square);
        await at.as('administrator').ok(api.addDefaultStream, { stream_id });
        await at.as('administrator').ok(api.addDefaultStream, { stream_id });
        await at.as('administrator').ok(api.removeDefaultStream, { stream_id });
      },
      received: (at) => {
        const type = 'default_streams';
        const all: readonly Listener[] = ['actor', 'member', 'administrator', 'outsider', 'left'];
        const added = { type, default_streams: [at.server.stream(square)] };
        return to(all, added, { type, default_streams: [] });
      },
    },
  ],

  user_topic: [
    {
      title: 'is delivered only to the member who changes the visibility of a topic, without the list for old clients if named',
      options: { event_types: ['user_topic', 'muted_topics'] },
      act: async (at) => {
        const topic = { stream_id: at.stream, topic: '昼食' };
        await at.as('member').ok(api.updateUserTopic, { ...topic, visibility_policy: 3 });
        await at.as('member').ok(api.updateUserTopic, { ...topic, visibility_policy: 3 });
        await at.as('member').ok(api.updateUserTopic, { ...topic, visibility_policy: 0 });
      },
      received: (at) => {
        const event = { type: 'user_topic', stream_id: at.stream, topic_name: '昼食', last_updated: at.now() };
        return {
          member: [
            { ...event, visibility_policy: 3 },
            { ...event, visibility_policy: 0 },
          ],
        };
      },
    },
  ],

  muted_topics: [
    {
      title: 'lists all muted topics for queues that do not name user_topic',
      options: { event_types: ['muted_topics'] },
      act: (at) => at.as('member').ok(api.muteTopic, { stream: sales, topic: '昼食', op: 'add' }),
      received: (at) => to(['member'], { type: 'muted_topics', muted_topics: [[sales, '昼食', at.now()]] }),
    },
  ],

  muted_users: [
    {
      title: 'is delivered only to the member who mutes a user',
      options: { event_types: ['muted_users'] },
      act: (at) => at.as('member').ok(api.muteUser, { muted_user_id: at.id('actor') }),
      received: (at) => to(['member'], { type: 'muted_users', muted_users: [{ id: at.id('actor'), timestamp: at.now() }] }),
    },
  ],

  user_settings: [
    {
      title: 'is delivered only to the member who changes a setting, even if other members notice the change',
      act: (at) => at.as('actor').ok(api.updateSettings, { send_read_receipts: false }),
      received: () => ({
        actor: [{ type: 'user_settings', op: 'update', property: 'send_read_receipts', value: false }],
      }),
    },
  ],

  realm: [
    {
      title: 'is delivered to everyone when an administrator changes read receipts, and not if the value stays',
      async act(at) {
        await at.as('administrator').ok(api.updateRealm, { read_receipts: 'all' });
        await at.as('administrator').ok(api.updateRealm, { enable_read_receipts: true });
      },
      received: () => {
        const data = { enable_read_receipts: true, read_receipts: 'all' };
        return to(everyone, { type: 'realm', op: 'update_dict', property: 'default', data });
      },
    },
    {
      title: 'contains only the changed properties of the organisation',
      act: (at) =>
        at.server
          .running()
          .changeRealmSettings(
            (now) => ({ ...now, name: '縁側商店', editLimits: { content: 1200, deletion: null, topic: null } }),
            at.id('administrator'),
          ),
      received: () =>
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
      title: 'is delivered to everyone when entries of the directory change; guests do not get the entries',
      act: (at) => at.server.running().publishDirectory({ people: entriesOf(at), departments: false }),
      received: (at) => {
        const user_ids = [at.id('member'), at.id('guest')];
        return {
          ...to(allButGuests, { type: 'directory', user_ids, people: entriesOf(at), departments: false }),
          guest: [{ type: 'directory', user_ids, departments: false }],
          guestOutside: [{ type: 'directory', user_ids: [], people: [], departments: false }],
        };
      },
    },
    {
      title: 'is delivered to everyone without entries when many of the directory change',
      act: (at) => at.server.running().publishDirectory({ people: undefined, departments: true }),
      received: () => to(everyone, { type: 'directory', user_ids: [], departments: true }),
    },
  ],

  call: [
    {
      title: 'is delivered to the subscribers of a private stream, each with their own state',
      act: async (at) => at.server.running().calls.publish(at.stream, (viewer) => ({ viewer })),
      received: (at) => Object.fromEntries(inside.map((name) => [name, [{ type: 'call', call: { viewer: at.id(name) } }]])),
    },
  ],

  pointer: [
    {
      title: 'is delivered only to the member who moves their pointer',
      act: (at) => at.as('actor').ok(api.updatePointer, { pointer: at.messageId }),
      received: (at) => ({ actor: [{ type: 'pointer', pointer: at.messageId }] }),
    },
  ],
};

async function setup(): Promise<Setup> {
  const server = await company();
  await joins(server, listeners.member, sales);
  const as = (name: Listener) => eg.signIn(server, listeners[name]);
  const { id: messageId } = await as('actor').ok(api.sendMessage, message);
  const { ids } = await as('actor').ok(api.createDrafts, { drafts: [draft] });
  const members = (['actor', 'guest', 'left'] as const).map((name) => server.user(listeners[name]));
  const { group_id } = await as('actor').ok(api.createUserGroup, { name: '同好会', description: '', members });
  return {
    server,
    messageId,
    draftId: ids[0] ?? 0,
    groupId: group_id ?? 0,
    next: messageId + 1,
    stream: server.stream(sales),
    as,
    id: (name) => server.user(listeners[name]),
    now: () => Math.floor(server.clock.now() / 1000),
  };
}

const polled = z.object({ events: z.array(z.looseObject({ id: z.int(), type: z.string() })) });

/** A registered queue. It polls without the typed client, so that unknown fields of an answer are not lost. */
class RawQueue {
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

  async wait(): Promise<readonly WireEvent[]> {
    return this.#eventsIn(await this.#poll({}));
  }

  /** Returns all events after the cursor. */
  async take(): Promise<readonly WireEvent[]> {
    return this.#eventsIn(await this.#poll({ dont_block: 'true' }));
  }

  /** Returns all events since the registration. */
  async replay(): Promise<readonly WireEvent[]> {
    this.#cursor = this.#began;
    return this.take();
  }

  #poll(request: Readonly<Record<string, string>>): Promise<eg.Reply> {
    const query = { queue_id: this.#id, last_event_id: String(this.#cursor), ...request };
    return this.#client.raw({ path: '/events', query });
  }

  #eventsIn(reply: eg.Reply): readonly WireEvent[] {
    if (reply.status !== 200) return [{ refused: eg.refusal(reply).code }];
    return polled.parse(JSON.parse(reply.text)).events.map(({ id, ...event }) => {
      // Every event matches its schema, and ids ascend. An ephemeral event may repeat the id before it.
      expect(api.serverEvent.parse({ id, ...event })).toMatchObject({ type: event.type });
      expect(id).toBeGreaterThan(isPersisted(event) ? this.#cursor : this.#cursor - 1);
      this.#cursor = id;
      return event;
    });
  }
}

type Queues = ReadonlyMap<Listener, RawQueue>;

async function registerQueues(at: Setup, options: Row['options']): Promise<Queues> {
  const queues = everyone.map(async (name) => {
    const { queue_id, last_event_id } = await at.as(name).ok(api.registerQueue, options ?? {});
    return [name, new RawQueue(at.as(name), queue_id, last_event_id)] as const;
  });
  return new Map(await Promise.all(queues));
}

async function receivedBy(
  queues: Queues,
  read: (queue: RawQueue, name: Listener) => Promise<readonly WireEvent[]>,
): Promise<Received> {
  const received: Received = {};
  for (const [name, queue] of queues) {
    const event = await read(queue, name);
    if (event.length > 0) received[name] = event;
  }
  return received;
}

const isPersisted = ({ type }: WireEvent): boolean => !api.isEphemeral(String(type)) && type !== 'heartbeat';

/** Ephemeral events are delivered once. */
const persisted = (received: Received): Received => only(received, isPersisted);
/** A queue that has ended refuses every poll. */
const refusals = (received: Received): Received => only(received, (event) => 'refused' in event);

function only(received: Received, stays: (event: WireEvent) => boolean): Received {
  const left = Object.entries(received).map(([name, event]) => [name, event.filter(stays)] as const);
  return Object.fromEntries(left.filter(([, event]) => event.length > 0));
}

for (const [type, rows] of Object.entries(table)) {
  it.each(rows)(`[R6.1] An event of type ${type} $title`, async ({ options, act, received }) => {
    const at = await setup();
    const [late, waiting] = [await registerQueues(at, options), await registerQueues(at, options)];
    const polls = new Map([...waiting].map(([name, queue]) => [name, queue.wait()]));
    await settled();
    await act(at);
    await settled();

    const expected = received(at);
    expect(Object.values(expected).flatMap((event) => event.map((each) => each['type']))).toContain(type);
    expect(await receivedBy(late, (queue) => queue.take())).toEqual(expected);
    expect(await receivedBy(late, (queue) => queue.take())).toEqual(refusals(expected));
    expect(await receivedBy(late, (queue) => queue.replay())).toEqual(persisted(expected));

    // A waiting poll returns the first events, and the next poll returns the rest.
    const receivedByWaiting = await receivedBy(waiting, async (queue, name) => {
      const next = expected[name] ? undefined : await queue.take();
      const first = (await polls.get(name)) ?? [];
      return [...first, ...(next ?? (first.some((event) => 'refused' in event) ? [] : await queue.take()))];
    });
    expect(receivedByWaiting).toEqual(expected);

    await at.server.restart();
    expect(await receivedBy(late, (queue) => queue.replay())).toEqual(persisted(expected));
  });
}

it('A heartbeat answers every waiting poll, even on queues that registered for no event types', async () => {
  const at = await setup();
  const queues = await registerQueues(at, { event_types: [] });
  const polls = [...queues.values()].map((queue) => queue.wait());
  await at.server.clock.advance(55);
  expect(await Promise.all(polls)).toEqual(everyone.map(() => [{ type: 'heartbeat' }]));
});

import { addressDirect, addressStream, roles } from '@engawa/protocol';
import * as eg from '../testing/eg.ts';
import type { CallName, Endpoints } from '../testing/endpoints.ts';
import { type Row, refusal, row } from './row.ts';
import { type Person, type Target, type World, board, lobby, secrets } from './world.ts';

type Table = { readonly [Name in CallName]: readonly [Row<Endpoints[Name]>, ...Row<Endpoints[Name]>[]] };

const message = refusal('Invalid message(s)');
const pointer = refusal('Invalid message ID');
const streamId = refusal('Invalid stream ID');
const streamName = refusal(({ name }) => `Invalid stream name '${name}'`);
const streamNames = refusal(({ name }) => `Stream(s) (${name}) do not exist`);
const entry = refusal(({ name }) => `Unable to access stream (${name}).`);
const destination = refusal(({ name }) => `Stream '${name}' does not exist`, 'STREAM_DOES_NOT_EXIST');
const destinationId = refusal(({ stream }) => `Stream with ID '${stream}' does not exist`, 'STREAM_DOES_NOT_EXIST');
const boardDestination = refusal((it) => `Stream '${it.board}' does not exist`, 'STREAM_DOES_NOT_EXIST');
const narrow = (named: (it: Target) => string | number) =>
  refusal((it) => `Invalid narrow operator: unknown stream ${named(it)}`, 'BAD_NARROW');
const queue = refusal(({ queue: id }) => `Bad event queue ID: ${id}`, 'BAD_EVENT_QUEUE_ID');
const reaction = refusal("Reaction doesn't exist.", 'REACTION_DOES_NOT_EXIST');
const password = refusal('Your username or password is incorrect', 'AUTHENTICATION_FAILED', 401);
const editing = refusal("You don't have permission to edit this message");
const deletion = refusal("You don't have permission to delete this message");
const guests = refusal('Not allowed for guest users');
const unsubscribed = refusal(({ stream: id }) => `Not subscribed to stream id ${id}`);
const query = refusal('User not authorized for this query');
const permission = refusal('Insufficient permission');
const administrators = refusal('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL');
const owners = refusal('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');

const nothing = () => ({});
const secret = ({ message: id }: Target) => ({ message_id: id });
const direct = ({ direct: id }: Target) => ({ message_id: id });
const deleted = ({ deleted: id }: Target) => ({ message_id: id });
const own = (_: Target, { message: id }: Person) => ({ message_id: id });
const writers = (_: Target, __: Person, at: World) => ({ message_id: at.person('writer').message });
const stream = ({ stream: id }: Target) => ({ stream_id: id });
const theLobby = (_: Target, __: Person, { streams }: World) => ({ stream_id: streams.lobby });
const theBoard = (_: Target, __: Person, { streams }: World) => ({ stream_id: streams.board });
const writer = (_: Target, __: Person, at: World) => ({ user_id: at.person('writer').id });
const oneself = (_: Target, { id }: Person) => ({ user_id: id });
const named = ({ name }: Target) => ({ subscriptions: [{ name }] });
const toWriter = (_: Target, __: Person, at: World) => ({ to: addressDirect([at.person('writer').id]) });
const newest = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
const narrowed = (operator: string, operand: string | number) => ({ ...newest, narrow: [{ operator, operand }] });
const said = { topic: secrets.topic, content: secrets.said };
const greeting = { topic: '雑談', content: 'こんにちは' };
const isFree = 'a name that nobody has is free to be taken';

/**
 * Who may do what. The secret stream is private, with the writer in it; everybody is in the lobby, which is private,
 * too; the board is public, with the writer alone in it. `direct` is what the writer told the one inside.
 * Each row has a column for each of `members`: a guest, a member outside of the secret stream, one who left it, one
 * inside, and a moderator, an administrator and an owner outside of it.
 */
export const table: Table = {
  //     guest out   left  in    mod   admin owner
  getServerSettings: [row('ok    ok    ok    ok    ok    ok    ok   ', 'all', nothing)],
  fetchApiKey: [
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', (_, { email }) => ({
      username: email,
      password: eg.password,
    })),
    row('no    no    no    no    no    no    no   ', 'another’s', ({ email }) => ({ username: email, password: 'x' }), {
      no: password,
    }),
  ],

  getUsers: [row('ok    ok    ok    ok    ok    ok    ok   ', 'all', nothing)],
  getUser: [row('ok    ok    ok    ok    ok    ok    ok   ', 'another', writer)],
  getOwnUser: [row('ok    ok    ok    ok    ok    ok    ok   ', 'oneself', nothing)],
  createUser: [
    row(
      'no    no    no    no    no    ok    ok   ',
      'a member',
      () => ({ email: 'shinjin@example.com', password: 'himitsu-1', full_name: '新人 さん' }),
      { no: administrators },
    ),
  ],
  updateUser: [
    row(
      'no    no    no    no    no    ok    ok   ',
      'another’s name',
      (...call) => ({ ...writer(...call), full_name: '別の名' }),
      { no: permission },
    ),
    row(
      'no    no    no    no    no    ok    ok   ',
      'one’s own name',
      (it, me) => ({ ...oneself(it, me), full_name: '別の名' }),
      { no: permission },
    ),
    row(
      'no    no    no    no    no    ok    ok   ',
      'another’s role',
      (...call) => ({ ...writer(...call), role: roles.administrator }),
      { no: permission },
    ),
    row(
      'no    no    no    no    no    rank  ok   ',
      'another’s role, to owner',
      (...call) => ({ ...writer(...call), role: roles.owner }),
      { no: permission, rank: owners },
    ),
    row(
      'no    no    no    no    no    rank  ok   ',
      'one’s own role, to owner',
      (it, me) => ({ ...oneself(it, me), role: roles.owner }),
      { no: permission, rank: owners },
    ),
  ],
  deactivateUser: [
    row('no    no    no    no    no    ok    ok   ', 'another', writer, { no: permission }),
    row(
      'no    no    no    no    no    rank  ok   ',
      'an owner, beside whom there is one more',
      (_, __, at) => ({ user_id: at.person('secondOwner').id }),
      { no: permission, rank: owners },
    ),
  ],
  reactivateUser: [
    row('no    no    no    no    no    ok    ok   ', 'another', (_, __, at) => ({ user_id: at.person('deactivated').id }), {
      no: permission,
    }),
  ],
  updateSettings: [
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own name and time zone', () => ({
      full_name: '別の名',
      timezone: 'Europe/Berlin',
    })),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own receipts', () => ({ send_read_receipts: false })),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own privacy', (...call) => ({
      presence_enabled: false,
      photo_audience: { audience: 'selected', user_ids: [writer(...call).user_id] },
    })),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own email', () => ({ email: 'atarashii@example.com' })),
    row('no    no    no    no    no    no    no   ', 'to another’s email', ({ email }) => ({ email }), {
      no: refusal(({ email }) => `Email '${email}' already in use`),
      differs: isFree,
    }),
  ],
  countEmojiUse: [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', () => ({ emoji: '🍵' }))],
  regenerateApiKey: [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', nothing)],
  getPointer: [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', nothing)],
  updatePointer: [
    row('no    no    no    ok    no    no    no   ', 'to a secret message', (it) => ({ pointer: it.message }), {
      no: pointer,
    }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'to one’s own message', (_, me) => ({ pointer: me.message })),
  ],
  putPointer: [
    row('no    no    no    ok    no    no    no   ', 'to a direct message', (it) => ({ pointer: it.direct }), {
      no: pointer,
    }),
  ],

  getAlertWords: [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', nothing)],
  addAlertWords: [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', () => ({ alert_words: ['至急'] }))],
  removeAlertWords: [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', () => ({ alert_words: [secrets.word] }))],

  registerQueue: [
    row('ok    ok    ok    sees  ok    ok    ok   ', 'for all', () => ({ include_subscribers: true })),
    row(
      'no    ok    ok    ok    ok    ok    ok   ',
      'for all public streams',
      () => ({ all_public_streams: true, fetch_event_types: ['message'] }),
      { no: query },
    ),
    row(
      'ok    ok    ok    ok    ok    ok    ok   ',
      'for the secret stream',
      ({ name }) => ({ narrow: [{ operator: 'stream', operand: name }], fetch_event_types: ['message'] }),
      { differs: 'each queue has an id of its own' },
    ),
  ],
  getEvents: [
    row(
      'no    no    no    no    no    no    no   ',
      'of another’s queue',
      (it) => ({ queue_id: it.queue, last_event_id: 0, dont_block: true }),
      { no: queue },
    ),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of one’s own', (_, me) => ({
      queue_id: me.queue.id,
      last_event_id: me.queue.cursor,
      dont_block: true,
    })),
  ],
  deleteQueue: [
    row('no    no    no    no    no    no    no   ', 'another’s', (it) => ({ queue_id: it.queue }), { no: queue }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', (_, me) => ({ queue_id: me.queue.id })),
  ],

  getMessages: [
    row('ok    ok    ok    sees  ok    ok    ok   ', 'all', () => newest),
    row('ok    ok    ok    sees  ok    ok    ok   ', 'the deleted, too', () => ({ ...newest, include_deleted: true })),
    row(
      'ok    ok    ok    sees  ok    ok    ok   ',
      'around a secret one',
      (it) => ({ ...newest, anchor: String(it.message), num_after: 100 }),
      { differs: 'what is one’s own lies before it or after it' },
    ),
    row('no    no    no    sees  no    no    no   ', 'of the stream by name', (it) => narrowed('stream', it.name), {
      no: narrow(({ name }) => name),
    }),
    row('no    no    no    sees  no    no    no   ', 'of the stream by id', (it) => narrowed('channel', it.stream), {
      no: narrow(({ stream: id }) => id),
    }),
    row('no    done  done  done  done  done  done ', 'of the board', (it) => narrowed('stream', it.board), {
      no: narrow((it) => it.board),
    }),
    row('ok    ok    ok    sees  ok    ok    ok   ', 'of the topic', () => narrowed('topic', secrets.topic)),
    row('ok    ok    ok    sees  ok    ok    ok   ', 'of the writer', (it) => narrowed('sender', it.email), {
      differs: 'a user who is not there is said not to be there',
    }),
    row('ok    ok    ok    sees  ok    ok    ok   ', 'of one id', (it) => narrowed('id', it.message)),
    row('ok    ok    ok    sees  ok    ok    ok   ', 'that are direct', () => narrowed('is', 'dm')),
    row('ok    ok    ok    sees  ok    ok    ok   ', 'with the writer', (it) => narrowed('dm', it.email), {
      differs: 'a user who is not there is said not to be there',
    }),
  ],
  sendMessage: [
    row(
      'no    no    no    ok    no    no    no   ',
      'to the stream by name',
      ({ name }) => ({ type: 'stream', to: addressStream(name), ...said }),
      { no: destination },
    ),
    row(
      'no    no    no    ok    no    no    no   ',
      'to the stream by id',
      (it) => ({ type: 'channel', to: String(it.stream), ...said }),
      { no: destinationId },
    ),
    row('no    done  done  done  done  done  done ', 'to the board', (it) => ({ type: 'stream', to: it.board, ...greeting }), {
      no: boardDestination,
    }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'to the lobby', () => {
      return { type: 'stream', to: lobby, ...greeting };
    }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'to the writer', (...call) => ({
      type: 'direct',
      ...toWriter(...call),
      ...greeting,
    })),
  ],
  getMessage: [
    row('no    no    no    sees  no    no    no   ', 'a secret one', secret, { no: message }),
    row('no    no    no    sees  no    no    no   ', 'a direct one', direct, { no: message }),
    row('no    no    no    no    no    no    no   ', 'a deleted one', deleted, { no: message }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one in the lobby', writers),
  ],
  getMessageHistory: [
    row('no    no    no    sees  no    no    no   ', 'of a secret one', secret, { no: message }),
    row('no    no    no    sees  no    no    no   ', 'of a direct one', direct, { no: message }),
    row('no    no    no    no    no    no    no   ', 'of a deleted one', deleted, { no: message }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of one in the lobby', writers),
  ],
  editMessage: [
    row(
      'no    no    no    rank  no    no    no   ',
      'the content of a secret one',
      (it) => ({ ...secret(it), content: secrets.said }),
      { no: message, rank: editing },
    ),
    row(
      'no    no    no    ok    no    no    no   ',
      'the topic of a secret one',
      (it) => ({ ...secret(it), topic: secrets.said }),
      { no: message },
    ),
    row('no    no    no    rank  no    no    no   ', 'a direct one', (it) => ({ ...direct(it), content: secrets.said }), {
      no: message,
      rank: editing,
    }),
    row('no    no    no    no    no    no    no   ', 'a deleted one', (it) => ({ ...deleted(it), content: secrets.said }), {
      no: message,
    }),
    row(
      'no    no    no    no    no    no    no   ',
      'another’s in the lobby',
      (...call) => ({ ...writers(...call), content: '別の言葉' }),
      { no: editing },
    ),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', (it, me) => ({ ...own(it, me), content: '別の言葉' })),
  ],
  deleteMessage: [
    row('no    no    no    rank  no    no    no   ', 'a secret one', secret, { no: message, rank: deletion }),
    row('no    no    no    rank  no    no    no   ', 'a direct one', direct, { no: message, rank: deletion }),
    row('no    no    no    no    no    no    no   ', 'a deleted one', deleted, { no: message }),
    row('no    no    no    no    no    ok    ok   ', 'another’s in the lobby', writers, { no: deletion }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', own),
  ],
  addReaction: [
    row('no    no    no    ok    no    no    no   ', 'to a secret one', (it) => ({ ...secret(it), emoji_name: 'tada' }), {
      no: message,
    }),
    row('no    no    no    ok    no    no    no   ', 'to a direct one', (it) => ({ ...direct(it), emoji_name: 'tada' }), {
      no: message,
    }),
    row('no    no    no    no    no    no    no   ', 'to a deleted one', (it) => ({ ...deleted(it), emoji_name: 'tada' }), {
      no: message,
    }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'to one in the lobby', (...call) => ({
      ...writers(...call),
      emoji_name: 'tada',
    })),
  ],
  removeReaction: [
    row(
      'no    no    no    rank  no    no    no   ',
      'another’s from a secret one',
      (it) => ({ ...secret(it), emoji_name: 'heart' }),
      { no: message, rank: reaction },
    ),
    row(
      'no    no    no    no    no    no    no   ',
      'another’s from one in the lobby',
      (...call) => ({ ...writers(...call), emoji_name: 'heart' }),
      { no: reaction },
    ),
    row('no    no    no    no    no    no    no   ', 'from a deleted one', (it) => ({ ...deleted(it), emoji_name: 'heart' }), {
      no: message,
    }),
  ],
  updateMessageFlags: [
    row(
      'no    no    no    ok    no    no    no   ',
      'a star on a secret one',
      (it) => ({ messages: [it.message], op: 'add', flag: 'starred' }),
      { no: message },
    ),
    row(
      'no    no    no    ok    no    no    no   ',
      'a star on a direct one',
      (it) => ({ messages: [it.direct], op: 'add', flag: 'starred' }),
      { no: message },
    ),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'secret ones as read', (it) => ({
      messages: [it.message, it.direct],
      op: 'add',
      flag: 'read',
    })),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'secret ones as unread', (it) => ({
      messages: [it.message, it.direct],
      op: 'remove',
      flag: 'read',
    })),
  ],
  getReadReceipts: [
    row('no    no    no    done  no    no    no   ', 'of a secret one', secret, { no: message }),
    row('no    no    no    done  no    no    no   ', 'of a direct one', direct, { no: message }),
    row('no    no    no    no    no    no    no   ', 'of a deleted one', deleted, { no: message }),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of one in the lobby', writers),
  ],
  countReadReceipts: [
    row('ok    ok    ok    done  ok    ok    ok   ', 'of a secret one', (it) => ({ messages: [it.message] })),
    row('ok    ok    ok    done  ok    ok    ok   ', 'of a direct one', (it) => ({ messages: [it.direct] })),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of a deleted one', (it) => ({ messages: [it.deleted] })),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of one’s own', (_, me) => ({ messages: [me.message] })),
  ],
  renderMessage: [
    row('ok    ok    ok    ok    ok    ok    ok   ', 'the secret stream’s name', ({ name }) => ({
      content: `#**${name}** #**${name}>話題**`,
    })),
    row('ok    done  done  done  done  done  done ', 'the board’s name', (it) => ({ content: `#**${it.board}**` })),
  ],
  setTypingStatus: [
    row(
      'no    no    no    ok    no    no    no   ',
      'in the secret stream',
      (it) => ({ op: 'start', type: 'stream', ...stream(it), topic: secrets.said }),
      { no: streamId },
    ),
    row(
      'no    ok    ok    ok    ok    ok    ok   ',
      'in the board',
      (...call) => ({ op: 'start', type: 'stream', ...theBoard(...call), topic: '雑談' }),
      { no: streamId },
    ),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'to the writer', (...call) => ({
      op: 'start',
      ...toWriter(...call),
    })),
  ],

  updatePresence: [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', () => ({ status: 'active' }))],
  getRealmPresence: [row('ok    ok    ok    ok    ok    ok    ok   ', 'all', nothing)],
  getUserPresence: [
    row('no    no    no    no    no    no    no   ', 'another’s, of whom nothing is known', writer, {
      no: refusal('No presence data for 11'),
    }),
  ],
  updateStatus: [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own', () => ({ status_text: '会議中' }))],
  getUserStatus: [row('ok    ok    ok    ok    ok    ok    ok   ', 'another’s', writer)],

  updateRealm: [
    row('no    no    no    no    no    ok    ok   ', 'whose receipts all see', () => ({ read_receipts: 'all' }), {
      no: administrators,
    }),
    row('no    no    no    no    no    ok    ok   ', 'that nobody sees any', () => ({ enable_read_receipts: false }), {
      no: administrators,
    }),
  ],
  getRealmEmoji: [row('ok    ok    ok    ok    ok    ok    ok   ', 'all', nothing)],
  getLinkifiers: [row('ok    ok    ok    ok    ok    ok    ok   ', 'all', nothing)],
  getRealmFilters: [row('ok    ok    ok    ok    ok    ok    ok   ', 'all', nothing)],

  getStreams: [
    row('ok    ok    ok    knows ok    ok    ok   ', 'one’s own and the public', nothing),
    row('no    no    no    no    no    knows knows', 'all', () => ({ include_all_active: true }), { no: query }),
  ],
  getStream: [
    row('no    no    no    knows no    knows knows', 'the secret one', stream, { no: streamId }),
    row('no    ok    ok    ok    ok    ok    ok   ', 'the board', theBoard, { no: streamId }),
  ],
  getStreamId: [
    row('no    no    no    ok    no    done  done ', 'of the secret one', ({ name }) => ({ stream: name }), {
      no: streamName,
    }),
  ],
  getTopics: [
    row('no    no    no    sees  no    no    no   ', 'of the secret stream', stream, { no: streamId }),
    row('no    ok    ok    ok    ok    ok    ok   ', 'of the board', theBoard, { no: streamId }),
  ],
  updateStream: [
    row('no    no    no    no    no    done  done ', 'the secret one’s name', (it) => ({ ...stream(it), new_name: '別の名' }), {
      no: administrators,
    }),
    row(
      'no    no    no    no    no    done  done ',
      'the secret one’s description',
      (it) => ({ ...stream(it), description: '別の説明' }),
      { no: administrators },
    ),
    row(
      'no    no    no    no    no    ok    ok   ',
      'the lobby’s description',
      (...call) => ({ ...theLobby(...call), description: '別の説明' }),
      { no: administrators },
    ),
  ],
  deleteStream: [
    row('no    no    no    no    no    done  done ', 'the secret one', stream, { no: administrators }),
    row('no    no    no    no    no    ok    ok   ', 'the lobby', theLobby, { no: administrators }),
  ],

  getSubscriptions: [row('ok    ok    ok    knows ok    ok    ok   ', 'one’s own', () => ({ include_subscribers: true }))],
  subscribe: [
    row('rank  no    no    ok    no    no    no   ', 'to the secret stream', named, {
      no: entry,
      rank: guests,
      differs: isFree,
    }),
    row(
      'rank  ok    ok    ok    ok    ok    ok   ',
      'to what of it one may',
      (it) => ({ ...named(it), authorization_errors_fatal: false }),
      { rank: guests, differs: isFree },
    ),
    row(
      'rank  no    no    ok    no    no    no   ',
      'another to the secret stream',
      (it, _, at) => ({ ...named(it), principals: [at.person('writer').id] }),
      { no: entry, rank: guests, differs: isFree },
    ),
    row('rank  ok    ok    ok    ok    ok    ok   ', 'to the board', () => ({ subscriptions: [{ name: board }] }), {
      rank: guests,
    }),
    row('rank  ok    ok    ok    ok    ok    ok   ', 'to a new stream', () => ({ subscriptions: [{ name: '新しい部屋' }] }), {
      rank: guests,
    }),
    row(
      'rank  no    no    no    no    ok    ok   ',
      'to a new stream that is public',
      () => ({ subscriptions: [{ name: '新しい広場' }], invite_only: false }),
      { no: permission, rank: guests },
    ),
  ],
  updateSubscriptionProperties: [
    row(
      'no    no    no    done  no    no    no   ',
      'of the secret stream',
      (it) => ({ subscription_data: [{ stream_id: it.stream, property: 'is_muted', value: true }] }),
      { no: unsubscribed },
    ),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of the lobby', (_, __, { streams }) => ({
      subscription_data: [{ stream_id: streams.lobby, property: 'pin_to_top', value: true }],
    })),
  ],
  updateSubscriptionProperty: [
    row(
      'no    no    no    done  no    no    no   ',
      'of the secret stream',
      (it) => ({ ...stream(it), property: 'put_away', value: 'true' }),
      { no: unsubscribed },
    ),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of the lobby', (...call) => ({
      ...theLobby(...call),
      property: 'color',
      value: '#76ce90',
    })),
  ],
  unsubscribe: [
    row('no    no    no    ok    no    done  done ', 'from the secret stream', ({ name }) => ({ subscriptions: [name] }), {
      no: streamNames,
    }),
    row(
      'no    no    no    no    no    done  done ',
      'another from the secret stream',
      ({ name }, _, at) => ({ subscriptions: [name], principals: [at.person('writer').id] }),
      { no: permission },
    ),
    row(
      'no    no    no    no    no    ok    ok   ',
      'another from the lobby',
      (_, __, at) => ({ subscriptions: [lobby], principals: [at.person('writer').id] }),
      { no: permission },
    ),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'from the lobby', () => ({ subscriptions: [lobby] })),
  ],
  updateSubscriptions: [
    row('no    no    no    ok    no    done  done ', 'out of the secret stream', ({ name }) => ({ delete: [name] }), {
      no: streamNames,
    }),
    row('rank  no    no    ok    no    no    no   ', 'into the secret stream', ({ name }) => ({ add: [{ name }] }), {
      no: entry,
      rank: guests,
      differs: isFree,
    }),
  ],
};

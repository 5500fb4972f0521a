import { type ParametersIn, type editDraft, addressDirect, addressStream, roles, systemGroups } from '@engawa/protocol';
import * as eg from '../testing/eg.ts';
import type { CallName, Endpoints } from '../testing/endpoints.ts';
import { type Row, differing, including, refusal, row } from './row.ts';
import { type Person, type Target, type TestServer, board, lobby, ownEmoji, secrets, storageKey } from './testServer.ts';

type Table = { readonly [Name in CallName]: readonly [Row<Endpoints[Name]>, ...Row<Endpoints[Name]>[]] };

const message = refusal('Invalid message(s)');
const pointer = refusal('Invalid message ID');
const streamId = refusal('Invalid stream ID');
const scheduledMessage = refusal('Scheduled message does not exist', 'BAD_REQUEST', 404);
const draft = refusal('Draft does not exist', 'BAD_REQUEST', 404);
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
const group = refusal('Invalid user group');
const administrators = refusal('Must be an organization administrator', 'UNAUTHORIZED_PRINCIPAL');
const noBot = refusal('No such bot');
const emojiAuthor = refusal('Must be an organization administrator or emoji author', 'UNAUTHORIZED_PRINCIPAL');
const owners = refusal('Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL');

const noLinkifier = refusal('Linkifier not found.');
const noField = refusal('Field id 9 not found.');

const nothing = () => ({});
const secret = ({ message: id }: Target) => ({ message_id: id });
const direct = ({ direct: id }: Target) => ({ message_id: id });
const deleted = ({ deleted: id }: Target) => ({ message_id: id });
const own = (_: Target, { message: id }: Person) => ({ message_id: id });
const writersMessage = (_: Target, __: Person, at: TestServer) => ({ message_id: at.person('writer').message });
const stream = ({ stream: id }: Target) => ({ stream_id: id });
const theLobby = (_: Target, __: Person, { streams }: TestServer) => ({ stream_id: streams.lobby });
const theBoard = (_: Target, __: Person, { streams }: TestServer) => ({ stream_id: streams.board });
const writer = (_: Target, __: Person, at: TestServer) => ({ user_id: at.person('writer').id });
const caller = (_: Target, { id }: Person) => ({ user_id: id });
const theGroup = ({ group: id }: Target) => ({ user_group_id: id });
const system = () => ({ user_group_id: systemGroups.members });
const bot = (_: Target, __: Person, at: TestServer) => ({ bot_id: at.bot });
const named = ({ name }: Target) => ({ subscriptions: [{ name }] });
const toWriter = (_: Target, __: Person, at: TestServer) => ({ to: addressDirect([at.person('writer').id]) });
const newest = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
const narrowedTo = (operator: string, operand: string | number) => ({ ...newest, narrow: [{ operator, operand }] });
const mutedTopic = { topic: '雑談', visibility_policy: 1 } as const;
const mutingTopic = { topic: '雑談', op: 'add' } as const;
const farFuture = 4_000_000_000;
const scheduled = (type: 'stream' | 'direct', to: number | number[]) => ({
  type,
  to,
  ...greeting,
  scheduled_delivery_timestamp: farFuture,
});
const inNarrow = (operator: string, operand: string) => ({ ...narrowedTo(operator, operand), op: 'add', flag: 'read' });
const sent = { topic: secrets.topic, content: secrets.sent };
const greeting = { topic: '雑談', content: 'こんにちは' };
const unaddressed: ParametersIn<typeof editDraft>['draft'] = { type: '', to: [], topic: '', content: '書きかけ' };
const toTheStream = ({ stream: id }: Target) => ({ ...unaddressed, type: 'stream' as const, to: [id], topic: '雑談' });
const linkifier = { pattern: 'T-(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' };
const isFree = 'an unused name is accepted';
const isKnown = 'all members except guests see all groups';

/** The answer to each of `members`, in their order. */
const everyone = 'ok    ok    ok    ok    ok    ok    ok';
const nobody = 'no    no    no    no    no    no    no';
const nobodyGuestsUnaware = 'rank  no    no    no    no    no    no';
const nobodyPrivate = 'no    no    no    no    no    rank  rank';
const onlyAdministrators = 'no    no    no    no    no    ok    ok';
const nobodyAdministratorsAware = 'no    no    no    no    no    rank  rank';
const onlyInside = 'no    no    no    ok    no    no    no';
const everyoneInsideSees = 'ok    ok    ok    sees  ok    ok    ok';
const allButGuests = 'no    ok    ok    ok    ok    ok    ok';
const onlyInsideSees = 'no    no    no    sees  no    no    no';
const insideLacksRank = 'no    no    no    rank  no    no    no';
const onlyAdministratorsDone = 'no    no    no    no    no    done  done';
const onlyInsideDone = 'no    no    no    done  no    no    no';
const onlyInsideNoGuests = 'rank  no    no    ok    no    no    no';
const insideAndAdministrators = 'no    no    no    ok    no    done  done';
const onlyOwners = 'no    no    no    no    no    rank  ok';
const rankedMissing = 'no    no    no    no    no    rank  rank';
const onlyManagers = 'no    rank  rank  rank  rank  ok    ok';
const everyoneInsideKnows = 'ok    ok    ok    knows ok    ok    ok';
const everyoneInsideDone = 'ok    ok    ok    done  ok    ok    ok';
const allButGuestsDone = 'no    done  done  done  done  done  done';
const onlyAdministratorsNoGuests = 'rank  no    no    no    no    ok    ok';
const everyoneGuestsUnaware = 'ok    done  done  done  done  done  done';
const onlyAdministratorsKnow = 'no    no    no    no    no    knows knows';
const insideAndAdministratorsKnow = 'no    no    no    knows no    knows knows';

/**
 * The answer of every call to every role. The secret stream is private, and `writer` subscribes to it. The lobby is
 * private with every member. The board is public, and only `writer` subscribes to it. `direct` is a message from
 * `writer` to `inside`. The columns are `members`: a guest, a member outside the secret stream, one who left it, one
 * inside, and a moderator, an administrator and an owner outside.
 */
export const table: Table = {
  getServerSettings: [row(everyone, 'a call without parameters', nothing)],
  fetchApiKey: [
    row(everyone, 'the caller’s own password', (_, { email }) => ({ username: email, password: eg.password })),
    row(nobody, 'the password of another member', ({ email }) => ({ username: email, password: 'x' }), password),
  ],

  getUsers: [row(everyone, 'all users', nothing)],
  getUser: [row(everyone, 'another user', writer)],
  getUserByEmail: [row(everyone, 'another user', (_, __, at) => ({ email: at.person('writer').email }))],
  deactivateOwnUser: [row(everyone, 'the caller', nothing)],
  getOwnUser: [row(everyone, 'the caller', nothing)],
  muteUser: [row(everyone, 'another user', (...call) => ({ muted_user_id: writer(...call).user_id }))],
  unmuteUser: [
    row(
      nobody,
      'a user who is not muted',
      (...call) => ({ muted_user_id: writer(...call).user_id }),
      refusal('User is not muted'),
    ),
  ],
  createUser: [
    row(
      onlyAdministrators,
      'a new member',
      () => ({ email: 'shinjin@example.com', password: 'himitsu-1', full_name: '新人 さん' }),
      administrators,
    ),
  ],
  updateUser: [
    row(onlyAdministrators, 'the name of another user', including(writer, { full_name: '別の名' }), permission),
    row(onlyAdministrators, 'the name of the caller', including(caller, { full_name: '別の名' }), permission),
    row(onlyAdministrators, 'the role of another user', including(writer, { role: roles.administrator }), permission),
    row(onlyOwners, 'the promotion of another user to owner', including(writer, { role: roles.owner }), permission, owners),
    row(onlyOwners, 'the promotion of the caller to owner', including(caller, { role: roles.owner }), permission, owners),
  ],
  deactivateUser: [
    row(onlyAdministrators, 'another user', writer, permission),
    row(
      onlyOwners,
      'an owner who is not the last',
      (_, __, at) => ({ user_id: at.person('secondOwner').id }),
      permission,
      owners,
    ),
  ],
  reactivateUser: [
    row(onlyAdministrators, 'a deactivated user', (_, __, at) => ({ user_id: at.person('deactivated').id }), permission),
  ],
  updateSettings: [
    row(allButGuests, 'the caller’s name', () => ({ full_name: '別の名' }), guests),
    row(everyone, 'the caller’s time zone', () => ({ timezone: 'Europe/Berlin' })),
    row(everyone, 'the caller’s read receipts', () => ({ send_read_receipts: false })),
    row(everyone, 'the caller’s privacy', (...call) => ({
      presence_enabled: false,
      photo_audience: { audience: 'selected', user_ids: [writer(...call).user_id] },
    })),
    row(allButGuests, 'the caller’s email', () => ({ email: 'atarashii@example.com' }), guests),
    differing(
      isFree,
      row(
        nobodyGuestsUnaware,
        'an email of another user',
        ({ email }) => ({ email }),
        refusal(({ email }) => `Email '${email}' already in use`),
        guests,
      ),
    ),
  ],
  updateNotificationSettings: [row(everyone, 'the caller’s sounds', () => ({ enable_sounds: false }))],
  countEmojiUse: [row(everyone, 'an emoji of the caller', () => ({ emoji: '🍵' }))],
  regenerateApiKey: [row(everyone, 'the caller’s keys', nothing)],
  createBot: [row(allButGuests, 'a bot', () => ({ full_name: '警報 です', short_name: 'keihou' }), guests)],
  getBots: [row(everyone, 'the caller’s bots', nothing)],
  updateBot: [
    row(onlyAdministrators, 'the name of a bot of another member', including(bot, { full_name: '別の書記' }), noBot),
    row(onlyAdministrators, 'the role of a bot of another member', including(bot, { role: roles.guest }), noBot),
    row(
      onlyAdministrators,
      'the owner of a bot of another member',
      (...call) => ({ ...bot(...call), bot_owner_id: call[2].person('outside').id }),
      noBot,
    ),
    row(
      nobodyAdministratorsAware,
      'the secret stream as the default of a bot of another member',
      (it, ...call) => ({ ...bot(it, ...call), default_sending_stream: it.name }),
      noBot,
      destination,
    ),
  ],
  deactivateBot: [row(onlyAdministrators, 'a bot of another member', bot, noBot)],
  regenerateBotApiKey: [row(nobodyAdministratorsAware, 'the key of a bot of another member', bot, noBot, permission)],
  getBotApiKey: [row(nobodyAdministratorsAware, 'the key of a bot of another member', bot, noBot, permission)],
  getPointer: [row(everyone, 'the caller’s pointer', nothing)],
  updatePointer: [
    row(onlyInside, 'a pointer to a secret message', (it) => ({ pointer: it.message }), pointer),
    row(everyone, 'a pointer to the caller’s message', (_, me) => ({ pointer: me.message })),
  ],
  putPointer: [row(onlyInside, 'a pointer to a direct message of others', (it) => ({ pointer: it.direct }), pointer)],

  getAlertWords: [row(everyone, 'the caller’s alert words', nothing)],
  addAlertWords: [row(everyone, 'the caller’s alert words', () => ({ alert_words: ['至急'] }))],
  removeAlertWords: [row(everyone, 'the caller’s alert words', () => ({ alert_words: [secrets.word] }))],

  getDrafts: [row(everyone, 'the caller’s drafts', nothing)],
  createDrafts: [
    row(everyone, 'a draft without an address', () => ({ drafts: [unaddressed] })),
    row(onlyInside, 'a draft for the secret stream', (it) => ({ drafts: [toTheStream(it)] }), streamId),
    row(everyone, 'a draft for another member', (_, __, at) => ({
      drafts: [{ ...unaddressed, type: 'private' as const, to: [at.person('writer').id] }],
    })),
  ],
  editDraft: [row(nobody, 'a draft of another member', ({ draft: id }) => ({ draft_id: id, draft: unaddressed }), draft)],
  deleteDraft: [row(nobody, 'a draft of another member', ({ draft: id }) => ({ draft_id: id }), draft)],

  getUserGroups: [
    row(everyone, 'all groups', nothing),
    row(everyone, 'all groups including deactivated ones', () => ({ include_deactivated_groups: true })),
  ],
  createUserGroup: [
    row(allButGuests, 'a new group', (_, { id }) => ({ name: '登山部', description: '', members: [id] }), guests),
  ],
  updateUserGroup: [
    differing(isKnown, row(onlyManagers, 'a group of others', including(theGroup, { name: '別の会' }), group, permission)),
    row(nobody, 'a system group', including(system, { name: '別の会' }), permission),
  ],
  removeUserGroup: [
    differing(isKnown, row(onlyManagers, 'a group of others', theGroup, group, permission)),
    row(nobody, 'a system group', system, permission),
  ],
  deactivateUserGroup: [
    differing(isKnown, row(onlyManagers, 'a group of others', theGroup, group, permission)),
    row(nobody, 'a system group', system, permission),
  ],
  getUserGroupMembers: [
    differing(isKnown, row(allButGuests, 'a group of others', theGroup, group)),
    row(everyone, 'a system group', system),
  ],
  updateUserGroupMembers: [
    differing(
      isKnown,
      row(
        onlyManagers,
        'another member to a group of others',
        (it, _, at) => ({ ...theGroup(it), add: [at.person('secondOwner').id] }),
        group,
        permission,
      ),
    ),
    row(nobody, 'the caller to a system group', (_, { id }) => ({ ...system(), add: [id] }), permission),
  ],
  getIsUserGroupMember: [
    differing(
      isKnown,
      row(allButGuests, 'a group of others', (...call) => ({ ...theGroup(call[0]), ...writer(...call) }), group),
    ),
    row(everyone, 'a system group', including(writer, system())),
  ],
  getUserGroupSubgroups: [
    differing(isKnown, row(allButGuests, 'a group of others', theGroup, group)),
    row(everyone, 'a system group', system),
  ],
  updateUserGroupSubgroups: [
    differing(
      isKnown,
      row(
        onlyManagers,
        'a system group below a group of others',
        including(theGroup, { add: [systemGroups.owners] }),
        group,
        permission,
      ),
    ),
    row(nobody, 'a group below a system group', (it) => ({ ...system(), add: [it.group] }), permission),
  ],

  getScheduledMessages: [row(everyone, 'the caller’s scheduled messages', nothing)],
  createScheduledMessage: [
    row(onlyInside, 'a message for the secret stream', (it) => scheduled('stream', it.stream), destinationId),
    row(everyone, 'a message for the lobby', (_, __, { streams }) => scheduled('stream', streams.lobby)),
    row(everyone, 'a message for another member', (_, __, at) => scheduled('direct', [at.person('writer').id])),
  ],
  updateScheduledMessage: [
    row(
      nobody,
      'a message of another member',
      (it) => ({ scheduled_message_id: it.scheduled, content: '別の文' }),
      scheduledMessage,
    ),
  ],
  deleteScheduledMessage: [
    row(nobody, 'a message of another member', (it) => ({ scheduled_message_id: it.scheduled }), scheduledMessage),
  ],

  registerQueue: [
    row(everyoneInsideSees, 'a queue for everything', () => ({ include_subscribers: true })),
    row(
      allButGuests,
      'a queue for all public streams',
      () => ({ all_public_streams: true, fetch_event_types: ['message'] }),
      query,
    ),
    differing(
      'each queue has a different id',
      row(everyone, 'a queue for the secret stream', ({ name }) => ({
        narrow: [{ operator: 'stream', operand: name }],
        fetch_event_types: ['message'],
      })),
    ),
  ],
  getEvents: [
    row(nobody, 'the queue of another member', (it) => ({ queue_id: it.queue, last_event_id: 0, dont_block: true }), queue),
    row(everyone, 'the caller’s queue', (_, me) => ({ queue_id: me.queue.id, last_event_id: me.queue.cursor, dont_block: true })),
  ],
  deleteQueue: [
    row(nobody, 'the queue of another member', (it) => ({ queue_id: it.queue }), queue),
    row(everyone, 'the caller’s queue', (_, me) => ({ queue_id: me.queue.id })),
  ],

  getMessages: [
    row(everyoneInsideSees, 'all messages', () => newest),
    row(everyoneInsideSees, 'all messages including deleted ones', () => ({ ...newest, include_deleted: true })),
    differing(
      'other messages come before or after it',
      row(everyoneInsideSees, 'messages around a secret one', (it) => ({
        ...newest,
        anchor: String(it.message),
        num_after: 100,
      })),
    ),
    row(
      onlyInsideSees,
      'messages of the secret stream by name',
      (it) => narrowedTo('stream', it.name),
      narrow(({ name }) => name),
    ),
    row(
      onlyInsideSees,
      'messages of the secret stream by id',
      (it) => narrowedTo('channel', it.stream),
      narrow(({ stream: id }) => id),
    ),
    row(
      allButGuestsDone,
      'messages of the public board',
      (it) => narrowedTo('stream', it.board),
      narrow((it) => it.board),
    ),
    row(everyoneInsideSees, 'messages of a secret topic', () => narrowedTo('topic', secrets.topic)),
    differing(
      'an unknown user is reported',
      row(everyoneInsideSees, 'messages of the writer', (it) => narrowedTo('sender', it.email)),
    ),
    row(everyoneInsideSees, 'one secret message by id', (it) => narrowedTo('id', it.message)),
    row(everyoneInsideSees, 'direct messages', () => narrowedTo('is', 'dm')),
    differing(
      'an unknown user is reported',
      row(everyoneInsideSees, 'direct messages with the writer', (it) => narrowedTo('dm', it.email)),
    ),
  ],
  checkMessagesMatchNarrow: [
    row(everyoneInsideSees, 'a secret message without terms', (it) => ({ msg_ids: [it.message], narrow: [] })),
    row(everyoneInsideSees, 'a direct message of others', (it) => ({
      msg_ids: [it.direct],
      narrow: [{ operator: 'is', operand: 'dm' }],
    })),
  ],
  sendMessage: [
    row(
      onlyInside,
      'a message to the secret stream by name',
      ({ name }) => ({ type: 'stream', to: addressStream(name), ...sent }),
      destination,
    ),
    row(
      onlyInside,
      'a message to the secret stream by id',
      (it) => ({ type: 'channel', to: String(it.stream), ...sent }),
      destinationId,
    ),
    row(
      allButGuestsDone,
      'a message to the public board',
      (it) => ({ type: 'stream', to: it.board, ...greeting }),
      boardDestination,
    ),
    row(everyone, 'a message to the lobby', () => {
      return { type: 'stream', to: lobby, ...greeting };
    }),
    row(everyone, 'a direct message to the writer', (...call) => ({ type: 'direct', ...toWriter(...call), ...greeting })),
  ],
  getMessage: [
    row(onlyInsideSees, 'a secret message', secret, message),
    row(onlyInsideSees, 'a direct message of others', direct, message),
    row(nobody, 'a deleted message', deleted, message),
    row(everyone, 'a message in the lobby', writersMessage),
  ],
  getMessageHistory: [
    row(onlyInsideSees, 'a secret message', secret, message),
    row(onlyInsideSees, 'a direct message of others', direct, message),
    row(nobody, 'a deleted message', deleted, message),
    row(everyone, 'a message in the lobby', writersMessage),
  ],
  editMessage: [
    row(insideLacksRank, 'the content of a secret message', including(secret, { content: secrets.sent }), message, editing),
    row(onlyInside, 'the topic of a secret message', including(secret, { topic: secrets.sent }), message),
    row(insideLacksRank, 'a direct message of others', including(direct, { content: secrets.sent }), message, editing),
    row(nobody, 'a deleted message', including(deleted, { content: secrets.sent }), message),
    row(nobody, 'a message of another member in the lobby', including(writersMessage, { content: '別の言葉' }), editing),
    row(everyone, 'the caller’s message', including(own, { content: '別の言葉' })),
  ],
  deleteMessage: [
    row(insideLacksRank, 'a secret message', secret, message, deletion),
    row(insideLacksRank, 'a direct message of others', direct, message, deletion),
    row(nobody, 'a deleted message', deleted, message),
    row(onlyAdministrators, 'a message of another member in the lobby', writersMessage, deletion),
    row(everyone, 'the caller’s message', own),
  ],
  addReaction: [
    row(onlyInside, 'a secret message', including(secret, { emoji_name: 'tada' }), message),
    row(onlyInside, 'a direct message of others', including(direct, { emoji_name: 'tada' }), message),
    row(nobody, 'a deleted message', including(deleted, { emoji_name: 'tada' }), message),
    row(everyone, 'a message in the lobby', including(writersMessage, { emoji_name: 'tada' })),
  ],
  removeReaction: [
    row(
      insideLacksRank,
      'a reaction of another member to a secret message',
      including(secret, { emoji_name: 'heart' }),
      message,
      reaction,
    ),
    row(nobody, 'a reaction of another member in the lobby', including(writersMessage, { emoji_name: 'heart' }), reaction),
    row(nobody, 'a deleted message', including(deleted, { emoji_name: 'heart' }), message),
  ],
  updateMessageFlags: [
    row(onlyInside, 'a star on a secret message', (it) => ({ messages: [it.message], op: 'add', flag: 'starred' }), message),
    row(
      onlyInside,
      'a star on a direct message of others',
      (it) => ({ messages: [it.direct], op: 'add', flag: 'starred' }),
      message,
    ),
    row(everyone, 'secret messages as read', (it) => ({ messages: [it.message, it.direct], op: 'add', flag: 'read' })),
    row(everyone, 'secret messages as unread', (it) => ({ messages: [it.message, it.direct], op: 'remove', flag: 'read' })),
  ],
  getReadReceipts: [
    row(onlyInsideDone, 'a secret message', secret, message),
    row(onlyInsideDone, 'a direct message of others', direct, message),
    row(nobody, 'a deleted message', deleted, message),
    row(everyone, 'a message in the lobby', writersMessage),
  ],
  countReadReceipts: [
    row(everyoneInsideDone, 'a secret message', (it) => ({ messages: [it.message] })),
    row(everyoneInsideDone, 'a direct message of others', (it) => ({ messages: [it.direct] })),
    row(everyone, 'a deleted message', (it) => ({ messages: [it.deleted] })),
    row(everyone, 'the caller’s message', (_, me) => ({ messages: [me.message] })),
  ],
  renderMessage: [
    row(everyone, 'a link to the secret stream', ({ name }) => ({ content: `#**${name}** #**${name}>話題**` })),
    row(everyoneGuestsUnaware, 'a link to the public board', (it) => ({ content: `#**${it.board}**` })),
  ],
  updateMessageFlagsForNarrow: [
    row(
      onlyInside,
      'messages of the secret stream',
      (it) => inNarrow('stream', it.name),
      narrow(({ name }) => name),
    ),
    row(everyone, 'messages of a secret topic', () => inNarrow('topic', secrets.topic)),
  ],
  markAllAsRead: [row(everyone, 'the caller’s messages', nothing)],
  markStreamAsRead: [
    row(onlyInsideDone, 'the secret stream', stream, streamId),
    row(allButGuests, 'the public board', theBoard, streamId),
    row(everyone, 'the lobby', theLobby),
  ],
  markTopicAsRead: [
    row(onlyInsideDone, 'a topic of the secret stream', including(stream, { topic_name: secrets.topic }), streamId),
    row(everyone, 'a topic of the lobby', including(theLobby, { topic_name: '雑談' })),
  ],
  setTypingStatus: [
    row(onlyInside, 'the secret stream', (it) => ({ op: 'start', type: 'stream', ...stream(it), topic: secrets.sent }), streamId),
    row(
      allButGuests,
      'the public board',
      (...call) => ({ op: 'start', type: 'stream', ...theBoard(...call), topic: '雑談' }),
      streamId,
    ),
    row(everyone, 'a direct conversation with the writer', (...call) => ({ op: 'start', ...toWriter(...call) })),
  ],

  updatePresence: [row(everyone, 'the caller’s presence', () => ({ status: 'active' }))],
  getRealmPresence: [row(everyone, 'the presence of everyone', nothing)],
  getUserPresence: [row(nobody, 'a user without presence', writer, refusal('No presence data for 11'))],
  getUserPresenceByEmail: [
    row(
      nobody,
      'a user without presence',
      (_, __, at) => ({ email: at.person('writer').email }),
      refusal('No presence data for 11'),
    ),
  ],
  updateStatus: [row(everyone, 'the caller’s status', () => ({ status_text: '会議中' }))],
  getUserStatus: [row(everyone, 'the status of another user', writer)],

  updateRealm: [
    row(onlyAdministrators, 'read receipts for everyone', () => ({ read_receipts: 'all' }), administrators),
    row(onlyAdministrators, 'read receipts for nobody', () => ({ enable_read_receipts: false }), administrators),
    row(onlyAdministrators, 'the creation of bots', () => ({ bot_creation: 'nobody' }), administrators),
  ],
  getEmojiData: [row(everyone, 'the names of emoji', nothing)],
  getRealmEmoji: [row(everyone, 'a call without parameters', nothing)],
  deleteRealmEmoji: [
    row(onlyAdministrators, 'an emoji of another member', () => ({ emoji_name: ownEmoji }), emojiAuthor),
    row(nobody, 'a missing emoji', () => ({ emoji_name: 'nowhere' }), refusal("Emoji 'nowhere' does not exist")),
  ],
  addLinkifier: [row(onlyAdministrators, 'a new linkifier', () => linkifier, administrators)],
  updateLinkifier: [
    row(rankedMissing, 'a missing linkifier', () => ({ filter_id: 9, ...linkifier }), administrators, noLinkifier),
  ],
  removeLinkifier: [row(rankedMissing, 'a missing linkifier', () => ({ filter_id: 9 }), administrators, noLinkifier)],
  reorderLinkifiers: [row(onlyAdministrators, 'no linkifiers', () => ({ ordered_linkifier_ids: [] }), administrators)],
  addPlayground: [
    row(
      onlyAdministrators,
      'a new playground',
      () => ({ name: '試し', pygments_language: 'Python', url_template: 'https://py.example/{code}' }),
      administrators,
    ),
  ],
  removePlayground: [
    row(rankedMissing, 'a missing playground', () => ({ playground_id: 9 }), administrators, refusal('Invalid playground')),
  ],
  getProfileFields: [row(everyone, 'a call without parameters', nothing)],
  createProfileField: [row(onlyAdministrators, 'a new field', () => ({ name: '内線', field_type: 1 }), administrators)],
  updateProfileField: [row(rankedMissing, 'a missing field', () => ({ field_id: 9, name: '内線' }), administrators, noField)],
  deleteProfileField: [row(rankedMissing, 'a missing field', () => ({ field_id: 9 }), administrators, noField)],
  reorderProfileFields: [row(onlyAdministrators, 'no fields', () => ({ order: [] }), administrators)],
  updateProfileData: [
    row(everyone, 'no values', () => ({ data: [] })),
    row(nobody, 'a value of a missing field', () => ({ data: [{ id: 9, value: '1' }] }), noField),
  ],
  deleteProfileData: [
    row(everyone, 'no values', () => ({ data: [] })),
    row(nobody, 'a value of a missing field', () => ({ data: [9] }), noField),
  ],
  getBotStorage: [
    row(everyone, 'the caller’s storage', nothing),
    row(nobody, 'a key of another member', () => ({ keys: [storageKey] }), refusal('Key does not exist.')),
  ],
  updateBotStorage: [row(everyone, 'the caller’s storage', () => ({ storage: { [storageKey]: '1' } }))],
  deleteBotStorage: [
    row(everyone, 'the caller’s storage', nothing),
    row(nobody, 'a key of another member', () => ({ keys: [storageKey] }), refusal('Key does not exist.')),
  ],
  getLinkifiers: [row(everyone, 'a call without parameters', nothing)],
  getRealmFilters: [row(everyone, 'a call without parameters', nothing)],

  getStreams: [
    row(everyoneInsideKnows, 'the streams that the caller can see', nothing),
    row(onlyAdministratorsKnow, 'all streams', () => ({ include_all_active: true }), query),
  ],
  getStream: [
    row(insideAndAdministratorsKnow, 'the secret stream', stream, streamId),
    row(allButGuests, 'the public board', theBoard, streamId),
  ],
  getStreamId: [row(insideAndAdministrators, 'the name of the secret stream', ({ name }) => ({ stream: name }), streamName)],
  addDefaultStream: [
    row(onlyAdministrators, 'the public board', theBoard, administrators),
    differing(
      'administrators know all streams',
      row(nobodyPrivate, 'the secret stream', stream, administrators, refusal('Private streams cannot be made default.')),
    ),
  ],
  removeDefaultStream: [row(onlyAdministratorsDone, 'the secret stream', stream, administrators)],
  deleteTopic: [
    row(onlyAdministrators, 'a topic of the public board', including(theBoard, { topic_name: '雑談' }), administrators),
    row(
      nobodyPrivate,
      'a topic of the secret stream',
      including(stream, { topic_name: secrets.topic }),
      administrators,
      streamId,
    ),
  ],
  getSubscribers: [
    row(onlyInsideDone, 'the secret stream', stream, streamId),
    row(allButGuests, 'the public board', theBoard, streamId),
    row(everyone, 'the lobby', theLobby),
  ],
  getSubscriptionStatus: [
    row(onlyInsideDone, 'the writer in the secret stream', (...call) => ({ ...writer(...call), ...stream(call[0]) }), streamId),
    row(everyone, 'the writer in the lobby', (...call) => ({ ...writer(...call), ...theLobby(...call) })),
  ],
  getStreamEmailAddress: [
    row(
      insideLacksRank,
      'the secret stream',
      stream,
      streamId,
      refusal('Posting to streams by email is disabled in this organization.'),
    ),
  ],
  getTopics: [
    row(onlyInsideSees, 'the topics of the secret stream', stream, streamId),
    row(allButGuests, 'the topics of the public board', theBoard, streamId),
  ],
  updateStream: [
    row(onlyAdministratorsDone, 'the name of the secret stream', including(stream, { new_name: '別の名' }), administrators),
    row(
      onlyAdministratorsDone,
      'the description of the secret stream',
      including(stream, { description: '別の説明' }),
      administrators,
    ),
    row(onlyAdministrators, 'the description of the lobby', including(theLobby, { description: '別の説明' }), administrators),
  ],
  deleteStream: [
    row(onlyAdministratorsDone, 'the secret stream', stream, administrators),
    row(onlyAdministrators, 'the lobby', theLobby, administrators),
  ],

  getSubscriptions: [row(everyoneInsideKnows, 'the caller’s subscriptions', () => ({ include_subscribers: true }))],
  subscribe: [
    differing(isFree, row(onlyInsideNoGuests, 'the caller to the secret stream', named, entry, guests)),
    differing(
      isFree,
      row(allButGuests, 'the caller to accessible streams only', including(named, { authorization_errors_fatal: false }), guests),
    ),
    differing(
      isFree,
      row(
        onlyInsideNoGuests,
        'another member to the secret stream',
        (it, _, at) => ({ ...named(it), principals: [at.person('writer').id] }),
        entry,
        guests,
      ),
    ),
    row(allButGuests, 'the caller to the public board', () => ({ subscriptions: [{ name: board }] }), guests),
    row(allButGuests, 'the caller to a new stream', () => ({ subscriptions: [{ name: '新しい部屋' }] }), guests),
    row(
      onlyAdministratorsNoGuests,
      'the caller to a new public stream',
      () => ({ subscriptions: [{ name: '新しい広場' }], invite_only: false }),
      permission,
      guests,
    ),
  ],
  updateSubscriptionProperties: [
    row(
      onlyInsideDone,
      'the secret stream',
      (it) => ({ subscription_data: [{ stream_id: it.stream, property: 'is_muted', value: true }] }),
      unsubscribed,
    ),
    row(everyone, 'the lobby', (_, __, { streams }) => ({
      subscription_data: [{ stream_id: streams.lobby, property: 'pin_to_top', value: true }],
    })),
  ],
  updateSubscriptionProperty: [
    row(onlyInsideDone, 'the secret stream', including(stream, { property: 'put_away', value: 'true' }), unsubscribed),
    row(everyone, 'the lobby', including(theLobby, { property: 'color', value: '#76ce90' })),
  ],
  updateUserTopic: [
    row(onlyInsideDone, 'a topic of the secret stream', including(stream, mutedTopic), streamId),
    row(allButGuests, 'a topic of the public board', including(theBoard, mutedTopic), streamId),
    row(everyone, 'a topic of the lobby', including(theLobby, mutedTopic)),
  ],
  muteTopic: [
    row(onlyInsideDone, 'a topic of the secret stream', including(stream, mutingTopic), streamId),
    row(onlyInsideDone, 'a topic of the secret stream by name', ({ name }) => ({ stream: name, ...mutingTopic }), streamName),
  ],
  unsubscribe: [
    row(insideAndAdministrators, 'the caller from the secret stream', ({ name }) => ({ subscriptions: [name] }), streamNames),
    row(
      onlyAdministratorsDone,
      'another member from the secret stream',
      ({ name }, _, at) => ({ subscriptions: [name], principals: [at.person('writer').id] }),
      permission,
    ),
    row(
      onlyAdministrators,
      'another member from the lobby',
      (_, __, at) => ({ subscriptions: [lobby], principals: [at.person('writer').id] }),
      permission,
    ),
    row(everyone, 'the caller from the lobby', () => ({ subscriptions: [lobby] })),
  ],
  updateSubscriptions: [
    row(insideAndAdministrators, 'a removal of the secret stream', ({ name }) => ({ delete: [name] }), streamNames),
    differing(
      isFree,
      row(onlyInsideNoGuests, 'an addition of the secret stream', ({ name }) => ({ add: [{ name }] }), entry, guests),
    ),
  ],
};

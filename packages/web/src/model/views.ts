/** The state as the screens read it. A view is the same object until something that it shows has changed. */
import {
  parseFileMessage,
  roles,
  type FileMessage,
  type FormerName,
  type Message,
  type Subscription,
  type User,
  type UserSettings,
} from '@engawa/protocol';
import { fold } from '@engawa/folding';
import { departmentGroups, departmentsWithin, type DepartmentNode, type Session } from '@engawa/protocol/product';
import { topic } from './constants.ts';
import {
  conversationIn,
  isDirect,
  joinNames,
  mayOpen,
  othersIn,
  participantsIn,
  type ConversationKey,
  type DirectKey,
} from './timeline/conversation.ts';
import { countMentions, isAlerted, isMention } from './unread/flagged.ts';
import { notificationLevel } from './streams/notifying.ts';
import { contentOf, holdsUnkept, isHeld, isToSend, nameOf, unsent, type Outgoing } from './outbox/outbox.ts';
import { reactionsOf } from './timeline/reactions.ts';
import { presenceAt, statusAt } from './people/presence.ts';
import { keeping, perKey, perObject, remembering } from './remembering.ts';
import { isAdministrator } from './timeline/rights.ts';
import type { State } from './state.ts';
import { find, type Load, type TimelineState } from './timeline/timeline.ts';
import { countUnread, totalUnread, unreadIn } from './unread/unread.ts';
import type {
  ConversationView,
  Destination,
  DirectView,
  Failure,
  Key,
  Loading,
  Me,
  MemberDepartment,
  MemberView,
  Mentioned,
  MessageKey,
  MessageView,
  Person,
  Presence,
  Preview,
  ReactionView,
  SettingsChange,
  StatusView,
  StreamView,
  Timeline,
} from './view.ts';

export interface Views {
  me(state: State): Me | undefined;
  people(state: State): readonly Person[];
  member(state: State, userId: number): MemberView | undefined;
  presence(state: State, userId: number): Presence | undefined;
  status(state: State, userId: number): StatusView | undefined;
  settings(state: State): UserSettings;
  streams(state: State): readonly number[] | undefined;
  away(state: State): readonly number[];
  stream(state: State, streamId: number): StreamView | undefined;
  directs(state: State): readonly DirectKey[];
  conversation(state: State, conversation: ConversationKey): ConversationView | undefined;
  totalUnread(state: State): number;
  totalMentions(state: State): number;
  totalCalls(state: State): number;
  directUnread(state: State): number;
  mentionedUser(state: State, name: string, id: number | undefined): Mentioned | undefined;
  mentionedGroup(state: State, name: string): Mentioned | undefined;
  timeline(state: State, conversation: ConversationKey): Timeline | undefined;
  writers(state: State, conversation: ConversationKey): readonly number[];
  message(state: State, key: MessageKey): MessageView | undefined;
  /** What a key names. */
  read(state: State, key: Key): unknown;
}

export function createViews({ member }: Session): Views {
  const meOf = remembering((user: User | undefined): Me | undefined =>
    member
      ? {
          userId: member.user_id,
          email: user?.delivery_email ?? user?.email ?? member.email,
          fullName: user?.full_name ?? member.full_name,
          avatarUrl: user?.avatar_url ?? undefined,
          isAdministrator: user !== undefined && isAdministrator(user),
          isGuest: user?.is_guest ?? false,
          timezone: user?.timezone ?? '',
        }
      : undefined,
  );
  const peopleOf = remembering(peopleByReading);
  const memberViews = perKey<number, typeof memberView>(() => remembering(memberView));
  const presenceViews = perKey<number, typeof presenceView>(() => remembering(presenceView));
  const settings = remembering((kept: UserSettings, asked: readonly SettingsChange[]) =>
    asked.reduce<UserSettings>((chosen, change) => ({ ...chosen, ...change }), kept),
  );
  const order = remembering(orderOf);
  const keepOrder = keeping<number>();
  const directOrder = remembering(directOrderOf);
  const keepDirectOrder = keeping<DirectKey>();
  const keepAway = keeping<number>();
  const streamViews = perKey<number, typeof streamView>(() => remembering(streamView));
  const directViews = perKey<DirectKey, typeof directView>(() => remembering(directView));
  const participants = perKey<DirectKey, typeof participantsIn>(() => remembering(participantsIn));
  const usersOf = perKey<DirectKey, (list: readonly User[]) => readonly User[]>(() => keeping<User>());
  const timelineViews = perKey<ConversationKey, TimelineViewer>(timelineViewer);
  const messageViews = perObject<Message, typeof messageView>(() => remembering(messageView));
  const usersByName = remembering(groupByName);
  const byFormerName = remembering(lastByFormerName);
  const groupsByName = remembering(membersByGroup);
  const mentionViews = perKey<string, typeof mentionView>(() => remembering(mentionView));
  const outgoingViews = perObject<Outgoing, typeof outgoingView>(() => remembering(outgoingView));

  const views: Views = {
    me: ({ memberId, users }) => meOf(memberId === undefined ? undefined : users.get(memberId)),

    people: ({ users, directory }) => peopleOf(users, directory),

    member({ users, directory, departments }, userId) {
      const user = users.get(userId);
      return user && memberViews(userId)(user, directory, departments);
    },

    presence(state, userId) {
      const { presences, now, presenceSeconds } = state;
      const seen = presences.get(userId);
      // Who does not show theirs is not shown those of others.
      if (!seen || views.settings(state).presence_enabled === false) return undefined;
      const { kind, lastSeen } = presenceAt(seen, now, presenceSeconds.offline);
      return presenceViews(userId)(kind, lastSeen);
    },

    status({ statuses, now }, userId) {
      const status = statuses.get(userId);
      return status && statusAt(status, now);
    },

    settings: (state) => settings(state.settings, state.settingsAsked),

    streams: ({ subscriptions, newest, unread }) => subscriptions && keepOrder(order(subscriptions, newest, unread)),

    away: (state) => keepAway((views.streams(state) ?? []).filter((id) => state.subscriptions?.get(id)?.put_away)),

    stream({ subscriptions, newest, unread, reading, flagged, users }, streamId) {
      const subscription = subscriptions?.get(streamId);
      if (!subscription) return undefined;
      const count = countUnread(unread, reading, streamId);
      const mentions = countMentions(flagged, unread, reading, streamId);
      const message = newest.get(streamId) ?? undefined;
      return streamViews(streamId)(subscription, message, message && users.get(message.sender_id), count, mentions);
    },

    directs: ({ directs }) => keepDirectOrder(directOrder(directs)),

    conversation(state, conversation) {
      if (!isDirect(conversation)) return views.stream(state, conversation);
      if (!mayOpen(state, conversation)) return undefined;
      const { newest, unread, reading, flagged, users, directory, memberId } = state;
      const others = othersIn(conversation, memberId).flatMap((userId) => users.get(userId) ?? []);
      const count = countUnread(unread, reading, conversation);
      const mentions = countMentions(flagged, unread, reading, conversation);
      const message = newest.get(conversation) ?? undefined;
      const sender = message && users.get(message.sender_id);
      const kept = usersOf(conversation)(others);
      const people = participants(conversation)(conversation);
      return directViews(conversation)(conversation, people, kept, directory, memberId, message, sender, count, mentions);
    },

    totalUnread({ subscriptions = new Map<number, Subscription>(), directs, unread, reading }) {
      const streams = subscriptions.values().map(({ stream_id, is_muted, put_away = false }) => ({
        unReadCount: countUnread(unread, reading, stream_id),
        status: statusOf(is_muted),
        isAway: put_away,
      }));
      return totalUnread(streams) + unreadInDirects({ directs, unread, reading });
    },

    totalMentions: (state) => mentionsIn(state, state.subscriptions?.keys() ?? []) + mentionsIn(state, state.directs.keys()),

    directUnread: unreadInDirects,

    totalCalls: (state) => mentionsIn(state, calling(state.subscriptions)) + unreadInDirects(state),

    mentionedUser({ users, formerNames, memberId }, name, id) {
      // Who is named by id may have had another name when it was written.
      const named = id === undefined ? usersByName(users).get(nameKey(name)) : undefined;
      const lastNamed = users.get(id ?? byFormerName(formerNames).get(nameKey(name)) ?? -1);
      const meant = named ?? (lastNamed ? [lastNamed] : []);
      const [first] = meant;
      if (!first) return undefined;
      return mentionViews(`user:${id}:${name}`)(
        first.full_name,
        first.user_id,
        meant.some(({ user_id }) => user_id === memberId),
      );
    },

    mentionedGroup({ departments, memberId }, name) {
      const members = departments && groupsByName(departments).get(name);
      return members && mentionViews(`group:${name}`)(name, undefined, memberId !== undefined && members.has(memberId));
    },

    timeline({ timelines, outbox, sentAs }, conversation) {
      const timeline = timelines.get(conversation);
      return timeline && timelineViews(conversation)(conversation, timeline, outbox, sentAs);
    },

    writers: ({ writers }, conversation) => writers.get(conversation) ?? nobody,

    message(state, key) {
      if (typeof key === 'string') {
        const outgoing = state.outbox.find(({ localKey }) => localKey === key);
        const me = views.me(state);
        return outgoing && me && outgoingViews(outgoing)(outgoing, me, isHeld(state.outbox, outgoing));
      }
      const message = locate(state, key);
      return message && messageViews(message)(message, state.users.get(message.sender_id), state.memberId);
    },

    read(state, key) {
      const [what = '', name = ''] = key.split(/:(.*)/s, 2);
      switch (what) {
        case 'conversation':
        case 'writers':
        case 'timeline': {
          const conversation = conversationIn(name);
          return conversation === undefined ? undefined : views[what](state, conversation);
        }
        case 'message':
          return views.message(state, /^\d+$/.test(name) ? Number(name) : name);
        case 'me':
          return views.me(state);
        case 'location':
          return state.location;
        case 'profileFailure':
          return state.profileFailure;
        case 'people':
          return views.people(state);
        case 'member':
          return views.member(state, Number(name));
        case 'presence':
          return views.presence(state, Number(name));
        case 'status':
          return views.status(state, Number(name));
        case 'streams':
          return views.streams(state);
        case 'directs':
          return views.directs(state);
        case 'away':
          return views.away(state);
        case 'readCount':
          return state.readCounts.get(Number(name));
        case 'settings':
          return views.settings(state);
        case 'sendsReceipts':
          return views.settings(state).send_read_receipts;
        case 'receiptsShown':
          return state.receiptsShown;
        case 'holdsUnkept':
          return holdsUnkept(state.outbox);
        case 'unsent':
          return unsent(state.outbox);
        case 'stranded':
          return stranded(state);
        case 'gone':
          return state.gone;
        case 'totalUnread':
          return views.totalUnread(state);
        case 'totalMentions':
          return views.totalMentions(state);
        case 'totalCalls':
          return views.totalCalls(state);
        case 'directUnread':
          return views.directUnread(state);
        case 'flagged':
          return state.flagged;
        case 'alertWords':
          return state.alertWords;
        case 'user': {
          const [id = '', full = ''] = name.split(/:(.*)/s, 2);
          return views.mentionedUser(state, full, id === '' ? undefined : Number(id));
        }
        case 'group':
          return views.mentionedGroup(state, name);
        case 'connection':
          return state.connection;
        case 'settled':
          return state.settled;
        case 'departments':
          return state.departments;
        case 'departmentsFailure':
          return state.departmentsFailure;
        case 'current':
          return state.current;
        default:
          throw new TypeError(`nothing is called ${key}`);
      }
    },
  };
  return views;
}

/** Names are compared as the server compares them: only ASCII letters are the same in both cases. */
const nameKey = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

function groupByName(users: ReadonlyMap<number, User>): ReadonlyMap<string, readonly User[]> {
  return Map.groupBy(users.values(), ({ full_name }) => nameKey(full_name));
}

/** Who bore a name last. */
function lastByFormerName(formerNames: readonly FormerName[]): ReadonlyMap<string, number> {
  return new Map(formerNames.map(({ user_id, name }) => [nameKey(name), user_id]));
}

function membersByGroup(departments: readonly DepartmentNode[]): ReadonlyMap<string, ReadonlySet<number>> {
  return new Map(
    departmentGroups(departments).map(({ name, department }) => {
      return [name, new Set(departmentsWithin(department).flatMap(({ memberIds = [] }) => memberIds))];
    }),
  );
}

const mentionView = (name: string, userId: number | undefined, isMe: boolean): Mentioned => ({ name, userId, isMe });

const byName = new Intl.Collator('ja');

function peopleByReading(users: ReadonlyMap<number, User>, directory: State['directory']): readonly Person[] {
  return [...users.values()]
    .filter(({ is_active }) => is_active !== false)
    .map((user) => {
      const person = personOf(user, directory);
      return { person, key: fold(person.reading || person.fullName) };
    })
    .toSorted((one, other) => byName.compare(one.key, other.key))
    .map(({ person }) => person);
}

function standingOf(role: User['role']): Person['standing'] {
  if (role === roles.owner) return 'owner';
  return role === roles.administrator ? 'administrator' : 'member';
}

function personOf({ user_id, full_name, email, avatar_url, role }: User, directory: State['directory']): Person {
  const { reading = '', title = '' } = directory.get(user_id) ?? {};
  return {
    userId: user_id,
    fullName: full_name,
    email,
    avatarUrl: avatar_url ?? undefined,
    reading,
    title,
    standing: standingOf(role),
  };
}

function directOrderOf(directs: State['directs']): readonly DirectKey[] {
  return [...directs].toSorted(([, one], [, other]) => other - one).map(([conversation]) => conversation);
}

/** What is muted, or put away, calls for nothing. */
function calling(subscriptions: State['subscriptions'] = new Map()): readonly number[] {
  const calls = [...subscriptions.values()].filter(({ is_muted, put_away }) => !is_muted && !put_away);
  return calls.map(({ stream_id }) => stream_id);
}

function mentionsIn({ flagged, unread, reading }: State, conversations: Iterable<ConversationKey>): number {
  let total = 0;
  for (const conversation of conversations) total += countMentions(flagged, unread, reading, conversation);
  return total;
}

function unreadInDirects({ directs, unread, reading }: Pick<State, 'directs' | 'unread' | 'reading'>): number {
  let total = 0;
  for (const conversation of directs.keys()) total += countUnread(unread, reading, conversation);
  return total;
}

const presenceView = (kind: Presence['kind'], lastSeen: number | undefined): Presence => ({ kind, lastSeen });

function memberView(user: User, directory: State['directory'], departments: readonly DepartmentNode[] | undefined): MemberView {
  return {
    ...personOf(user, directory),
    email: user.delivery_email ?? user.email,
    isActive: user.is_active !== false,
    timezone: user.timezone,
    departments: departmentsOf(user.user_id, departments ?? [], directory.get(user.user_id)?.departments),
  };
}

/** In the member's own order where the directory says it, else in that of the tree. */
function departmentsOf(
  userId: number,
  departments: readonly DepartmentNode[],
  codes: readonly string[] = [],
): readonly MemberDepartment[] {
  const own = departments.flatMap(departmentsWithin).filter(({ memberIds = [] }) => memberIds.includes(userId));
  const rank = ({ departmentCd }: DepartmentNode) => (codes.indexOf(departmentCd) + codes.length + 1) % (codes.length + 1);
  return own
    .toSorted((one, other) => rank(one) - rank(other))
    .map((department, index) => ({ department, isConcurrent: index > 0 }));
}

/**
 * What is pinned first, what is put away last. Among these the stream with the newest message first; one that nobody has
 * looked into by its newest unread; then by name.
 */
function orderOf(
  subscriptions: ReadonlyMap<number, Subscription>,
  newest: State['newest'],
  unread: State['unread'],
): readonly number[] {
  const rank = (streamId: number) => newest.get(streamId)?.id ?? unreadIn(unread, streamId).values().reduce(highest, 0);
  const ranked = [...subscriptions.values()].map(({ stream_id, name, pin_to_top, put_away }) => ({
    stream_id,
    name,
    place: put_away ? 2 : pin_to_top ? 0 : 1,
    rank: rank(stream_id),
  }));
  return ranked
    .toSorted((one, other) => one.place - other.place || other.rank - one.rank || byName.compare(one.name, other.name))
    .map(({ stream_id }) => stream_id);
}

function highest(one: number, other: number): number {
  return Math.max(one, other);
}

function streamView(
  subscription: Subscription,
  newest: Message | undefined,
  sender: User | undefined,
  unReadCount: number,
  mentionCount: number,
): StreamView {
  return {
    kind: 'stream',
    key: subscription.stream_id,
    streamId: subscription.stream_id,
    name: subscription.name,
    description: subscription.description,
    profile: subscription.picture_url ?? undefined,
    subscribers: subscription.subscribers ?? [],
    status: statusOf(subscription.is_muted),
    isAway: subscription.put_away ?? false,
    isPinned: subscription.pin_to_top,
    notifies: notificationLevel(subscription),
    creatorId: subscription.creator_id ?? undefined,
    unReadCount,
    mentionCount,
    message: newest && previewOf(newest, sender?.full_name ?? newest.sender_full_name),
    time: newest?.timestamp,
  };
}

function directView(
  key: DirectKey,
  subscribers: readonly number[],
  users: readonly User[],
  directory: State['directory'],
  memberId: number | undefined,
  newest: Message | undefined,
  sender: User | undefined,
  unReadCount: number,
  mentionCount: number,
): DirectView {
  const others = users.map((user) => personOf(user, directory));
  const [first] = others;
  return {
    kind: 'direct',
    key,
    name: joinNames(others.map(({ fullName }) => fullName)),
    profile: others.length === 1 ? first?.avatarUrl : undefined,
    subscribers,
    others,
    gone: users.filter(({ is_active }) => is_active === false).map((user) => personOf(user, directory)),
    isToSelf: first?.userId === memberId,
    status: 'active',
    unReadCount,
    mentionCount,
    message: newest && previewOf(newest, sender?.full_name ?? newest.sender_full_name),
    time: newest?.timestamp,
  };
}

const statusOf = (isMuted: boolean): StreamView['status'] => (isMuted ? 'muted' : 'active');

function previewOf({ content, deleted }: Message, senderFullName: string): Preview {
  if (deleted) return { kind: 'deleted', senderFullName, text: '' };
  const file = parseFileMessage(content);
  return file ? { kind: 'file', senderFullName, text: file.name } : { kind: 'text', senderFullName, text: content };
}

type TimelineViewer = (
  conversation: ConversationKey,
  timeline: TimelineState,
  outbox: readonly Outgoing[],
  sentAs: Timeline['sentAs'],
) => Timeline;

function timelineViewer(): TimelineViewer {
  // Per list, so that what a conversation has let go of is not held here.
  const idsOf = perObject<readonly Message[], typeof allIds>(() => remembering(allIds));
  const keysOf = perObject<readonly Message[], typeof allKeys>(() => remembering(allKeys));
  const keep = keeping<MessageKey>();
  const view = remembering(
    (
      keys: readonly MessageKey[],
      sentAs: Timeline['sentAs'],
      status: Timeline['status'],
      failure: Failure | undefined,
      loading: Loading | undefined,
      failed: Loading | undefined,
      foundOldest: boolean,
      foundNewest: boolean,
      destination: Destination | undefined,
      firstUnread: number | undefined,
    ): Timeline => ({
      keys,
      sentAs,
      status,
      failure,
      loading,
      failed,
      foundOldest,
      foundNewest,
      destination,
      firstUnread,
    }),
  );
  return (conversation, timeline, outbox, sentAs) => {
    const { messages, failure, loading, failed, foundOldest, foundNewest, destination, firstUnread } = timeline;
    const list = messages ?? empty;
    const below = foundNewest ? outbox : nothing;
    const keys = keep(keysOf(list)(idsOf(list)(list), list, below, conversation));
    const status = messages ? 'ready' : failure ? 'failed' : 'loading';
    const now = loadingOf(loading, destination);
    const before = loadingOf(failed, destination);
    return view(keys, sentAs, status, failure, now, before, foundOldest, foundNewest, destination, firstUnread);
  };
}

/** What is fetched again because events were missed nobody has asked for, so nobody is told. */
function loadingOf(load: Load | undefined, destination: Destination | undefined): Loading | undefined {
  if (load === 'older' || load === 'newer') return load;
  return load !== undefined && destination?.state === 'sought' ? 'destination' : undefined;
}

/** What is on its way stands below the newest message, and nowhere while that is not there. */
const nothing: readonly Outgoing[] = [];

const empty: readonly Message[] = [];

function allIds(messages: readonly Message[]): readonly number[] {
  return messages.map(({ id }) => id);
}

function allKeys(
  ids: readonly number[],
  messages: readonly Message[],
  outbox: readonly Outgoing[],
  conversation: ConversationKey,
): readonly MessageKey[] {
  return [...ids, ...rowsOf(outbox, conversation, messages)];
}

/** What is on its way, without what already stands there as a message. */
function rowsOf(outbox: readonly Outgoing[], conversation: ConversationKey, messages: readonly Message[]): readonly string[] {
  return outbox
    .filter((outgoing) => outgoing.conversation === conversation)
    .filter(({ messageId }) => messageId === undefined || !find(messages, messageId))
    .map(({ localKey }) => localKey);
}

export function stranded({ outbox, subscriptions, directs, current }: State): string | undefined {
  const isListed = (conversation: ConversationKey) =>
    conversation === current || (isDirect(conversation) ? directs.has(conversation) : subscriptions?.has(conversation));
  return outbox.find((each) => each.state === 'failed' && !isToSend(each) && !isListed(each.conversation))?.localKey;
}

export function locate({ timelines, current }: State, id: number): Message | undefined {
  const open = current === undefined ? undefined : timelines.get(current);
  for (const { messages = [] } of open ? [open, ...timelines.values()] : timelines.values()) {
    const message = find(messages, id);
    if (message) return message;
  }
  return undefined;
}

const nobody: readonly number[] = [];
const noReactions: readonly ReactionView[] = [];

/** What a member is shown with now, also on what they said before; of who is not known, what the message says. */
export function faceOf(message: Pick<Message, 'avatar_url'>, sender: User | undefined): string | undefined {
  return (sender ? sender.avatar_url : message.avatar_url) ?? undefined;
}

function messageView(message: Message, sender: User | undefined, memberId: number | undefined): MessageView {
  const deleted = message.deleted ?? false;
  const file = deleted ? undefined : parseFileMessage(message.content);
  return {
    key: message.id,
    senderId: message.sender_id,
    senderFullName: sender?.full_name ?? message.sender_full_name,
    avatarUrl: faceOf(message, sender),
    content: deleted ? '' : message.content,
    timestamp: message.timestamp,
    topic: message.subject,
    align: message.sender_id === memberId ? 'right' : 'left',
    deleted,
    edited: message.last_edit_timestamp !== undefined,
    called: deleted ? undefined : calledBy(message.flags ?? []),
    starred: message.flags?.includes('starred') ?? false,
    reactions: message.reactions.length === 0 ? noReactions : reactionsOf(message, memberId),
    msgType: file ? 'file' : 'text',
    file,
    state: 'sent',
    progress: undefined,
    failure: undefined,
  };
}

function calledBy(flags: readonly string[]): MessageView['called'] {
  if (isMention(flags)) return 'mention';
  return isAlerted(flags) ? 'alert' : undefined;
}

/** The file of a row whose bytes are still on their way: it has no name on the server yet. */
function promised({ file }: Outgoing): FileMessage | undefined {
  return file && { name: nameOf(file), storedName: '', size: file.size };
}

function outgoingView(outgoing: Outgoing, me: Me, held: boolean): MessageView {
  const file = outgoing.fileMessage ?? promised(outgoing);
  return {
    key: outgoing.localKey,
    senderId: me.userId,
    senderFullName: me.fullName,
    avatarUrl: me.avatarUrl,
    content: contentOf(outgoing),
    timestamp: outgoing.timestamp,
    topic,
    align: 'right',
    deleted: false,
    edited: false,
    called: undefined,
    starred: false,
    reactions: noReactions,
    msgType: file ? 'file' : 'text',
    file,
    state: held ? 'held' : outgoing.state === 'waiting' ? 'sending' : outgoing.state,
    progress: outgoing.progress,
    failure: outgoing.failure,
  };
}

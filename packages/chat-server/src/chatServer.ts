import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DirectoryChange,
  type Message,
  type User,
  clientMessageIdDays,
  queueLifespanSeconds,
  defaultRateLimits,
  roles,
} from '@engawa/protocol';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { createAuthenticate, createMemberNow } from './accounts/authenticate.ts';
import { KeyUses } from './accounts/keyUses.ts';
import { type PasswordCost, Passwords, usualPasswordCost } from './accounts/password.ts';
import { signInRoutes } from './accounts/signIn.ts';
import { SignInAttempts } from './accounts/signInAttempts.ts';
import { administers } from './bots/access.ts';
import { botRoutes } from './bots/routes.ts';
import { type Calls, createCalls } from './calls/calls.ts';
import { type Clock, seconds, steadyClock, systemClock } from './clock.ts';
import { knownStream, visibleStream } from './conversations/access.ts';
import { type GuestSight, guestSight } from './conversations/guestSight.ts';
import { membershipStates, memberships } from './conversations/memberships.ts';
import { streams } from './conversations/streams.ts';
import { Database, DatabaseClosedError, type Reader } from './database/index.ts';
import { deliveryRules } from './deliveryRules.ts';
import { draftRoutes } from './drafts/routes.ts';
import type { Durations } from './durations.ts';
import { EphemeralEvents } from './events/ephemeral.ts';
import { EventLog } from './events/log.ts';
import { Polls } from './events/polls.ts';
import { Queues } from './events/queues.ts';
import { eventRoutes } from './events/routes.ts';
import { type Hooks, createHooks } from './hooks/hooks.ts';
import { type OutgoingHooks, createOutgoingHooks } from './hooks/outgoing.ts';
import type { ChatFetch } from './http/exchange.ts';
import { type RateLimits, RateLimiter } from './http/rateLimits.ts';
import { createRouter } from './http/router.ts';
import { bots } from './identity/bots.ts';
import { type Groups, noGroups } from './identity/groups.ts';
import { type PlannedName, takenNames } from './identity/sameLook.ts';
import type { Steps } from './turns.ts';
import { users } from './identity/store.ts';
import { createAnnounce } from './messages/notices.ts';
import { messagesOfFile } from './messages/fileLinks.ts';
import { messageRoutes } from './messages/routes.ts';
import type { WriteDependencies } from './messages/dependencies.ts';
import { messages } from './messages/store.ts';
import { migrations } from './migrations.ts';
import { type NewOrganisation, createOrganisation } from './organisation/createOrganisation.ts';
import { type ImportedOrganisation, type Organisation, importOrganisation } from './organisation/importOrganisation.ts';
import { newestTimeIn } from './organisation/inspect.ts';
import { type RealmSettings, changeRealmSettings, realmSettings } from './organisation/realmSettings.ts';
import {
  type Overview,
  type OverviewRequest,
  type UserSummary,
  type ListedStream,
  allStreams,
  allUsers,
  usersAfter,
  overview,
} from './organisation/overview.ts';
import type { Reorganisation, Reorganised, Reorganiser } from './organisation/reorganisation.ts';
import { reorganise } from './organisation/reorganise.ts';
import { type Naming, chooseNames } from './organisation/streamNames.ts';
import { Presence } from './presence/presence.ts';
import { presenceRoutes } from './presence/routes.ts';
import { activeViewer } from './privacy/seenUsers.ts';
import { Visibility } from './privacy/visibility.ts';
import { reactionRoutes } from './reactions/routes.ts';
import { AlertWordIndex } from './reading/alertWords.ts';
import { alertWordRoutes } from './reading/alertWordRoutes.ts';
import { flagRoutes } from './reading/flags.ts';
import { markReadRoutes } from './reading/markRead.ts';
import { mutedUserRoutes } from './reading/mutedUserRoutes.ts';
import { receiptRoutes } from './reading/receipts.ts';
import { addEmoji, checkNewEmoji } from './realm/emoji.ts';
import { realmRoutes } from './realm/routes.ts';
import { realms } from './realm/store.ts';
import type { RealmHost } from './realm/view.ts';
import { createRegister } from './register/routes.ts';
import { sendDue } from './scheduledMessages/delivery.ts';
import { scheduledMessageRoutes } from './scheduledMessages/routes.ts';
import { scheduledMessages } from './scheduledMessages/store.ts';
import { SearchIndex } from './search/searchIndex.ts';
import { emojiUseRoute } from './settings/emojiUses.ts';
import { endStatuses, statusRoutes } from './status/routes.ts';
import { type Bindings, noBindings } from './streams/bindings.ts';
import { defaultStreamRoutes } from './streams/defaultStreams.ts';
import { mayManage } from './streams/rights.ts';
import { streamRoutes, subscriptionRoutes } from './streams/routes.ts';
import { setPicture } from './streams/update.ts';
import { userTopicRoutes } from './messages/userTopics.ts';
import { typingRoutes } from './typing/routes.ts';
import { changeAvatar } from './users/update.ts';
import { publishDirectory } from './users/events.ts';
import { copyEmbedderGroups } from './userGroups/embedderGroups.ts';
import { botStorageRoutes } from './botStorage/routes.ts';
import { noProfiles } from './profileFields/view.ts';
import { profileFieldRoutes } from './profileFields/routes.ts';
import { userGroupRoutes } from './userGroups/routes.ts';
import { userRoutes } from './users/routes.ts';
import type { EmailChanges } from './users/settings.ts';
import { userView } from './users/view.ts';

export interface ChatServerOptions {
  /** Holds `chat.db` and `search.db`, which are created if missing. */
  readonly directory: string;
  readonly realm: RealmHost;
  readonly clock?: Clock;
  readonly log?: (event: Readonly<Record<string, unknown>>) => void;
  /** Bytes. The database refuses changes that would make it larger. */
  readonly maxBytes?: number;
  /** Default: `defaultRateLimits`. `none` if the embedding program limits calls. */
  readonly rateLimits?: RateLimits | 'none';
  /** The groups that mentions (`@*name*`) and audiences name. Default: none. */
  readonly groups?: Groups;
  /** Streams that stand for something of the embedding program, such as a department. Default: none. */
  readonly bindings?: Bindings;
  readonly emailChanges?: EmailChanges;
  /** The cost of new hashes. A password is always verified at the cost at which it was hashed. */
  readonly passwordCost?: PasswordCost;
}

/** The chat server's figures for operators. */
export interface Measures {
  readonly waitingPolls: number;
  readonly waitingChanges: number;
  readonly commits: Durations;
  /** See `SearchIndex.lag`. */
  readonly searchLag: number | undefined;
}

/** A group-chat server that speaks the chat API, with Basic authentication only. */
export interface ChatServer {
  readonly fetch: ChatFetch;
  readonly accounts: Accounts;
  readonly calls: Calls;
  readonly hooks: Hooks;
  readonly outgoingHooks: OutgoingHooks;
  isEmpty(): boolean;
  /** Imports an organisation into an empty server. @throws NotEmptyError */
  import(organisation: Organisation): Promise<ImportedOrganisation>;
  /** Creates an organisation in an empty server. @returns its owner's id. @throws NotEmptyError, ChatError */
  createOrganisation(organisation: NewOrganisation): Promise<number>;
  /** Changes users and bound streams in one transaction. A repeated id changes nothing again. @throws ChatError */
  reorganise(reorganisation: Reorganisation): Promise<Reorganised>;
  /** The users and streams that the embedding program compares with its plan. */
  overview(request: OverviewRequest): Steps<Overview>;
  /** Returns the planned names that `reorganise` would refuse: they look like the name of another active user. */
  takenNames<Planned extends PlannedName>(planned: readonly Planned[]): Steps<Planned[]>;
  /** All people including inactive ones, ordered by id. */
  allUsers(): readonly UserSummary[];
  /** At most `most` users after the id, like `allUsers`. */
  usersAfter(id: number, most: number): readonly UserSummary[];
  /** All streams including archived ones, ordered by name. */
  allStreams(): readonly ListedStream[];
  /** The number of active subscribers by stream id. A stream without subscribers is not in the map. */
  subscriberCounts(streamIds: readonly number[]): ReadonlyMap<number, number>;
  realmSettings(): RealmSettings | undefined;
  changeRealmSettings(change: (now: RealmSettings) => RealmSettings, by: Reorganiser): Promise<void>;
  /** Publishes that the embedding program's directory has changed. */
  publishDirectory(change: DirectoryChange): Promise<void>;
  /** The names that these streams would get after the `ended` ones released theirs. @throws ChatError for an invalid name. */
  chooseNames(namings: readonly Naming[], ended: readonly number[]): readonly string[];
  /** A user with only the data that every member may see. */
  user(id: number): User | undefined;
  seesPicture(viewerId: number, userId: number): boolean;
  /** The users and streams that exist for this user; undefined: all. Nothing exists for an inactive user. */
  guestSight(userId: number): GuestSight | undefined;
  /** @param url the picture's address; null removes it. @throws TypeError if there is no such user. */
  setAvatar(userId: number, url: string | null): Promise<void>;
  /** @throws ChatError if the user may not add a custom emoji with this name. */
  checkNewEmoji(userId: number, name: string): void;
  /** @param sourceUrl the picture's address. @throws ChatError as `checkNewEmoji`. */
  addEmoji(userId: number, name: string, sourceUrl: string): Promise<void>;
  seesStream(userId: number, streamId: number): boolean;
  managesStream(userId: number, streamId: number): boolean;
  /** @param url the picture's address; null removes it. @returns whether the user may set it. */
  setStreamPicture(userId: number, streamId: number, url: string | null): Promise<boolean>;
  administersBot(userId: number, botId: number): boolean;
  /** @param url the picture's address; null removes it. @returns whether the user may set it. */
  setBotPicture(userId: number, botId: number, url: string | null): Promise<boolean>;
  /** The newest messages of a sender that contain the file with this stored name, or a link to it, the newest first. */
  messagesOfFile(
    senderId: number,
    storedName: string,
    most: number,
  ): readonly Pick<Message, 'id' | 'sender_id' | 'content' | 'timestamp'>[];
  /** Whether a scheduled message of the member names the file. It reads at most `maxScheduledMessages` texts. */
  isFileScheduled(senderId: number, storedName: string): boolean;
  /** Resolves if both databases can store changes now. Each is written at most once a second. @throws WriteFailedError; Error */
  probe(): Promise<void>;
  /** Prepares what the first registrations need. Other calls are served meanwhile. Call it once the server listens. */
  warmUp(): Promise<void>;
  measure(): Measures;
  /** Answers the waiting polls and refuses new ones, so that clients reconnect soon. Other calls work until `close`. */
  stopPolls(): void;
  close(): Promise<void>;
}

/** Sees no more than a guest. */
const stranger = { role: roles.guest };

/** Milliseconds. */
const sweepEvery = 60_000;
const endStatusesEvery = 5000;
const sendDueEvery = 1000;
const mostPruned = 5000;
const mostForgotten = 5000;

export function createChatServer({
  directory,
  realm,
  clock: worldClock = systemClock,
  log: report = () => undefined,
  maxBytes,
  rateLimits = defaultRateLimits,
  groups = noGroups,
  bindings = noBindings,
  emailChanges = 'own',
  passwordCost = usualPasswordCost,
}: ChatServerOptions): ChatServer {
  mkdirSync(directory, { recursive: true });
  const database = new Database(join(directory, 'chat.db'), { migrations, report, maxBytes });
  const clock = steadyClock(worldClock, {
    least: (newestTimeIn(database.reader) ?? 0) * 1000,
    onSetBack: (milliseconds, isHeld) => report({ level: 'warn', event: 'clock_set_back', milliseconds, isHeld }),
  });
  const log = new EventLog(clock);
  const ephemeral = new EphemeralEvents(clock);
  const rules = deliveryRules(groups);
  const membershipsNow = membershipStates(database);
  // Polls use `worldClock`: a clock that runs slowly would let them wait longer than clients and proxies do.
  const polls = new Polls({ database, log, ephemeral, clock: worldClock, rules, memberships: membershipsNow });
  const presence = new Presence(database, ephemeral, clock);
  const queues = new Queues(database, log, polls, clock);
  const attempts = new SignInAttempts(clock);
  const passwords = new Passwords(passwordCost);
  const keyUses = new KeyUses(database, clock);
  const searchIndex = new SearchIndex({ directory, database, log, clock, report });
  const announce = createAnnounce(log, clock);
  const alertWordIndex = new AlertWordIndex(database.reader);
  const register = createRegister({ database, log, queues, presence, groups, clock, host: realm });
  const streamDependencies = { database, log, groups, bindings, clock, announce };

  const fetch = createRouter({
    routes: [
      ...realmRoutes(database, log, realm),
      ...signInRoutes({ database, queues, clock, attempts, passwords }),
      ...userRoutes({ database, log, queues, clock, groups, presence, passwords, emailChanges }),
      ...botRoutes({ database, log, queues, presence, clock, realm }),
      emojiUseRoute(database, log),
      ...alertWordRoutes({ database, log, alertWordIndex }),
      ...draftRoutes(database, log, clock),
      ...scheduledMessageRoutes({ database, log, groups, clock }),
      ...userGroupRoutes(database, log, clock),
      ...profileFieldRoutes(database, log),
      ...botStorageRoutes(database),
      ...subscriptionRoutes(streamDependencies),
      ...streamRoutes(streamDependencies),
      ...defaultStreamRoutes(database, log, bindings),
      ...userTopicRoutes(database, log, clock),
      ...mutedUserRoutes(database, log, clock),
      register.route,
      ...eventRoutes({ database, log, queues, polls, ephemeral, rules, memberships: membershipsNow }),
      ...flagRoutes(database, log),
      ...markReadRoutes(database, log),
      ...receiptRoutes(database),
      ...reactionRoutes(database, log),
      ...typingRoutes(database, ephemeral, groups, presence),
      ...presenceRoutes(database, presence, clock),
      ...statusRoutes(database, log, groups, clock),
      ...messageRoutes({ database, log, clock, alertWordIndex, groups, searchIndex }),
    ],
    authenticate: createAuthenticate(database, keyUses),
    memberNow: createMemberNow(database),
    rateLimiter: new RateLimiter(clock, rateLimits),
    log: report,
  });

  const writing = { log, alertWordIndex, groups };
  const stopTasks = startTasks({ database, log, queues, presence, keyUses, clock, groups, writing, report });

  return {
    fetch,
    accounts: createAccounts({ database, queues, attempts, passwords, keyUses, clock }),
    calls: createCalls({ database, ephemeral, clock, log, groups, alertWordIndex }),
    hooks: createHooks({ database, clock, log, groups, alertWordIndex }),
    outgoingHooks: createOutgoingHooks({
      database,
      clock,
      polls,
      rules,
      memberships: membershipsNow,
      log,
      groups,
      alertWordIndex,
    }),
    isEmpty: () => realms.get(database.reader) === undefined,
    import: (organisation) => importOrganisation(database, log, passwords, organisation),
    createOrganisation: (organisation) => createOrganisation(database, clock, organisation),
    takenNames: (planned) => takenNames(database.reader, planned),
    reorganise: (reorganisation) => reorganise({ database, log, queues, presence, clock, bindings, announce }, reorganisation),
    overview: (request) => overview(database.reader, request),
    allUsers: () => allUsers(database.reader),
    usersAfter: (id, most) => usersAfter(database.reader, id, most),
    allStreams: () => allStreams(database.reader),
    subscriberCounts: (streamIds) => memberships.subscriberCounts(database.reader, streamIds),
    realmSettings: () => realmSettings(database.reader),
    changeRealmSettings: (change, by) => changeRealmSettings(database, log, change, by),
    publishDirectory: (change) =>
      database.writeInSteps(function* (tx) {
        publishDirectory(tx, log, change);
        yield* copyEmbedderGroups(tx, log, groups);
      }),
    chooseNames: (namings, ended) =>
      database.snapshot((reader) => chooseNames(namings, ended, (name) => streams.byName(reader, name)?.conversation_id)),
    user(id) {
      const user = users.byId(database.reader, id);
      return (
        user && userView(user, new Visibility(database.reader, groups).isForEveryone('photo_audience', id), stranger, noProfiles)
      );
    },
    seesPicture: (viewerId, userId) => {
      const viewer = activeViewer(database.reader, viewerId);
      return viewer !== undefined && new Visibility(database.reader, groups).canSee('photo_audience', userId, viewer);
    },
    guestSight: (userId) =>
      database.snapshot((reader) => {
        const viewer = activeViewer(reader, userId);
        return viewer ? guestSight(reader, viewer) : { users: new Set(), streams: new Set() };
      }),
    setAvatar: (userId, url) => database.write((tx) => changeAvatar(tx, log, userId, url)),
    checkNewEmoji: (userId, name) => checkNewEmoji(database.reader, userId, name),
    addEmoji: (userId, name, sourceUrl) => database.write((tx) => addEmoji(tx, log, userId, name, sourceUrl)),
    seesStream: (userId, streamId) => seesStream(database.reader, userId, streamId),
    managesStream: (userId, streamId) => managesStream(database.reader, userId, streamId),
    setStreamPicture: (userId, streamId, url) =>
      database.write((tx) => {
        const viewer = activeViewer(tx, userId);
        return viewer !== undefined && setPicture(tx, log, viewer, streamId, url);
      }),
    administersBot: (userId, botId) => administersBot(database.reader, userId, botId),
    setBotPicture: (userId, botId, url) =>
      database.write((tx) => {
        if (!administersBot(tx, userId, botId)) return false;
        changeAvatar(tx, log, botId, url);
        return true;
      }),
    messagesOfFile: (senderId, storedName, most) => messagesOfFile(database.reader, senderId, storedName, most),
    isFileScheduled: (senderId, storedName) => scheduledMessages.naming(database.reader, senderId, storedName) !== undefined,
    probe: async () => {
      await database.probe();
      await searchIndex.probe();
    },
    warmUp: () =>
      register.warmUp().catch((error: unknown) => {
        if (!(error instanceof DatabaseClosedError)) report({ event: 'warm_up_failed', error });
      }),
    measure: () => ({
      waitingPolls: polls.size,
      waitingChanges: database.waitingChanges,
      commits: database.commits,
      searchLag: searchIndex.lag,
    }),
    stopPolls: () => polls.close(),
    async close() {
      presence.close();
      polls.close();
      await stopTasks();
      await searchIndex.close();
      database.close();
    },
  };
}

function seesStream(reader: Reader, userId: number, streamId: number): boolean {
  const viewer = activeViewer(reader, userId);
  return viewer !== undefined && visibleStream(reader, viewer, streamId) !== undefined;
}

function managesStream(reader: Reader, userId: number, streamId: number): boolean {
  const viewer = activeViewer(reader, userId);
  const stream = viewer && knownStream(reader, viewer, streamId);
  return viewer !== undefined && stream !== undefined && mayManage(reader, viewer, stream);
}

function administersBot(reader: Reader, userId: number, botId: number): boolean {
  const viewer = activeViewer(reader, userId);
  const bot = bots.byId(reader, botId);
  return viewer !== undefined && bot !== undefined && administers(viewer, bot);
}

interface TaskDependencies {
  readonly database: Database;
  readonly log: EventLog;
  readonly queues: Queues;
  readonly presence: Presence;
  readonly keyUses: KeyUses;
  readonly clock: Clock;
  readonly groups: Groups;
  readonly writing: WriteDependencies;
  readonly report: (event: Readonly<Record<string, unknown>>) => void;
}

/** Starts the periodic tasks. @returns a function that stops them after a last save of presence and key uses. */
function startTasks(dependencies: TaskDependencies): () => Promise<void> {
  const { database, log, queues, presence, keyUses, clock, groups, writing, report } = dependencies;
  const failed = (error: unknown) => report({ event: 'sweep_failed', error });
  const save = () => Promise.all([presence.save(), keyUses.save()]);
  // The groups may have changed while the server was down.
  const copying = database.writeInSteps((tx) => copyEmbedderGroups(tx, log, groups));
  let sweeping = Promise.all([queues.resume(), copying]).then(() => undefined, failed);
  const stopSweeping = clock.every(sweepEvery, () => {
    sweeping = Promise.all([sweep(database, log, queues, clock), save()]).then(() => undefined, failed);
  });
  let ending = Promise.resolve();
  const stopEnding = clock.every(endStatusesEvery, () => {
    ending = endStatuses(database, log, clock).catch(failed);
  });
  let sending = Promise.resolve();
  const stopSending = clock.every(sendDueEvery, () => {
    sending = sending.then(() => sendDue(database, writing, clock)).catch(failed);
  });
  return async () => {
    stopSweeping();
    stopEnding();
    stopSending();
    await Promise.all([sweeping, ending, sending]);
    await save().catch(failed);
  };
}

async function sweep(database: Database, log: EventLog, queues: Queues, clock: Clock): Promise<void> {
  log.evictPages();
  await queues.sweep();
  const now = seconds(clock);
  await database.write((tx) => {
    log.prune(tx, now - queueLifespanSeconds.most, mostPruned);
    messages.deleteClientIds(tx, { before: now - clientMessageIdDays * 24 * 60 * 60, now, most: mostForgotten });
  });
}

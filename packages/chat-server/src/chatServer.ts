import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Message, type User, clientMessageIdDays, queueLifespanSeconds, defaultRateLimits } from '@engawa/protocol';
import { type Clock, seconds, steadyClock, systemClock } from './clock.ts';
import { type Viewer, knownStream, visibleStream } from './conversations/access.ts';
import { type Bindings, noBindings } from './streams/bindings.ts';
import { setPicture } from './streams/update.ts';
import { mayManage } from './streams/rights.ts';
import { streamRoutes, subscriptionRoutes } from './streams/routes.ts';
import { Database, type Reader } from './database/index.ts';
import { Fleeting } from './events/ephemeral.ts';
import { EventLog } from './events/log.ts';
import { Polls } from './events/polls.ts';
import { Queues } from './events/queues.ts';
import { eventRoutes } from './events/routes.ts';
import type { ChatFetch } from './http/exchange.ts';
import { type RateLimits, RateLimiter } from './http/rateLimits.ts';
import { createRouter } from './http/router.ts';
import { messageRoutes } from './messages/routes.ts';
import { messages } from './messages/store.ts';
import { migrations } from './migrations.ts';
import { reactionRoutes } from './reactions/routes.ts';
import { AlertWordIndex } from './reading/alertWordIndex.ts';
import { flagRoutes } from './reading/flags.ts';
import { receiptRoutes } from './reading/receipts.ts';
import { Presence } from './presence/presence.ts';
import { presenceRoutes } from './presence/routes.ts';
import { Sight } from './privacy/visibility.ts';
import { endStatuses, statusRoutes } from './status/routes.ts';
import { type ImportedOrganisation, type Organisation, importOrganisation } from './organisation/importOrganisation.ts';
import { type ChosenForAll, chooseForAll, chosenForAll } from './organisation/organisationSettings.ts';
import { type Founding, foundOrganisation } from './organisation/foundOrganisation.ts';
import { newestTimeIn } from './organisation/inspect.ts';
import { realmRoutes } from './realm/routes.ts';
import { realms } from './realm/store.ts';
import {
  type Known,
  type KnownAsked,
  type KnownPerson,
  type ListedStream,
  everybody,
  everyStream,
  known,
} from './organisation/overview.ts';
import type { Reorganisation, Reorganised, Reorganiser } from './organisation/reorganisation.ts';
import { reorganise } from './organisation/reorganise.ts';
import { type Naming, chooseNames } from './organisation/streamNames.ts';
import { SearchIndex } from './search/searchIndex.ts';
import { typingRoutes } from './typing/routes.ts';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { authenticate } from './accounts/authenticate.ts';
import { setAvatar } from './users/avatar.ts';
import { tellOfDirectory } from './users/directory.ts';
import { type Groups, noGroups } from './identity/groups.ts';
import { KeyUses } from './accounts/keyUses.ts';
import { type PasswordCost, Passwords, usualPasswordCost } from './accounts/password.ts';
import { userRoutes } from './users/routes.ts';
import type { EmailChanges } from './users/settings.ts';
import { SignInAttempts } from './accounts/signInAttempts.ts';
import { users } from './identity/store.ts';
import { roleOf, userView } from './users/view.ts';
import { memberships } from './conversations/memberships.ts';

export interface ChatServerOptions {
  /** Where `chat.db` and `search.db` lie; made when they are missing. */
  readonly directory: string;
  /** The address at which clients reach it, without a slash at the end. It is read for each call that tells it. */
  readonly realm: { readonly url: string };
  readonly clock?: Clock;
  readonly log?: (event: Readonly<Record<string, unknown>>) => void;
  /** Bytes. The database refuses to grow beyond it. */
  readonly maxBytes?: number;
  /** `defaultRateLimits` unless said otherwise; `none` where whoever runs the server sees to it elsewhere. */
  readonly rateLimits?: RateLimits | 'none';
  /** Whom `@*name*` calls; nobody unless said otherwise. */
  readonly groups?: Groups;
  /** Which streams stand for something outside; none unless said otherwise. */
  readonly bindings?: Bindings;
  /** Who changes a member's email; `own` unless said otherwise: the member. */
  readonly emailChanges?: EmailChanges;
  /** `usualPasswordCost` unless said otherwise. A password is compared at the cost that it was hashed at. */
  readonly passwordCost?: PasswordCost;
}

/** A group-chat server that speaks the chat API, with Basic authentication only. */
export interface ChatServer {
  readonly fetch: ChatFetch;
  readonly accounts: Accounts;
  /** Whether there is no organisation yet. */
  isEmpty(): boolean;
  import(organisation: Organisation): Promise<ImportedOrganisation>;
  /** Begins an organisation where there is none. @returns its owner's number. @throws NotEmptyError, ChatError */
  found(founding: Founding): Promise<number>;
  /** Changes people and the streams that are bound: whole or not at all, and once. @throws ChatError */
  reorganise(reorganisation: Reorganisation): Promise<Reorganised>;
  /** What a change of the organisation is planned against. */
  known(asked: KnownAsked): Known;
  /** Everybody, also those who are not active, by rising number. */
  everybody(): readonly KnownPerson[];
  /** Every stream, archived ones too, by name. */
  everyStream(): readonly ListedStream[];
  /** How many members are in each of these streams; one with nobody in it is missing. */
  subscriberCounts(streamIds: readonly number[]): ReadonlyMap<number, number>;
  /** What is chosen for all; undefined where there is no organisation yet. */
  chosenForAll(): ChosenForAll | undefined;
  /** Changes it to what this makes of it. @throws ChatError */
  chooseForAll(change: (now: ChosenForAll) => ChosenForAll, by: Reorganiser): Promise<void>;
  /** Tells everyone that departments, or who belongs to them, are others now. @param userIds whom it is about. */
  tellOfDirectory(userIds: readonly number[]): Promise<void>;
  /** What these streams would be called, when those that end have let go of their names. @throws ChatError where a name cannot be one. */
  chooseNames(namings: readonly Naming[], ended: readonly number[]): readonly string[];
  /** A user as they are now and as anybody may see them; undefined when there is none of this number. */
  user(id: number): User | undefined;
  /** Whether a user shows their picture to another. */
  seesPicture(viewerId: number, userId: number): boolean;
  /** Says to everyone where a user's picture is; null: nowhere. @throws TypeError when there is no such user. */
  setAvatar(userId: number, url: string | null): Promise<void>;
  /** Whether a user can see a stream. */
  seesStream(userId: number, streamId: number): boolean;
  /** Whether they may change it. */
  managesStream(userId: number, streamId: number): boolean;
  /** Says to all who can see a stream where its picture is; null: nowhere. @returns whether this user may say so. */
  setStreamPicture(userId: number, streamId: number, url: string | null): Promise<boolean>;
  /**
   * All messages of a user that may carry a file of this stored name, wherever they are. Looked up by an index: what it
   * costs are the messages that are found, and each of them names one file alone.
   */
  messagesOfFile(senderId: number, storedName: string): readonly Pick<Message, 'id' | 'sender_id' | 'content'>[];
  /** Resolves where changes can be kept. @throws WriteFailedError */
  probe(): Promise<void>;
  /** Answers the waiting polls; nobody waits from then on. Everything else is served until it is closed. */
  stopPolls(): void;
  /** Answers the waiting polls and closes the database. */
  close(): Promise<void>;
}

const sweepEvery = 60_000;
const endStatusesEvery = 5000;
/** Most events and client ids that one sweep lets go of. */
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
  const database = new Database(join(directory, 'chat.db'), {
    migrations,
    report,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const clock = steadyClock(worldClock, {
    least: (newestTimeIn(database.reader) ?? 0) * 1000,
    tell: (milliseconds, isHeld) => report({ level: 'warn', event: 'the clock was set back', milliseconds, isHeld }),
  });
  const log = new EventLog(clock);
  const fleeting = new Fleeting(clock);
  // By the clock as it is set: held, it would let them wait for longer than clients and proxies do.
  const polls = new Polls({ database, log, fleeting, clock: worldClock, groups });
  const presence = new Presence(database, fleeting, clock);
  const queues = new Queues(database, log, polls, clock);
  const attempts = new SignInAttempts(clock);
  const passwords = new Passwords(passwordCost);
  const keyUses = new KeyUses(database, clock);
  const searchIndex = new SearchIndex({ directory, database, log, clock, report });

  const fetch = createRouter({
    routes: [
      ...realmRoutes(database, log, realm),
      ...userRoutes({ database, log, queues, clock, groups, presence, attempts, passwords, emailChanges }),
      ...subscriptionRoutes({ database, log, clock, groups, bindings }),
      ...streamRoutes(database, log, bindings),
      ...eventRoutes({ database, log, queues, polls, fleeting, presence, groups, clock }),
      ...flagRoutes(database, log),
      ...receiptRoutes(database),
      ...reactionRoutes(database, log),
      ...typingRoutes({ database, fleeting, groups, presence }),
      ...presenceRoutes({ database, presence, clock }),
      ...statusRoutes({ database, log, groups, clock }),
      ...messageRoutes({ database, log, clock, alertWordIndex: new AlertWordIndex(), groups, searchIndex }),
    ],
    authenticate: (request) => authenticate(database.reader, keyUses, request),
    rateLimiter: new RateLimiter(clock, rateLimits),
    log: report,
  });

  const failed = (error: unknown) => report({ event: 'sweep failed', error });
  const resumed = queues.resume().catch(failed);
  let sweeping = resumed;
  const stopSweeping = clock.every(sweepEvery, () => {
    sweeping = Promise.all([sweep(database, log, queues, clock), presence.save(), keyUses.save()]).then(() => undefined, failed);
  });
  let ending = Promise.resolve();
  const stopEnding = clock.every(endStatusesEvery, () => {
    ending = endStatuses(database, log, clock).catch(failed);
  });

  return {
    fetch,
    accounts: createAccounts({ database, queues, attempts, passwords, keyUses, clock }),
    isEmpty: () => realms.get(database.reader) === undefined,
    import: (organisation) => importOrganisation(database, log, passwords, organisation),
    found: (founding) => foundOrganisation(database, clock, founding),
    reorganise: (asked) => reorganise({ database, log, queues, presence, clock, bindings }, asked),
    known: (asked) => database.snapshot((reader) => known(reader, asked)),
    everybody: () => everybody(database.reader),
    everyStream: () => everyStream(database.reader),
    subscriberCounts: (streamIds) => memberships.subscriberCounts(database.reader, streamIds),
    chosenForAll: () => chosenForAll(database.reader),
    chooseForAll: (change, by) => chooseForAll(database, log, change, by),
    tellOfDirectory: (userIds) => tellOfDirectory(database, log, userIds),
    chooseNames: (namings, ended) => database.snapshot((reader) => chooseNames(reader, namings, ended)),
    user(id) {
      const user = users.byId(database.reader, id);
      return user && userView(user, new Sight(database.reader, groups).isOpenToAll('photo_audience', id));
    },
    seesPicture: (viewerId, userId) => new Sight(database.reader, groups).isOpen('photo_audience', userId, viewerId),
    setAvatar: (userId, url) => setAvatar(database, log, userId, url),
    seesStream(userId, streamId) {
      const viewer = viewerOf(database.reader, userId);
      return viewer !== undefined && visibleStream(database.reader, viewer, streamId) !== undefined;
    },
    managesStream(userId, streamId) {
      const viewer = viewerOf(database.reader, userId);
      const stream = viewer && knownStream(database.reader, viewer, streamId);
      return viewer !== undefined && stream !== undefined && mayManage(database.reader, viewer, stream);
    },
    setStreamPicture: (userId, streamId, url) =>
      database.write((tx) => {
        const viewer = viewerOf(tx, userId);
        return viewer !== undefined && setPicture(tx, log, viewer, streamId, url);
      }),
    messagesOfFile: (senderId, storedName) => messages.ofFile(database.reader, senderId, storedName),
    probe: () => database.probe(),
    stopPolls: () => polls.close(),
    async close() {
      stopSweeping();
      stopEnding();
      presence.close();
      polls.close();
      await Promise.all([sweeping, ending]);
      await Promise.all([presence.save(), keyUses.save()]).catch(failed);
      await searchIndex.close();
      database.close();
    },
  };
}

/** Who is active. */
function viewerOf(reader: Reader, userId: number): Viewer | undefined {
  const user = users.byId(reader, userId);
  return user?.is_active ? { id: user.id, role: roleOf(user) } : undefined;
}

/** Lets go of what is no longer needed: idle queues, events older than any queue, old client ids. */
async function sweep(database: Database, log: EventLog, queues: Queues, clock: Clock): Promise<void> {
  log.forgetPages();
  await queues.sweep();
  const now = seconds(clock);
  await database.write((tx) => {
    log.prune(tx, now - queueLifespanSeconds.most, mostPruned);
    messages.deleteClientIds(tx, now - clientMessageIdDays * 24 * 60 * 60, mostForgotten);
  });
}

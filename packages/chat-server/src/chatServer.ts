import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { clientMessageIdDays, queueLifespanSeconds } from '@engawa/protocol';
import { type Clock, seconds, systemClock } from './clock.ts';
import { subscriptionRoutes } from './conversations/routes.ts';
import { Database } from './database/index.ts';
import { EventLog } from './events/log.ts';
import { Polls } from './events/polls.ts';
import { Queues } from './events/queues.ts';
import { eventRoutes } from './events/routes.ts';
import type { ChatFetch } from './http/exchange.ts';
import { createRouter } from './http/router.ts';
import { fetchRoute } from './messages/fetch.ts';
import { sendRoute } from './messages/send.ts';
import { messages } from './messages/store.ts';
import { migrations } from './migrations.ts';
import { flagRoutes } from './reading/flags.ts';
import { type ImportedOrganisation, type Organisation, importOrganisation } from './realm/organisation.ts';
import { realmRoutes } from './realm/routes.ts';
import { realms } from './realm/store.ts';
import { authenticate } from './users/authenticate.ts';
import { userRoutes } from './users/routes.ts';

export interface ChatServerOptions {
  /** Where `chat.db` lies; made when it is missing. */
  readonly directory: string;
  /** The address at which clients reach it, without a slash at the end. It is read for each call that tells it. */
  readonly realm: { readonly url: string };
  readonly clock?: Clock;
  readonly log?: (event: Readonly<Record<string, unknown>>) => void;
  /** Bytes. The database refuses to grow beyond it. */
  readonly maxBytes?: number;
}

/** A group-chat server that speaks the chat API, with Basic authentication only. */
export interface ChatServer {
  readonly fetch: ChatFetch;
  /** Whether there is no organisation yet. */
  isEmpty(): boolean;
  import(organisation: Organisation): Promise<ImportedOrganisation>;
  /** Answers the waiting polls and closes the database. */
  close(): Promise<void>;
}

const sweepEvery = 60_000;
/** Most events and client ids that one sweep lets go of. */
const mostPruned = 5000;
const mostForgotten = 5000;

export function createChatServer({
  directory,
  realm,
  clock = systemClock,
  log: report = () => undefined,
  maxBytes,
}: ChatServerOptions): ChatServer {
  mkdirSync(directory, { recursive: true });
  const database = new Database(join(directory, 'chat.db'), {
    migrations,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  const log = new EventLog(clock);
  const queues = new Queues(database, log, clock);
  const polls = new Polls(database, log, clock);

  const fetch = createRouter({
    routes: [
      ...realmRoutes(database, realm),
      ...userRoutes(database, clock),
      ...subscriptionRoutes(database),
      ...eventRoutes(database, log, queues, polls),
      ...flagRoutes(database, log),
      fetchRoute(database),
      sendRoute(database, log, clock),
    ],
    authenticate: (request) => authenticate(database.reader, request),
    log: report,
  });

  const failed = (error: unknown) => report({ event: 'sweep failed', error });
  const resumed = queues.resume().catch(failed);
  let sweeping = resumed;
  const stopSweeping = clock.every(sweepEvery, () => {
    sweeping = sweep(database, log, queues, polls, clock).catch(failed);
  });

  return {
    fetch,
    isEmpty: () => realms.get(database.reader) === undefined,
    import: (organisation) => importOrganisation(database, log, organisation),
    async close() {
      stopSweeping();
      await sweeping;
      // Together with the database, so that no poll begins to wait in between and is never answered.
      polls.close();
      database.close();
    },
  };
}

/** Lets go of what is no longer needed: idle queues, events older than any queue, old client ids. */
async function sweep(database: Database, log: EventLog, queues: Queues, polls: Polls, clock: Clock): Promise<void> {
  await queues.sweep(polls.waiting());
  const now = seconds(clock);
  await database.write((tx) => {
    log.prune(tx, now - queueLifespanSeconds.most, mostPruned);
    messages.forgetClientIds(tx, now - clientMessageIdDays * 24 * 60 * 60, mostForgotten);
  });
}

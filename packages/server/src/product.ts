import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '@engawa/chat-server/parts';
import type { FastifyInstance } from 'fastify';
import { createAccounts } from './accounts/accounts.ts';
import { createMailer } from './accounts/mailer.ts';
import { accountRoutes } from './accounts/routes.ts';
import { administrationRoutes } from './administration/routes.ts';
import { addressListenedAt, createApp } from './app.ts';
import { Calls } from './calls/calls.ts';
import type { Engines } from './calls/engine.ts';
import { createEngines } from './calls/engines.ts';
import { callRoutes } from './calls/routes.ts';
import type { ChatBackend, PasswordCost } from './chat/backend.ts';
import { connectionsTo } from './chat/connections.ts';
import { type EmbeddedBackend, embeddedBackend } from './chat/embedded.ts';
import { forward } from './chat/forward.ts';
import { type OperatorCommands, createOperatorCommands } from './operator/commands.ts';
import { serveOperatorCommands } from './operator/socket.ts';
import { type CallSettings, type Configuration, rateLimitsOf } from './configuration.ts';
import { type ProductData, openData } from './data.ts';
import { otherAuthMode } from './storage/dataDirectory.ts';
import { clearUnfinished, completeDirectory, isDemo, seed } from './demo/seeding.ts';
import { demoSignIn } from './demo/signIn.ts';
import { seedings } from './demo/store.ts';
import { bindingsOfDepartments } from './departments/bindings.ts';
import { groupsOfDepartments } from './departments/groups.ts';
import { departmentRoutes } from './departments/routes.ts';
import { noteSentFile } from './files/access.ts';
import { fileRoutes } from './files/routes.ts';
import { firstStepRoutes } from './firstSteps/routes.ts';
import { createSweeper } from './files/sweep.ts';
import type { Settle } from './http/calls.ts';
import { healthRoute } from './http/health.ts';
import { importRoutes } from './import/routes.ts';
import { Live } from './live/live.ts';
import { liveRoutes } from './live/routes.ts';
import { type Log, logAbove } from './log/log.ts';
import { createOrganisation } from './organisation/organisation.ts';
import { profileRoutes } from './profile/routes.ts';
import { screenRoutes } from './http/screens.ts';
import { callerOf, createGate } from './sessions/member.ts';
import { createKnownDevices } from './sessions/knownDevices.ts';
import { createPasswordSignIn } from './sessions/passwordSignIn.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createSessions } from './sessions/sessions.ts';
import { createSignIn } from './sessions/signIn.ts';
import { streamPictureRoutes } from './streams/routes.ts';

/** Milliseconds; shorter than supervisors wait before they kill: systemd 90 s, Kubernetes 30 s. */
const defaultGracePeriod = 20_000;

export interface ProductOptions {
  readonly screens: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Runs a beat at an interval. Tests use another implementation. */
  readonly every?: Clock['every'];
  readonly log?: Log;
  readonly onOperatorCommands?: (run: OperatorCommands) => void;
  /** Receives the setup code, which is given to nothing else and not stored. */
  readonly onSetupCode?: (code: string) => void;
  /** Milliseconds for open calls when the product closes. */
  readonly gracePeriod?: number;
  readonly passwordCost?: PasswordCost;
}

/** Closing the app closes everything. @throws Failure for data of the other AUTH_MODE, and the errors of `openData`. */
export async function createProduct(configuration: Configuration, options: ProductOptions): Promise<FastifyInstance> {
  const { authMode, dataDirectory, maxFileSize } = configuration;
  const {
    now = Date.now,
    every = systemClock.every,
    log = logAbove(configuration.logLevel),
    onSetupCode = () => undefined,
  } = options;
  const data = await openData(dataDirectory, { now, log });
  const { database } = data;
  const { app, settleCalls } = createApp(configuration, log);
  const realm = {
    /** The system may choose the port, so the address is known only once the app listens. */
    get url() {
      return configuration.publicUrl ?? addressListenedAt(app, configuration);
    },
  };
  const chat = await openChat(configuration, { data, realm, now, log, passwordCost: options.passwordCost });
  const { directory } = chat;
  const connectAs = connectionsTo(chat.request);

  const sessions = createSessions({ database, now, accountOf: chat.keys.accountOf, endKeys: chat.keys.end, log });
  const gate = createGate(sessions, connectAs, now);
  const organisation = createOrganisation({ database, chat, endSessions: sessions.endAll, log });
  await organisation.resume();

  const fake = authMode === 'fake';
  const mailer = !fake && configuration.mail ? createMailer(configuration.mail, log) : undefined;
  const accounts = createAccounts({
    database,
    chatAccounts: directory.accounts,
    connectAs,
    mailer,
    address: () => realm.url,
    now,
  });
  const knownDevices = createKnownDevices({ database, now, emailOf: (userId) => chat.keys.accountOf(userId)?.email });
  const passwordSignIn = createPasswordSignIn(directory.accounts, connectAs);
  const signIn = createSignIn({
    configuration,
    sessions,
    chat,
    connectAs,
    fakeSignIn: fake ? demoSignIn(database, directory) : undefined,
    passwordSignIn,
    knownDevices,
    setupNeeded: () => !fake && directory.isEmpty(),
    sendsMail: accounts.sendsMail,
  });

  const runOperatorCommand = createOperatorCommands({ database, chat, directory, organisation, accounts, authMode });
  options.onOperatorCommands?.(runOperatorCommand);
  const settleCommands = serveOperatorCommands(app, dataDirectory, runOperatorCommand, log);

  sessionRoutes(app, { configuration, sessions, gate, connectAs, signIn });
  accountRoutes(app, {
    configuration,
    chat: directory,
    accounts,
    organisation,
    sessions,
    signIn,
    passwordSignIn,
    knownDevices,
    gate,
    now,
    log,
    onSetupCode,
  });
  departmentRoutes(app, database, chat, gate);
  profileRoutes(app, { database, storage: data.pictures, chat, connectAs, gate });
  streamPictureRoutes(app, { database, storage: data.streamPictures, chat: directory, gate });
  const { sentFiles } = chat;
  fileRoutes(app, { database, storage: data.files, sentFiles, connectAs, gate, maxFileSize, now });
  administrationRoutes(app, { configuration, database, chat: directory, organisation, accounts, gate });
  importRoutes(app, { database, chat, organisation, authMode, gate });
  if (!fake) firstStepRoutes(app, { configuration, database, chat: directory, accounts, gate, now });
  const live = new Live({ now, every });
  liveRoutes(app, { live, gate, callerOf: (request) => callerOf(request, sessions) });
  const calls = configuration.calls && openCalls(configuration.calls, { database, chat, clock: { now, every }, log });
  if (calls) callRoutes(app, { calls: calls.calls, gate, callerOf: (request) => callerOf(request, sessions) });
  forward(app, {
    request: chat.request,
    callerOf: (request) => callerOf(request, sessions),
    onFileMessage: (message) => noteSentFile(message, { database, sentFiles }),
    log,
  });
  healthRoute(app, [() => seedings.get(database.reader), () => chat.probe(), () => database.probe()], log);
  screenRoutes(app, options.screens);

  const sweeper = createSweeper({ database, storage: data.files, sentFiles, now, log });
  app.addHook('onListen', async () => sweeper.start());
  closeInOrder(app, {
    data,
    chat,
    live,
    calls,
    sweeper,
    settling: [settleCalls, settleCommands],
    gracePeriod: options.gracePeriod ?? defaultGracePeriod,
  });
  return app;
}

interface CallOptions {
  readonly database: ProductData['database'];
  readonly chat: ChatBackend;
  readonly clock: Clock;
  readonly log: Log;
}

interface OpenCalls {
  readonly calls: Calls;
  readonly engines: Engines;
}

function openCalls(settings: CallSettings, { database, chat, clock, log }: CallOptions): OpenCalls {
  const engines = createEngines({
    settings,
    conversations: chat.conversations,
    nameOf: (userId) => chat.keys.accountOf(userId)?.full_name ?? '',
    clock,
    log,
    signal: (call, participant, signal) => calls.tell(call, participant, { ...signal, from: 'sfu' }),
    onLost: (lost) => calls.restart(lost),
  });
  const calls = new Calls({ database, conversations: chat.conversations, engines, clock, log });
  return { calls, engines };
}

interface ChatOptions {
  readonly data: ProductData;
  readonly realm: { readonly url: string };
  readonly now: () => number;
  readonly log: Log;
  readonly passwordCost: PasswordCost | undefined;
}

async function openChat(
  configuration: Configuration,
  { data, realm, now, log, passwordCost }: ChatOptions,
): Promise<EmbeddedBackend> {
  const { authMode, dataDirectory } = configuration;
  const { database, chatDirectory } = data;
  const fake = authMode === 'fake';
  await clearUnfinished(database, chatDirectory);
  const chat = embeddedBackend({
    directory: chatDirectory,
    realm,
    log,
    rateLimits: rateLimitsOf(configuration),
    groups: groupsOfDepartments(database),
    bindings: bindingsOfDepartments(database),
    emailChanges: fake ? 'own' : 'administrators',
    ...(passwordCost && { passwordCost }),
  });
  const { directory } = chat;
  if (!directory.isEmpty() && isDemo(database) !== fake) {
    await chat.close();
    data.close();
    throw otherAuthMode(dataDirectory, authMode);
  }
  if (fake && directory.isEmpty()) await seed({ chat: directory, database, storage: data.files, now: now() });
  await completeDirectory(database);
  return chat;
}

interface ClosingDependencies {
  readonly data: ProductData;
  readonly chat: ChatBackend;
  readonly live: Live;
  readonly calls: OpenCalls | undefined;
  readonly sweeper: { stop(): Promise<void> };
  readonly settling: readonly Settle[];
  readonly gracePeriod: number;
}

function closeInOrder(app: FastifyInstance, closing: ClosingDependencies): void {
  const { data, chat, live, calls, sweeper, settling, gracePeriod } = closing;
  let chatClosed = Promise.resolve();
  app.addHook('preClose', async () => {
    app.server.close();
    chat.stopPolls();
    live.stop();
    calls?.calls.stop();
    await Promise.all(settling.map((settle) => settle(gracePeriod)));
    await calls?.calls.settled();
    await calls?.engines.close();
    // The chat server closes after the sweep, which uses it.
    chatClosed = sweeper.stop().then(() => chat.close());
    // Errors are reported in `onClose`, because Fastify ignores those of this hook.
    await Promise.allSettled([chatClosed]);
    // The answers of the polls are written in this turn, before the connections are cut.
    await setImmediate();
  });
  app.addHook('onClose', async () => {
    try {
      await chatClosed;
    } finally {
      data.close();
    }
  });
}

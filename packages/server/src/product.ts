import { setImmediate } from 'node:timers/promises';
import { type Clock, systemClock } from '@engawa/chat-server/parts';
import type { FastifyInstance } from 'fastify';
import { departmentAdministration } from './administration/departments.ts';
import { addressListenedAt, createApp } from './app.ts';
import { withCallsOfMessages } from './calls/callMessages.ts';
import { Calls } from './calls/calls.ts';
import type { Engines } from './calls/engine.ts';
import { createEngines } from './calls/engines.ts';
import { callRoutes } from './calls/routes.ts';
import type { ChatBackend, PasswordCost, RequestChat } from './chat/backend.ts';
import { type ConnectAs, connectionsTo } from './chat/connections.ts';
import { forward } from './chat/forward.ts';
import type { CallSettings, Configuration } from './configuration.ts';
import { type ProductData, openData } from './data.ts';
import { seedings } from './demo/store.ts';
import { departmentRoutes } from './departments/routes.ts';
import { directoryRoutes, openDirectory } from './directory.ts';
import { expectSentFile, noteSentFile } from './files/access.ts';
import { chatFileRoutes } from './files/ofChatServer.ts';
import { fileRoutes } from './files/routes.ts';
import { createSweeper } from './files/sweep.ts';
import { OwnedHooks } from './hooks/hooks.ts';
import { incomingHookRoutes } from './hooks/incomingRoutes.ts';
import { HookPosts } from './hooks/posts.ts';
import { hookRoutes } from './hooks/routes.ts';
import { OwnedOutgoingHooks } from './hooks/outgoing/owned.ts';
import { OutgoingPosts } from './hooks/outgoing/posts.ts';
import { outgoingHookRoutes } from './hooks/outgoing/routes.ts';
import type { Settle } from './http/calls.ts';
import { healthRoute } from './http/health.ts';
import { importRoutes } from './import/routes.ts';
import { Live } from './live/live.ts';
import { liveRoutes } from './live/routes.ts';
import { screenRoutes } from './http/screens.ts';
import { type Log, logAbove } from './log/log.ts';
import { CallFigures } from './metrics/callFigures.ts';
import { watchEventLoop } from './metrics/eventLoop.ts';
import { Metrics } from './metrics/metrics.ts';
import { metricsRoute } from './metrics/routes.ts';
import { Samples } from './metrics/samples.ts';
import { statusRoute } from './metrics/status.ts';
import { openChat } from './openChat.ts';
import { type OperatorCommands, withSupport } from './operator/commands.ts';
import { serveOperatorCommands } from './operator/socket.ts';
import { createOrganisation } from './organisation/organisation.ts';
import { profileRoutes } from './profile/routes.ts';
import { type Gate, callerOf, createGate } from './sessions/member.ts';
import { createPasswordSignIn } from './sessions/passwordSignIn.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createSessions } from './sessions/sessions.ts';
import { createSignIn } from './sessions/signIn.ts';

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
  const { now = Date.now, every = systemClock.every, log = logAbove(configuration.logLevel) } = options;
  const data = await openData(configuration.dataDirectory, { now, log });
  const { database } = data;
  const callFigures = new CallFigures();
  const { app, settleCalls } = createApp(configuration, log, callFigures);
  const realm = {
    /** The system may choose the port, so the address is known only once the app listens. */
    get url() {
      return configuration.publicUrl ?? addressListenedAt(app, configuration);
    },
    maxFileSize: configuration.maxFileSize,
  };
  const live = new Live({ now, every });
  const chat = await openChat(configuration, { data, realm, live, now, log, passwordCost: options.passwordCost });
  const { directory, sentFiles } = chat;
  const connectAs = connectionsTo(chat.request);

  const sessions = createSessions({ database, now, accountOf: chat.keys.accountOf, endKeys: chat.keys.end, log });
  const gate = createGate(sessions, connectAs, now);
  const organisation = createOrganisation({ database, chat, endSessions: sessions.endAll, log });
  await organisation.resume();
  const shared = {
    configuration,
    data,
    chat,
    connectAs,
    sessions,
    organisation,
    address: () => realm.url,
    now,
    log,
  };
  const people = directory && openDirectory({ ...shared, directory });
  const runOperatorCommand = withSupport(people?.runPeopleCommand, () => metrics.text());
  options.onOperatorCommands?.(runOperatorCommand);
  const signIn = createSignIn({
    configuration,
    sessions,
    chat,
    connectAs,
    fakeSignIn: people?.fakeSignIn,
    passwordSignIn: createPasswordSignIn(chat.keys, connectAs),
    knownDevices: people?.knownDevices,
    setupNeeded: people?.setupNeeded ?? (() => false),
    sendsMail: people?.accounts.sendsMail ?? false,
  });

  sessionRoutes(app, { configuration, sessions, gate, connectAs, signIn, keys: chat.keys });
  departmentRoutes(app, database, chat, gate);
  profileRoutes(app, { database, storage: data.pictures, chat, connectAs, gate });
  fileRoutes(app, {
    database,
    storage: data.files,
    sentFiles,
    connectAs,
    gate,
    maxFileSize: configuration.maxFileSize,
    servesUploads: chat.openFile === undefined,
    now,
  });
  if (chat.openFile) chatFileRoutes(app, { openFile: chat.openFile, gate });
  const { onSetupCode = () => undefined } = options;
  if (directory && people) directoryRoutes(app, { ...shared, ...people, directory, gate, signIn, onSetupCode });
  departmentAdministration(app, { database, gate, organisation });
  importRoutes(app, { database, chat, organisation, authMode: configuration.authMode, gate });
  liveRoutes(app, { live, gate, callerOf: (request) => callerOf(request, sessions) });
  const calls = configuration.calls && openCalls(configuration.calls, { database, chat, clock: { now, every }, log });
  if (calls) callRoutes(app, { calls: calls.calls, gate, callerOf: (request) => callerOf(request, sessions) });
  const { hooks } = chat;
  incomingHookRoutes(app, hooks && new HookPosts({ database, chat: hooks, now }));
  if (hooks) {
    const owned = new OwnedHooks({ database, chat: { ...chat, hooks }, connectAs, address: shared.address, now, log });
    hookRoutes(app, { owned, gate });
  }
  const hookPosts = openOutgoingHooks(app, { database, chat, connectAs, gate, now, every, log });
  forward(app, {
    request: calls ? calls.request : chat.request,
    callerOf: (request) => callerOf(request, sessions),
    fileMessages: {
      senderOf: async (request) => (await gate.viewer(request, { bots: true })).id,
      expect: (content) => expectSentFile(content, { database, sentFiles }),
      note: (message) => noteSentFile(message, { database, sentFiles }),
    },
    log,
  });
  healthRoute(app, [() => seedings.get(database.reader), () => chat.probe(), () => database.probe()], log);
  const { dataDirectory } = configuration;
  const settleCommands = serveOperatorCommands(app, dataDirectory, runOperatorCommand, log);
  const eventLoop = watchEventLoop(every);
  const metrics = new Metrics({
    dataDirectory,
    database,
    chat,
    now,
    calls: callFigures,
    loopDelays: eventLoop.delays,
    mails: people?.mailer?.counts,
    hookPosts,
  });
  metricsRoute(app, metrics, configuration);
  const samples = new Samples({ database, metrics, now, every, log });
  statusRoute(app, { configuration, metrics, samples, gate, now });
  screenRoutes(app, options.screens);

  const sweeper = createSweeper({ database, storage: data.files, sentFiles, now, log });
  app.addHook('onListen', async () => {
    sweeper.start();
    void chat.warmUp();
  });
  closeInOrder(app, {
    data,
    chat,
    live,
    calls,
    hookPosts,
    eventLoop,
    samples,
    sweeper,
    settling: [settleCalls, settleCommands],
    gracePeriod: options.gracePeriod ?? defaultGracePeriod,
  });
  return app;
}

interface OutgoingHookOptions extends Clock {
  readonly database: ProductData['database'];
  readonly chat: ChatBackend;
  readonly connectAs: ConnectAs;
  readonly gate: Gate;
  readonly log: Log;
}

function openOutgoingHooks(app: FastifyInstance, { chat, gate, ...options }: OutgoingHookOptions): OutgoingPosts | undefined {
  const { outgoingHooks } = chat;
  if (!outgoingHooks) return undefined;
  const posts = new OutgoingPosts({ ...options, chat: outgoingHooks });
  outgoingHookRoutes(app, { owned: new OwnedOutgoingHooks({ ...options, chat: outgoingHooks, posts }), gate });
  app.addHook('onListen', async () => posts.start());
  return posts;
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
  /** The calls of the chat API, in whose answers the messages of calls are marked. */
  readonly request: RequestChat;
}

function openCalls(settings: CallSettings, { database, chat, clock, log }: CallOptions): OpenCalls {
  const { conversations } = chat;
  const engines = createEngines({
    settings,
    conversations,
    nameOf: (userId) => chat.keys.accountOf(userId)?.full_name ?? '',
    clock,
    log,
    signal: (call, participant, signal) => calls.tell(call, participant, { ...signal, from: 'sfu' }),
    onLost: (lost) => calls.restart(lost),
  });
  const calls = new Calls({ database, conversations, engines, clock, log });
  const { marksMessages } = conversations;
  const request = marksMessages
    ? chat.request
    : withCallsOfMessages({ request: chat.request, callsOf: (ids) => calls.ofMessages(ids) });
  return { calls, engines, request };
}

interface ClosingDependencies {
  readonly data: ProductData;
  readonly chat: ChatBackend;
  readonly live: Live;
  readonly calls: OpenCalls | undefined;
  readonly hookPosts: OutgoingPosts | undefined;
  readonly eventLoop: { stop(): void };
  readonly samples: Samples;
  readonly sweeper: { stop(): Promise<void> };
  readonly settling: readonly Settle[];
  readonly gracePeriod: number;
}

function closeInOrder(app: FastifyInstance, closing: ClosingDependencies): void {
  const { data, chat, live, calls, hookPosts, eventLoop, samples, sweeper, settling, gracePeriod } = closing;
  let chatClosed = Promise.resolve();
  app.addHook('preClose', async () => {
    app.server.close();
    const hooksStopped = hookPosts?.stop();
    chat.stopPolls();
    live.stop();
    eventLoop.stop();
    calls?.calls.stop();
    await Promise.all(settling.map((settle) => settle(gracePeriod)));
    await samples.stop();
    await hooksStopped;
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

import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import { type PasswordCost, createChatServer } from '@engawa/chat-server';
import { getServerSettings } from '@engawa/client';
import { Database } from '@engawa/chat-server/database';
import Fastify, { type FastifyInstance } from 'fastify';
import { createAccounts } from './accounts/accounts.ts';
import { invitationRoutes } from './accounts/invitationRoutes.ts';
import { keyRoutes } from './accounts/keyRoutes.ts';
import { createLinks } from './accounts/oneTimeLinks.ts';
import { createMailer } from './accounts/mailer.ts';
import { memberSessionRoute } from './accounts/memberSessionRoutes.ts';
import { passwordRoutes } from './accounts/passwordRoutes.ts';
import { setupRoute } from './accounts/setup.ts';
import { createThrottle, limits } from './accounts/throttle.ts';
import { administrationRoutes } from './administration/routes.ts';
import { refuseUnfinishedRestore } from './backup/restore.ts';
import { backUpBeforeUpgrade } from './backup/upgrade.ts';
import { type Office, createOffice } from './commands/operator.ts';
import { serveOffice } from './commands/operatorSocket.ts';
import { forward } from './chat/forward.ts';
import { speakerTo } from './chat/connections.ts';
import { addressOf, type Configuration, rateLimitsOf } from './configuration.ts';
import { OtherAuthModeError, lockDataDirectory } from './dataDirectory.ts';
import { demoSignIn } from './demo/signIn.ts';
import { clearUnfinished, completeDirectory, isDemo, seed } from './demo/seeding.ts';
import { bindingsOfDepartments } from './departments/bindings.ts';
import { groupsOfDepartments } from './departments/groups.ts';
import { departmentRoutes } from './departments/routes.ts';
import { departments } from './departments/store.ts';
import { createFileAccess } from './files/access.ts';
import { downloadRoute } from './files/download.ts';
import { createStorage } from './storage/storage.ts';
import { createSweeper } from './files/sweep.ts';
import { uploadRoute } from './files/upload.ts';
import { errorAnswering } from './http/answerError.ts';
import { type Calls, watchCalls } from './http/calls.ts';
import { refused } from './http/errors.ts';
import { healthRoute } from './http/health.ts';
import { notFoundPage, sendPage } from './http/page.ts';
import { importRoutes } from './import/routes.ts';
import { type Log, logAbove } from './log.ts';
import { seedings } from './demo/store.ts';
import { migrations } from './migrations.ts';
import { createOrganisation } from './organisation/organisation.ts';
import { peopleRoutes } from './profile/people.ts';
import { removeUnknownPictures } from './profile/pictures.ts';
import { profileRoutes } from './profile/routes.ts';
import { screenRoutes } from './screens/routes.ts';
import { guard } from './security/guard.ts';
import { setStrictHeaders } from './http/headers.ts';
import { createListener } from './security/listener.ts';
import { cameByHttps } from './security/proxies.ts';
import { createEntrance } from './sessions/signIn.ts';
import { logoutRoutes } from './sessions/logout.ts';
import { callerOf, createGate } from './sessions/member.ts';
import { ownSessionRoutes } from './sessions/ownSessions.ts';
import { passwordEntrance } from './sessions/passwordSignIn.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createSessions } from './sessions/sessions.ts';
import { removeUnknownStreamPictures } from './streams/pictures.ts';
import { streamPictureRoutes } from './streams/routes.ts';

/** Less than supervisors have before they kill: systemd 90 s, Kubernetes 30 s. */
const usualPatience = 20_000;

export interface ProductOptions {
  /** An absolute path: where the built web client lies. */
  readonly screens: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: Log;
  /** Is given what does the command line's requests. */
  readonly onOffice?: (office: Office) => void;
  /** Hears of the code that guards the setup, on a start without an organisation. Nobody else ever does. */
  readonly onSetupCode?: (code: string) => void;
  /** Milliseconds that calls under way are given to end when the product is closed. */
  readonly patience?: number;
  /** What a password is hashed at, where it is another than the chat server's own. */
  readonly passwordCost?: PasswordCost;
}

/**
 * Opens the product in its data directory. Where nobody is asked for a password the demo organisation is in it from the
 * first start on; otherwise whoever has the setup's code makes one. Closing closes all.
 * @throws DataDirectoryInUseError, before anything in the directory is touched; OtherAuthModeError; Failure where a
 * restore was cut off, or where data of an older version cannot be backed up before it is brought up to date.
 */
export async function createProduct(
  configuration: Configuration,
  {
    screens,
    now = Date.now,
    log = logAbove(configuration.logLevel),
    onOffice = () => undefined,
    onSetupCode = () => undefined,
    patience = usualPatience,
    passwordCost,
  }: ProductOptions,
): Promise<FastifyInstance> {
  const { authMode, dataDirectory, maxFileSize } = configuration;
  const unlock = lockDataDirectory(dataDirectory);
  try {
    refuseUnfinishedRestore(dataDirectory);
    await backUpBeforeUpgrade(dataDirectory, { now, log });
  } catch (error) {
    unlock();
    throw error;
  }
  const chatDirectory = join(dataDirectory, 'chat');
  const database = new Database(join(dataDirectory, 'engawa.db'), { migrations, report: log });
  const storage = createStorage(join(dataDirectory, 'files'));
  const pictures = createStorage(join(dataDirectory, 'avatars'));
  await removeUnknownPictures({ database, storage: pictures });
  const streamPictures = createStorage(join(dataDirectory, 'stream-pictures'));
  await removeUnknownStreamPictures({ database, storage: streamPictures });
  await clearUnfinished(database, chatDirectory);

  const { app, calls } = createApp(configuration, log);
  const realm = {
    /** Known when it listens: the system may choose the port. */
    get url() {
      return configuration.publicUrl ?? addressListenedAt(app, configuration);
    },
  };
  const fake = authMode === 'fake';
  const chat = createChatServer({
    directory: chatDirectory,
    realm,
    log,
    rateLimits: rateLimitsOf(configuration),
    groups: groupsOfDepartments(database),
    bindings: bindingsOfDepartments(database),
    emailChanges: fake ? 'own' : 'administrators',
    ...(passwordCost && { passwordCost }),
  });
  if (!chat.isEmpty() && isDemo(database) !== fake) {
    await chat.close();
    database.close();
    unlock();
    throw new OtherAuthModeError(dataDirectory, authMode);
  }
  if (fake && chat.isEmpty()) await seed({ chat, database, storage, now: now() });
  await completeDirectory(database);

  const speak = speakerTo(chat.fetch);
  const endKeys = (userId: number, browsers: readonly number[]) => chat.accounts.endKeys(userId, { browsers });
  const sessions = createSessions({ database, now, emailOf: (userId) => chat.user(userId)?.email, endKeys, log });
  const gate = createGate(sessions, speak, now);
  const organisation = createOrganisation({
    database,
    chat,
    endSessions: (userId) => sessions.endOf(userId, undefined, () => true),
    log,
  });
  await organisation.resume();
  const access = createFileAccess(database, speak);
  const sweeper = createSweeper({ database, storage, chat, now, log });

  const mailer = !fake && configuration.mail ? createMailer(configuration.mail, log) : undefined;
  const mail = mailer !== undefined;
  const fakeSignIn = fake ? demoSignIn(database, chat) : undefined;
  const setupNeeded = () => !fake && chat.isEmpty();
  const entrance = createEntrance({ configuration, sessions, speak, fakeSignIn, setupNeeded, mail });
  const passwords = passwordEntrance(chat.accounts, speak);
  const way = fakeSignIn ? { fake: fakeSignIn } : { password: passwords };
  sessionRoutes(app, { sessions, speak, entrance, way });
  const chatAccounts = chat.accounts;
  const links = createLinks(database, now);
  const organisationName = async () => (await getServerSettings(speak(), {})).realm_name ?? '';
  const isDepartment = (code: string) => departments.exists(database.reader, code);
  const accounts = createAccounts({
    accounts: chatAccounts,
    links,
    mailer,
    organisation: organisationName,
    isDepartment,
    address: () => realm.url,
  });
  const office = createOffice({ database, chat, organisation, accounts, authMode });
  onOffice(office);
  const desk = serveOffice(app, dataDirectory, office, log);
  keyRoutes(app, { chatAccounts, gate });
  memberSessionRoute(app, { accounts, chatAccounts, sessions, gate });
  if (!fake) {
    const attempts = createThrottle(limits.links, now);
    const shared = { configuration, accounts, links, attempts, organisationName, entrance, passwords, gate };
    setupRoute(app, { chat, organisation, entrance, passwords, now, tellCode: onSetupCode });
    invitationRoutes(app, { ...shared, chatAccounts, organisation, isDepartment });
    passwordRoutes(app, { ...shared, chatAccounts, sessions, mail, now, log });
  }
  ownSessionRoutes(app, { sessions, gate, speak });
  logoutRoutes(app, { configuration, sessions, speak });
  departmentRoutes(app, database, gate);
  peopleRoutes(app, database, gate);
  administrationRoutes(app, {
    configuration,
    database,
    chat,
    gate,
    organisation,
    passwordLink: fake ? undefined : accounts.passwordLink,
  });
  importRoutes(app, { database, chat, organisation, authMode, gate });
  uploadRoute(app, { database, storage, gate, maxFileSize, now });
  downloadRoute(app, { database, storage, gate, access });
  profileRoutes(app, {
    database,
    storage: pictures,
    gate,
    speak,
    tellAvatar: chat.setAvatar,
    seesPicture: chat.seesPicture,
  });
  streamPictureRoutes(app, { database, storage: streamPictures, gate, chat });
  forward(app, {
    chat: chat.fetch,
    callerOf: (request) => callerOf(request, sessions),
    noteSend: (sent) => access.noteSend(sent),
    log,
  });
  healthRoute(app, [() => chat.isEmpty(), () => seedings.get(database.reader), () => chat.probe(), () => database.probe()], log);
  screenRoutes(app, screens);

  app.addHook('onListen', async () => sweeper.start());
  let chatClosed = Promise.resolve();
  app.addHook('preClose', async () => {
    // Nobody new comes in, and who waits is answered; who is in the middle of something ends it.
    app.server.close();
    chat.stopPolls();
    await Promise.all([calls.settle(patience), desk.settle(patience)]);
    // The sweep asks the chat server.
    chatClosed = sweeper.stop().then(() => chat.close());
    // Fastify lets nobody know of what fails here; it is told of below.
    await Promise.allSettled([chatClosed]);
    // The polls are answered in this turn; then the connections are cut.
    await setImmediate();
  });
  app.addHook('onClose', async () => {
    try {
      database.close();
      await chatClosed;
    } finally {
      unlock();
    }
  });
  return app;
}

function createApp(configuration: Configuration, log: Log): { readonly app: FastifyInstance; readonly calls: Calls } {
  const answerError = errorAnswering(log);
  const { tls, trusts } = configuration;
  const app = Fastify({
    serverFactory: (handler) => createListener(handler, { tls, trusts }),
    // What an unnamed sender says of another's address, host or way is not believed.
    trustProxy: trusts,
    // What cannot be read as a request the listener answers.
    clientErrorHandler: () => undefined,
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    // A stored name's extension may be of 20 characters that each take 12 in an address.
    routerOptions: { maxParamLength: 300 },
    // An address that cannot be decoded has no route, and so no hook that would set the headers.
    frameworkErrors(error, request, reply) {
      setStrictHeaders(reply.raw, { url: request.url, secure: cameByHttps(request) });
      void answerError(error, request, reply);
    },
  });
  // Of what a page of another site can send without being asked, nothing is taken for a call's body.
  app.removeContentTypeParser('text/plain');
  const calls = watchCalls(app, log);
  void app.register(fastifyCookie);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/')) throw refused.noSuchCall();
    return sendPage(reply, 404, notFoundPage);
  });
  void app.after(() => guard(app, configuration));
  return { app, calls };
}

/** @returns the address that it listens at, as a person would type it. */
export async function listen(app: FastifyInstance, configuration: Configuration): Promise<string> {
  const { host, port } = configuration;
  // The default backlog of 511 makes thousands of clients that come back at once wait for seconds.
  await app.listen({ host, port, backlog: 4096 });
  return addressListenedAt(app, configuration);
}

function addressListenedAt(app: FastifyInstance, { host, port, tls }: Configuration): string {
  const bound = app.server.address();
  return addressOf({ host, port: typeof bound === 'object' && bound ? bound.port : port, secure: tls !== undefined });
}

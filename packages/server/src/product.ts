import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import { createChatServer } from '@engawa/chat-server';
import { Database } from '@engawa/chat-server/database';
import Fastify, { type FastifyInstance } from 'fastify';
import { forward } from './chat/forward.ts';
import { speakerTo } from './chat/speaker.ts';
import { addressOf, type Configuration } from './configuration.ts';
import { demoSignIn } from './demo/signIn.ts';
import { clearUnfinished, seed } from './demo/seeding.ts';
import { departmentRoutes } from './departments/routes.ts';
import { createFileAccess } from './files/access.ts';
import { downloadRoute } from './files/download.ts';
import { createStorage } from './files/storage.ts';
import { uploadRoute } from './files/upload.ts';
import { errorAnswering } from './http/answerError.ts';
import { refused } from './http/errors.ts';
import { notFoundPage, sendPage } from './http/page.ts';
import { type Log, logToStderr } from './log.ts';
import { migrations } from './migrations.ts';
import { screenRoutes } from './screens/routes.ts';
import { guard } from './security/guard.ts';
import { setStrictHeaders } from './security/headers.ts';
import { logoutRoutes } from './sessions/logout.ts';
import { authorizationOf, createGate } from './sessions/member.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createSessions } from './sessions/sessions.ts';

export interface ProductOptions {
  /** An absolute path: where the built web client lies. */
  readonly screens: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: Log;
}

/** Opens the product in its data directory, with the demo organisation in it on the first start. Closing closes all. */
export async function createProduct(
  configuration: Configuration,
  { screens, now = Date.now, log = logToStderr }: ProductOptions,
): Promise<FastifyInstance> {
  const { dataDirectory, maxFileSize } = configuration;
  const chatDirectory = join(dataDirectory, 'chat');
  const database = new Database(join(dataDirectory, 'engawa.db'), { migrations });
  const storage = createStorage(join(dataDirectory, 'files'));
  await clearUnfinished(database, chatDirectory);

  const chat = createChatServer({ directory: chatDirectory, realm: { url: addressOf(configuration) }, log });
  if (chat.isEmpty()) await seed({ chat, database, storage, now: now() });

  const speak = speakerTo(chat.fetch);
  const sessions = createSessions(database, now);
  const gate = createGate(sessions, speak);
  const access = createFileAccess(database, speak);

  const app = createApp(configuration, log);
  sessionRoutes(app, { configuration, sessions, speak, fakeSignIn: demoSignIn });
  logoutRoutes(app, { sessions, speak });
  departmentRoutes(app, database, gate);
  uploadRoute(app, { database, storage, gate, maxFileSize, now });
  downloadRoute(app, { database, storage, gate, access });
  forward(app, {
    chat: chat.fetch,
    authorizationOf: (request) => authorizationOf(request, sessions),
    noteSend: (sent) => access.noteSend(sent),
    log,
  });
  screenRoutes(app, screens);

  app.addHook('preClose', async () => {
    await chat.close();
    // The polls are answered in this turn; then the connections are cut.
    await setImmediate();
  });
  app.addHook('onClose', async () => database.close());
  return app;
}

function createApp(configuration: Configuration, log: Log): FastifyInstance {
  const answerError = errorAnswering(log);
  const app = Fastify({
    // A poll waits for up to a minute, and a large file takes its time.
    requestTimeout: 0,
    keepAliveTimeout: 75_000,
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    // A stored name's extension may be of 20 characters that each take 12 in an address.
    routerOptions: { maxParamLength: 300 },
    // An address that cannot be decoded has no route, and so no hook that would set the headers.
    frameworkErrors(error, request, reply) {
      setStrictHeaders(reply.raw);
      void answerError(error, request, reply);
    },
  });
  void app.register(fastifyCookie);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/')) throw refused.noSuchCall();
    return sendPage(reply, 404, notFoundPage);
  });
  void app.after(() => guard(app, configuration));
  return app;
}

/** @returns the address that it listens at, as a person would type it. */
export async function listen(app: FastifyInstance, { host, port }: Configuration): Promise<string> {
  // The default backlog of 511 makes thousands of clients that come back at once wait for seconds.
  await app.listen({ host, port, backlog: 4096 });
  const bound = app.server.address();
  return addressOf({ host, port: typeof bound === 'object' && bound ? bound.port : port });
}

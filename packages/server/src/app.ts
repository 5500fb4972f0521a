import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { addressOf, type Configuration } from './configuration.ts';
import { errorAnswering } from './http/answerError.ts';
import { type FinishedCalls, type Settle, watchCalls } from './http/calls.ts';
import { refused } from './http/errors.ts';
import { setStrictHeaders } from './http/headers.ts';
import { notFoundPage, sendPage } from './http/page.ts';
import type { Log } from './log/log.ts';
import { guard } from './security/guard.ts';
import { createListener } from './security/listener.ts';
import { cameByHttps } from './security/proxies.ts';
import { holdsSession } from './sessions/cookie.ts';

export function createApp(
  configuration: Configuration,
  log: Log,
  counts: FinishedCalls,
): { readonly app: FastifyInstance; readonly settleCalls: Settle } {
  const answerError = errorAnswering(log);
  const { tls, trusts } = configuration;
  const app = Fastify({
    serverFactory: (handler) => createListener(handler, { tls, trusts }),
    trustProxy: trusts,
    // `security/listener.ts` answers requests that cannot be parsed, so Fastify must not.
    clientErrorHandler: () => undefined,
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    // A stored name's extension has up to 20 characters, and percent-encoding makes up to 12 of each.
    routerOptions: { maxParamLength: 300 },
    // A URL that cannot be decoded has no route, and therefore no hook that sets the headers.
    frameworkErrors(error, request, reply) {
      setStrictHeaders(reply.raw, { url: request.url, secure: cameByHttps(request) });
      void answerError(error, request, reply);
    },
  });
  // Other sites can send text/plain without a preflight request, so it is never a call's body.
  app.removeContentTypeParser('text/plain');
  const settleCalls = watchCalls(app, log, counts);
  void app.register(fastifyCookie);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/')) throw refused.noSuchCall();
    return sendPage(reply, 404, notFoundPage);
  });
  void app.after(() => guard(app, { ...configuration, mediaServer: configuration.calls?.livekit?.url }, holdsSession));
  return { app, settleCalls };
}

export async function listen(app: FastifyInstance, configuration: Configuration): Promise<string> {
  const { host, port } = configuration;
  // With the default backlog of 511, thousands of clients that reconnect at once wait for seconds.
  await app.listen({ host, port, backlog: 4096 });
  return addressListenedAt(app, configuration);
}

export function addressListenedAt(app: FastifyInstance, { host, port, tls }: Configuration): string {
  const bound = app.server.address();
  return addressOf(host, typeof bound === 'object' && bound ? bound.port : port, tls !== undefined);
}

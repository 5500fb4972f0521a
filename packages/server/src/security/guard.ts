import type { FastifyInstance } from 'fastify';
import type { Configuration } from '../configuration.ts';
import { refused } from '../http/errors.ts';
import { sessionCookie } from '../sessions/cookie.ts';
import { setStrictHeaders } from './headers.ts';
import { answersTo } from './hosts.ts';
import { mayChange } from './origin.ts';

/** Stands before every route: the strict headers, the host, and the origin of changes. */
export function guard(app: FastifyInstance, configuration: Configuration): void {
  app.addHook('onRequest', async (request, reply) => {
    setStrictHeaders(reply.raw);
    const { host } = request.headers;
    if (!answersTo(host, configuration)) throw refused.foreignHost(host ?? '');
    if (!mayChange(request, request.cookies[sessionCookie] !== undefined)) throw refused.foreignOrigin();
  });
}

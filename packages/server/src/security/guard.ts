import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Configuration, isLoopback } from '../configuration.ts';
import { isHealthCheck } from '../http/health.ts';
import { refused } from '../http/errors.ts';
import { holdsSession } from '../sessions/cookie.ts';
import { setStrictHeaders } from '../http/headers.ts';
import { answersTo } from './hosts.ts';
import { mayChange } from './origin.ts';
import { addressOfClient, cameByHttps } from './proxies.ts';
import { faultOfForm } from '../http/requestForm.ts';

/**
 * Stands before every route: the strict headers, the form of the request, the host, the way it came, and the origin of
 * changes.
 */
export function guard(app: FastifyInstance, configuration: Configuration): void {
  app.addHook('onRequest', async (request, reply) => {
    setStrictHeaders(reply.raw, { url: request.url, secure: cameByHttps(request) });
    const fault = faultOfForm(request.raw);
    if (fault) throw refused.ambiguous(fault);
    // Whoever watches over the process names it as they like, and is told nothing that is anybody's.
    if (isHealthCheck(request)) return;
    if (!answersTo(request.host, configuration)) throw refused.foreignHost(request.host);
    if (!mayComeSo(request, configuration)) throw refused.notByHttps();
    const { method, headers } = request;
    const arrival = { method, headers, ownOrigins: ownOriginsOf(request, configuration) };
    if (!mayChange(arrival, holdsSession(request))) throw refused.foreignOrigin();
  });
}

/** Where the pages lie that a request of ours comes from. */
export function ownOriginsOf(request: FastifyRequest, { publicUrl }: Pick<Configuration, 'publicUrl'>): string[] {
  const here = `${cameByHttps(request) ? 'https' : 'http'}://${request.host}`;
  return [...(URL.canParse(here) ? [new URL(here).origin] : []), ...(publicUrl === undefined ? [] : [publicUrl])];
}

/** A password goes over no network where anybody can read it, unless the operator has said so. */
function mayComeSo(request: FastifyRequest, { authMode, insecureHttp }: Configuration): boolean {
  if (authMode === 'fake' || insecureHttp || cameByHttps(request)) return true;
  // Somebody at this machine; but not a proxy on it that nobody has named, behind whom may be anybody.
  return isLoopback(addressOfClient(request)) && request.headers['x-forwarded-for'] === undefined;
}

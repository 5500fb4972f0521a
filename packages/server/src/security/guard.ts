import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Configuration, isLoopback } from '../configuration.ts';
import { isHealthCheck } from '../http/health.ts';
import { refused } from '../http/errors.ts';
import { setStrictHeaders } from '../http/headers.ts';
import { isOwnHost } from './hosts.ts';
import { mayChange } from './origin.ts';
import { addressOfClient, cameByHttps } from './proxies.ts';
import { faultOfForm } from '../http/requestForm.ts';

/**
 * Runs before every route: sets the strict headers and checks the request's form, host, transport and origin.
 * @param holdsSession whether a request carries a session cookie.
 */
export function guard(
  app: FastifyInstance,
  configuration: Configuration,
  holdsSession: (request: FastifyRequest) => boolean,
): void {
  app.addHook('onRequest', async (request, reply) => {
    setStrictHeaders(reply.raw, { url: request.url, secure: cameByHttps(request) });
    const fault = faultOfForm(request.raw);
    if (fault) throw refused.malformedRequest(fault);
    // Whoever watches over the process names it as they like, and is told nothing that is anybody's.
    if (isHealthCheck(request)) return;
    if (!isOwnHost(request.host, configuration)) throw refused.foreignHost(request.host);
    if (!isTransportAllowed(request, configuration)) throw refused.notByHttps();
    const { method, headers } = request;
    const incoming = { method, headers, ownOrigins: ownOriginsOf(request, configuration) };
    if (!mayChange(incoming, holdsSession(request))) throw refused.foreignOrigin();
  });
}

/** Where the pages lie that a request of ours comes from. */
export function ownOriginsOf(request: FastifyRequest, { publicUrl }: Pick<Configuration, 'publicUrl'>): string[] {
  const here = `${cameByHttps(request) ? 'https' : 'http'}://${request.host}`;
  return [...(URL.canParse(here) ? [new URL(here).origin] : []), ...(publicUrl === undefined ? [] : [publicUrl])];
}

/** A password goes over no network where anybody can read it, unless the operator has said so. */
function isTransportAllowed(request: FastifyRequest, { authMode, insecureHttp }: Configuration): boolean {
  if (authMode === 'fake' || insecureHttp || cameByHttps(request)) return true;
  // Somebody at this machine; but not a proxy on it that nobody has named, behind whom may be anybody.
  return isLoopback(addressOfClient(request)) && request.headers['x-forwarded-for'] === undefined;
}

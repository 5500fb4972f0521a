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
    // Supervisors may use any host name, and the answer reveals nothing.
    if (isHealthCheck(request)) return;
    if (!isOwnHost(request.host, configuration)) throw refused.foreignHost(request.host);
    if (!isTransportAllowed(request, configuration)) throw refused.notByHttps();
    const { method, headers } = request;
    const incoming = { method, headers, ownOrigins: ownOriginsOf(request, configuration) };
    if (!mayChange(incoming, holdsSession(request))) throw refused.foreignOrigin();
  });
}

/** The origins of the product's own pages. */
export function ownOriginsOf(request: FastifyRequest, { publicUrl }: Pick<Configuration, 'publicUrl'>): string[] {
  const here = `${cameByHttps(request) ? 'https' : 'http'}://${request.host}`;
  return [...(URL.canParse(here) ? [new URL(here).origin] : []), ...(publicUrl === undefined ? [] : [publicUrl])];
}

/** Passwords must not cross a network in clear text unless the operator allows it. */
function isTransportAllowed(request: FastifyRequest, { authMode, insecureHttp }: Configuration): boolean {
  if (authMode === 'fake' || insecureHttp || cameByHttps(request)) return true;
  // A local client, but not a local proxy that is not named: anybody may be behind it.
  return isLoopback(addressOfClient(request)) && request.headers['x-forwarded-for'] === undefined;
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isHealthCheck } from '../http/health.ts';
import { refused } from '../http/errors.ts';
import { setStrictHeaders } from '../http/headers.ts';
import { type AccessSettings, isLoopback, isOwnHost, ownOriginsOf } from './hosts.ts';
import { mayChange } from './origin.ts';
import { addressOfClient, cameByHttps } from './proxies.ts';
import { faultOfForm } from '../http/requestForm.ts';

interface GuardSettings extends AccessSettings {
  readonly mediaServer: string | undefined;
}

/** Runs before every route. */
export function guard(app: FastifyInstance, settings: GuardSettings, holdsSession: (request: FastifyRequest) => boolean): void {
  const { mediaServer } = settings;
  /** The last host that `isOwnHost` accepted. Most requests have the same. */
  let ownHost: string | undefined;
  // Without a promise: every call of the chat API passes here.
  app.addHook('onRequest', (request, reply, done) => {
    setStrictHeaders(reply.raw, { url: request.url, secure: cameByHttps(request), mediaServer });
    const fault = faultOfForm(request.raw);
    if (fault) throw refused.malformedRequest(fault);
    // GET /healthz is allowed under any host name: supervisors use several, and the answer reveals nothing.
    if (isHealthCheck(request)) return void done();
    const { host } = request;
    if (host !== ownHost && !isOwnHost(host, settings)) throw refused.foreignHost(host);
    ownHost = host;
    if (!isTransportAllowed(request, settings)) throw refused.notByHttps();
    const { method, headers } = request;
    const incoming = { method, headers, ownOrigins: () => ownOriginsOf(request, settings) };
    if (!mayChange(incoming, () => holdsSession(request))) throw refused.foreignOrigin();
    done();
  });
}

/** Passwords must not cross a network in clear text unless the operator allows it. */
function isTransportAllowed(request: FastifyRequest, { authMode, insecureHttp }: AccessSettings): boolean {
  if (authMode === 'fake' || insecureHttp || cameByHttps(request)) return true;
  // A client on this machine, but no proxy on it that TRUSTED_PROXY does not name: anybody may be behind that.
  return isLoopback(addressOfClient(request)) && request.headers['x-forwarded-for'] === undefined;
}

import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';

/** Where a supervisor or a balancer asks whether the product can serve. It is answered under every name. */
export const healthPath = '/healthz';

export function isHealthCheck({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return (method === 'GET' || method === 'HEAD') && url === healthPath;
}

/**
 * GET /healthz: 200 `{"status":"ok"}` where every look answers, else 503. It says nothing of anybody.
 * @param looks each reads something of a database, or finds out whether it can be written.
 */
export function healthRoute(app: FastifyInstance, checks: readonly (() => unknown)[], log: Log): void {
  app.get(healthPath, async (_request, reply) => {
    void reply.header('Cache-Control', 'no-store');
    try {
      for (const check of checks) await check();
    } catch (error) {
      log({ level: 'error', event: 'health_check_failed', error });
      return reply.code(503).send({ status: 'failing' });
    }
    return { status: 'ok' };
  });
}

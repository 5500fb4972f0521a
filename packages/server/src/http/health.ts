import type { FastifyInstance } from 'fastify';
import type { Log } from '../log/log.ts';

export const healthPath = '/healthz';

export function isHealthCheck({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return (method === 'GET' || method === 'HEAD') && url === healthPath;
}

/** GET /healthz: 200 if every check passes, else 503. It reveals nothing else, because every host name is accepted. */
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

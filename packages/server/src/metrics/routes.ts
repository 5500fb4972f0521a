import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Configuration } from '../configuration.ts';
import { refused } from '../http/errors.ts';
import { isLoopback } from '../security/hosts.ts';
import type { Metrics } from './metrics.ts';

export const metricsPath = '/metrics';

type AccessToMetrics = Pick<Configuration, 'metricsToken' | 'trusts'>;

/** GET /metrics, for Prometheus. */
export function metricsRoute(app: FastifyInstance, metrics: Metrics, access: AccessToMetrics): void {
  app.get(metricsPath, async (request, reply) => {
    if (!mayRead(request, access)) throw refused.noMetrics();
    const text = await metrics.text();
    return reply.header('Cache-Control', 'no-store').type('text/plain; version=0.0.4; charset=utf-8').send(text);
  });
}

/** Without a token only programs on this machine, but no proxy on it: anybody may be behind that. */
function mayRead({ headers, socket }: FastifyRequest, { metricsToken, trusts }: AccessToMetrics): boolean {
  if (metricsToken !== undefined) return isSame(headers.authorization ?? '', `Bearer ${metricsToken}`);
  const address = socket.remoteAddress?.replace(/^::ffff:/i, '') ?? '';
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);
  return isLoopback(address) && !isForwarded && !trusts(socket.remoteAddress);
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

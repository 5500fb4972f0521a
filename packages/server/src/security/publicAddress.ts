import type { FastifyRequest } from 'fastify';
import type { Configuration } from '../configuration.ts';

/**
 * The base of links, without a trailing slash: the configured URL, or else the one of the request. The guard has checked
 * the host. On a public address any host passes, so mails require PUBLIC_URL there (`configuration.ts`).
 */
export function publicAddressOf(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  { publicUrl }: Pick<Configuration, 'publicUrl'>,
): string {
  return publicUrl ?? `${protocol}://${host}`;
}

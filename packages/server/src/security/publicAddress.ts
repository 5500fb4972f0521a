import type { FastifyRequest } from 'fastify';
import type { Configuration } from '../configuration.ts';

/**
 * The address that a link leads to, without a slash at its end: the one that was configured, or else that under which
 * whoever asks has reached us. The guard has let pass no host but those that we answer to; at an address of other
 * machines these are any addresses, so there letters need the one that was configured (`configuration.ts`).
 */
export function publicAddressOf(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  { publicUrl }: Pick<Configuration, 'publicUrl'>,
): string {
  return publicUrl ?? `${protocol}://${host}`;
}

import type { FastifyRequest } from 'fastify';

/**
 * The address under which whoever asks has reached us, without a slash at its end. The guard has let pass no host but
 * those that we answer to, so that nobody chooses where a link in a letter leads.
 */
export function publicAddressOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  return `${protocol}://${host}`;
}

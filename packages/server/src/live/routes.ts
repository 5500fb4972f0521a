import { livePath, liveQuery } from '@engawa/protocol/live';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from '../http/parameters.ts';
import type { Live } from './live.ts';

export interface LiveRouteDependencies {
  readonly live: Live;
  readonly gate: { viewer(request: FastifyRequest): Promise<{ readonly id: number }> };
  readonly callerOf: (request: FastifyRequest) => {
    /** The end of the session aborts the poll. Undefined for clients that use an API key. */
    readonly activity: { add(call: AbortController): () => void } | undefined;
  };
}

export function liveRoutes(app: FastifyInstance, { live, gate, callerOf }: LiveRouteDependencies): void {
  app.get(livePath, async (request, reply) => {
    // Before the gate asks the chat server: the session may end meanwhile.
    const { activity } = callerOf(request);
    const { id } = await gate.viewer(request);
    const { after } = parse(liveQuery, request.query);
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const over = activity?.add(left);
    void reply.header('Cache-Control', 'no-store');
    try {
      return await live.poll(id, after, left.signal);
    } finally {
      over?.();
    }
  });
}

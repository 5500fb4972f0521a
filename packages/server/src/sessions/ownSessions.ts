import { paths } from '@engawa/protocol/product';
import type { OwnSessions } from '@engawa/protocol/sessions';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import { tokenOf } from './cookie.ts';
import { deviceOf } from './device.ts';
import { endQueues } from './queues.ts';
import type { SessionRouteDependencies } from './routes.ts';
import type { ListedSession } from './sessions.ts';

const parameters = z.object({ id: z.string() });

/** The poll of a session that ends is answered, so that its browser notices at once. */
export function ownSessionRoutes(app: FastifyInstance, { sessions, gate, connectAs, keys }: SessionRouteDependencies): void {
  const end = async (request: FastifyRequest, chosen: (session: ListedSession) => boolean): Promise<number> => {
    const { id, authorization } = await gate.member(request);
    const ended = await sessions.endOf(id, tokenOf(request), chosen);
    for (const activity of ended) await endQueues(activity, connectAs(authorization));
    return ended.length;
  };

  app.get(paths.sessions, async (request, reply) => {
    const { id } = await gate.member(request);
    const answer: OwnSessions = {
      sessions: sessions.listOf(id, tokenOf(request)).map((session) => ({
        id: session.id,
        ...deviceOf(session.userAgent),
        address: session.address,
        signed_in: session.created,
        last_used: session.used,
        current: session.current,
      })),
    };
    return reply.header('Cache-Control', 'private, no-cache').send(answer);
  });

  app.delete(paths.sessions, async (request) => {
    await end(request, ({ current }) => !current);
    // A program would lose its own key, so it keeps it.
    const token = request.headers.authorization === undefined ? tokenOf(request) : undefined;
    const session = sessions.find(token);
    // A copied key of a session, or one on a lost phone, becomes invalid too.
    if (token !== undefined && session && keys.renew) {
      await sessions.reseal(token, await keys.renew(session.authorization));
    }
    return {};
  });

  app.delete(`${paths.sessions}/:id`, async (request) => {
    const { data } = parameters.safeParse(request.params);
    if ((await end(request, ({ id }) => id === data?.id)) === 0) throw refused.noSuchSession();
    return {};
  });
}

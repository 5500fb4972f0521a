import { paths } from '@engawa/protocol/product';
import type { FastifyInstance } from 'fastify';
import { setSignedOut, tokenOf } from './cookie.ts';
import { endQueues } from './queues.ts';
import type { SessionRouteDependencies } from './routes.ts';

/** Places in the web client: the question whether to sign out, which names what would be lost, and the sign-in. */
const places = { question: '/#/logout', signIn: '/#/sign-in' };

/** GET /logout only leads to the question, because any link or other site can open it. POST /logout ends the session. */
export function logoutRoutes(app: FastifyInstance, { sessions, connectAs }: SessionRouteDependencies): void {
  app.get(paths.logout, async (request, reply) =>
    reply.header('Cache-Control', 'no-store').redirect(sessions.find(tokenOf(request)) ? places.question : places.signIn, 303),
  );

  app.post(paths.logout, async (request, reply) => {
    const token = tokenOf(request);
    const session = sessions.find(token);
    if (token !== undefined && session) {
      await sessions.end(token);
      await endQueues(session.activity, connectAs(session.authorization));
    }
    setSignedOut(reply);
    return reply.header('Cache-Control', 'no-store').redirect('/', 303);
  });
}

import { paths } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Page, sendPage } from '../http/page.ts';
import { ownOriginsOf } from '../security/hosts.ts';
import { isForeignNavigation } from '../security/origin.ts';
import { setSignedOut, tokenOf } from './cookie.ts';
import { endQueues } from './queues.ts';
import type { SessionRouteDependencies } from './routes.ts';

/** GET and POST /logout: end the session and lead to the sign-in. */
export function logoutRoutes(app: FastifyInstance, dependencies: SessionRouteDependencies): void {
  // Without a HEAD route, which would sign out as well.
  app.get(paths.logout, { exposeHeadRoute: false }, async (request, reply) => {
    const ownOrigins = ownOriginsOf(request, dependencies.configuration);
    // Other sites could otherwise sign members out by a link or a redirect.
    if (isForeignNavigation({ headers: request.headers, ownOrigins })) return sendPage(reply, 200, confirmationPage);
    return logOut(request, reply, dependencies);
  });

  void app.register(async (scope) => {
    // The form of the confirmation page is empty, but browsers send it with this content type.
    scope.addContentTypeParser('application/x-www-form-urlencoded', (_request, _body, done) => done(null));
    scope.post(paths.logout, async (request, reply) => logOut(request, reply, dependencies));
  });
}

async function logOut(request: FastifyRequest, reply: FastifyReply, { sessions, connectAs }: SessionRouteDependencies) {
  const token = tokenOf(request);
  const session = sessions.find(token);
  if (token !== undefined && session) {
    await sessions.end(token);
    await endQueues(session.activity, connectAs(session.authorization));
  }
  setSignedOut(reply);
  return reply.header('Cache-Control', 'no-store').redirect('/', 303);
}

const confirmationPage: Page = {
  title: 'サインアウトの確認 | Engawa',
  main: `<h1>サインアウトしますか</h1>
<p>ほかのサイトからサインアウトのページが開かれました。ご自分で選んだ操作でなければ、そのまま戻ってください。</p>
<p lang="en">Another site opened the sign-out page. Sign out only if this is what you want.</p>
<form method="post" action="${paths.logout}">
<button type="submit">サインアウト <span lang="en">Sign out</span></button>
<a class="button" href="/">戻る <span lang="en">Back</span></a>
</form>`,
};

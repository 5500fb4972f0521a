import type { FastifyInstance } from 'fastify';
import type { AccountRouteDependencies } from './dependencies.ts';
import { invitationRoutes } from './invitationRoutes.ts';
import { keyRoutes } from './keyRoutes.ts';
import { memberSessionRoute } from './memberSessionRoutes.ts';
import { passwordRoutes } from './passwordRoutes.ts';
import { setupRoute } from './setup.ts';
import { createThrottle, limits } from './throttle.ts';

/** In the fake mode nobody has a password, so that neither setup, invitations nor password links exist. */
export function accountRoutes(app: FastifyInstance, dependencies: AccountRouteDependencies): void {
  keyRoutes(app, dependencies);
  memberSessionRoute(app, dependencies);
  if (dependencies.configuration.authMode === 'fake') return;
  setupRoute(app, dependencies);
  const attempts = createThrottle(limits.links, dependencies.now);
  invitationRoutes(app, { ...dependencies, attempts });
  passwordRoutes(app, { ...dependencies, attempts });
}

import type { FastifyInstance } from 'fastify';
import { type MemberDependencies, memberRoutes } from './members.ts';
import { type SettingsDependencies, organisationSettingsRoutes } from './organisationSettings.ts';
import { type StreamListDependencies, streamListRoute } from './streams.ts';

/** Registers the administration's calls except invitations, departments and import. Each requires an administrator or owner. */
export function administrationRoutes(
  app: FastifyInstance,
  dependencies: MemberDependencies & StreamListDependencies & SettingsDependencies,
): void {
  memberRoutes(app, dependencies);
  streamListRoute(app, dependencies);
  organisationSettingsRoutes(app, dependencies);
}

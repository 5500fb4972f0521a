import type { FastifyInstance } from 'fastify';
import { type DepartmentRooms, departmentAdministration } from './departments.ts';
import { type MemberRooms, memberRoutes } from './members.ts';
import { type SettingsRooms, organisationSettingsRoutes } from './organisationSettings.ts';
import { type StreamListRooms, streamListRoute } from './streams.ts';

/** The calls of the administration page, but for invitations and the import. All are for administrators and owners. */
export function administrationRoutes(
  app: FastifyInstance,
  rooms: MemberRooms & DepartmentRooms & StreamListRooms & SettingsRooms,
): void {
  memberRoutes(app, rooms);
  departmentAdministration(app, rooms);
  streamListRoute(app, rooms);
  organisationSettingsRoutes(app, rooms);
}

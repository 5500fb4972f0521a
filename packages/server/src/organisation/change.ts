import { role } from '@engawa/protocol';
import { z } from 'zod';

const person = z.union([z.int(), z.string()]);
const reorganisation = z.object({
  id: z.string(),
  by: z.union([z.int(), z.literal('console')]),
  made: z.array(z.object({ email: z.string(), fullName: z.string(), role, isActive: z.boolean(), password: z.string() })),
  changed: z.array(
    z.object({
      userId: z.int(),
      email: z.string().optional(),
      fullName: z.string().optional(),
      role: z.optional(role),
      isActive: z.boolean().optional(),
      password: z.string().optional(),
    }),
  ),
  streams: z.array(
    z.object({
      streamId: z.int().optional(),
      names: z.array(z.string()).optional(),
      isArchived: z.boolean().optional(),
      joins: z.array(person),
      leaves: z.array(person),
    }),
  ),
});

const place = z.object({
  department_cd: z.string(),
  parent: z.string().nullable(),
  position: z.int(),
  display_name: z.string(),
});

/** The stored form of a plan that is to run. New members are identified by email, because they have no id yet. */
export const organisationChange = z.object({
  chat: reorganisation,
  /** Parents before children. `stream` is an index into the chat server's streams. */
  madeDepartments: z.array(place.extend({ stream: z.int() })),
  changedDepartments: z.array(place),
  removedDepartments: z.array(z.string()),
  posts: z.array(z.object({ person, departments: z.array(z.string()) })),
  profiles: z.array(z.object({ person, reading: z.string(), title: z.string() })),
  employeeNumbers: z.array(z.object({ person, number: z.string() })),
  ended: z.array(z.int()),
});
export type OrganisationChange = z.output<typeof organisationChange>;

export function isEmptyChange({ chat, ...own }: OrganisationChange): boolean {
  const { made, changed, streams } = chat;
  return [made, changed, streams, ...Object.values(own)].every(({ length }) => length === 0);
}

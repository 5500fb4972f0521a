import type { Database } from '@engawa/chat-server/database';
import { administrationPaths, departmentChange, departmentCreation, departmentMembers } from '@engawa/protocol/administration';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { departments, departmentsByUser } from '../departments/store.ts';
import { parse } from '../http/parameters.ts';
import { refused } from '../http/errors.ts';
import { type Organisation, newDepartmentCode } from '../organisation/organisation.ts';
import type { Gate } from '../sessions/member.ts';

export interface DepartmentDependencies {
  readonly database: Database;
  readonly gate: Pick<Gate, 'administrator'>;
  readonly organisation: Organisation;
}

const named = z.object({ code: z.string() });
const codeOf = (request: FastifyRequest) => named.parse(request.params).code;

export function departmentAdministration(app: FastifyInstance, { database, gate, organisation }: DepartmentDependencies): void {
  /** A plan that names an unknown code creates a department, so this check comes first. */
  const known = (code: string): string => {
    if (departments.find(database.reader, code) === undefined) throw refused.noSuchDepartment();
    return code;
  };

  app.post(administrationPaths.departments, async (request) => {
    const member = await gate.administrator(request);
    const making = parse(departmentCreation, request.body);
    const code = newDepartmentCode();
    await organisation.apply({ departments: [{ code, ...making }], members: [] }, member);
    return { departmentCd: code };
  });

  app.patch(`${administrationPaths.departments}/:code`, async (request) => {
    const member = await gate.administrator(request);
    const change = parse(departmentChange, request.body);
    const code = codeOf(request);
    await organisation.apply(() => ({ departments: [{ code: known(code), ...change }], members: [] }), member);
    return {};
  });

  app.delete(`${administrationPaths.departments}/:code`, async (request) => {
    const member = await gate.administrator(request);
    const code = codeOf(request);
    await organisation.apply({ departments: [], removedDepartments: [code], members: [] }, member);
    return {};
  });

  app.patch(`${administrationPaths.departments}/:code/members`, async (request) => {
    const member = await gate.administrator(request);
    const { add, remove } = parse(departmentMembers, request.body);
    const code = codeOf(request);
    await organisation.apply(() => {
      known(code);
      return { departments: [], members: [...postsAfter(database, code, new Set(add), new Set(remove))] };
    }, member);
    return {};
  });
}

/** Added members get this department as a further one. A member in both lists is removed. */
function postsAfter(database: Database, code: string, add: ReadonlySet<number>, remove: ReadonlySet<number>) {
  const userIds = [...new Set([...add, ...remove])];
  const posts = departmentsByUser(database.reader, userIds);
  return userIds.map((userId) => {
    const before = posts.get(userId) ?? [];
    const others = before.filter((each) => each !== code);
    const after = before.includes(code) ? before : [...before, code];
    return { userId, departments: remove.has(userId) ? others : after };
  });
}

import { type Columns, type Reader, type Value, each } from '@engawa/chat-server/database';
import { type Schema, queries } from '../database/schema.ts';

export type DepartmentRow = Schema['department'];
export type DepartmentMemberRow = Schema['department_member'];

export const departments = {
  /** Siblings are in order. */
  all: queries.rows((query) => query.selectFrom('department').selectAll().orderBy('position')),
  members: queries.rows((query) => query.selectFrom('department_member').selectAll().orderBy('department_cd').orderBy('user_id')),
  /** Distinct user ids. */
  membersOf: queries.values((query, codes: Value<readonly string[]>, most: Value<number>) =>
    query
      .selectFrom('department_member')
      .select('user_id')
      .distinct()
      .where('department_cd', 'in', each(codes))
      .orderBy('user_id')
      .limit(most),
  ),
  around: queries.values((query, userId: Value<number>) =>
    query
      .withRecursive('around(code)', (build) =>
        build
          .selectFrom('department_member')
          .select('department_cd as code')
          .where('user_id', '=', userId)
          .union(
            build
              .selectFrom('department')
              .innerJoin('around', 'around.code', 'department.department_cd')
              .select('department.parent as code')
              .where('department.parent', 'is not', null)
              .$narrowType<{ code: string }>(),
          ),
      )
      .selectFrom('around')
      .select('code'),
  ),
  /** Returns the code itself, or nothing if no department has it. */
  find: queries.value((query, code: Value<string>) =>
    query.selectFrom('department').select('department_cd').where('department_cd', '=', code),
  ),
  boundTo: queries.value((query, streamId: Value<number>) =>
    query.selectFrom('department').select('department_cd').where('stream_id', '=', streamId),
  ),
  membersAmong: queries.values((query, codes: Value<readonly string[]>, userIds: Value<readonly number[]>) =>
    query
      .selectFrom('department_member')
      .select('user_id')
      .distinct()
      .where('department_cd', 'in', each(codes))
      .where('user_id', 'in', each(userIds)),
  ),
  /** The main department of each user comes first. */
  postsAmong: queries.rows((query, userIds: Value<readonly number[]>) =>
    query
      .selectFrom('department_member')
      .selectAll()
      .where('user_id', 'in', each(userIds))
      .orderBy('user_id')
      .orderBy('position'),
  ),
  postsIn: queries.rows((query, codes: Value<readonly string[]>) =>
    query.selectFrom('department_member').selectAll().where('department_cd', 'in', each(codes)),
  ),
  update: queries.run((query, row: Columns<Omit<DepartmentRow, 'stream_id'>>) =>
    query
      .updateTable('department')
      .set({ parent: row.parent, position: row.position, display_name: row.display_name })
      .where('department_cd', '=', row.department_cd),
  ),
  /** Requires that the department has neither members nor children. */
  remove: queries.run((query, code: Value<string>) => query.deleteFrom('department').where('department_cd', '=', code)),
  removePosts: queries.run((query, userId: Value<number>) => query.deleteFrom('department_member').where('user_id', '=', userId)),
  /** Parents must be inserted before their children. */
  insert: queries.run((query, row: Columns<DepartmentRow>) =>
    query.insertInto('department').values({
      department_cd: row.department_cd,
      parent: row.parent,
      position: row.position,
      display_name: row.display_name,
      stream_id: row.stream_id,
    }),
  ),
  insertMember: queries.run((query, row: Columns<DepartmentMemberRow>) =>
    query
      .insertInto('department_member')
      .values({ department_cd: row.department_cd, user_id: row.user_id, position: row.position }),
  ),
};

/** The main department comes first. Users without departments are left out. */
export function departmentsByUser(reader: Reader, userIds: readonly number[]): ReadonlyMap<number, readonly string[]> {
  const posts = Map.groupBy(departments.postsAmong(reader, userIds), ({ user_id }) => user_id);
  return new Map([...posts].map(([userId, own]) => [userId, own.map(({ department_cd }) => department_cd)]));
}

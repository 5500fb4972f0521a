import type { Reader, Transaction } from '@engawa/chat-server/database';
import { sql } from 'kysely';
import { type Schema, statement } from '../schema.ts';

export type DepartmentRow = Schema['department'];
export type DepartmentMemberRow = Schema['department_member'];

const selectAll = statement()((query) => query.selectFrom('department').selectAll().orderBy('position'));
const selectMembers = statement()((query) =>
  query.selectFrom('department_member').selectAll().orderBy('department_cd').orderBy('user_id'),
);
const selectMembersOf = statement<{ codes: string; most: number }>()((query, value) =>
  query
    .selectFrom('department_member')
    .select('user_id')
    .distinct()
    .where('department_cd', 'in', sql<string>`(SELECT value FROM json_each(${value.codes}))`)
    .orderBy('user_id')
    .limit(value.most),
);
const selectAround = statement<{ user_id: number }>()((query, value) =>
  query
    .withRecursive('around(code)', (build) =>
      build
        .selectFrom('department_member')
        .select('department_cd as code')
        .where('user_id', '=', value.user_id)
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
);
const selectOne = statement<{ code: string }>()((query, value) =>
  query.selectFrom('department').select('department_cd').where('department_cd', '=', value.code),
);
const selectPlaces = statement<{ after: number; last: number }>()((query, value) =>
  query
    .selectFrom('department_member')
    .select(['user_id', 'department_cd'])
    .where('user_id', '>', value.after)
    .where('user_id', '<=', value.last)
    .orderBy('user_id')
    .orderBy('position'),
);
const selectBound = statement<{ stream_id: number }>()((query, value) =>
  query.selectFrom('department').select('department_cd').where('stream_id', '=', value.stream_id),
);
const selectAmong = statement<{ codes: string; user_ids: string }>()((query, value) =>
  query
    .selectFrom('department_member')
    .select('user_id')
    .distinct()
    .where('department_cd', 'in', sql<string>`(SELECT value FROM json_each(${value.codes}))`)
    .where('user_id', 'in', sql<number>`(SELECT value FROM json_each(${value.user_ids}))`),
);
const selectPostsAmong = statement<{ user_ids: string }>()((query, value) =>
  query
    .selectFrom('department_member')
    .selectAll()
    .where('user_id', 'in', sql<number>`(SELECT value FROM json_each(${value.user_ids}))`)
    .orderBy('user_id')
    .orderBy('position'),
);
const selectPostsIn = statement<{ codes: string }>()((query, value) =>
  query
    .selectFrom('department_member')
    .selectAll()
    .where('department_cd', 'in', sql<string>`(SELECT value FROM json_each(${value.codes}))`),
);
const update = statement<Omit<DepartmentRow, 'stream_id'>>()((query, value) =>
  query
    .updateTable('department')
    .set({ parent: value.parent, position: value.position, display_name: value.display_name })
    .where('department_cd', '=', value.department_cd),
);
const remove = statement<{ code: string }>()((query, value) =>
  query.deleteFrom('department').where('department_cd', '=', value.code),
);
const removePosts = statement<{ user_id: number }>()((query, value) =>
  query.deleteFrom('department_member').where('user_id', '=', value.user_id),
);
const insert = statement<DepartmentRow>()((query, value) =>
  query.insertInto('department').values({
    department_cd: value.department_cd,
    parent: value.parent,
    position: value.position,
    display_name: value.display_name,
    stream_id: value.stream_id,
  }),
);
const insertMember = statement<DepartmentMemberRow>()((query, value) =>
  query.insertInto('department_member').values({
    department_cd: value.department_cd,
    user_id: value.user_id,
    position: value.position,
  }),
);

export const departments = {
  /** Siblings are in order. */
  all: (reader: Reader): DepartmentRow[] => reader.all(selectAll, {}),
  members: (reader: Reader): DepartmentMemberRow[] => reader.all(selectMembers, {}),
  /** At most `most` distinct user ids. */
  membersOf: (reader: Reader, codes: readonly string[], most: number): number[] =>
    codes.length === 0 || most === 0
      ? []
      : reader.all(selectMembersOf, { codes: JSON.stringify(codes), most }).map(({ user_id }) => user_id),
  /** The codes of a user's departments and of their ancestors. */
  around: (reader: Reader, userId: number): string[] => reader.all(selectAround, { user_id: userId }).map(({ code }) => code),
  exists: (reader: Reader, code: string): boolean => reader.get(selectOne, { code }) !== undefined,
  /** The departments of the users after `after`, up to `last`; the main one comes first. */
  places: (reader: Reader, after: number, last: number): Pick<DepartmentMemberRow, 'user_id' | 'department_cd'>[] =>
    reader.all(selectPlaces, { after, last }),
  isBound: (reader: Reader, streamId: number): boolean => reader.get(selectBound, { stream_id: streamId }) !== undefined,
  /** The users who belong to one of the departments. */
  membersAmong: (reader: Reader, codes: readonly string[], userIds: readonly number[]): number[] =>
    reader.all(selectAmong, { codes: JSON.stringify(codes), user_ids: JSON.stringify(userIds) }).map(({ user_id }) => user_id),
  /** The main department of each user comes first. */
  postsAmong: (reader: Reader, userIds: readonly number[]): DepartmentMemberRow[] =>
    reader.all(selectPostsAmong, { user_ids: JSON.stringify(userIds) }),
  postsIn: (reader: Reader, codes: readonly string[]): DepartmentMemberRow[] =>
    reader.all(selectPostsIn, { codes: JSON.stringify(codes) }),
  /** Does not change the stream. */
  update: (tx: Transaction, { department_cd, parent, position, display_name }: Omit<DepartmentRow, 'stream_id'>) =>
    tx.run(update, { department_cd, parent, position, display_name }),
  /** Requires that the department has neither members nor children. */
  remove: (tx: Transaction, code: string) => tx.run(remove, { code }),
  removePosts: (tx: Transaction, userId: number) => tx.run(removePosts, { user_id: userId }),
  /** Parents must be inserted before their children. */
  insert: (tx: Transaction, department: DepartmentRow) => tx.run(insert, { ...department }),
  insertMember: (tx: Transaction, member: DepartmentMemberRow) => tx.run(insertMember, { ...member }),
};

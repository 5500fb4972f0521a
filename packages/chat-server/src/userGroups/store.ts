import { type Columns, type Reader, type Transaction, type Value, each } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';
import { groupNameKey } from './name.ts';

export type UserGroupRow = Row<'user_group'>;
type NewGroup = Pick<UserGroupRow, 'name' | 'description' | 'code' | 'creator_id' | 'created'>;

const insertGroup = queries.insert((query, row: Columns<NewGroup & Pick<UserGroupRow, 'name_key'>>) =>
  query.insertInto('user_group').values(columns(row, ['name', 'name_key', 'description', 'code', 'creator_id', 'created'])),
);
const setTexts = queries.run((query, id: Value<number>, name: Value<string>, key: Value<string>, description: Value<string>) =>
  query.updateTable('user_group').set({ name, name_key: key, description }).where('id', '=', id),
);
const selectVersion = queries.value((query) => query.selectFrom('counter').select('value').where('name', '=', 'user_groups'));

export const userGroups = {
  /** A number that differs after every change of a group, its members or its subgroups, except activity of users. */
  version: (reader: Reader): number => selectVersion(reader) ?? 0,
  all: queries.rows((query) => query.selectFrom('user_group').selectAll().orderBy('id')),
  byId: queries.row((query, id: Value<number>) => query.selectFrom('user_group').selectAll().where('id', '=', id)),
  /** The active groups with these names. A group that members made can have the same name as one of the embedding program. */
  activeNamed: queries.rows((query, keys: Value<readonly string[]>) =>
    query.selectFrom('user_group').selectAll().where('name_key', 'in', each(keys)).where('deactivated', '=', 0),
  ),
  countMade: queries.value((query) =>
    query
      .selectFrom('user_group')
      .select((build) => build.fn.countAll<number>().as('count'))
      .where('code', 'is', null),
  ),
  countMadeBy: queries.value((query, creatorId: Value<number>) =>
    query
      .selectFrom('user_group')
      .select((build) => build.fn.countAll<number>().as('count'))
      .where('creator_id', '=', creatorId),
  ),
  insert: (tx: Transaction, group: NewGroup): number => insertGroup(tx, { ...group, name_key: groupNameKey(group.name) }),
  setTexts: (tx: Transaction, id: number, name: string, description: string): void =>
    void setTexts(tx, id, name, groupNameKey(name), description),
  deactivate: queries.run((query, id: Value<number>) =>
    query.updateTable('user_group').set({ deactivated: 1 }).where('id', '=', id),
  ),
  /** Also removes its members and subgroups. */
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('user_group').where('id', '=', id)),
};

export const groupMembers = {
  /** Active direct members of all groups. */
  allActive: queries.rows((query) =>
    query
      .selectFrom('user_group_member')
      .innerJoin('user', 'user.id', 'user_group_member.user_id')
      .select(['group_id', 'user_id'])
      .where('is_active', '=', 1)
      .orderBy('group_id')
      .orderBy('user_id'),
  ),
  activeOf: queries.values((query, groupIds: Value<readonly number[]>) =>
    query
      .selectFrom('user_group_member')
      .innerJoin('user', 'user.id', 'user_group_member.user_id')
      .select('user_id')
      .distinct()
      .where('group_id', 'in', each(groupIds))
      .where('is_active', '=', 1)
      .orderBy('user_id'),
  ),
  /** Also inactive ones. */
  of: queries.values((query, groupId: Value<number>) =>
    query.selectFrom('user_group_member').select('user_id').where('group_id', '=', groupId).orderBy('user_id'),
  ),
  groupsOf: queries.values((query, userId: Value<number>) =>
    query.selectFrom('user_group_member').select('group_id').where('user_id', '=', userId).orderBy('group_id'),
  ),
  isIn: queries.value((query, groupId: Value<number>, userId: Value<number>) =>
    query.selectFrom('user_group_member').select('user_id').where('group_id', '=', groupId).where('user_id', '=', userId),
  ),
  insert: queries.run((query, group_id: Value<number>, user_id: Value<number>) =>
    query.insertInto('user_group_member').values({ group_id, user_id }),
  ),
  delete: queries.run((query, groupId: Value<number>, userId: Value<number>) =>
    query.deleteFrom('user_group_member').where('group_id', '=', groupId).where('user_id', '=', userId),
  ),
};

export const subgroups = {
  all: queries.rows((query) => query.selectFrom('user_group_subgroup').selectAll().orderBy('group_id').orderBy('subgroup_id')),
  of: queries.values((query, groupId: Value<number>) =>
    query.selectFrom('user_group_subgroup').select('subgroup_id').where('group_id', '=', groupId).orderBy('subgroup_id'),
  ),
  /** The groups that contain this one directly. */
  parentsOf: queries.values((query, id: Value<number>) =>
    query.selectFrom('user_group_subgroup').select('group_id').where('subgroup_id', '=', id),
  ),
  insert: queries.run((query, group_id: Value<number>, subgroup_id: Value<number>) =>
    query.insertInto('user_group_subgroup').values({ group_id, subgroup_id }),
  ),
  delete: queries.run((query, groupId: Value<number>, id: Value<number>) =>
    query.deleteFrom('user_group_subgroup').where('group_id', '=', groupId).where('subgroup_id', '=', id),
  ),
};

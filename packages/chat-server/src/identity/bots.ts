import { maxActiveBots, maxBots } from '@engawa/protocol';
import type { Kysely } from 'kysely';
import { type Columns, type Reader, type Value, each } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Row, type Schema, columns, queries } from '../schema.ts';
import type { UserRow } from './store.ts';

export type BotRow = Row<'bot'> & UserRow;
type NewBot = Pick<UserRow, 'email' | 'full_name' | 'role' | 'bot_type' | 'bot_owner_id' | 'date_joined'>;

const defaultColumns = ['default_sending_stream', 'default_events_register_stream', 'default_all_public_streams'] as const;
export type BotDefaults = Pick<Row<'bot'>, (typeof defaultColumns)[number]>;

const botRows = (query: Kysely<Schema>) => query.selectFrom('user').innerJoin('bot', 'bot.user_id', 'user.id').selectAll();

const insertUser = queries.insert((query, bot: Columns<NewBot>) =>
  query.insertInto('user').values({
    is_active: 1,
    avatar_version: 1,
    is_bot: 1,
    password: '',
    timezone: '',
    granted_role: bot.role,
    ...columns(bot, ['email', 'full_name', 'role', 'bot_type', 'bot_owner_id', 'date_joined']),
  }),
);

/** Users that programs use. Each has an owner, who is a person. */
export const bots = {
  insertUser,
  insert: queries.run((query, bot: Columns<Row<'bot'>>) =>
    query.insertInto('bot').values(columns(bot, ['user_id', 'api_key', ...defaultColumns])),
  ),
  byId: queries.row((query, id: Value<number>) => botRows(query).where('user.id', '=', id)),
  all: queries.rows((query) => botRows(query).orderBy('user.id')),
  ofOwner: queries.rows((query, ownerId: Value<number>) => botRows(query).where('bot_owner_id', '=', ownerId).orderBy('user.id')),
  ofOwners: queries.rows((query, ownerIds: Value<readonly number[]>) =>
    query
      .selectFrom('user')
      .select(['id', 'role', 'is_active', 'bot_owner_id'])
      .where('bot_owner_id', 'in', each(ownerIds))
      .orderBy('id'),
  ),
  setOwner: queries.run((query, id: Value<number>, bot_owner_id: Value<number>) =>
    query.updateTable('user').set({ bot_owner_id }).where('id', '=', id),
  ),
  setGrantedRole: queries.run((query, id: Value<number>, granted_role: Value<number>) =>
    query.updateTable('user').set({ granted_role }).where('id', '=', id),
  ),
  setKey: queries.run((query, id: Value<number>, api_key: Value<string>) =>
    query.updateTable('bot').set({ api_key }).where('user_id', '=', id),
  ),
  /** Their owners can then only renew them. */
  forgetKeys: queries.run((query) => query.updateTable('bot').set({ api_key: '' })),
  setDefaults: queries.run((query, id: Value<number>, defaults: Columns<BotDefaults>) =>
    query.updateTable('bot').set(columns(defaults, defaultColumns)).where('user_id', '=', id),
  ),
};

/** Call it before another bot of the owner becomes active. @param isNew whether the bot is created now. @throws ChatError */
export function refuseTooManyBots(reader: Reader, ownerId: number, isNew: boolean): void {
  const own = bots.ofOwner(reader, ownerId);
  const active = own.filter(({ is_active }) => is_active).length;
  if (active >= maxActiveBots) throw refused.tooManyActiveBots(maxActiveBots);
  if (isNew && own.length >= maxBots) throw refused.tooManyBots(maxBots);
}

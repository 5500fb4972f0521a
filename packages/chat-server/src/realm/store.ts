import type { BotCreation, ReadReceiptsShown } from '@engawa/protocol';
import { sql } from 'kysely';
import type { Transaction, Columns, Value } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

const updateEpoch = queries.run((query, epoch: Value<string>) => query.updateTable('realm').set({ epoch }).where('id', '=', 1));
const deleteQueues = queries.run((query) => query.deleteFrom('queue'));

const settingColumns = [
  'name',
  'description',
  'content_edit_limit',
  'deletion_limit',
  'topic_edit_limit',
  'read_receipts',
  'bot_creation',
] as const;
type RealmSettingsRow = Pick<Row<'realm'>, (typeof settingColumns)[number]>;
export type RealmEmojiRow = Row<'realm_emoji'>;
export type LinkifierRow = Row<'linkifier'>;

/** The organisation. There is at most one. */
export const realms = {
  get: queries.row((query) => query.selectFrom('realm').selectAll()),
  insert: queries.run((query, realm: Columns<Omit<Row<'realm'>, 'id'>>) =>
    query.insertInto('realm').values({ id: 1, ...columns(realm, [...settingColumns, 'epoch', 'created']) }),
  ),
  /** Ends all queues, because the state of their clients may differ from the data, for example after a restore. */
  beginEpoch: (tx: Transaction, epoch: string) => {
    deleteQueues(tx);
    updateEpoch(tx, epoch);
  },
  setSettings: queries.run((query, settings: Columns<RealmSettingsRow>) =>
    query.updateTable('realm').set(columns(settings, settingColumns)).where('id', '=', 1),
  ),
  setBotCreation: queries.run((query, bot_creation: Value<BotCreation>) =>
    query.updateTable('realm').set({ bot_creation }).where('id', '=', 1),
  ),
  setReadReceipts: queries.run((query, read_receipts: Value<ReadReceiptsShown>) =>
    query.updateTable('realm').set({ read_receipts }).where('id', '=', 1),
  ),
};

/** Deactivated emoji stay, because messages may still contain them. */
export const realmEmoji = {
  all: queries.rows((query) => query.selectFrom('realm_emoji').selectAll().orderBy('id')),
  byId: queries.row((query, id: Value<number>) => query.selectFrom('realm_emoji').selectAll().where('id', '=', id)),
  /** The active emoji of this name. The condition is a literal, because only then SQLite uses the index of active emoji. */
  byName: queries.row((query, name: Value<string>) =>
    query.selectFrom('realm_emoji').selectAll().where('name', '=', name).where('deactivated', '=', sql.lit(0)),
  ),
  count: queries.row((query) =>
    query
      .selectFrom('realm_emoji')
      .select((build) => [
        build.fn.countAll<number>().as('ever'),
        build.fn.countAll<number>().filterWhere('deactivated', '=', 0).as('active'),
      ]),
  ),
  deactivate: queries.run((query, id: Value<number>) =>
    query.updateTable('realm_emoji').set({ deactivated: 1 }).where('id', '=', id),
  ),
  insert: queries.run((query, emoji: Columns<Omit<RealmEmojiRow, 'id'>>) =>
    query.insertInto('realm_emoji').values(columns(emoji, ['name', 'source_url', 'author_id', 'deactivated'])),
  ),
};

const nextPosition = queries.value((query) =>
  query.selectFrom('linkifier').select((build) => build.fn.coalesce(build.fn.max('position'), build.lit(0)).as('position')),
);
const insertLinkifier = queries.insert((query, linkifier: Columns<Omit<LinkifierRow, 'id'>>) =>
  query.insertInto('linkifier').values(columns(linkifier, ['pattern', 'url_template', 'position'])),
);

/** In order of precedence. */
export const linkifiers = {
  all: queries.rows((query) =>
    query.selectFrom('linkifier').select(['id', 'pattern', 'url_template']).orderBy('position').orderBy('id'),
  ),
  insert: (tx: Transaction, linkifier: Pick<LinkifierRow, 'pattern' | 'url_template'>): number =>
    insertLinkifier(tx, { ...linkifier, position: (nextPosition(tx) ?? 0) + 1 }),
  update: queries.run((query, id: Value<number>, pattern: Value<string>, url_template: Value<string>) =>
    query.updateTable('linkifier').set({ pattern, url_template }).where('id', '=', id),
  ),
  setPosition: queries.run((query, id: Value<number>, position: Value<number>) =>
    query.updateTable('linkifier').set({ position }).where('id', '=', id),
  ),
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('linkifier').where('id', '=', id)),
};

export const playgrounds = {
  all: queries.rows((query) => query.selectFrom('playground').selectAll().orderBy('id')),
  insert: queries.insert((query, row: Columns<Omit<Row<'playground'>, 'id'>>) =>
    query.insertInto('playground').values(columns(row, ['name', 'pygments_language', 'url_template'])),
  ),
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('playground').where('id', '=', id)),
};

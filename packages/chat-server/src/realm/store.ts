import type { ReadReceiptsShown } from '@engawa/protocol';
import { sql } from 'kysely';
import type { Transaction, Columns, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

const updateEpoch = queries.run((query, epoch: Value<string>) => query.updateTable('realm').set({ epoch }).where('id', '=', 1));
const deleteQueues = queries.run((query) => query.deleteFrom('queue'));

type RealmSettingsRow = Omit<Row<'realm'>, 'id' | 'epoch' | 'created'>;
export type RealmEmojiRow = Row<'realm_emoji'>;
export type LinkifierRow = Row<'linkifier'>;

/** The organisation. There is at most one. */
export const realms = {
  get: queries.row((query) => query.selectFrom('realm').selectAll()),
  insert: queries.run((query, realm: Columns<Omit<Row<'realm'>, 'id'>>) =>
    query.insertInto('realm').values({
      id: 1,
      name: realm.name,
      description: realm.description,
      epoch: realm.epoch,
      created: realm.created,
      content_edit_limit: realm.content_edit_limit,
      deletion_limit: realm.deletion_limit,
      topic_edit_limit: realm.topic_edit_limit,
      read_receipts: realm.read_receipts,
    }),
  ),
  /** Ends all registrations, because their clients hold the state of another epoch. */
  beginEpoch: (tx: Transaction, epoch: string) => {
    deleteQueues(tx);
    updateEpoch(tx, epoch);
  },
  setSettings: queries.run((query, settings: Columns<RealmSettingsRow>) =>
    query
      .updateTable('realm')
      .set({
        name: settings.name,
        description: settings.description,
        content_edit_limit: settings.content_edit_limit,
        deletion_limit: settings.deletion_limit,
        topic_edit_limit: settings.topic_edit_limit,
        read_receipts: settings.read_receipts,
      })
      .where('id', '=', 1),
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
  insert: queries.run((query, emoji: Columns<Omit<RealmEmojiRow, 'id'>>) =>
    query.insertInto('realm_emoji').values({
      name: emoji.name,
      source_url: emoji.source_url,
      author_id: emoji.author_id,
      deactivated: emoji.deactivated,
    }),
  ),
};

/** In order of precedence. */
export const linkifiers = {
  all: queries.rows((query) => query.selectFrom('linkifier').selectAll().orderBy('id')),
  insert: queries.run((query, linkifier: Columns<Omit<LinkifierRow, 'id'>>) =>
    query.insertInto('linkifier').values({ pattern: linkifier.pattern, url_template: linkifier.url_template }),
  ),
};

import type { ReadReceiptsShown } from '@engawa/protocol';
import { sql } from 'kysely';
import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

const selectRealm = statement()((query) => query.selectFrom('realm').selectAll());
const insertRealm = statement<Omit<Row<'realm'>, 'id'>>()((query, value) =>
  query.insertInto('realm').values({
    id: 1,
    name: value.name,
    description: value.description,
    epoch: value.epoch,
    created: value.created,
    content_edit_limit: value.content_edit_limit,
    deletion_limit: value.deletion_limit,
    topic_edit_limit: value.topic_edit_limit,
    read_receipts: value.read_receipts,
  }),
);

const updateReadReceipts = statement<Pick<Row<'realm'>, 'read_receipts'>>()((query, value) =>
  query.updateTable('realm').set({ read_receipts: value.read_receipts }).where('id', '=', 1),
);

const updateEpoch = statement<Pick<Row<'realm'>, 'epoch'>>()((query, value) =>
  query.updateTable('realm').set({ epoch: value.epoch }).where('id', '=', 1),
);
const deleteQueues = statement()((query) => query.deleteFrom('queue'));
type RealmSettingsRow = Omit<Row<'realm'>, 'id' | 'epoch' | 'created'>;
const updateSettings = statement<RealmSettingsRow>()((query, value) =>
  query
    .updateTable('realm')
    .set({
      name: value.name,
      description: value.description,
      content_edit_limit: value.content_edit_limit,
      deletion_limit: value.deletion_limit,
      topic_edit_limit: value.topic_edit_limit,
      read_receipts: value.read_receipts,
    })
    .where('id', '=', 1),
);

export type RealmEmojiRow = Row<'realm_emoji'>;
const insertEmoji = statement<Omit<RealmEmojiRow, 'id'>>()((query, value) =>
  query.insertInto('realm_emoji').values({
    name: value.name,
    source_url: value.source_url,
    author_id: value.author_id,
    deactivated: value.deactivated,
  }),
);
const selectEmoji = statement()((query) => query.selectFrom('realm_emoji').selectAll().orderBy('id'));
const selectEmojiById = statement<{ id: number }>()((query, value) =>
  query.selectFrom('realm_emoji').selectAll().where('id', '=', value.id),
);
/** Its condition is written out, because only then SQLite finds the row by the index that holds no others. */
const selectEmojiByName = statement<{ name: string }>()((query, value) =>
  query.selectFrom('realm_emoji').selectAll().where('name', '=', value.name).where('deactivated', '=', sql.lit(0)),
);

export type LinkifierRow = Row<'linkifier'>;
const insertLinkifier = statement<Omit<LinkifierRow, 'id'>>()((query, value) =>
  query.insertInto('linkifier').values({ pattern: value.pattern, url_template: value.url_template }),
);
const selectLinkifiers = statement()((query) => query.selectFrom('linkifier').selectAll().orderBy('id'));

/** The organisation; there is one or none. */
export const realms = {
  get: (reader: Reader) => reader.get(selectRealm, {}),
  insert: (tx: Transaction, realm: Omit<Row<'realm'>, 'id'>) => tx.run(insertRealm, realm),
  /** Ends every registration: what their clients were told of is not what is here. */
  beginEpoch: (tx: Transaction, epoch: string) => {
    tx.run(deleteQueues, {});
    tx.run(updateEpoch, { epoch });
  },
  setSettings: (tx: Transaction, settings: RealmSettingsRow) => tx.run(updateSettings, settings),
  setReadReceipts: (tx: Transaction, read_receipts: ReadReceiptsShown) => tx.run(updateReadReceipts, { read_receipts }),
};

/** The emoji of the organisation's own. One that was taken away is kept, because messages may still show it. */
export const realmEmoji = {
  all: (reader: Reader) => reader.all(selectEmoji, {}),
  byId: (reader: Reader, id: number) => reader.get(selectEmojiById, { id }),
  /** The one that bears the name now. */
  byName: (reader: Reader, name: string) => reader.get(selectEmojiByName, { name }),
  insert: (tx: Transaction, emoji: Omit<RealmEmojiRow, 'id'>) => tx.run(insertEmoji, emoji),
};

/** Patterns whose hits become links, in the order in which they are tried. */
export const linkifiers = {
  all: (reader: Reader): LinkifierRow[] => reader.all(selectLinkifiers, {}),
  insert: (tx: Transaction, linkifier: Omit<LinkifierRow, 'id'>) => tx.run(insertLinkifier, linkifier),
};

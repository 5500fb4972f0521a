import { type Expression, type Kysely, sql } from 'kysely';
import { type Direction, type Span, orderOf } from '../conversations/access.ts';
import { type Columns, type Reader, type Value, each } from '../database/index.ts';
import { type Row, type Schema, queries } from '../schema.ts';
import { sentMessages } from './sentMessages.ts';
import { featureBits } from '../conversations/messageHeaders.ts';

export interface Candidate {
  readonly id: number;
  readonly conversation_id: number;
  readonly sender_id: number;
  readonly topic_key: string;
  /** The `featureBits` of the message. */
  readonly features: number;
  readonly read_by_sender: number;
  /** The `flagBits` of the member on this message. */
  readonly bits: number;
  readonly reacted: number;
}

export type Candidates = Generator<Candidate, void>;

export interface Walk {
  readonly direction: Direction;
  readonly span: Span;
  readonly includeDeleted: boolean;
}

interface Page extends Span {
  readonly includeDeleted: boolean;
  readonly most: number;
}

/** Conditions for which a database index exists. Without any, all messages of the conversation are candidates. */
export interface Conditions {
  readonly topicKey?: string;
  readonly senderId?: number;
  readonly feature?: keyof typeof featureBits;
}

const candidatesOf = (query: Kysely<Schema>, userId: Expression<number>, index = sql``) =>
  query
    .selectFrom(sql<Row<'message'>>`message`.as<'message'>(sql`message ${index}`))
    .leftJoin('message_flag', (join) =>
      join.onRef('message_flag.message_id', '=', 'message.id').on('message_flag.user_id', '=', userId),
    )
    .select(['message.id', 'conversation_id', 'sender_id', 'topic_key', 'features', 'read_by_sender'])
    .select((build) => [
      build.fn.coalesce('message_flag.bits', sql<number>`0`).as('bits'),
      sql<number>`EXISTS (SELECT 1 FROM reaction WHERE reaction.message_id = message.id)`.as('reacted'),
    ]);

const isShown = (includeDeleted: Value<boolean>) => sql<boolean>`(deleted IS NULL OR ${includeDeleted})`;

const selectOne = queries.row((query, userId: Value<number>, id: Value<number>, includeDeleted: Value<boolean>) =>
  candidatesOf(query, userId).where('message.id', '=', id).where(isShown(includeDeleted)),
);

const selectByIds = (direction: Direction) =>
  queries.rows((query, userId: Value<number>, ids: Value<readonly number[]>, includeDeleted: Value<boolean>) =>
    candidatesOf(query, userId)
      .where('message.id', 'in', each(ids))
      .where(isShown(includeDeleted))
      .orderBy('message.id', orderOf[direction]),
  );
const byIds = { up: selectByIds('up'), down: selectByIds('down') };

const selectFlagged = (direction: Direction) =>
  queries.rows((query, userId: Value<number>, { after, upTo, includeDeleted, most }: Columns<Page>) =>
    candidatesOf(query, userId)
      .where('message_flag.user_id', '=', userId)
      .where('message_flag.message_id', '>', after)
      .where('message_flag.message_id', '<=', upTo)
      .where(isShown(includeDeleted))
      .orderBy('message_flag.message_id', orderOf[direction])
      .limit(most),
  );
const flagged = { up: selectFlagged('up'), down: selectFlagged('down') };

interface SearchIndexOfTable {
  /** The index that holds the candidates in ascending order of ids. The query names it, because SQLite would choose another. */
  readonly index: string;
  readonly where?: (topicKey: Value<string>) => Expression<boolean>;
}
const withFeature = (bit: number) => () => sql<boolean>`features & ${sql.lit(bit)}`;
const indexes = {
  all: { index: 'message_of_conversation' },
  topic: { index: 'message_by_topic', where: (topicKey) => sql`topic_key = ${topicKey}` },
  link: { index: 'message_with_link', where: withFeature(featureBits.link) },
  image: { index: 'message_with_image', where: withFeature(featureBits.image) },
  attachment: { index: 'message_with_attachment', where: withFeature(featureBits.attachment) },
  mentionsAll: { index: 'message_to_all', where: withFeature(featureBits.mentionsAll) },
} as const satisfies Record<string, SearchIndexOfTable>;

/** Chooses the index with the fewest candidates. The narrow's terms check all other conditions afterwards. */
function indexFor({ topicKey, feature }: Conditions): keyof typeof indexes {
  if (feature !== undefined) return feature;
  return topicKey === undefined ? 'all' : 'topic';
}

const selectInConversation = (direction: Direction, { index, where = () => sql`TRUE` }: SearchIndexOfTable) =>
  queries.rows(
    (
      query,
      userId: Value<number>,
      conversationId: Value<number>,
      topicKey: Value<string>,
      { after, upTo, includeDeleted, most }: Columns<Page>,
    ) =>
      candidatesOf(query, userId, sql`INDEXED BY ${sql.ref(index)}`)
        .where('conversation_id', '=', conversationId)
        .where(where(topicKey))
        .where('message.id', '>', after)
        .where('message.id', '<=', upTo)
        .where(isShown(includeDeleted))
        .orderBy('message.id', orderOf[direction])
        .limit(most),
  );
const byIndex = (direction: Direction) => ({
  all: selectInConversation(direction, indexes.all),
  topic: selectInConversation(direction, indexes.topic),
  link: selectInConversation(direction, indexes.link),
  image: selectInConversation(direction, indexes.image),
  attachment: selectInConversation(direction, indexes.attachment),
  mentionsAll: selectInConversation(direction, indexes.mentionsAll),
});
const inConversation = { up: byIndex('up'), down: byIndex('down') };

const selectNewest = queries.rows((query, userId: Value<number>, { after, upTo, includeDeleted, most }: Columns<Page>) =>
  candidatesOf(query, userId)
    .where('message.id', '>', after)
    .where('message.id', '<=', upTo)
    .where(isShown(includeDeleted))
    .orderBy('message.id', 'desc')
    .limit(most),
);

/** Candidates are read in pages that start small, in case a few suffice, and grow up to `largest`. */
const pageSizes = { first: 24, growth: 4, largest: 1000 } as const;

function* pages<Item extends { readonly id: number }>(
  { direction, span, includeDeleted }: Walk,
  read: (page: Page) => readonly Item[],
): Generator<readonly Item[], void> {
  let left = span;
  for (let most: number = pageSizes.first; ; most = Math.min(most * pageSizes.growth, pageSizes.largest)) {
    const page = read({ ...left, includeDeleted, most });
    yield page;
    const last = page.at(-1);
    if (!last || page.length < most) return;
    left = direction === 'up' ? { ...left, after: last.id } : { ...left, upTo: last.id - 1 };
  }
}

function* paged(walk: Walk, read: (page: Page) => readonly Candidate[]): Candidates {
  for (const page of pages(walk, read)) yield* page;
}

export type FindIds = (span: Span, direction: Direction, most: number) => readonly number[];

export const candidates = {
  one: selectOne,

  flagged: (reader: Reader, userId: number, walk: Walk): Candidates =>
    paged(walk, (page) => flagged[walk.direction](reader, userId, page)),

  *found(reader: Reader, userId: number, find: FindIds, walk: Walk): Candidates {
    const { direction, includeDeleted } = walk;
    for (const page of pages(walk, ({ most, ...span }) => find(span, direction, most).map((id) => ({ id })))) {
      const ids = page.map(({ id }) => id);
      yield* byIds[direction](reader, userId, ids, includeDeleted);
    }
  },

  /** Messages of all conversations, newest first. The caller checks which of them the user may read. */
  newest: (reader: Reader, userId: number, walk: Omit<Walk, 'direction'>): Candidates =>
    paged({ ...walk, direction: 'down' }, (page) => selectNewest(reader, userId, page)),

  inConversation(reader: Reader, userId: number, conversationId: number, conditions: Conditions, walk: Walk): Candidates {
    const { topicKey = '', senderId, feature } = conditions;
    if (senderId !== undefined && feature === undefined) {
      return candidates.found(
        reader,
        userId,
        (...page) => sentMessages.idsIn(reader, { conversationId, senderId }, ...page),
        walk,
      );
    }
    const select = inConversation[walk.direction][indexFor(conditions)];
    return paged(walk, (page) => select(reader, userId, conversationId, topicKey, page));
  },
};

import { type Expression, type Kysely, sql } from 'kysely';
import type { Direction, Span } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { type Row, type Schema, statement } from '../schema.ts';
import { featureBits } from './features.ts';

/** A message with all that the terms of a narrow are told from. */
export interface Candidate {
  readonly id: number;
  readonly conversation_id: number;
  readonly sender_id: number;
  readonly topic_key: string;
  /** Its `featureBits`. */
  readonly features: number;
  /** The `flagBits` of the member who asks. */
  readonly bits: number;
  /** 1 where somebody reacted to it. */
  readonly reacted: number;
}

/** How candidates are read. */
export interface Walk {
  readonly direction: Direction;
  readonly span: Span;
  readonly includeDeleted: boolean;
}

/** By what the candidates of a conversation may be found; all of them are read where nothing is said. */
export interface Sought {
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
    .select(['message.id', 'conversation_id', 'sender_id', 'topic_key', 'features'])
    .select((build) => [
      build.fn.coalesce('message_flag.bits', sql<number>`0`).as('bits'),
      sql<number>`EXISTS (SELECT 1 FROM reaction WHERE reaction.message_id = message.id)`.as('reacted'),
    ]);

const selectOne = statement<{ user_id: number; id: number; include_deleted: number }>()((query, value) =>
  candidatesOf(query, value.user_id)
    .where('message.id', '=', value.id)
    .where(sql<boolean>`(deleted IS NULL OR ${value.include_deleted})`),
);

const order = { up: 'asc', down: 'desc' } as const;

const theseIn = (direction: Direction) =>
  statement<{ user_id: number; ids: string; include_deleted: number }>()((query, value) =>
    candidatesOf(query, value.user_id)
      .where('message.id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`)
      .where(sql<boolean>`(deleted IS NULL OR ${value.include_deleted})`)
      .orderBy('message.id', order[direction]),
  );
const selectThese = { up: theseIn('up'), down: theseIn('down') };

const flagged = (direction: Direction) =>
  statement<{ user_id: number; after: number; up_to: number; include_deleted: number; most: number }>()((query, value) =>
    candidatesOf(query, value.user_id)
      .where('message_flag.user_id', '=', value.user_id)
      .where('message_flag.message_id', '>', value.after)
      .where('message_flag.message_id', '<=', value.up_to)
      .where(sql<boolean>`(deleted IS NULL OR ${value.include_deleted})`)
      .orderBy('message_flag.message_id', order[direction])
      .limit(value.most),
  );
const flaggedPage = { up: flagged('up'), down: flagged('down') };

interface Found {
  /** Its order is that of the ids, and what it does not hold is not looked at. SQLite would choose another. */
  readonly index: string;
  readonly where?: (value: {
    readonly topic_key: Expression<string>;
    readonly sender_id: Expression<number>;
  }) => Expression<boolean>;
}
const withFeature = (bit: number) => () => sql<boolean>`features & ${sql.lit(bit)}`;
const found = {
  all: { index: 'message_of_conversation' },
  topic: { index: 'message_by_topic', where: ({ topic_key }) => sql`topic_key = ${topic_key}` },
  sender: { index: 'message_by_sender', where: ({ sender_id }) => sql`sender_id = ${sender_id}` },
  link: { index: 'message_with_link', where: withFeature(featureBits.link) },
  image: { index: 'message_with_image', where: withFeature(featureBits.image) },
  attachment: { index: 'message_with_attachment', where: withFeature(featureBits.attachment) },
  mentionsAll: { index: 'message_to_all', where: withFeature(featureBits.mentionsAll) },
} as const satisfies Record<string, Found>;

/** By one, the rarest; the terms see to the others. */
function foundBy({ topicKey, senderId, feature }: Sought): keyof typeof found {
  if (feature !== undefined) return feature;
  if (senderId !== undefined) return 'sender';
  return topicKey === undefined ? 'all' : 'topic';
}

const inConversation = (direction: Direction, { index, where = () => sql`TRUE` }: Found) =>
  statement<{
    user_id: number;
    conversation_id: number;
    topic_key: string;
    sender_id: number;
    after: number;
    up_to: number;
    include_deleted: number;
    most: number;
  }>()((query, value) =>
    candidatesOf(query, value.user_id, sql`INDEXED BY ${sql.ref(index)}`)
      .where('conversation_id', '=', value.conversation_id)
      .where(where(value))
      .where('message.id', '>', value.after)
      .where('message.id', '<=', value.up_to)
      .where(sql<boolean>`(deleted IS NULL OR ${value.include_deleted})`)
      .orderBy('message.id', order[direction])
      .limit(value.most),
  );
const pagesOfConversations = (direction: Direction) => ({
  all: inConversation(direction, found.all),
  topic: inConversation(direction, found.topic),
  sender: inConversation(direction, found.sender),
  link: inConversation(direction, found.link),
  image: inConversation(direction, found.image),
  attachment: inConversation(direction, found.attachment),
  mentionsAll: inConversation(direction, found.mentionsAll),
});
const conversationPages = { up: pagesOfConversations('up'), down: pagesOfConversations('down') };

const newestAnywhere = statement<{ user_id: number; after: number; up_to: number; include_deleted: number; most: number }>()(
  (query, value) =>
    candidatesOf(query, value.user_id)
      .where('message.id', '>', value.after)
      .where('message.id', '<=', value.up_to)
      .where(sql<boolean>`(deleted IS NULL OR ${value.include_deleted})`)
      .orderBy('message.id', 'desc')
      .limit(value.most),
);

/** Candidates that are read at once: few, in case they are enough, and then more. */
const pageSizes = { first: 24, growth: 4, largest: 1000 } as const;

/** Page by page, as they are asked for. */
function* pages<Item extends { readonly id: number }>(
  { direction, span }: Walk,
  read: (span: Span, most: number) => readonly Item[],
): Generator<readonly Item[], undefined> {
  let left = span;
  for (let most: number = pageSizes.first; ; most = Math.min(most * pageSizes.growth, pageSizes.largest)) {
    const page = read(left, most);
    yield page;
    const last = page.at(-1);
    if (!last || page.length < most) return undefined;
    left = direction === 'up' ? { ...left, after: last.id } : { ...left, upTo: last.id - 1 };
  }
}

function* paged(walk: Walk, read: Parameters<typeof pages<Candidate>>[1]): Generator<Candidate, undefined> {
  for (const page of pages(walk, read)) yield* page;
  return undefined;
}

const readThese = (
  reader: Reader,
  userId: number,
  ids: readonly number[],
  { direction, includeDeleted }: Walk,
): readonly Candidate[] =>
  reader.all(selectThese[direction], {
    user_id: userId,
    ids: JSON.stringify(ids),
    include_deleted: includeDeleted ? 1 : 0,
  });

/** Messages as narrows look at them, read by one index or another. */
export const candidates = {
  one: (reader: Reader, userId: number, id: number, includeDeleted: boolean): Candidate | undefined =>
    reader.get(selectOne, { user_id: userId, id, include_deleted: includeDeleted ? 1 : 0 }),

  /** Those that bear a flag of the member's, of whatever conversation. */
  flagged: (reader: Reader, userId: number, walk: Walk): Generator<Candidate, undefined> =>
    paged(walk, ({ after, upTo }, most) =>
      reader.all(flaggedPage[walk.direction], {
        user_id: userId,
        after,
        up_to: upTo,
        include_deleted: walk.includeDeleted ? 1 : 0,
        most,
      }),
    ),

  /** Those whose ids are found elsewhere: the first in a span, in the order of the walk. */
  *found(
    reader: Reader,
    userId: number,
    find: (span: Span, direction: Direction, most: number) => readonly number[],
    walk: Walk,
  ): Generator<Candidate, undefined> {
    const read = (span: Span, most: number) => find(span, walk.direction, most).map((id) => ({ id }));
    for (const page of pages(walk, read)) {
      yield* readThese(
        reader,
        userId,
        page.map(({ id }) => id),
        walk,
      );
    }
    return undefined;
  },

  /** Those of the ids, which come in the order of the walk, read page by page as they are asked for. */
  *these(reader: Reader, userId: number, ids: readonly number[], walk: Walk): Generator<Candidate, undefined> {
    let most: number = pageSizes.first;
    for (let from = 0; from < ids.length;) {
      yield* readThese(reader, userId, ids.slice(from, from + most), walk);
      from += most;
      most *= pageSizes.growth;
    }
    return undefined;
  },

  /** Those of all conversations, whoever may read them, the newest first. */
  newest: (reader: Reader, userId: number, { span, includeDeleted }: Omit<Walk, 'direction'>): Generator<Candidate, undefined> =>
    paged({ direction: 'down', span, includeDeleted }, ({ after, upTo }, most) =>
      reader.all(newestAnywhere, {
        user_id: userId,
        after,
        up_to: upTo,
        include_deleted: includeDeleted ? 1 : 0,
        most,
      }),
    ),

  /** Those of one conversation. */
  inConversation: (
    reader: Reader,
    userId: number,
    conversationId: number,
    sought: Sought,
    walk: Walk,
  ): Generator<Candidate, undefined> =>
    paged(walk, ({ after, upTo }, most) =>
      reader.all(conversationPages[walk.direction][foundBy(sought)], {
        user_id: userId,
        conversation_id: conversationId,
        topic_key: sought.topicKey ?? '',
        sender_id: sought.senderId ?? 0,
        after,
        up_to: upTo,
        include_deleted: walk.includeDeleted ? 1 : 0,
        most,
      }),
    ),
};

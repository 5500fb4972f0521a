import type { Columns, Reader, Transaction, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

const insertConversation = queries.insert((query, conversation: Columns<Pick<Row<'conversation'>, 'kind' | 'shared_history'>>) =>
  query.insertInto('conversation').values({ kind: conversation.kind, shared_history: conversation.shared_history }),
);
const insertDirect = queries.run((query, direct: Columns<Row<'direct'>>) =>
  query.insertInto('direct').values({ conversation_id: direct.conversation_id, participants: direct.participants }),
);
const selectDirect = queries.value((query, participants: Value<string>) =>
  query.selectFrom('direct').select('conversation_id').where('participants', '=', participants),
);
const selectParticipants = queries.value((query, id: Value<number>) =>
  query.selectFrom('direct').select('participants').where('conversation_id', '=', id),
);
const selectDirectsOf = queries.rows((query, userId: Value<number>) =>
  query
    .selectFrom('membership')
    .innerJoin('direct', 'direct.conversation_id', 'membership.conversation_id')
    .selectAll('direct')
    .where('user_id', '=', userId)
    .where('ended_event', 'is', null),
);
const selectRecentDirects = queries.rows((query, userId: Value<number>, most: Value<number>) =>
  query
    .selectFrom('membership')
    .innerJoin('direct', 'direct.conversation_id', 'membership.conversation_id')
    .select((build) => [
      'direct.participants',
      build
        .selectFrom('message')
        .select('message.id')
        .whereRef('message.conversation_id', '=', 'direct.conversation_id')
        .where('message.deleted', 'is', null)
        .orderBy('message.id', 'desc')
        .limit(1)
        .as('newest'),
    ])
    .where('user_id', '=', userId)
    .where('ended_event', 'is', null)
    .orderBy('newest', 'desc')
    .limit(most),
);

/** Conversations are streams and direct conversations. The participants of a direct conversation are user ids, ascending. */
export const conversations = {
  insert: (tx: Transaction, kind: Row<'conversation'>['kind'], sharedHistory: boolean): number =>
    insertConversation(tx, { kind, shared_history: sharedHistory ? 1 : 0 }),
  insertDirect(tx: Transaction, participants: readonly number[]): number {
    const id = conversations.insert(tx, 'direct', true);
    insertDirect(tx, { conversation_id: id, participants: participantsKey(participants) });
    return id;
  },
  directOf: (reader: Reader, participants: readonly number[]) => selectDirect(reader, participantsKey(participants)),
  /** @returns undefined for a stream. */
  participants(reader: Reader, id: number): readonly number[] | undefined {
    const key = selectParticipants(reader, id);
    return key === undefined ? undefined : parseParticipants(key);
  },
  directsOf: (reader: Reader, userId: number): ReadonlyMap<number, readonly number[]> =>
    new Map(selectDirectsOf(reader, userId).map((row) => [row.conversation_id, parseParticipants(row.participants)])),
  /** The conversations with messages, the one with the newest message first. The query examines each direct conversation once. */
  recentDirects: (reader: Reader, userId: number, most: number) =>
    selectRecentDirects(reader, userId, most).flatMap(({ participants, newest }) =>
      newest === null ? [] : [{ participants: parseParticipants(participants), newest }],
    ),
};

const participantsKey = (participants: readonly number[]): string =>
  [...new Set(participants)].toSorted((one, other) => one - other).join();
const parseParticipants = (key: string): number[] => key.split(',').map(Number);

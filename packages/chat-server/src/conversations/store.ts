import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

export type StreamRow = Row<'stream'> & Pick<Row<'conversation'>, 'shared_history'>;
export type MembershipRow = Row<'membership'>;

const insertConversation = statement<{ kind: Row<'conversation'>['kind']; shared_history: number }>()(
  (query, value) =>
    query
      .insertInto('conversation')
      .values({ kind: value.kind, shared_history: value.shared_history })
      .returning('id'),
);

type NewStream = Omit<Row<'stream'>, 'is_archived' | 'first_message_id'>;
const insertStream = statement<NewStream>()((query, value) =>
  query.insertInto('stream').values({
    is_archived: 0,
    first_message_id: null,
    conversation_id: value.conversation_id,
    name: value.name,
    name_key: value.name_key,
    description: value.description,
    invite_only: value.invite_only,
    creator_id: value.creator_id,
    created: value.created,
  }),
);

const selectStream = statement<{ id: number }>()((query, value) =>
  query
    .selectFrom('stream')
    .innerJoin('conversation', 'conversation.id', 'stream.conversation_id')
    .selectAll('stream')
    .select('conversation.shared_history')
    .where('conversation.id', '=', value.id),
);
const selectStreamByName = statement<{ name_key: string }>()((query, value) =>
  query
    .selectFrom('stream')
    .innerJoin('conversation', 'conversation.id', 'stream.conversation_id')
    .selectAll('stream')
    .select('conversation.shared_history')
    .where('name_key', '=', value.name_key),
);
const noteFirstMessage = statement<{ id: number; message_id: number }>()((query, value) =>
  query
    .updateTable('stream')
    .set({ first_message_id: value.message_id })
    .where('conversation_id', '=', value.id)
    .where('first_message_id', 'is', null),
);

type NewStay = Pick<MembershipRow, 'conversation_id' | 'user_id' | 'began_event' | 'began_message' | 'color'>;
const insertStay = statement<NewStay>()((query, value) =>
  query.insertInto('membership').values({
    ended_event: null,
    ended_message: null,
    is_muted: 0,
    pin_to_top: 0,
    conversation_id: value.conversation_id,
    user_id: value.user_id,
    began_event: value.began_event,
    began_message: value.began_message,
    color: value.color,
  }),
);
const selectStays = statement<{ conversation_id: number; user_id: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('conversation', 'conversation.id', 'membership.conversation_id')
    .selectAll('membership')
    .select('conversation.shared_history')
    .where('conversation_id', '=', value.conversation_id)
    .where('user_id', '=', value.user_id)
    .orderBy('membership.id'),
);
const selectCurrentStays = statement<{ user_id: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .selectAll()
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is', null)
    .orderBy('conversation_id'),
);
const selectSubscribers = statement<{ conversation_id: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select('user_id')
    .where('conversation_id', '=', value.conversation_id)
    .where('ended_event', 'is', null)
    .where('user.is_active', '=', 1)
    .orderBy('user_id'),
);

/** Names are the same when they differ only in case, width or space around them. */
export const streamNameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

export const conversations = {
  insertStream(tx: Transaction, stream: Omit<NewStream, 'conversation_id' | 'name_key'>, sharedHistory: boolean): number {
    const inserted = tx.get(insertConversation, { kind: 'stream', shared_history: sharedHistory ? 1 : 0 });
    if (!inserted) throw new Error('an inserted conversation has an id');
    tx.run(insertStream, { ...stream, conversation_id: inserted.id, name_key: streamNameKey(stream.name) });
    return inserted.id;
  },
  stream: (reader: Reader, id: number) => reader.get(selectStream, { id }),
  streamByName: (reader: Reader, name: string) => reader.get(selectStreamByName, { name_key: streamNameKey(name) }),
  noteFirstMessage: (tx: Transaction, id: number, messageId: number) =>
    tx.run(noteFirstMessage, { id, message_id: messageId }),

  insertStay: (tx: Transaction, stay: NewStay) => tx.run(insertStay, stay),
  /** Every stay of a user in a conversation, the oldest first. */
  stays: (reader: Reader, conversationId: number, userId: number) =>
    reader.all(selectStays, { conversation_id: conversationId, user_id: userId }),
  /** The stays of a user that have not ended, one per conversation. */
  currentStays: (reader: Reader, userId: number) => reader.all(selectCurrentStays, { user_id: userId }),
  subscribers: (reader: Reader, conversationId: number) =>
    reader.all(selectSubscribers, { conversation_id: conversationId }).map(({ user_id }) => user_id),
};

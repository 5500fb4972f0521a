import { streamNameKey } from '@engawa/protocol';
import { sql } from 'kysely';
import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

export type StreamRow = Row<'stream'> & Pick<Row<'conversation'>, 'shared_history'>;
export type MembershipRow = Row<'membership'>;
/** A direct conversation: who takes part, ascending. */
interface DirectConversation {
  readonly conversationId: number;
  readonly participants: readonly number[];
}

const insertConversation = statement<{ kind: Row<'conversation'>['kind']; shared_history: number }>()((query, value) =>
  query.insertInto('conversation').values({ kind: value.kind, shared_history: value.shared_history }).returning('id'),
);

type NewStream = Omit<Row<'stream'>, 'is_archived' | 'first_message_id' | 'picture_url'>;
const insertDirect = statement<Row<'direct'>>()((query, value) =>
  query.insertInto('direct').values({ conversation_id: value.conversation_id, participants: value.participants }),
);
const selectDirect = statement<{ participants: string }>()((query, value) =>
  query.selectFrom('direct').selectAll().where('participants', '=', value.participants),
);
const selectParticipants = statement<{ id: number }>()((query, value) =>
  query.selectFrom('direct').select('participants').where('conversation_id', '=', value.id),
);
const selectDirectOf = statement<{ user_id: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('direct', 'direct.conversation_id', 'membership.conversation_id')
    .selectAll('direct')
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is', null),
);
const selectRecentDirects = statement<{ user_id: number; most: number }>()((query, value) =>
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
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is', null)
    .orderBy('newest', 'desc')
    .limit(value.most),
);

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
const renameStream = statement<{ id: number; name: string; name_key: string }>()((query, value) =>
  query.updateTable('stream').set({ name: value.name, name_key: value.name_key }).where('conversation_id', '=', value.id),
);
const describeStream = statement<{ id: number; description: string }>()((query, value) =>
  query.updateTable('stream').set({ description: value.description }).where('conversation_id', '=', value.id),
);
const pictureStream = statement<{ id: number; picture_url: string | null }>()((query, value) =>
  query.updateTable('stream').set({ picture_url: value.picture_url }).where('conversation_id', '=', value.id),
);
const noteFirstMessage = statement<{ id: number; message_id: number }>()((query, value) =>
  query
    .updateTable('stream')
    .set({ first_message_id: value.message_id })
    .where('conversation_id', '=', value.id)
    .where('first_message_id', 'is', null),
);

const setNameKey = statement<{ id: number; name_key: string }>()((query, value) =>
  query.updateTable('stream').set({ name_key: value.name_key }).where('conversation_id', '=', value.id),
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
/** The whole conversation's in the order of an index, for as far as it is asked for. */
const selectStaysIn = statement<{ conversation_id: number; most: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('conversation', 'conversation.id', 'membership.conversation_id')
    .select(['user_id', 'began_event', 'ended_event', 'began_message', 'ended_message', 'shared_history'])
    .where('conversation_id', '=', value.conversation_id)
    .orderBy('user_id')
    .orderBy('membership.id')
    .limit(value.most),
);
const selectStaysOf = statement<{ conversation_id: number; user_ids: string }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('conversation', 'conversation.id', 'membership.conversation_id')
    .select(['user_id', 'began_event', 'ended_event', 'began_message', 'ended_message', 'shared_history'])
    .where('conversation_id', '=', value.conversation_id)
    .where('user_id', 'in', sql<number>`(SELECT value FROM json_each(${value.user_ids}))`)
    .orderBy('membership.id'),
);
const selectEveryStay = statement<{ user_id: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('conversation', 'conversation.id', 'membership.conversation_id')
    .select(['conversation_id', 'began_event', 'ended_event', 'began_message', 'ended_message'])
    .select('conversation.shared_history')
    .where('user_id', '=', value.user_id)
    .orderBy('membership.id'),
);
const selectCurrentStay = statement<{ conversation_id: number; user_id: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .selectAll()
    .where('conversation_id', '=', value.conversation_id)
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is', null),
);
const selectCurrentStays = statement<{ user_id: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .selectAll()
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is', null)
    .orderBy('conversation_id'),
);
const selectSubscriptions = statement<{ user_id: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('stream', 'stream.conversation_id', 'membership.conversation_id')
    .selectAll('membership')
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is', null)
    .where('is_archived', '=', 0)
    .orderBy('membership.conversation_id'),
);
const endStay = statement<{ conversation_id: number; user_id: number; event: number; message: number }>()((query, value) =>
  query
    .updateTable('membership')
    .set({ ended_event: value.event, ended_message: value.message })
    .where('conversation_id', '=', value.conversation_id)
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is', null),
);
/** What a member sets of a subscription. */
const kept = [
  'color',
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
  'put_away',
] as const;
export type StaySettings = Pick<MembershipRow, (typeof kept)[number]>;
const setSettings = statement<StaySettings & { id: number }>()((query, value) =>
  query
    .updateTable('membership')
    .set({
      color: value.color,
      is_muted: value.is_muted,
      pin_to_top: value.pin_to_top,
      desktop_notifications: value.desktop_notifications,
      audible_notifications: value.audible_notifications,
      push_notifications: value.push_notifications,
      email_notifications: value.email_notifications,
      wildcard_mentions_notify: value.wildcard_mentions_notify,
      put_away: value.put_away,
    })
    .where('id', '=', value.id),
);
/** Of those who have put it away: `user_ids` in JSON, null for all. Its conditions are those of the index. */
const bringBack = statement<{ conversation_id: number; but: number; user_ids: string | null }>()((query, value) =>
  query
    .updateTable('membership')
    .set({ put_away: 0 })
    .where('conversation_id', '=', value.conversation_id)
    .where('put_away', '=', sql.lit(1))
    .where('ended_event', 'is', null)
    .where('user_id', '!=', value.but)
    .where(sql<boolean>`(${value.user_ids} IS NULL OR user_id IN (SELECT value FROM json_each(${value.user_ids})))`)
    .returning('user_id'),
);
/** Another stay with the same settings. */
const repeatStay = statement<{ id: number; event: number; message: number }>()((query, value) =>
  query
    .insertInto('membership')
    .columns(['conversation_id', 'user_id', 'began_event', 'began_message', ...kept])
    .expression((from) =>
      from
        .selectFrom('membership')
        .select(['conversation_id', 'user_id'])
        .select([sql<number>`${value.event}`.as('event'), sql<number>`${value.message}`.as('message')])
        .select(kept)
        .where('id', '=', value.id),
    ),
);
const moveBeginning = statement<{ id: number; event: number; message: number }>()((query, value) =>
  query.updateTable('membership').set({ began_event: value.event, began_message: value.message }).where('id', '=', value.id),
);
const forgetEndedStays = statement<{ conversation_id: number; user_id: number; kept: number }>()((query, value) =>
  query
    .deleteFrom('membership')
    .where('conversation_id', '=', value.conversation_id)
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is not', null)
    .where('id', 'not in', (newest) =>
      newest
        .selectFrom('membership')
        .select('id')
        .where('conversation_id', '=', value.conversation_id)
        .where('user_id', '=', value.user_id)
        .orderBy('id', 'desc')
        .limit(value.kept),
    ),
);
const endStays = statement<{ conversation_id: number; event: number; message: number }>()((query, value) =>
  query
    .updateTable('membership')
    .set({ ended_event: value.event, ended_message: value.message })
    .where('conversation_id', '=', value.conversation_id)
    .where('ended_event', 'is', null),
);
const archiveStream = statement<{ id: number; name_key: string }>()((query, value) =>
  query.updateTable('stream').set({ is_archived: 1, name_key: value.name_key }).where('conversation_id', '=', value.id),
);
const setFirstMessage = statement<{ id: number; message_id: number | null }>()((query, value) =>
  query.updateTable('stream').set({ first_message_id: value.message_id }).where('conversation_id', '=', value.id),
);
/** By an index that holds these and no others: for that its conditions are written out. SQLite would choose another. */
const streamsIn = (index: string) => sql<Row<'stream'>>`stream`.as<'stream'>(sql`stream INDEXED BY ${sql.ref(index)}`);

const selectOpenStreams = statement<{ most: number }>()((query, value) =>
  query
    .selectFrom(streamsIn('stream_open'))
    .innerJoin('conversation', 'conversation.id', 'stream.conversation_id')
    .selectAll('stream')
    .select('conversation.shared_history')
    .where('is_archived', '=', sql.lit(0))
    .orderBy('name_key')
    .limit(value.most),
);
const selectPublicStreams = statement<{ most: number }>()((query, value) =>
  query
    .selectFrom(streamsIn('stream_public'))
    .innerJoin('conversation', 'conversation.id', 'stream.conversation_id')
    .selectAll('stream')
    .select('conversation.shared_history')
    .where('invite_only', '=', sql.lit(0))
    .where('is_archived', '=', sql.lit(0))
    .orderBy('name_key')
    .limit(value.most),
);
const selectColors = statement<{ user_id: number; most: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .select('color')
    .where('user_id', '=', value.user_id)
    .where('ended_event', 'is', null)
    .orderBy('conversation_id', 'desc')
    .limit(value.most),
);
const selectSubscribers = statement<{ conversation_id: number; most: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select('user_id')
    .where('conversation_id', '=', value.conversation_id)
    .where('ended_event', 'is', null)
    .where('user.is_active', '=', 1)
    .orderBy('user_id')
    .limit(value.most),
);

/** Who is in a conversation, with what they have read of it, as `readStates.whole` takes it. */
export type RecipientRow = Pick<MembershipRow, 'user_id' | 'began_message'> &
  Pick<Row<'user'>, 'is_active'> & { readonly ranges: string | null };
const selectRecipients = statement<{ conversation_id: number; after: number; most: number }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .leftJoin('read_state', (join) =>
      join
        .onRef('read_state.user_id', '=', 'membership.user_id')
        .onRef('read_state.conversation_id', '=', 'membership.conversation_id'),
    )
    .select(['membership.user_id', 'began_message', 'is_active', 'ranges'])
    .where('membership.conversation_id', '=', value.conversation_id)
    .where('ended_event', 'is', null)
    .where('membership.user_id', '>', value.after)
    .orderBy('membership.user_id')
    .limit(value.most),
);

const selectAllStreams = statement()((query) =>
  query
    .selectFrom('stream')
    .select(['conversation_id', 'name', 'name_key', 'description', 'invite_only', 'is_archived', 'creator_id', 'created']),
);
const countSubscribers = statement<{ ids: string }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select((build) => ['membership.conversation_id', build.fn.countAll<number>().as('members')])
    .where('membership.conversation_id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`)
    .where('ended_event', 'is', null)
    .where('user.is_active', '=', 1)
    .groupBy('membership.conversation_id'),
);
const selectNamed = statement<{ name_keys: string }>()((query, value) =>
  query
    .selectFrom('stream')
    .select(['conversation_id', 'name_key'])
    .where('name_key', 'in', sql<string>`(SELECT value FROM json_each(${value.name_keys}))`),
);
const selectStreamsOf = statement<{ ids: string }>()((query, value) =>
  query
    .selectFrom('stream')
    .select(['conversation_id', 'name', 'is_archived'])
    .where('conversation_id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`),
);
/** By the users: a stream may have more members than a user has streams. The plus keeps SQLite from the other way. */
const selectStaysAmong = statement<{ ids: string; user_ids: string }>()((query, value) =>
  query
    .selectFrom('membership')
    .select(['conversation_id', 'user_id'])
    .where('user_id', 'in', sql<number>`(SELECT value FROM json_each(${value.user_ids}))`)
    .where(sql<number>`+conversation_id`, 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`)
    .where('ended_event', 'is', null),
);

/** As SQLite says it. */
const unlimited = -1;

const selectMembersAmong = statement<{ conversation_id: number; user_ids: string }>()((query, value) =>
  query
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .select('user_id')
    .where('conversation_id', '=', value.conversation_id)
    .where('ended_event', 'is', null)
    .where('user_id', 'in', sql<number>`(SELECT value FROM json_each(${value.user_ids}))`)
    .where('user.is_active', '=', 1),
);

export const conversations = {
  insertStream(tx: Transaction, stream: Omit<NewStream, 'conversation_id' | 'name_key'>, sharedHistory: boolean): number {
    const inserted = tx.get(insertConversation, { kind: 'stream', shared_history: sharedHistory ? 1 : 0 });
    if (!inserted) throw new Error('an inserted conversation has an id');
    tx.run(insertStream, { ...stream, conversation_id: inserted.id, name_key: streamNameKey(stream.name) });
    return inserted.id;
  },
  insertDirect(tx: Transaction, participants: readonly number[]): number {
    const inserted = tx.get(insertConversation, { kind: 'direct', shared_history: 1 });
    if (!inserted) throw new Error('an inserted conversation has an id');
    tx.run(insertDirect, { conversation_id: inserted.id, participants: participantsKey(participants) });
    return inserted.id;
  },
  /** The direct conversation of exactly these users. */
  directOf(reader: Reader, participants: readonly number[]): number | undefined {
    return reader.get(selectDirect, { participants: participantsKey(participants) })?.conversation_id;
  },
  /** Who takes part in a direct conversation, ascending; undefined when it is a stream. */
  participants(reader: Reader, id: number): readonly number[] | undefined {
    const row = reader.get(selectParticipants, { id });
    return row && parseParticipants(row.participants);
  },
  /** The direct conversations of a user. */
  directsOf: (reader: Reader, userId: number): DirectConversation[] =>
    reader.all(selectDirectOf, { user_id: userId }).map(({ conversation_id, participants }) => ({
      conversationId: conversation_id,
      participants: parseParticipants(participants),
    })),
  /** Those of a user that hold a message, by the newest one, which comes first. Looks at each of theirs once. */
  recentDirects: (reader: Reader, userId: number, most: number) =>
    reader
      .all(selectRecentDirects, { user_id: userId, most })
      .flatMap(({ participants, newest }) =>
        newest === null ? [] : [{ participants: parseParticipants(participants), newest }],
      ),

  /** Archived ones, too. Whoever asks looks at each. */
  allStreams: (reader: Reader) => reader.all(selectAllStreams, {}),
  /** How many active users are in each of these; one with nobody in it is missing. */
  subscriberCounts: (reader: Reader, ids: readonly number[]): ReadonlyMap<number, number> =>
    new Map(
      reader
        .all(countSubscribers, { ids: JSON.stringify(ids) })
        .map(({ conversation_id, members }) => [conversation_id, members]),
    ),
  /** Of these names, as names are compared, those that a stream has, with its id. */
  holders: (reader: Reader, nameKeys: readonly string[]) => reader.all(selectNamed, { name_keys: JSON.stringify(nameKeys) }),
  named: (reader: Reader, ids: readonly number[]) => reader.all(selectStreamsOf, { ids: JSON.stringify(ids) }),
  /** The stays in these conversations of these users that have not ended, whether the users are active or not. */
  staysAmong: (reader: Reader, ids: readonly number[], userIds: readonly number[]) =>
    reader.all(selectStaysAmong, { ids: JSON.stringify(ids), user_ids: JSON.stringify(userIds) }),
  stream: (reader: Reader, id: number) => reader.get(selectStream, { id }),
  /** Every stream that is not archived, by name; the first `most`. */
  openStreams: (reader: Reader, most: number) => reader.all(selectOpenStreams, { most }),
  publicStreams: (reader: Reader, most: number) => reader.all(selectPublicStreams, { most }),
  /** The name is free again. */
  archive: (tx: Transaction, id: number) => tx.run(archiveStream, { id, name_key: `\0archived ${id}` }),
  setFirstMessage: (tx: Transaction, id: number, messageId: number | null) =>
    tx.run(setFirstMessage, { id, message_id: messageId }),
  streamByName: (reader: Reader, name: string) => reader.get(selectStreamByName, { name_key: streamNameKey(name) }),
  noteFirstMessage: (tx: Transaction, id: number, messageId: number) => tx.run(noteFirstMessage, { id, message_id: messageId }),

  rename: (tx: Transaction, id: number, name: string) => tx.run(renameStream, { id, name, name_key: streamNameKey(name) }),
  /** Its name is free, until it has another. */
  letGoOfName: (tx: Transaction, id: number) => tx.run(setNameKey, { id, name_key: `\0nameless ${id}` }),
  describe: (tx: Transaction, id: number, description: string) => tx.run(describeStream, { id, description }),
  setPicture: (tx: Transaction, id: number, url: string | null) => tx.run(pictureStream, { id, picture_url: url }),

  /** Of a stay. */
  setSettings: (tx: Transaction, { id }: MembershipRow, settings: StaySettings) => tx.run(setSettings, { ...settings, id }),
  /** Whoever has put a conversation away has it back, but one: of these, or of all. @returns who. */
  bringBack: (tx: Transaction, conversationId: number, but: number, userIds: readonly number[] | 'all'): number[] =>
    tx
      .all(bringBack, {
        conversation_id: conversationId,
        but,
        user_ids: userIds === 'all' ? null : JSON.stringify(userIds),
      })
      .map(({ user_id }) => user_id),

  insertStay: (tx: Transaction, stay: NewStay) => tx.run(insertStay, stay),
  /** All but the newest `kept`. */
  forgetEndedStays: (tx: Transaction, conversationId: number, userId: number, kept: number) =>
    tx.run(forgetEndedStays, { conversation_id: conversationId, user_id: userId, kept }),
  /** `event`: the one that tells of the end, the last that is still heard. */
  endStay: (tx: Transaction, conversationId: number, userId: number, event: number, message: number) =>
    tx.run(endStay, { conversation_id: conversationId, user_id: userId, event, message }),
  /** Ends a stay, and begins another like it. `event`: the last that is still heard in the first. */
  divideStay(tx: Transaction, { id, conversation_id, user_id }: MembershipRow, event: number, message: number): void {
    tx.run(endStay, { conversation_id, user_id, event, message });
    tx.run(repeatStay, { id, event, message });
  },
  /** Lets a stay begin later. */
  moveBeginning: (tx: Transaction, { id }: MembershipRow, event: number, message: number) =>
    tx.run(moveBeginning, { id, event, message }),
  /** Of everyone. One statement; the rows that it touches are those of the subscribers. */
  endStays: (tx: Transaction, conversationId: number, event: number, message: number) =>
    tx.run(endStays, { conversation_id: conversationId, event, message }),
  /** Every stay of a user in a conversation, the oldest first. */
  stays: (reader: Reader, conversationId: number, userId: number) =>
    reader.all(selectStays, { conversation_id: conversationId, user_id: userId }),
  /**
   * Every stay in a conversation of these users at least, of each the oldest first. The work grows with the users, or
   * with the conversation where that is smaller.
   */
  staysOf(reader: Reader, conversationId: number, userIds: readonly number[]) {
    const most = 2 * userIds.length;
    const rows = most > 2 ? reader.all(selectStaysIn, { conversation_id: conversationId, most: most + 1 }) : undefined;
    if (rows && rows.length <= most) return rows;
    return reader.all(selectStaysOf, { conversation_id: conversationId, user_ids: JSON.stringify(userIds) });
  },
  /** Every stay of a user in all conversations, the oldest first. The work grows with those in which they ever were. */
  everyStay: (reader: Reader, userId: number) => reader.all(selectEveryStay, { user_id: userId }),
  /** The stay of a user in a conversation that has not ended. */
  currentStay: (reader: Reader, conversationId: number, userId: number) =>
    reader.get(selectCurrentStay, { conversation_id: conversationId, user_id: userId }),
  /** The colours of a user's current stays in the `most` newest conversations. */
  colors: (reader: Reader, userId: number, most: number): ReadonlySet<string> =>
    new Set(reader.all(selectColors, { user_id: userId, most }).map(({ color }) => color)),
  /** The stays of a user that have not ended, one per conversation. */
  currentStays: (reader: Reader, userId: number) => reader.all(selectCurrentStays, { user_id: userId }),
  /** Those of them that are in streams which are not archived. */
  subscriptions: (reader: Reader, userId: number) => reader.all(selectSubscriptions, { user_id: userId }),
  /** Those of the users who are active, and are subscribed now or take part. */
  membersAmong: (reader: Reader, conversationId: number, userIds: readonly number[]): number[] =>
    reader
      .all(selectMembersAmong, { conversation_id: conversationId, user_ids: JSON.stringify(userIds) })
      .map(({ user_id }) => user_id),
  /** The first `most` with an id above `after`, ascending, also those who are not active. */
  recipients: (reader: Reader, conversationId: number, after: number, most: number): RecipientRow[] =>
    reader.all(selectRecipients, { conversation_id: conversationId, after, most }),
  /** Those who are active, ascending; of `most` where that is said no more. */
  subscribers: (reader: Reader, conversationId: number, most = unlimited) =>
    reader.all(selectSubscribers, { conversation_id: conversationId, most }).map(({ user_id }) => user_id),
};

const participantsKey = (participants: readonly number[]): string =>
  [...new Set(participants)].toSorted((one, other) => one - other).join();
const parseParticipants = (key: string): number[] => key.split(',').map(Number);

import { type Value, each } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

export type ExportedMessage = Row<'message'>;
export type ExportedEdit = Row<'message_edit'>;

/** Pages in order of id. An export reads a copy of the database, so that all pages are of one moment. */
export const exported = {
  conversations: queries.rows((query, after: Value<number>, most: Value<number>) =>
    query
      .selectFrom('conversation')
      .leftJoin('stream', 'stream.conversation_id', 'conversation.id')
      .leftJoin('direct', 'direct.conversation_id', 'conversation.id')
      .select(['conversation.id', 'conversation.kind', 'conversation.shared_history'])
      .select(['stream.name', 'stream.description', 'stream.invite_only', 'stream.is_archived', 'stream.created'])
      .select('direct.participants')
      .where('conversation.id', '>', after)
      .orderBy('conversation.id')
      .limit(most),
  ),
  subscriptions: queries.rows((query, after: Value<number>, most: Value<number>) =>
    query
      .selectFrom('membership')
      .innerJoin('stream', 'stream.conversation_id', 'membership.conversation_id')
      .selectAll('membership')
      .where('membership.id', '>', after)
      .where('membership.ended_event', 'is', null)
      .where('stream.is_archived', '=', 0)
      .orderBy('membership.id')
      .limit(most),
  ),
  /** All periods of a conversation, those of each user together. */
  periods: queries.rows((query, conversationId: Value<number>) =>
    query
      .selectFrom('membership')
      .select(['user_id', 'began_message', 'ended_message', 'ended_event'])
      .where('conversation_id', '=', conversationId)
      .orderBy('user_id')
      .orderBy('id'),
  ),
  messages: queries.rows((query, conversationId: Value<number>, after: Value<number>, most: Value<number>) =>
    query
      .selectFrom('message')
      .selectAll()
      .where('conversation_id', '=', conversationId)
      .where('id', '>', after)
      .where('deleted', 'is', null)
      .orderBy('id')
      .limit(most),
  ),
  flags: queries.rows((query, messageIds: Value<readonly number[]>) =>
    query.selectFrom('message_flag').selectAll().where('message_id', 'in', each(messageIds)),
  ),
  /** The newest of each message comes first. */
  edits: queries.rows((query, messageIds: Value<readonly number[]>) =>
    query.selectFrom('message_edit').selectAll().where('message_id', 'in', each(messageIds)).orderBy('id', 'desc'),
  ),
  /** Without custom emoji, which stay behind: Zulip's import fails at a reaction without its emoji. */
  reactions: queries.rows((query, after: Value<number>, most: Value<number>) =>
    query
      .selectFrom('reaction')
      .innerJoin('message', 'message.id', 'reaction.message_id')
      .selectAll('reaction')
      .where('reaction.id', '>', after)
      .where('reaction_type', '!=', 'realm_emoji')
      .where('message.deleted', 'is', null)
      .orderBy('reaction.id')
      .limit(most),
  ),
  clients: queries.values((query) => query.selectFrom('message').select('client').distinct().orderBy('client')),
  presences: queries.rows((query) => query.selectFrom('presence').selectAll().orderBy('user_id')),
  /** Those without an end, which Zulip does not know, and without custom emoji. */
  statuses: queries.rows((query) =>
    query
      .selectFrom('user_status')
      .select(['user_id', 'status_text', 'emoji_name', 'emoji_code', 'reaction_type'])
      .where('ends', 'is', null)
      .where('reaction_type', '!=', 'realm_emoji')
      .orderBy('user_id'),
  ),
  alertWords: queries.rows((query) => query.selectFrom('alert_word').select(['id', 'user_id', 'word']).orderBy('id')),
  deletedMessages: queries.value((query) =>
    query
      .selectFrom('message')
      .select((build) => build.fn.countAll<number>().as('messages'))
      .where('deleted', 'is not', null),
  ),
  putAway: queries.value((query) =>
    query
      .selectFrom('membership')
      .select((build) => build.fn.countAll<number>().as('memberships'))
      .where('put_away', '=', 1)
      .where('ended_event', 'is', null),
  ),
  drafts: queries.value((query) => query.selectFrom('draft').select((build) => build.fn.countAll<number>().as('drafts'))),
  customEmoji: queries.value((query) =>
    query.selectFrom('realm_emoji').select((build) => build.fn.countAll<number>().as('emoji')),
  ),
  customEmojiReactions: queries.value((query) =>
    query
      .selectFrom('reaction')
      .innerJoin('message', 'message.id', 'reaction.message_id')
      .select((build) => build.fn.countAll<number>().as('reactions'))
      .where('reaction_type', '=', 'realm_emoji')
      .where('message.deleted', 'is', null),
  ),
  userGroups: queries.value((query) =>
    query
      .selectFrom('user_group')
      .select((build) => build.fn.countAll<number>().as('groups'))
      .where('code', 'is', null),
  ),
  mutedUsers: queries.value((query) => query.selectFrom('muted_user').select((build) => build.fn.countAll<number>().as('users'))),
  topicChoices: queries.value((query) =>
    query.selectFrom('user_topic').select((build) => build.fn.countAll<number>().as('topics')),
  ),
  scheduledMessages: queries.value((query) =>
    query.selectFrom('scheduled_message').select((build) => build.fn.countAll<number>().as('messages')),
  ),
  botStorage: queries.value((query) =>
    query.selectFrom('bot_storage').select((build) => build.fn.countAll<number>().as('texts')),
  ),
  profileFields: queries.value((query) =>
    query.selectFrom('profile_field').select((build) => build.fn.countAll<number>().as('fields')),
  ),
  allStatuses: queries.value((query) =>
    query.selectFrom('user_status').select((build) => build.fn.countAll<number>().as('statuses')),
  ),
};

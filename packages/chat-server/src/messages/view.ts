import type { EditEntry, Message } from '@engawa/protocol';
import type { Viewer } from '../conversations/access.ts';
import { conversations } from '../conversations/store.ts';
import type { Reader } from '../database/index.ts';
import { remembered } from '../events/batch.ts';
import { reactions } from '../reactions/store.ts';
import type { Visibility } from '../privacy/visibility.ts';
import { columns } from '../schema.ts';
import { isVisibleTopic } from '../search/text.ts';
import { users } from '../identity/store.ts';
import { unseenEmail } from '../privacy/seenUsers.ts';
import { editViews } from './edits.ts';
import { highlighted } from './highlight.ts';
import { isMeMessage } from './html.ts';
import { text, written } from './htmlElement.ts';
import { htmlRenderer } from './htmlRenderer.ts';
import { noticeView } from './notice.ts';
import type { MessageRow } from './store.ts';

type MessageView = Omit<Message, 'flags'>;

/**
 * Converts messages without flags. The result differs between viewers by `htmlRenderer`, the senders' pictures, and the address
 * of a sender whom a guest does not see. Such a sender's name stays: they wrote it for this conversation.
 * `reacted`: whether a message has reactions, or may have some.
 */
export function messageViews(
  reader: Reader,
  visibility: Visibility,
  viewer: Viewer,
  { withReactions = true } = {},
): (row: MessageRow, applyMarkdown: boolean, reacted?: boolean) => MessageView {
  const directs = new Map<number, Message['display_recipient']>();
  const participantsOf = (conversationId: number) =>
    remembered(directs, conversationId, () => directRecipients(reader, conversationId));
  const html = htmlRenderer(reader, visibility, viewer);
  const editView = editViews(reader);
  return (row, applyMarkdown, reacted = withReactions) => ({
    id: row.id,
    sender_id: row.sender_id,
    sender_email: visibility.sees(viewer, row.sender_id) ? row.email : unseenEmail(row.sender_id),
    sender_full_name: row.full_name,
    sender_realm_str: '',
    avatar_url: visibility.canSee('photo_audience', row.sender_id, viewer) ? row.avatar_url : null,
    client: row.client,
    timestamp: row.timestamp,
    content: applyMarkdown ? html(row) : row.content,
    content_type: applyMarkdown ? 'text/html' : 'text/x-markdown',
    is_me_message: isMeMessage(row),
    recipient_id: row.conversation_id,
    ...(row.stream_name === null
      ? { type: 'private', display_recipient: participantsOf(row.conversation_id) }
      : { type: 'stream', display_recipient: row.stream_name, stream_id: row.conversation_id }),
    subject: row.topic,
    topic_links: [],
    reactions: reacted && row.deleted === null ? reactions.of(reader, row.id).map((each) => columns(each, reactionColumns)) : [],
    submessages: [],
    ...changes(row, () => editView(row.id, applyMarkdown ? (content) => html({ content, client: row.client }) : undefined)),
    ...(row.deleted === null ? {} : { deleted: true }),
    ...(row.notice === null || row.deleted !== null ? {} : noticeView(row.notice)),
  });
}

export function matchViews(
  reader: Reader,
  visibility: Visibility,
  viewer: Viewer,
  words: readonly string[],
): (row: MessageRow) => Required<Pick<MessageView, 'match_content' | 'match_subject'>> {
  const html = htmlRenderer(reader, visibility, viewer, words);
  return (row) => ({
    match_content: html(row),
    match_subject: written(highlighted(text(row.topic), isVisibleTopic(row.topic) ? words : [])),
  });
}

function directRecipients(reader: Reader, conversationId: number): Message['display_recipient'] {
  const participants = conversations.participants(reader, conversationId) ?? [];
  return participants
    .flatMap((id) => users.byId(reader, id) ?? [])
    .toSorted((one, other) => (one.email < other.email ? -1 : 1))
    .map(({ id, email, full_name }) => ({ id, email, full_name, is_mirror_dummy: false }));
}

const reactionColumns = ['emoji_name', 'emoji_code', 'reaction_type', 'user_id'] as const;

function changes(
  { last_edit_timestamp, last_moved_timestamp, deleted }: MessageRow,
  history: () => EditEntry[],
): Partial<MessageView> {
  const isEdited = last_edit_timestamp !== null || last_moved_timestamp !== null;
  if (!isEdited || deleted !== null) return {};
  return {
    ...(last_edit_timestamp === null ? {} : { last_edit_timestamp }),
    ...(last_moved_timestamp === null ? {} : { last_moved_timestamp }),
    edit_history: history(),
  };
}

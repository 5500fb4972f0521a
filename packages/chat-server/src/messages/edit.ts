import { createHash } from 'node:crypto';
import { type ParametersOut, editGraceSeconds, editMessage, maxEditsPerMessage } from '@engawa/protocol';
import { seconds } from '../clock.ts';
import { restorePutAway } from '../streams/putAway.ts';
import type { Reader, Transaction } from '../database/index.ts';
import type { UpdatePayload } from './events.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { flagAnew } from './contentFlags.ts';
import { type Member, isGuest, isModerator } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';
import { audienceOfMessage } from '../conversations/messageHeaders.ts';
import { readableMessage } from './access.ts';
import { checkTopic, correctedContent, cutTopic } from './content.ts';
import { edits } from './edits.ts';
import { featuresOf } from './features.ts';
import { changeTopic, movedWith } from './moves.ts';
import type { MessageRooms, Writing } from './dependencies.ts';
import { type MessageRow, messages } from './store.ts';
import { isPast, timeLimits } from './timeLimits.ts';

type Asked = ParametersOut<typeof editMessage>;

export function editRoute({ database, clock, ...writing }: MessageRooms): Route {
  return memberRoute(editMessage, async (asked, { member: asking }) => {
    await database.write((tx) => {
      const now = seconds(clock);
      const member = memberNow(tx, asking);
      const message = readableMessage(tx, member, asked.message_id);
      const wish = wishOf(message, asked);
      checkForm(message, wish);
      checkRights(tx, member, message, wish, now);
      const edit = editOf(tx, member, message, wish, now);
      if (edit) make(tx, writing, edit);
    });
    return {};
  });
}

/** What a call asks to be otherwise than it is. */
interface Wish extends Pick<Asked, 'content' | 'prev_content_sha256' | 'topic' | 'propagate_mode'> {
  readonly toOtherStream: boolean;
}

function wishOf(message: MessageRow, { content, prev_content_sha256, topic, propagate_mode, stream_id }: Asked): Wish {
  const wanted = topic === undefined ? undefined : cutTopic(topic.trim());
  return {
    content,
    prev_content_sha256,
    topic: wanted === message.topic ? undefined : wanted,
    propagate_mode,
    toOtherStream: stream_id !== undefined && (isDirect(message) || stream_id !== message.conversation_id),
  };
}

const isDirect = (message: MessageRow): boolean => message.stream_name === null;

/** Whether it can be asked for at all. */
function checkForm(message: MessageRow, { content, topic, propagate_mode, toOtherStream }: Wish): void {
  const moves = topic !== undefined || toOtherStream;
  if (content === undefined && !moves) throw refused.because('Nothing to change');
  if (isDirect(message) && toOtherStream) throw refused.because('Direct messages cannot be moved to streams.');
  if (isDirect(message) && topic !== undefined) throw refused.because('Direct messages cannot have topics.');
  if (propagate_mode !== 'change_one' && !moves) throw refused.because('Invalid propagate_mode without topic edit');
  if (topic !== undefined) checkTopic(topic);
  if (content !== undefined && toOtherStream) {
    throw refused.because('Cannot change message content while changing stream');
  }
}

/** Whether this member may, and still may. Nobody may correct what somebody else wrote. */
function checkRights(
  reader: Reader,
  member: Member,
  message: MessageRow,
  { content, topic, toOtherStream }: Wish,
  now: number,
): void {
  const limits = timeLimits(reader);
  const isOwn = message.sender_id === member.id;
  if (content !== undefined) {
    if (!isOwn) throw refused.mayNotEdit();
    if (isPast(message, limits.content_edit_limit, now, editGraceSeconds)) {
      throw refused.because('The time limit for editing this message has passed');
    }
  }
  if (topic !== undefined) {
    if (!isOwn && isGuest(member)) throw refused.mayNotEdit();
    if (!isModerator(member) && isPast(message, limits.topic_edit_limit, now)) {
      throw refused.because("The time limit for editing this message's topic has passed.");
    }
  }
  // Whose history a stream shares differs from stream to stream, so that no message goes from one to another.
  if (toOtherStream) throw refused.because("You don't have permission to move this message");
}

/** What an edit makes different. */
interface Edit {
  readonly message: MessageRow;
  readonly by: Member;
  readonly now: number;
  readonly content: string | undefined;
  readonly topic: (Pick<Asked, 'propagate_mode'> & { readonly subject: string }) | undefined;
  /** The messages that it changes, ascending. */
  readonly ids: readonly number[];
}

/** Undefined where all is so already: a repeated call changes nothing twice. */
function editOf(tx: Transaction, by: Member, message: MessageRow, wish: Wish, now: number): Edit | undefined {
  const { topic: subject, propagate_mode } = wish;
  const content = newContent(tx, message, wish);
  if (subject !== undefined) {
    const ids = movedWith(tx, by, message, subject, propagate_mode, now);
    return { message, by, now, content, topic: { subject, propagate_mode }, ids };
  }
  return content === undefined ? undefined : { message, by, now, content, topic: undefined, ids: [message.id] };
}

function newContent(reader: Reader, message: MessageRow, { content, prev_content_sha256 }: Wish): string | undefined {
  if (content === undefined) return undefined;
  const corrected = correctedContent(content);
  if (corrected === message.content) return undefined;
  if (prev_content_sha256 !== undefined && prev_content_sha256 !== sha256(message.content)) throw refused.otherContent();
  if (edits.corrections(reader, message.id) >= maxEditsPerMessage) {
    throw refused.because(`This message was edited too often (maximum ${maxEditsPerMessage}).`);
  }
  return corrected;
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Writes an edit down, what was there before, and its event. */
function make(tx: Transaction, { log, ...addressing }: Writing, { message, by, now, content, topic, ids }: Edit): void {
  edits.keep(tx, {
    ids,
    by: by.id,
    correctedId: content === undefined ? null : message.id,
    topic: topic?.subject ?? null,
    now,
  });
  if (content !== undefined) {
    const corrected = { ...message, content };
    messages.setContent(tx, message.id, { content, features: featuresOf(corrected) }, now);
    restorePutAway(tx, log, message.conversation_id, by.id, flagAnew(tx, addressing, corrected, message));
  }
  if (topic) changeTopic(tx, ids, topic.subject, now);
  log.append(tx, {
    type: 'update_message',
    ...audienceOfMessage(tx, message),
    payload: {
      user_id: by.id,
      edit_timestamp: now,
      conversation_id: message.conversation_id,
      message_id: message.id,
      message_ids: [...ids],
      ...(content === undefined ? {} : { content_edit: edits.newestId(tx, message.id) }),
      ...(topic ? { topic: { orig_subject: message.topic, ...topic } } : {}),
    } satisfies UpdatePayload,
  });
}

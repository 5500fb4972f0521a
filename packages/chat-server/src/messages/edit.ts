import { createHash } from 'node:crypto';
import { type ParametersOut, editGraceSeconds, editMessage, maxEditsPerMessage } from '@engawa/protocol';
import { seconds } from '../clock.ts';
import { audienceOfMessage } from '../conversations/messageHeaders.ts';
import type { Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { type Member, isModerator } from '../identity/member.ts';
import { restorePutAway } from '../streams/properties.ts';
import { type Steps, slicesOf } from '../turns.ts';
import { readableMessage } from './access.ts';
import { checkTopic, cutTopic, editedContent } from './content.ts';
import { updateContentFlags } from './contentFlags.ts';
import type { MessageDependencies, WriteDependencies } from './dependencies.ts';
import { edits } from './edits.ts';
import type { UpdatePayload } from './events.ts';
import { fileLinks } from './fileLinks.ts';
import { featuresOf } from './features.ts';
import { movedWith, refuseGuest, setTopic } from './moves.ts';
import { type MessageRow, messages } from './store.ts';
import { isPast, timeLimits } from './timeLimits.ts';

type Parameters = ParametersOut<typeof editMessage>;

export function editRoute({ database, clock, ...dependencies }: MessageDependencies): Route {
  return memberRoute(editMessage, (parameters, { member: caller }) => {
    const isShort = parameters.propagate_mode === 'change_one';
    return database.writeInSteps(
      function* (tx) {
        const now = seconds(clock);
        const member = memberNow(tx, caller);
        const message = readableMessage(tx, member, parameters.message_id);
        const request = requestOf(message, parameters);
        checkForm(message, request);
        checkRights(tx, member, message, request, now);
        const edit = editOf(tx, member, message, request, now);
        if (edit) yield* write(tx, dependencies, edit);
      },
      { isShort },
    );
  });
}

/** The parameters of the call whose values differ from the message. */
interface Request extends Pick<Parameters, 'content' | 'prev_content_sha256' | 'topic' | 'propagate_mode'> {
  readonly movesToOtherStream: boolean;
}

function requestOf(message: MessageRow, { content, prev_content_sha256, topic, propagate_mode, stream_id }: Parameters): Request {
  const cleanTopic = topic === undefined ? undefined : cutTopic(topic.trim());
  return {
    content,
    prev_content_sha256,
    topic: cleanTopic === message.topic ? undefined : cleanTopic,
    propagate_mode,
    movesToOtherStream: stream_id !== undefined && (isDirect(message) || stream_id !== message.conversation_id),
  };
}

const isDirect = (message: MessageRow): boolean => message.stream_name === null;

function checkForm(message: MessageRow, { content, topic, propagate_mode, movesToOtherStream }: Request): void {
  const moves = topic !== undefined || movesToOtherStream;
  if (content === undefined && !moves) throw refused.because('Nothing to change');
  if (isDirect(message) && movesToOtherStream) throw refused.because('Direct messages cannot be moved to streams.');
  if (isDirect(message) && topic !== undefined) throw refused.because('Direct messages cannot have topics.');
  if (propagate_mode !== 'change_one' && !moves) throw refused.because('Invalid propagate_mode without topic edit');
  if (topic !== undefined) checkTopic(topic);
  if (content !== undefined && movesToOtherStream) {
    throw refused.because('Cannot change message content while changing stream');
  }
}

function checkRights(reader: Reader, member: Member, message: MessageRow, request: Request, now: number): void {
  const { content, topic, movesToOtherStream } = request;
  const limits = timeLimits(reader);
  if (content !== undefined) {
    if (message.sender_id !== member.id || message.notice !== null) throw refused.mayNotEdit();
    if (isPast(message, limits.content_edit_limit, now, editGraceSeconds)) {
      throw refused.because('The time limit for editing this message has passed');
    }
  }
  if (topic !== undefined) {
    refuseGuest(member, [message]);
    if (!isModerator(member) && isPast(message, limits.topic_edit_limit, now)) {
      throw refused.because("The time limit for editing this message's topic has passed.");
    }
  }
  // Streams share their history in different ways, so a move to another stream could reveal messages.
  if (movesToOtherStream) throw refused.because("You don't have permission to move this message");
}

interface Edit {
  readonly message: MessageRow;
  readonly by: Member;
  readonly now: number;
  readonly content: string | undefined;
  readonly topic: (Pick<Parameters, 'propagate_mode'> & { readonly subject: string }) | undefined;
  readonly ids: readonly number[];
}

/** @returns undefined if nothing changes, so that a repeated call has no effect. */
function editOf(tx: Transaction, by: Member, message: MessageRow, request: Request, now: number): Edit | undefined {
  const { topic: subject, propagate_mode } = request;
  const content = newContent(tx, message, request);
  if (subject !== undefined) {
    const ids = movedWith(tx, by, message, subject, propagate_mode, now);
    return { message, by, now, content, topic: { subject, propagate_mode }, ids };
  }
  return content === undefined ? undefined : { message, by, now, content, topic: undefined, ids: [message.id] };
}

function newContent(reader: Reader, message: MessageRow, { content, prev_content_sha256 }: Request): string | undefined {
  if (content === undefined) return undefined;
  const edited = editedContent(content);
  if (edited === message.content) return undefined;
  if (prev_content_sha256 !== undefined && prev_content_sha256 !== sha256(message.content)) throw refused.otherContent();
  if (edits.contentEdits(reader, message.id).length >= maxEditsPerMessage) {
    throw refused.because(`This message was edited too often (maximum ${maxEditsPerMessage}).`);
  }
  return edited;
}

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

function* write(tx: Transaction, { log, ...dependencies }: WriteDependencies, edit: Edit): Steps<void> {
  const { message, by, now, content, topic, ids } = edit;
  for (const some of slicesOf(ids)) {
    edits.insert(tx, some, by.id, now, content === undefined ? null : message.id, topic?.subject ?? null);
    if (topic) setTopic(tx, some, topic.subject, now);
    yield;
  }
  if (content !== undefined) {
    const edited = { ...message, content };
    messages.setContent(tx, message.id, { content, features: featuresOf(edited) }, now);
    fileLinks.deleteOf(tx, message.id);
    fileLinks.put(tx, edited);
    const mentioned = updateContentFlags(tx, dependencies, edited, message);
    restorePutAway(tx, log, message.conversation_id, by.id, mentioned);
  }
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

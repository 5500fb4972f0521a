import { type ParametersOut, addReaction, maxReactionsPerMessage, removeReaction } from '@engawa/protocol';
import { type MessageHeader, audienceOfMessage, readableHeader } from '../conversations/messageHeaders.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow, userNow } from '../identity/currentMember.ts';
import type { Member } from '../identity/member.ts';
import { type Emoji, checkEmoji, emojiNamed, requestedEmoji } from './emoji.ts';
import { reactions } from './store.ts';

export function reactionRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(addReaction, (request, { member }) => database.write((tx) => react(tx, log, memberNow(tx, member), request))),
    memberRoute(removeReaction, (request, { member }) =>
      database.write((tx) => removeOwnReaction(tx, log, memberNow(tx, member), request)),
    ),
  ];
}

function react(tx: Transaction, log: EventLog, member: Member, request: ParametersOut<typeof addReaction>): void {
  const message = readableHeader(tx, member, request.message_id);
  const requested = requestedEmoji(tx, request);
  const all = reactions.of(tx, message.id);
  const alike = all.filter((each) => isSame(each, requested));
  if (alike.some(({ user_id }) => user_id === member.id)) throw refused.reactionExists();
  if (all.length >= maxReactionsPerMessage) {
    throw refused.because(`Too many reactions to this message (limit: ${maxReactionsPerMessage}).`);
  }
  const [first] = alike;
  // Another member's reaction may be repeated even if its emoji was renamed or deactivated meanwhile.
  if (!first) checkEmoji(tx, requested);
  const emoji = { ...requested, emoji_name: first?.emoji_name ?? requested.emoji_name };
  reactions.insert(tx, { message_id: message.id, user_id: member.id, ...emoji });
  publish(tx, log, member, message, 'add', emoji);
}

function removeOwnReaction(tx: Transaction, log: EventLog, member: Member, request: ParametersOut<typeof removeReaction>): void {
  const message = readableHeader(tx, member, request.message_id);
  const requested = { emoji_code: requestedCode(tx, request), reaction_type: request.reaction_type };
  const own = reactions.of(tx, message.id).find((each) => each.user_id === member.id && isSame(each, requested));
  if (!own) throw refused.noSuchReaction();
  reactions.delete(tx, own.id);
  publish(tx, log, member, message, 'remove', own);
}

function requestedCode(reader: Reader, { emoji_code, emoji_name }: ParametersOut<typeof removeReaction>): string {
  if (emoji_code !== undefined) return emoji_code;
  if (emoji_name !== undefined) return emojiNamed(reader, emoji_name).emoji_code;
  throw refused.because('At least one of the following arguments must be present: emoji_name, emoji_code');
}

type EmojiKey = { readonly emoji_code: string; readonly reaction_type: string };
const isSame = (one: EmojiKey, other: EmojiKey): boolean =>
  one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type;

function publish(tx: Transaction, log: EventLog, member: Member, message: MessageHeader, op: 'add' | 'remove', emoji: Emoji) {
  const { emoji_name, emoji_code, reaction_type } = emoji;
  const { id: user_id, email, full_name } = userNow(tx, member);
  log.append(tx, {
    type: 'reaction',
    ...audienceOfMessage(tx, message),
    messageId: message.id,
    payload: {
      op,
      message_id: message.id,
      emoji_name,
      emoji_code,
      reaction_type,
      user_id,
      user: { user_id, email, full_name },
    },
  });
}

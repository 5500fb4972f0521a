import { type ParametersOut, type addReaction, maxReactionsPerMessage, type removeReaction } from '@engawa/protocol';
import type { Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { audienceOfMessage } from '../conversations/messageHeaders.ts';
import { readableMessage } from '../messages/access.ts';
import type { MessageRow } from '../messages/store.ts';
import type { Member } from '../identity/member.ts';
import { userNow } from '../identity/currentMember.ts';
import { type Emoji, checkEmoji, emojiAsked, emojiNamed } from './emoji.ts';
import { reactions } from './store.ts';

type Adding = ParametersOut<typeof addReaction>;
type Removing = ParametersOut<typeof removeReaction>;

/** Looks at the reactions to one message, which are `maxReactionsPerMessage` at most. */
export function react(tx: Transaction, log: EventLog, member: Member, adding: Adding): void {
  const message = readableMessage(tx, member, adding.message_id);
  const asked = emojiAsked(tx, adding);
  const all = reactions.of(tx, message.id);
  const alike = all.filter((each) => isSame(each, asked));
  if (alike.some(({ user_id }) => user_id === member.id)) throw refused.reactionExists();
  if (all.length >= maxReactionsPerMessage) {
    throw refused.because(`Too many reactions to this message (limit: ${maxReactionsPerMessage}).`);
  }
  const [first] = alike;
  if (!first) checkEmoji(tx, asked);
  // Who joins in means the emoji that stands there, also when it has another name by now, or is gone.
  const emoji = { ...asked, emoji_name: first?.emoji_name ?? asked.emoji_name };
  reactions.insert(tx, { message_id: message.id, user_id: member.id, ...emoji });
  tell(tx, log, member, message, 'add', emoji);
}

/** The same for taking one's own back. */
export function takeBack(tx: Transaction, log: EventLog, member: Member, removing: Removing): void {
  const message = readableMessage(tx, member, removing.message_id);
  const meant = { emoji_code: codeMeant(tx, removing), reaction_type: removing.reaction_type };
  const own = reactions.of(tx, message.id).find((each) => each.user_id === member.id && isSame(each, meant));
  if (!own) throw refused.noSuchReaction();
  reactions.delete(tx, own.id);
  tell(tx, log, member, message, 'remove', own);
}

function codeMeant(reader: Reader, { emoji_code, emoji_name }: Removing): string {
  if (emoji_code !== undefined) return emoji_code;
  if (emoji_name !== undefined) return emojiNamed(reader, emoji_name).emoji_code;
  throw refused.because('At least one of the following arguments must be present: emoji_name, emoji_code');
}

type EmojiKey = { readonly emoji_code: string; readonly reaction_type: string };
const isSame = (one: EmojiKey, other: EmojiKey): boolean =>
  one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type;

function tell(
  tx: Transaction,
  log: EventLog,
  member: Member,
  message: MessageRow,
  op: 'add' | 'remove',
  { emoji_name, emoji_code, reaction_type }: Emoji,
): void {
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

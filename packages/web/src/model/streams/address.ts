/** R2.2: the addresses of conversations and messages, which are the part after `#`. */
import { maxDirectParticipants } from '@engawa/protocol';
import { directOf, isDirect, participantsIn, type ConversationKey } from './conversation.ts';

export function addressOfStream(streamId: number): string {
  return `#/stream/${streamId}`;
}

/** R1.8: the direct conversation with these users. The member's own id may be included. */
export function addressOfDirect(userIds: Iterable<number>): string {
  return addressOfConversation(directOf(userIds));
}

export function addressOfConversation(conversation: ConversationKey): string {
  return isDirect(conversation) ? `#/direct/${participantsIn(conversation).join()}` : addressOfStream(conversation);
}

export function addressOfMessage(conversation: ConversationKey, messageId: number): string {
  return `${addressOfConversation(conversation)}/message/${messageId}`;
}

const number = /^\d{1,15}$/;

/** Parses the address of a conversation or of a message in it, in our form or in that of Zulip's clients. */
export function conversationAt(
  hash: string,
): { readonly conversation: ConversationKey; readonly messageId?: number } | undefined {
  if (hash.startsWith('#narrow/')) return narrowed(hash);
  const [, kind, ids = '', third, fourth = ''] = hash.split('/');
  const conversation = kind === 'stream' || kind === 'direct' ? conversationOf(kind, ids) : undefined;
  if (conversation === undefined) return undefined;
  return third === 'message' && number.test(fourth) ? { conversation, messageId: Number(fourth) } : { conversation };
}

function conversationOf(kind: 'stream' | 'direct', ids: string): ConversationKey | undefined {
  const numbers = ids.split(',');
  if (!numbers.every((each) => number.test(each))) return undefined;
  if (kind === 'direct') return numbers.length <= maxDirectParticipants ? directOf(numbers.map(Number)) : undefined;
  return numbers.length === 1 ? Number(ids) : undefined;
}

export interface MessagePlace {
  readonly conversation: ConversationKey;
  readonly messageId: number;
}

/** The message of an absolute address on any host. */
export function messageAt(href: string): MessagePlace | undefined {
  const { hash, pathname } = URL.parse(href) ?? {};
  if (hash === undefined || pathname !== '/') return undefined;
  const { conversation, messageId } = conversationAt(hash) ?? {};
  return conversation !== undefined && messageId !== undefined ? { conversation, messageId } : undefined;
}

export const isMessageAddress = (href: string): boolean => messageAt(href) !== undefined;

/** `#narrow/channel/7-name/topic/x/near/12`, `#narrow/dm/3,4-group/near/12`. The topic is ignored. */
function narrowed(hash: string): ReturnType<typeof conversationAt> {
  const [, kind, ids = '', id] = /^#narrow\/([\w-]+)\/([\d,]+)(?:-[^/]*)?(?:\/(?:.*\/)?near\/(\d{1,15})$|\/|$)/.exec(hash) ?? [];
  const isStream = kind === 'channel' || kind === 'stream';
  if (!isStream && kind !== 'dm' && kind !== 'pm-with') return undefined;
  const conversation = conversationOf(isStream ? 'stream' : 'direct', ids);
  if (conversation === undefined) return undefined;
  return id === undefined ? { conversation } : { conversation, messageId: Number(id) };
}

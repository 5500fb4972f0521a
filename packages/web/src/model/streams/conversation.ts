/** What messages stand in: a stream, or a direct conversation; and how each is told from the others. Pure. */
import { addressDirect, addressStream, type Message, type Subscription, type User } from '@engawa/protocol';
import { z } from 'zod';
import { topic } from '../constants.ts';

/** A direct conversation, by the ids of all who take part, the member among them, ascending. It is the same for all. */
export type DirectKey = `direct:${string}`;

/** A stream, by its id, or a direct conversation. */
export type ConversationKey = number | DirectKey;

const prefix = 'direct:';

export function isDirect(conversation: ConversationKey): conversation is DirectKey {
  return typeof conversation === 'string';
}

/** The direct conversation in which these users, and nobody else, take part. */
export function directOf(userIds: Iterable<number>): DirectKey {
  return `${prefix}${[...new Set(userIds)].toSorted((one, other) => one - other).join()}`;
}

export function participantsIn(conversation: DirectKey): readonly number[] {
  return conversation.slice(prefix.length).split(',').map(Number);
}

/** Those with whom the member talks there: in notes to themselves, the member. */
export function othersIn(conversation: DirectKey, memberId: number | undefined): readonly number[] {
  const participants = participantsIn(conversation);
  const others = participants.filter((userId) => userId !== memberId);
  return others.length === 0 ? participants : others;
}

/** Whoever names a direct conversation by the others in it means that with themselves. */
export function withMember(conversation: ConversationKey, memberId: number): ConversationKey {
  return isDirect(conversation) ? directOf([memberId, ...participantsIn(conversation)]) : conversation;
}

export function conversationOf({
  stream_id,
  display_recipient,
}: Pick<Message, 'stream_id' | 'display_recipient'>): ConversationKey | undefined {
  return typeof display_recipient === 'string' ? stream_id : directOf(display_recipient.map(({ id }) => id));
}

/** The key as text: a stream's number, or the whole key of a direct conversation. Undefined for what is none. */
export function conversationIn(text: string): ConversationKey | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return isDirectText(text) ? text : undefined;
}

const isDirectText = (value: unknown): value is DirectKey =>
  typeof value === 'string' && /^direct:\d{1,15}(?:,\d{1,15}){0,99}$/.test(value);

/** As tabs tell it each other, and as the history and the storage of the browser keep it. */
export const directKey = z.custom<DirectKey>(isDirectText);
export const conversationKey = z.union([z.int(), directKey]);

/** What is known of those who talk, and of the streams in which they do. */
export interface Known {
  readonly memberId: number | undefined;
  readonly subscriptions: ReadonlyMap<number, Subscription> | undefined;
  readonly users: ReadonlyMap<number, User>;
}

/** Whether it is a stream that the member is in, or a direct conversation of theirs with people who are, or were, there. */
export function mayOpen({ memberId, subscriptions, users }: Known, conversation: ConversationKey): boolean {
  if (!isDirect(conversation)) return subscriptions?.has(conversation) ?? false;
  const participants = participantsIn(conversation);
  const isMine = participants.some((id) => id === memberId) && directOf(participants) === conversation;
  return isMine && participants.every((id) => users.has(id));
}

/** How its messages are asked for: a stream's by its name (R7.7). */
export function narrowTo({ subscriptions }: Pick<Known, 'subscriptions'>, conversation: ConversationKey) {
  return isDirect(conversation)
    ? { operator: 'dm', operand: [...participantsIn(conversation)] }
    : { operator: 'stream', operand: subscriptions?.get(conversation)?.name ?? '' };
}

/**
 * How a message is addressed to it: in a stream by its name (R7.7). One that has waited is addressed by the stream's id:
 * the stream may have another name by now, and another stream its name.
 */
export function addressedTo({ subscriptions }: Pick<Known, 'subscriptions'>, conversation: ConversationKey, hasWaited: boolean) {
  if (isDirect(conversation)) return { type: 'direct', to: addressDirect(participantsIn(conversation)) };
  const to = hasWaited ? String(conversation) : addressStream(subscriptions?.get(conversation)?.name ?? '');
  return { type: 'stream', to, topic };
}

/** What it is called: by its name, or by those of the others. */
export function nameOf({ memberId, subscriptions, users }: Known, conversation: ConversationKey): string {
  if (!isDirect(conversation)) return subscriptions?.get(conversation)?.name ?? '';
  return joinNames(othersIn(conversation, memberId).map((userId) => users.get(userId)?.full_name ?? ''));
}

export const joinNames = (names: readonly string[]): string => names.join('、');

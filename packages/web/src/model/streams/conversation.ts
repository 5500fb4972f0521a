/** The keys of conversations, which are streams or direct conversations. Pure functions. */
import { addressDirect, addressStream, type Message, type Subscription, type User } from '@engawa/protocol';
import { z } from 'zod/mini';
import { topic } from '../constants.ts';

/** The ids of all participants, the member included, in rising order, so that all participants have the same key. */
export type DirectKey = `direct:${string}`;

export type ConversationKey = number | DirectKey;

const prefix = 'direct:';

export function isDirect(conversation: ConversationKey): conversation is DirectKey {
  return typeof conversation === 'string';
}

export function directOf(userIds: Iterable<number>): DirectKey {
  return `${prefix}${[...new Set(userIds)].toSorted((one, other) => one - other).join()}`;
}

export function participantsIn(conversation: DirectKey): readonly number[] {
  return conversation.slice(prefix.length).split(',').map(Number);
}

export function othersIn(conversation: DirectKey, memberId: number | undefined): readonly number[] {
  const participants = participantsIn(conversation);
  const others = participants.filter((userId) => userId !== memberId);
  return others.length === 0 ? participants : others;
}

/** Adds the member, because an address may name only the other participants of a direct conversation. */
export function withMember(conversation: ConversationKey, memberId: number): ConversationKey {
  return isDirect(conversation) ? directOf([memberId, ...participantsIn(conversation)]) : conversation;
}

export function conversationOf({
  stream_id,
  display_recipient,
}: Pick<Message, 'stream_id' | 'display_recipient'>): ConversationKey | undefined {
  return typeof display_recipient === 'string' ? stream_id : directOf(display_recipient.map(({ id }) => id));
}

/** Parses a conversation key: a stream's number or the whole key of a direct conversation. Undefined if it is invalid. */
export function conversationIn(text: string): ConversationKey | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return isDirectText(text) ? text : undefined;
}

const isDirectText = (value: unknown): value is DirectKey =>
  typeof value === 'string' && /^direct:\d{1,15}(?:,\d{1,15}){0,99}$/.test(value);

export const directKey = z.custom<DirectKey>(isDirectText);
export const conversationKey = z.union([z.int(), directKey]);

export interface Known {
  readonly memberId: number | undefined;
  readonly subscriptions: ReadonlyMap<number, Subscription> | undefined;
  readonly users: ReadonlyMap<number, User>;
}

export function mayOpen({ memberId, subscriptions, users }: Known, conversation: ConversationKey): boolean {
  if (!isDirect(conversation)) return subscriptions?.has(conversation) ?? false;
  const participants = participantsIn(conversation);
  const isMine = participants.some((id) => id === memberId) && directOf(participants) === conversation;
  return isMine && participants.every((id) => users.has(id));
}

/** The filter by which the API finds the messages of a conversation. A stream is named by its name (R7.7). */
export function narrowTo({ subscriptions }: Pick<Known, 'subscriptions'>, conversation: ConversationKey) {
  return isDirect(conversation)
    ? { operator: 'dm', operand: [...participantsIn(conversation)] }
    : // Zulip refuses an empty operand. The name is unknown if the stream was left meanwhile.
      { operator: 'stream', operand: subscriptions?.get(conversation)?.name ?? conversation };
}

/**
 * The recipient of a message as the API wants it: for a stream its name (R7.7). A message that has waited in the
 * outbox uses the stream's id, because another stream may have the name by then.
 */
export function addressedTo({ subscriptions }: Pick<Known, 'subscriptions'>, conversation: ConversationKey, hasWaited: boolean) {
  if (isDirect(conversation)) return { type: 'direct', to: addressDirect(participantsIn(conversation)) };
  const name = hasWaited ? undefined : subscriptions?.get(conversation)?.name;
  const to = name === undefined ? String(conversation) : addressStream(name);
  return { type: 'stream', to, topic };
}

export function nameOf({ memberId, subscriptions, users }: Known, conversation: ConversationKey): string {
  if (!isDirect(conversation)) return subscriptions?.get(conversation)?.name ?? '';
  return joinNames(othersIn(conversation, memberId).map((userId) => users.get(userId)?.full_name ?? ''));
}

export const joinNames = (names: readonly string[]): string => names.join('、');

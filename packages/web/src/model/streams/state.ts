import { subscription, type RegistrationSnapshot, type Subscription } from '@engawa/protocol';
import { z } from 'zod/mini';
import type { PeopleState } from '../people/state.ts';
import { directKey, directOf, isDirect, type ConversationKey, type DirectKey } from './conversation.ts';

/** A stream that was closed for everyone, or that the member has left. */
export interface LostStream {
  readonly streamId: number;
  readonly name: string;
  readonly how: 'closed' | 'left';
}

export interface StreamsState extends PeopleState {
  /** By stream id; undefined before the first register. */
  readonly subscriptions: ReadonlyMap<number, Subscription> | undefined;
  readonly lostStream: LostStream | undefined;
  /** False if the server has said that the member may not create streams. */
  readonly mayCreateStreams: boolean;
  /** The member's direct conversations, each with the id of its newest message. */
  readonly directs: ReadonlyMap<DirectKey, number>;
}

export const initialStreams: Omit<StreamsState, keyof PeopleState> = {
  subscriptions: undefined,
  lostStream: undefined,
  mayCreateStreams: true,
  directs: new Map(),
};

export const selectMayCreateStreams = ({ mayCreateStreams }: StreamsState) => mayCreateStreams;
export const selectLostStream = ({ lostStream }: StreamsState) => lostStream;

/** The part of the state that the answer of register contains and that tabs send each other. */
export const streamsSnapshot = {
  subscriptions: z.map(z.int(), subscription),
  mayCreateStreams: z.boolean(),
  directs: z.map(directKey, z.int()),
};

/**
 * Collects direct conversations also from unread and recent messages, because a server lists only the newest.
 * @param known Conversations, each with the id of a message.
 */
export function streamsFrom(
  { recent_private_conversations: recent = [], can_create_private_streams: mayCreateStreams = true }: RegistrationSnapshot,
  subscriptions: readonly Subscription[],
  memberId: number,
  known: Iterable<readonly [ConversationKey, number]>,
) {
  const listed = recent.map(({ user_ids, max_message_id }) => [directOf([memberId, ...user_ids]), max_message_id] as const);
  const directs = new Map<DirectKey, number>();
  for (const [conversation, id] of [...listed, ...known]) {
    if (isDirect(conversation)) directs.set(conversation, Math.max(id, directs.get(conversation) ?? 0));
  }
  return { subscriptions: new Map(subscriptions.map((each) => [each.stream_id, each])), mayCreateStreams, directs };
}

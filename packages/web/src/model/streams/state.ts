import type { Subscription } from '@engawa/protocol';
import type { DirectKey } from './conversation.ts';

/** A stream that was the member's: deleted for everyone, or no longer theirs. */
export interface LostStream {
  readonly streamId: number;
  readonly name: string;
  readonly how: 'closed' | 'left';
}

export interface StreamsState {
  /** By stream id; undefined before the first register. */
  readonly subscriptions: ReadonlyMap<number, Subscription> | undefined;
  /** The stream that was lost last. */
  readonly lostStream: LostStream | undefined;
  /** The member's direct conversations, each with the id of its newest message. */
  readonly directs: ReadonlyMap<DirectKey, number>;
}

export const initialStreams: StreamsState = { subscriptions: undefined, lostStream: undefined, directs: new Map() };

export const selectLostStream = ({ lostStream }: StreamsState) => lostStream;

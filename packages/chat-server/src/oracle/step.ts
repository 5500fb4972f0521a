import type { ReadReceiptsShown, Role } from '@engawa/protocol';
import type { Destination, EditRequest, ReactionChange } from './model/messages.ts';
import type { GroupChange } from './model/groups.ts';
import type { AlertWordChange, SettingsChange } from './model/users.ts';
import type { FlagChange } from './model/reading.ts';
import type { SubscribeRequest, UnsubscribeRequest } from './model/streams.ts';

/** Users, streams and messages are identified by their ids. */
export interface SendRequest {
  readonly member: number;
  readonly to: Destination;
  readonly topic: string;
  readonly content: string;
  readonly clientId: string | undefined;
  readonly readBySender: boolean;
  /** Whether the send names one of the sender's queues for its `local_id`. */
  readonly hasLocalId: boolean;
}

/** The registration options of a queue, see `queueOptions`. */
export type QueueKind = 'everything' | 'html' | 'some' | 'messages' | 'public' | 'direct';

/** A narrow term with user and stream ids. */
export type Term =
  | { readonly operator: 'stream' | 'sender'; readonly operand: number }
  | { readonly operator: 'topic' | 'search'; readonly operand: string }
  | { readonly operator: 'dm'; readonly operand: readonly number[] }
  | { readonly operator: 'streams'; readonly operand: 'public' }
  | { readonly operator: 'is'; readonly operand: 'dm' | 'starred' | 'unread' | 'mentioned' | 'alerted' };

export interface FetchRequest {
  readonly narrow: readonly Term[];
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread';
  readonly before: number;
  readonly after: number;
}

export type Step =
  | { readonly action: 'sign in'; readonly member: number }
  | { readonly action: 'register'; readonly member: number; readonly kind: QueueKind }
  /** `queue` is an index into the list of queues. */
  | { readonly action: 'delete queue'; readonly queue: number }
  | { readonly action: 'poll'; readonly queue: number; readonly way: 'take' | 'look' | 'twice' }
  | { readonly action: 'wait'; readonly queues: readonly number[] }
  /** All messages are sent in one event-loop turn. */
  | { readonly action: 'send'; readonly sends: readonly SendRequest[] }
  | ({ readonly action: 'edit'; readonly member: number } & EditRequest)
  | { readonly action: 'delete'; readonly member: number; readonly id: number }
  | ({ readonly action: 'react'; readonly member: number } & ReactionChange)
  | ({ readonly action: 'change flags'; readonly member: number } & FlagChange)
  | ({ readonly action: 'change settings'; readonly member: number } & SettingsChange)
  | { readonly action: 'change receipt audience'; readonly member: number; readonly audience: ReadReceiptsShown }
  | { readonly action: 'get receipts'; readonly member: number; readonly id: number }
  | ({ readonly action: 'change alert words'; readonly member: number } & AlertWordChange)
  | ({ readonly action: 'subscribe'; readonly member: number } & SubscribeRequest)
  | ({ readonly action: 'unsubscribe'; readonly member: number } & UnsubscribeRequest)
  | { readonly action: 'set put_away'; readonly member: number; readonly stream: number; readonly isPutAway: boolean }
  | { readonly action: 'close stream'; readonly member: number; readonly stream: number }
  | { readonly action: 'create group'; readonly member: number }
  | ({ readonly action: 'change group'; readonly member: number } & GroupChange)
  | { readonly action: 'change role'; readonly member: number; readonly user: number; readonly role: Role }
  | { readonly action: 'deactivate'; readonly member: number; readonly user: number }
  | { readonly action: 'reactivate'; readonly member: number; readonly user: number }
  | { readonly action: 'fetch'; readonly member: number; readonly request: FetchRequest }
  | { readonly action: 'advance clock'; readonly seconds: number }
  | { readonly action: 'restart' }
  /** Compares every queue of a member, and everything the member can fetch, with the model. */
  | { readonly action: 'compare'; readonly member: number };

import type { ReadReceiptsShown, Role } from '@engawa/protocol';
import type { Destination, Editing, Reacting } from './model/messages.ts';
import type { Alerting, Choosing } from './model/people.ts';
import type { Marking } from './model/reading.ts';
import type { Subscribing, Unsubscribing } from './model/streams.ts';

/** Users, streams and messages are named by their ids. */
export interface Sending {
  readonly member: number;
  readonly to: Destination;
  readonly topic: string;
  readonly content: string;
  readonly clientId: string | undefined;
  readonly readBySender: boolean;
  /** Names one of the sender's own queues, to carry a mark. */
  readonly marked: boolean;
}

/** What a client asks of its queue, see `asked`. */
export type QueueKind = 'everything' | 'html' | 'some' | 'messages' | 'public' | 'direct';

/** A term of a narrow. Users and streams are named by their ids. */
export type Term =
  | { readonly operator: 'stream' | 'sender'; readonly operand: number }
  | { readonly operator: 'topic' | 'search'; readonly operand: string }
  | { readonly operator: 'dm'; readonly operand: readonly number[] }
  | { readonly operator: 'streams'; readonly operand: 'public' }
  | { readonly operator: 'is'; readonly operand: 'dm' | 'starred' | 'unread' | 'mentioned' | 'alerted' };

export interface Fetching {
  readonly narrow: readonly Term[];
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread';
  readonly before: number;
  readonly after: number;
}

/** One thing that happens. */
export type Step =
  | { readonly does: 'sign in'; readonly member: number }
  | { readonly does: 'register'; readonly member: number; readonly kind: QueueKind }
  /** `queue` counts the queues that there are. */
  | { readonly does: 'let go'; readonly queue: number }
  | { readonly does: 'poll'; readonly queue: number; readonly way: 'take' | 'look' | 'twice' }
  | { readonly does: 'wait'; readonly queues: readonly number[] }
  /** All in one turn. */
  | { readonly does: 'send'; readonly sendings: readonly Sending[] }
  | ({ readonly does: 'edit'; readonly member: number } & Editing)
  | { readonly does: 'delete'; readonly member: number; readonly id: number }
  | ({ readonly does: 'react'; readonly member: number } & Reacting)
  | ({ readonly does: 'mark'; readonly member: number } & Marking)
  | ({ readonly does: 'choose'; readonly member: number } & Choosing)
  | { readonly does: 'show receipts'; readonly member: number; readonly shown: ReadReceiptsShown }
  | { readonly does: 'ask who read'; readonly member: number; readonly id: number }
  | ({ readonly does: 'alert'; readonly member: number } & Alerting)
  | ({ readonly does: 'subscribe'; readonly member: number } & Subscribing)
  | ({ readonly does: 'unsubscribe'; readonly member: number } & Unsubscribing)
  | { readonly does: 'put away'; readonly member: number; readonly stream: number; readonly isAway: boolean }
  | { readonly does: 'archive'; readonly member: number; readonly stream: number }
  | { readonly does: 'change role'; readonly member: number; readonly user: number; readonly role: Role }
  | { readonly does: 'deactivate'; readonly member: number; readonly user: number }
  | { readonly does: 'reactivate'; readonly member: number; readonly user: number }
  | { readonly does: 'fetch'; readonly member: number; readonly fetching: Fetching }
  | { readonly does: 'pass'; readonly seconds: number }
  | { readonly does: 'restart' }
  /** Every queue of a member is compared with what register answers now, and with what can be fetched. */
  | { readonly does: 'compare'; readonly member: number };

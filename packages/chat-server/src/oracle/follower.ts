import type { ParametersIn, ServerEvent, registerQueue } from '@engawa/protocol';
import { queueLifespanSeconds } from '@engawa/protocol';
import type { HeldQueue } from '../testing/queue.ts';
import type { Telling } from './model/model.ts';
import type { State } from './state.ts';
import type { QueueKind } from './step.ts';

/** What a poll came to: its events, or the words in which it was refused. */
export type Outcome = { readonly events: readonly ServerEvent[] } | { readonly refusal: string };

/** A client that holds one queue: what register answered, changed by every event since. */
export interface Follower {
  readonly member: number;
  readonly kind: QueueKind;
  readonly queue: HeldQueue;
  /** Undefined where its queue tells too little to follow. */
  state: State | undefined;
  /** How much of what its member was told it has heard, or will not hear. */
  position: number;
  /** The newest event that it has heard. */
  newest: number;
  /** A poll that waits. */
  parked: Promise<Outcome> | undefined;
}

const lifespan = { queue_lifespan_secs: queueLifespanSeconds.most };

/** How queues are registered. The first two hear of everything, and can be followed. */
export const asked: Readonly<Record<QueueKind, ParametersIn<typeof registerQueue>>> = {
  everything: { ...lifespan, include_subscribers: true, client_capabilities: { bulk_message_deletion: true } },
  html: { ...lifespan, include_subscribers: true, apply_markdown: true },
  some: { ...lifespan, event_types: ['update_message', 'delete_message', 'update_message_flags', 'realm_user'] },
  messages: { ...lifespan, event_types: ['message'] },
  public: { ...lifespan, event_types: ['message', 'subscription'], all_public_streams: true },
  direct: { ...lifespan, event_types: ['message', 'stream'], narrow: [['is', 'dm']] },
};

export const isFollowing = (kind: QueueKind): boolean => kind === 'everything' || kind === 'html';

/** Whether a queue may tell of what its member was told. */
export function listensTo(kind: QueueKind, telling: Telling): boolean {
  const types = asked[kind].event_types;
  if (types && !types.includes(telling.type)) return false;
  if (telling.type !== 'message') return true;
  if (kind === 'direct') return telling.message.place.kind === 'direct';
  return kind === 'public' || !telling.isWide;
}

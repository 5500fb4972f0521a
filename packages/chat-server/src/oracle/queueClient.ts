import type { ParametersIn, ServerEvent, registerQueue } from '@engawa/protocol';
import { queueLifespanSeconds } from '@engawa/protocol';
import type { HeldQueue } from '../testing/queue.ts';
import type { ModelEvent } from './model/model.ts';
import type { State } from './state.ts';
import type { QueueKind } from './step.ts';

/** The result of a poll: events, or the error message. */
export type Outcome = { readonly events: readonly ServerEvent[] } | { readonly refusal: string };

/** A client with one queue. It applies every event to the state that `registerQueue` returned. */
export interface QueueClient {
  readonly member: number;
  readonly kind: QueueKind;
  readonly queue: HeldQueue;
  /** Undefined if the event types of the queue are too few to keep a state. */
  state: State | undefined;
  /** The index of the next model event that the queue may deliver. */
  position: number;
  newest: number;
  pendingPoll: Promise<Outcome> | undefined;
}

const lifespan = { queue_lifespan_secs: queueLifespanSeconds.most };

/** Registration options. Only the first two queues receive all event types and can keep a state. */
export const queueOptions: Readonly<Record<QueueKind, ParametersIn<typeof registerQueue>>> = {
  everything: { ...lifespan, include_subscribers: true, client_capabilities: { bulk_message_deletion: true } },
  html: { ...lifespan, include_subscribers: true, apply_markdown: true },
  some: { ...lifespan, event_types: ['update_message', 'delete_message', 'update_message_flags', 'realm_user'] },
  messages: { ...lifespan, event_types: ['message'] },
  public: { ...lifespan, event_types: ['message', 'subscription'], all_public_streams: true },
  direct: { ...lifespan, event_types: ['message', 'stream'], narrow: [['is', 'dm']] },
};

export const keepsState = (kind: QueueKind): boolean => kind === 'everything' || kind === 'html';

/** Whether the queue may deliver the model event. */
export function mayDeliver(kind: QueueKind, event: ModelEvent): boolean {
  const types = queueOptions[kind].event_types;
  if (types && !types.includes(event.type)) return false;
  if (event.type !== 'message') return true;
  if (kind === 'direct') return event.message.place.kind === 'direct';
  return kind === 'public' || !event.isWide;
}

/** Calls listeners for messages that arrive, or that an edit turns into a mention or alert, while the model is connected. */
import type { Dialect } from '@engawa/markup';
import type { MessageNotice } from '@engawa/protocol';
import { createSignal } from '../signal.ts';
import type { ConversationKey } from '../streams/conversation.ts';

export interface Arrival {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly senderId: number;
  readonly senderFullName: string;
  readonly content: string;
  readonly dialect: Dialect;
  readonly timestamp: number;
  readonly notice?: MessageNotice | undefined;
  /** By their API names: `read`, `mentioned`, `wildcard_mentioned`, `has_alert_word`, … */
  readonly flags: readonly string[];
  /** Whether an edit has added a mention of the member or an alert word to an earlier message. */
  readonly corrected: boolean;
}

export interface Arrivals {
  onArrival(listener: (arrival: Arrival) => void): () => void;
  /** @param find Called only if somebody listens. */
  notify(find: () => readonly Arrival[]): void;
  clear(): void;
}

export function createArrivals(): Arrivals {
  const arrived = createSignal<Arrival>();
  return {
    onArrival: arrived.subscribe,
    notify(find) {
      if (arrived.hasListeners) find().forEach(arrived.emit);
    },
    clear: arrived.clear,
  };
}

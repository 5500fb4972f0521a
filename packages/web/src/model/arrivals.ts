/** Tells of messages that come while the model keeps up with the server. */
import type { ServerEvent } from '@engawa/protocol';
import { conversationOf } from './conversation.ts';
import type { Arrival } from './view.ts';

export interface Arrivals {
  /** Calls back once for each message; returns how to stop. */
  listen(listener: (arrival: Arrival) => void): () => void;
  /** Tells of those among the events, which the state has taken in already. */
  tell(events: readonly ServerEvent[]): void;
  /** Forgets every listener. */
  clear(): void;
}

export function createArrivals(): Arrivals {
  const listeners = new Set<(arrival: Arrival) => void>();
  return {
    listen(listener) {
      // Two listenings of the same function are two.
      const told = (arrival: Arrival) => listener(arrival);
      listeners.add(told);
      return () => listeners.delete(told);
    },
    tell(events) {
      if (listeners.size === 0) return;
      for (const arrival of events.flatMap(arrivalOf)) listeners.forEach((listener) => listener(arrival));
    },
    clear: () => listeners.clear(),
  };
}

function arrivalOf(event: ServerEvent): Arrival[] {
  if (event.type !== 'message') return [];
  const { message, flags } = event;
  const conversation = conversationOf(message);
  if (conversation === undefined) return [];
  const { id: messageId, sender_id: senderId, sender_full_name: senderFullName, content, timestamp } = message;
  return [{ conversation, messageId, senderId, senderFullName, content, timestamp, flags }];
}

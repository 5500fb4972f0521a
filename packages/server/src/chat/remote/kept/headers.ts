import { z } from 'zod';
import type { Tombstone } from './store.ts';

/** The fields of a message that a tombstone needs. */
export const messageHeader = z.looseObject({
  id: z.int(),
  sender_id: z.int(),
  timestamp: z.int(),
  subject: z.string(),
  type: z.enum(['stream', 'private']),
  recipient_id: z.int(),
  stream_id: z.int().optional(),
  display_recipient: z.union([z.string(), z.array(z.looseObject({ id: z.int() }))]),
});
export type MessageHeader = z.output<typeof messageHeader>;

/** A stream's id, or the ids of the participants, ascending, in JSON. Undefined for a message without either. */
export function conversationOf({ stream_id, display_recipient }: MessageHeader): string | undefined {
  if (typeof display_recipient === 'string') return stream_id === undefined ? undefined : JSON.stringify(stream_id);
  const ids = display_recipient.map(({ id }) => id);
  return JSON.stringify(ids.toSorted((one, other) => one - other));
}

/** Each has about 200 bytes. */
const mostRemembered = 20_000;

/** Where, when and by whom the last seen messages were sent, in memory: the event of a deletion does not say it. */
export class MessageHeaders {
  /** The one that was noted longest ago comes first. */
  readonly #known = new Map<number, Tombstone>();

  note(message: MessageHeader): void {
    const conversation = conversationOf(message);
    if (conversation === undefined) return;
    const { id: message_id, subject: topic, sender_id, timestamp } = message;
    // A message may have been moved since it was noted.
    this.#known.delete(message_id);
    this.#known.set(message_id, { message_id, conversation, topic, sender_id, timestamp });
    for (const first of this.#known.keys()) {
      if (this.#known.size <= mostRemembered) break;
      this.#known.delete(first);
    }
  }

  get(messageId: number): Tombstone | undefined {
    return this.#known.get(messageId);
  }
}

import { z } from 'zod';
import type { EventRow } from './log.ts';

const messagePayload = z.object({ queue_id: z.string().optional(), local_id: z.string().optional() });

const subscriptionPayload = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), conversationId: z.int() }),
  z.object({ op: z.enum(['peer_add', 'peer_remove']), stream_ids: z.array(z.int()), user_ids: z.array(z.int()) }),
]);

/** What the log keeps of an event, by its type. */
export const payloadOf = {
  message: (row: EventRow) => messagePayload.parse(JSON.parse(row.payload)),
  subscription: (row: EventRow) => subscriptionPayload.parse(JSON.parse(row.payload)),
  other: (row: EventRow) => z.record(z.string(), z.unknown()).parse(JSON.parse(row.payload)),
};

/** What was read and written for one commit, so that those who wait at the same place and see the same thing share it. */
export class Views {
  readonly #texts = new Map<string, string>();
  readonly #rows = new Map<number, readonly EventRow[]>();

  after(cursor: number, read: () => readonly EventRow[]): readonly EventRow[] {
    const rows = this.#rows.get(cursor) ?? read();
    this.#rows.set(cursor, rows);
    return rows;
  }

  shared(view: string, write: () => string): string {
    let text = this.#texts.get(view);
    if (text === undefined) {
      text = write();
      this.#texts.set(view, text);
    }
    return text;
  }
}

import { audience } from '@engawa/protocol';
import { z } from 'zod';
import type { Reader } from '../database/index.ts';
import { type MessageRow, messages } from '../messages/store.ts';
import { Sight } from '../privacy/visibility.ts';
import type { Groups } from '../identity/groups.ts';
import { Crowd } from './crowd.ts';
import type { EventRow } from './log.ts';

const messagePayload = z.object({ queue_id: z.string().optional(), local_id: z.string().optional() });

const updatePayload = z.object({
  /** Who changed it, and when. */
  user_id: z.int(),
  edit_timestamp: z.int(),
  /** Where they all stand. */
  conversation_id: z.int(),
  message_id: z.int(),
  /** Ascending. */
  message_ids: z.array(z.int()),
  /** The correction of `message_id` that keeps what stood there before, where its content changed. */
  content_edit: z.int().optional(),
  /** Where the topic changed. */
  topic: z.object({ orig_subject: z.string(), subject: z.string(), propagate_mode: z.string() }).optional(),
});
export type UpdatePayload = z.output<typeof updatePayload>;
/** A correction, and those of its messages that are still there. */
export type Update = UpdatePayload & { readonly left: readonly number[] };

const deletePayload = z.object({
  message_type: z.enum(['stream', 'private']),
  message_id: z.int(),
  stream_id: z.int().optional(),
  topic: z.string().optional(),
});
export type DeletePayload = z.output<typeof deletePayload>;

const subscriptionPayload = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), conversationId: z.int() }),
  z.object({ op: z.literal('remove'), subscriptions: z.array(z.object({ name: z.string(), stream_id: z.int() })) }),
  z.object({
    op: z.literal('update'),
    stream_id: z.int(),
    property: z.string(),
    value: z.union([z.string(), z.boolean(), z.null()]),
    /** Whom it is told, where it is told many at once. */
    user_ids: z.array(z.int()).optional(),
  }),
  z.object({ op: z.enum(['peer_add', 'peer_remove']), stream_ids: z.array(z.int()), user_ids: z.array(z.int()) }),
]);

const streamPayload = z.union([
  z.object({ op: z.literal('create'), conversationId: z.int() }),
  z.looseObject({ op: z.enum(['update', 'delete']) }),
]);

/** Where it is not the thing itself that changed but who may see it. */
const audienceChange = z.object({ before: audience, after: audience });
export type AudienceChange = z.output<typeof audienceChange>;

const userPayload = z.union([
  z.object({ op: z.literal('add'), userId: z.int() }),
  /** Their picture, as it is when it is heard of. */
  z.object({ op: z.literal('picture'), userId: z.int(), audience: audienceChange.optional() }),
  z.looseObject({ op: z.literal('update') }),
]);

/** A status as it is when it is heard of. */
const statusPayload = z.object({ userId: z.int(), audience: audienceChange.optional() });

/** What the log keeps of an event, by its type. */
export const payloadOf = {
  message: (row: EventRow) => messagePayload.parse(JSON.parse(row.payload)),
  update: (row: EventRow) => updatePayload.parse(JSON.parse(row.payload)),
  delete: (row: EventRow) => deletePayload.parse(JSON.parse(row.payload)),
  subscription: (row: EventRow) => subscriptionPayload.parse(JSON.parse(row.payload)),
  stream: (row: EventRow) => streamPayload.parse(JSON.parse(row.payload)),
  user: (row: EventRow) => userPayload.parse(JSON.parse(row.payload)),
  status: (row: EventRow) => statusPayload.parse(JSON.parse(row.payload)),
  other: (row: EventRow) => z.record(z.string(), z.unknown()).parse(JSON.parse(row.payload)),
};

/** What is told of a subscription, and whom alone, where it is told many at once. */
interface ToldOfSubscription {
  readonly payload: z.output<typeof subscriptionPayload>;
  readonly userIds: ReadonlySet<number> | undefined;
}

type SentFrom = z.output<typeof messagePayload>;

/** What was read and written for one commit, so that those who wait at one place and see the same share it. */
export class Views {
  /** What members may see of each other. */
  readonly sight: Sight;
  readonly crowd: Crowd;
  readonly #reader: Reader;
  readonly #messages = new Map<number, MessageRow | undefined>();
  readonly #sent = new Map<number, SentFrom>();
  readonly #texts = new Map<string, string>();
  readonly #rows = new Map<number, readonly EventRow[]>();
  readonly #updates = new Map<number, Update>();
  readonly #subscriptions = new Map<number, ToldOfSubscription>();

  /** @param userIds all who are told. */
  constructor(reader: Reader, groups: Groups, userIds: readonly number[]) {
    this.#reader = reader;
    this.sight = new Sight(reader, groups);
    this.crowd = new Crowd(reader, userIds);
  }

  /** As it is now. */
  message(id: number): MessageRow | undefined {
    if (!this.#messages.has(id)) this.#messages.set(id, messages.withSender(this.#reader, id));
    return this.#messages.get(id);
  }

  /** From which queue a message was sent. */
  sentFrom(row: EventRow): SentFrom {
    const sent = this.#sent.get(row.id) ?? payloadOf.message(row);
    this.#sent.set(row.id, sent);
    return sent;
  }

  after(cursor: number, read: () => readonly EventRow[]): readonly EventRow[] {
    const rows = this.#rows.get(cursor) ?? read();
    this.#rows.set(cursor, rows);
    return rows;
  }

  update({ id }: EventRow, read: () => Update): Update {
    const update = this.#updates.get(id) ?? read();
    this.#updates.set(id, update);
    return update;
  }

  subscription(row: EventRow): ToldOfSubscription {
    const known = this.#subscriptions.get(row.id);
    if (known) return known;
    const payload = payloadOf.subscription(row);
    const userIds = payload.op === 'update' && payload.user_ids ? new Set(payload.user_ids) : undefined;
    const told = { payload, userIds };
    this.#subscriptions.set(row.id, told);
    return told;
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

import { type ParametersIn, type ServerEvent, getEvents, isEphemeral, registerQueue } from '@engawa/protocol';
import { expect } from 'vitest';
import { settled } from './clock.ts';
import type { Client, Refusal } from './eg.ts';

export interface HeldQueue {
  readonly id: string;
  cursor: number;
  /** Waits for events and acknowledges them. */
  wait(signal?: AbortSignal): Promise<ServerEvent[]>;
  /** Returns the available events and acknowledges them. */
  take(): Promise<ServerEvent[]>;
  /** Returns the available events without acknowledging them. */
  peek(): Promise<ServerEvent[]>;
  refused(): Promise<Refusal>;
}

export async function queueOf(client: Client, options: ParametersIn<typeof registerQueue> = {}): Promise<HeldQueue> {
  const { queue_id, last_event_id } = await client.ok(registerQueue, options);
  return heldQueue(client, queue_id, last_event_id);
}

export function heldQueue(client: Client, id: string, cursor: number): HeldQueue {
  const poll = async (dont_block: boolean, signal?: AbortSignal) => {
    const options = { queue_id: id, last_event_id: queue.cursor, dont_block };
    const { events } = await client.ok(getEvents, options, signal ? { signal } : {});
    expectAfter(options.last_event_id, events);
    return events;
  };
  const acknowledge = (events: ServerEvent[]) => {
    queue.cursor = Math.max(queue.cursor, ...events.map((event) => event.id));
    return events;
  };
  const queue: HeldQueue = {
    id,
    cursor,
    wait: async (signal) => acknowledge(await poll(false, signal)),
    take: async () => acknowledge(await poll(true)),
    peek: () => poll(true),
    refused: () => client.refused(getEvents, { queue_id: id, last_event_id: queue.cursor, dont_block: true }),
  };
  return queue;
}

/** Expects ascending ids after the acknowledged one. An ephemeral event and a heartbeat may repeat the id before them. */
function expectAfter(acknowledged: number, events: readonly ServerEvent[]): void {
  let last = acknowledged;
  for (const { id, type } of events) {
    expect(id).toBeGreaterThan(isEphemeral(type) || type === 'heartbeat' ? last - 1 : last);
    last = id;
  }
}

/** Whether a call is still unanswered after all pending work. */
export async function waits(call: Promise<unknown>): Promise<boolean> {
  const answered = call.then(() => false);
  return Promise.race([answered, settled().then(() => true)]);
}

/** A short description of an event for comparisons. */
export function inShort(event: ServerEvent): string {
  switch (event.type) {
    case 'message':
      return `message ${event.message.content}`;
    case 'update_message_flags':
      return `${event.op} ${event.flag} ${event.messages.join()}`;
    case 'subscription':
    case 'stream':
      return `${event.type} ${event.op}`;
    case 'typing':
      return `typing ${event.op} ${event.topic ?? event.sender.email}`;
    default:
      return event.type;
  }
}

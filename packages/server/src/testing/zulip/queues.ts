import { randomUUID } from 'node:crypto';
import { type Fields } from './fields.ts';
import type { Member } from './members.ts';
import { Refusal, badQueue } from './refusal.ts';

/** Reads the events after a cursor from the chat server inside. With `wait` it answers the first ones, or none when aborted. */
export interface Source {
  read(cursor: number, wait: boolean, signal: AbortSignal): Promise<readonly Fields[]>;
  /** The events of a real server in place of one, without ids. */
  translate(event: Fields): Promise<readonly Fields[]>;
}

interface Queue {
  readonly id: string;
  readonly member: Member;
  readonly source: Source;
  readonly lifespanSeconds: number;
  /** The newest id that was read from the source, whose ids have gaps. */
  cursor: number;
  /** From 0, without gaps. */
  nextId: number;
  events: (Fields & { readonly id: number })[];
  prunedUpTo: number;
  touched: number;
  /** Answers the poll that waits, with what the queue then has. */
  wake: (() => void) | undefined;
}

/** The source gives these events the id of the newest other one. */
const ephemeral = new Set(['typing', 'presence']);

/**
 * Event queues as the real server has them: ids from 0, one poll at a time, a heartbeat, an end after `queue_lifespan_secs`
 * without a poll. Foreign, unknown and expired queues are refused alike.
 */
export class Queues {
  readonly #queues = new Map<string, Queue>();
  readonly #heartbeatMilliseconds: number;

  constructor(heartbeatMilliseconds: number) {
    this.#heartbeatMilliseconds = heartbeatMilliseconds;
  }

  register(member: Member, cursor: number, source: Source, lifespanSeconds: number): string {
    const id = randomUUID();
    this.#queues.set(id, {
      id,
      member,
      cursor,
      source,
      lifespanSeconds,
      nextId: 0,
      events: [],
      prunedUpTo: -1,
      touched: Date.now(),
      wake: undefined,
    });
    return id;
  }

  async poll(member: Member, id: string, last: number, isBlocking: boolean, gone: AbortSignal): Promise<readonly Fields[]> {
    const queue = this.#of(member, id);
    if (last < queue.prunedUpTo) throw new Refusal(`An event newer than ${last} has already been pruned!`);
    if (last >= queue.nextId) throw new Refusal(`Event ${last} was not in this queue`);
    queue.prunedUpTo = last;
    queue.events = queue.events.filter((event) => event.id > last);
    queue.wake?.();
    const over = new AbortController();
    const wake = () => over.abort();
    queue.wake = wake;
    const timer = setTimeout(() => say(queue, { type: 'heartbeat' }), this.#heartbeatMilliseconds);
    try {
      await this.#collect(queue, false, gone);
      if (isBlocking) await this.#wait(queue, AbortSignal.any([over.signal, gone]));
    } finally {
      clearTimeout(timer);
      if (queue.wake === wake) queue.wake = undefined;
    }
    queue.touched = Date.now();
    return queue.events;
  }

  delete(member: Member, id: string): void {
    const queue = this.#of(member, id);
    this.#queues.delete(id);
    queue.wake?.();
  }

  /** Adds an event to all queues. */
  say(event: Fields): void {
    for (const queue of this.#queues.values()) say(queue, event);
  }

  clear(): void {
    for (const { wake } of this.#queues.values()) wake?.();
    this.#queues.clear();
  }

  #of(member: Member, id: string): Queue {
    const queue = this.#queues.get(id);
    if (queue && !queue.wake && Date.now() - queue.touched > queue.lifespanSeconds * 1000) this.#queues.delete(id);
    const found = this.#queues.get(id);
    if (found?.member.id !== member.id) throw badQueue(id);
    return found;
  }

  async #wait(queue: Queue, over: AbortSignal): Promise<void> {
    while (queue.events.length === 0 && !over.aborted) await this.#collect(queue, true, over);
  }

  async #collect(queue: Queue, wait: boolean, signal: AbortSignal): Promise<void> {
    for (const event of await queue.source.read(queue.cursor, wait, signal)) {
      const id = Number(event['id']);
      // Two polls may have read the same events.
      if (id <= queue.cursor && !ephemeral.has(String(event['type']))) continue;
      queue.cursor = Math.max(queue.cursor, id);
      append(queue, await queue.source.translate(event));
    }
  }
}

function say(queue: Queue, event: Fields): void {
  append(queue, [event]);
  queue.wake?.();
}

function append(queue: Queue, events: readonly Fields[]): void {
  for (const { id: _, ...event } of events) {
    queue.events.push({ ...event, id: queue.nextId });
    queue.nextId += 1;
  }
}

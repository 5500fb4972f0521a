import { sfuSlots } from '@engawa/protocol/sfu';
import type { SfuAnswer, SfuAssignment, SfuOffer, SfuReachable } from '@engawa/protocol/sfu';
import type { Log } from '../../log/log.ts';
import {
  startWorker,
  type Worker,
  type WorkerExit,
  type WorkerMessage,
  type WorkerOptions,
  workerProgram,
} from './workerProcess.ts';

/** Milliseconds after a failure in which no call begins with the forwarding unit. */
const pause = 60_000;
/** Milliseconds between the connections that a participant may ask for. */
const restartInterval = 1_000;
/** After so many crashes within a minute its calls are given up. */
const mostCrashes = 3;

export type SfuSignal =
  | { readonly kind: 'sfu_offer'; readonly data: SfuOffer }
  | { readonly kind: 'sfu_reachable'; readonly data: SfuReachable }
  | { readonly kind: 'sfu_slots'; readonly data: SfuAssignment };

export interface SfuOptions extends Omit<WorkerOptions, 'program'> {
  readonly program?: string;
  readonly now: () => number;
  readonly log: Log;
  signal(call: string, participant: string, signal: SfuSignal): void;
  /** The process cannot be used any more. The participants of these calls must join again, with another engine. */
  onLost(calls: readonly string[]): void;
}

export interface Sfu {
  /** Whether calls may begin with it. */
  isAvailable(): boolean;
  /** Resolves when it is known whether the library and the port can be used. */
  probe(): Promise<void>;
  /** Gives the participant a slot and a connection, a new one if it has one already. */
  join(call: string, participant: string): void;
  /** Gives the participant a new connection, unless it has just got one. */
  restart(call: string, participant: string): void;
  answer(call: string, participant: string, answer: SfuAnswer): void;
  leave(call: string, participant: string): void;
  close(): Promise<void>;
}

/** Participants by slot. */
type Slots = (string | undefined)[];

/**
 * The forwarding unit as the server sees it. Its process runs only while it has a call. The server sends messages and never waits
 * for an answer, so a process that hangs or dies delays nothing.
 */
export function createSfu({ program = workerProgram, now, log, signal, onLost, ...where }: SfuOptions): Sfu {
  const calls = new Map<string, Slots>();
  let worker: Worker | undefined;
  let ending: Promise<void> | undefined;
  let state: 'unknown' | 'available' | { readonly failedAt: number } = 'unknown';
  /** When each participant got its connection, in milliseconds. */
  const openedAt = new Map<string, number>();
  let round = 0;
  let crashes: readonly number[] = [];
  const probe = Promise.withResolvers<void>();

  function start(): Worker {
    // Messages of a process that has ended may arrive after its end.
    const started = startWorker({ program, ...where }, (message) => worker === started && onMessage(message));
    void started.exited.then((end) => (worker === started ? recover(end) : undefined));
    return started;
  }

  /** After a crash, all participants get new connections in a new process. */
  function recover(end: WorkerExit): void {
    crashes = [...crashes.filter((at) => now() - at < pause), now()];
    const event = { event: 'sfu_crashed', ...end };
    if (state !== 'available' || crashes.length >= mostCrashes) return giveUp(event);
    log({ level: 'error', ...event, calls: calls.size });
    worker = undefined;
    return openAll();
  }

  function giveUp(event: Readonly<Record<string, unknown>>): void {
    worker = undefined;
    state = { failedAt: now() };
    probe.resolve();
    const lost = [...calls.keys()];
    calls.clear();
    openedAt.clear();
    log({ level: 'error', ...event, calls: lost.length });
    if (lost.length > 0) onLost(lost);
  }

  function onMessage(message: WorkerMessage): void {
    if (message.kind === 'ready') {
      state = 'available';
      probe.resolve();
      log({ event: 'sfu_ready', port: where.port, pid: worker?.pid });
      stopIfIdle();
    } else if (message.kind === 'refused') {
      const refused = worker;
      giveUp({ event: 'sfu_unavailable', port: where.port, reason: message.reason });
      refused?.end();
    } else if (message.kind === 'failed') {
      log({ level: 'warn', event: 'sfu_connection_failed', reason: message.reason });
    } else if (message.kind === 'offer') {
      pass(message.call, message.offer.slot, { kind: 'sfu_offer', data: message.offer });
    } else {
      pass(message.call, message.slot, { kind: 'sfu_reachable', data: message.reachable });
    }
  }

  function pass(call: string, slot: number, said: SfuSignal): void {
    const participant = calls.get(call)?.[slot];
    if (participant !== undefined) signal(call, participant, said);
  }

  function tellSlots(call: string, slots: Slots): void {
    const data = { slots: Array.from(slots, (participant) => participant ?? null) };
    for (const participant of slots) if (participant !== undefined) signal(call, participant, { kind: 'sfu_slots', data });
  }

  /** A process that ends still has the port, so the next one starts after it. */
  function running(): Worker | undefined {
    if (!worker && !ending) worker = start();
    return worker;
  }

  function stopIfIdle(): void {
    if (calls.size > 0 || !worker) return;
    const ended = worker;
    worker = undefined;
    ended.end();
    ending = openAfter(ended.exited);
  }

  /** Calls that began meanwhile get their connections. */
  async function openAfter(exited: Promise<unknown>): Promise<void> {
    await exited;
    ending = undefined;
    openAll();
  }

  function openAll(): void {
    for (const [call, slots] of calls) {
      for (const [slot, participant] of slots.entries()) if (participant !== undefined) open(call, slot);
    }
  }

  function open(call: string, slot: number): void {
    round += 1;
    running()?.send({ kind: 'open', call, slot, round });
  }

  function join(call: string, participant: string): void {
    const slots = calls.get(call) ?? [];
    const known = slots.indexOf(participant);
    const free = Array.from({ length: sfuSlots }, (_, slot) => slot).find((slot) => slots[slot] === undefined);
    const slot = known < 0 ? free : known;
    // The server admits at most as many participants as there are slots.
    if (slot === undefined) return;
    calls.set(call, slots);
    slots[slot] = participant;
    openedAt.set(participant, now());
    open(call, slot);
    tellSlots(call, slots);
  }

  function leave(call: string, participant: string): void {
    const slots = calls.get(call);
    const slot = slots?.indexOf(participant) ?? -1;
    if (!slots || slot < 0) return;
    slots[slot] = undefined;
    openedAt.delete(participant);
    worker?.send({ kind: 'close', call, slot });
    tellSlots(call, slots);
    if (slots.some((other) => other !== undefined)) return;
    calls.delete(call);
    stopIfIdle();
  }

  return {
    isAvailable: () => state === 'available' || (typeof state === 'object' && now() - state.failedAt > pause),
    probe() {
      running();
      return probe.promise;
    },
    join,
    restart(call, participant) {
      if (now() - (openedAt.get(participant) ?? -Infinity) >= restartInterval) join(call, participant);
    },
    answer(call, participant, answer) {
      const slot = calls.get(call)?.indexOf(participant) ?? -1;
      if (slot >= 0) worker?.send({ kind: 'answer', call, slot, answer });
    },
    leave,
    async close() {
      calls.clear();
      stopIfIdle();
      probe.resolve();
      await ending;
    },
  };
}

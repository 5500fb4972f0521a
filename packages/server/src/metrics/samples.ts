import type { Database } from '@engawa/chat-server/database';
import { type Clock, Durations } from '@engawa/chat-server/parts';
import { type StatusFigure, type StatusSeries, statusFigures } from '@engawa/protocol/administration';
import { z } from 'zod';
import type { Log } from '../log/log.ts';
import type { Figures, Metrics } from './metrics.ts';
import { samples } from './store.ts';

/** Seconds. */
const every = 5 * 60;
const hour = 60 * 60;
const day = 24 * hour;
const week = 7 * day;

type Sample = Readonly<Record<StatusFigure, number | null>>;
const storedSample = z.record(z.enum(statusFigures), z.number().nullable());

export interface SampleDependencies {
  readonly database: Database;
  readonly metrics: Pick<Metrics, 'look'>;
  readonly now: () => number;
  readonly every: Clock['every'];
  readonly log: Log;
}

/** A week of samples, one every five minutes, in `engawa.db`, so that a restart keeps them. */
export class Samples {
  readonly #dependencies: SampleDependencies;
  readonly #stop: () => void;
  #before: Totals | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: SampleDependencies) {
    this.#dependencies = dependencies;
    this.#stop = dependencies.every(every * 1000, () => {
      this.#running = this.#take().catch((error: unknown) => dependencies.log({ event: 'sample_failed', error }));
    });
  }

  /** One value for each sample. */
  lastDay(): StatusSeries {
    return seriesOf(this.#after(day), every);
  }

  /** One value for each hour. */
  lastWeek(): StatusSeries {
    const hours = new Map<number, Sample[]>();
    for (const { time, sample } of this.#after(week)) {
      const began = time - (time % hour);
      hours.set(began, [...(hours.get(began) ?? []), sample]);
    }
    return seriesOf(
      [...hours].map(([time, ofHour]) => ({ time, sample: joined(ofHour) })),
      hour,
    );
  }

  async stop(): Promise<void> {
    this.#stop();
    await this.#running;
  }

  async #take(): Promise<void> {
    const { database, metrics, now } = this.#dependencies;
    const figures = await metrics.look();
    const totals = totalsOf(figures);
    const sample = sampleBetween(this.#before ?? noTotals(), totals, figures);
    this.#before = totals;
    const seconds = Math.floor(now() / 1000);
    await database.write((tx) => {
      samples.deleteUpTo(tx, seconds - week);
      samples.add(tx, { time: seconds - (seconds % every), figures: JSON.stringify(sample) });
    });
  }

  #after(seconds: number) {
    const { database, now } = this.#dependencies;
    return samples
      .after(database.reader, Math.floor(now() / 1000) - seconds)
      .map(({ time, figures }) => ({ time, sample: storedSample.parse(JSON.parse(figures)) }));
  }
}

/** Counts since the start. Durations are copied, because they go on. */
interface Totals {
  readonly sends: number;
  readonly failedSignIns: number;
  readonly failedCalls: number;
  readonly calls: readonly number[];
  readonly loop: readonly number[];
  readonly commits: readonly number[];
}

const none: readonly number[] = [];
const noTotals = (): Totals => ({ sends: 0, failedSignIns: 0, failedCalls: 0, calls: none, loop: none, commits: none });

function totalsOf({ calls, chat, ...figures }: Figures): Totals {
  const all = [...calls.byCall.values()];
  return {
    sends: figures.sends,
    failedSignIns: figures.failedSignIns,
    failedCalls: all
      .flatMap(({ statuses }) => [...statuses])
      .reduce((sum, [status, count]) => (status >= 500 ? sum + count : sum), 0),
    calls: added(all.map(({ durations }) => durations)),
    loop: added([figures.loopDelays]),
    commits: added([figures.commits, ...(chat ? [chat.commits] : [])]),
  };
}

const added = (durations: readonly Durations[]): number[] =>
  Array.from({ length: Durations.bounds.length + 1 }, (_, index) =>
    durations.reduce((sum, { classes }) => sum + (classes[index] ?? 0), 0),
  );

function sampleBetween(before: Totals, after: Totals, { chat, disk }: Figures): Sample {
  const slowest = (name: 'calls' | 'loop' | 'commits') =>
    quantile(
      after[name].map((count, index) => count - (before[name][index] ?? 0)),
      0.95,
    );
  return {
    messages: after.sends - before.sends,
    polls: chat?.waitingPolls ?? null,
    call_ms: slowest('calls'),
    loop_ms: slowest('loop'),
    commit_ms: slowest('commits'),
    failed_calls: after.failedCalls - before.failedCalls,
    failed_sign_ins: after.failedSignIns - before.failedSignIns,
    free_bytes: disk.freeBytes,
  };
}

/** As `histogram_quantile` of Prometheus: linear within a class. @returns milliseconds; null without any duration. */
export function quantile(classes: readonly number[], share: number): number | null {
  const count = classes.reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  let below = 0;
  for (const [index, inClass] of classes.entries()) {
    if (below + inClass >= count * share) {
      const least = Durations.bounds[index - 1] ?? 0;
      const most = Durations.bounds[index] ?? least;
      return 1000 * (least + ((count * share - below) / inClass) * (most - least));
    }
    below += inClass;
  }
  return null;
}

const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
const mean = (values: readonly number[]) => Math.round(sum(values) / values.length);
const most = (values: readonly number[]) => Math.max(...values);

const ofHour: Readonly<Record<StatusFigure, (values: readonly number[]) => number>> = {
  messages: sum,
  polls: mean,
  call_ms: most,
  loop_ms: most,
  commit_ms: most,
  failed_calls: sum,
  failed_sign_ins: sum,
  free_bytes: mean,
};

function joined(all: readonly Sample[]): Sample {
  return byFigure((name) => {
    const values = all.flatMap((sample) => sample[name] ?? []);
    return values.length === 0 ? null : ofHour[name](values);
  });
}

function seriesOf(all: readonly { readonly time: number; readonly sample: Sample }[], seconds: number): StatusSeries {
  return {
    every: seconds,
    times: all.map(({ time }) => time),
    values: byFigure((name) => all.map(({ sample }) => sample[name])),
  };
}

function byFigure<Value>(valueOf: (name: StatusFigure) => Value): Record<StatusFigure, Value> {
  return {
    messages: valueOf('messages'),
    polls: valueOf('polls'),
    call_ms: valueOf('call_ms'),
    loop_ms: valueOf('loop_ms'),
    commit_ms: valueOf('commit_ms'),
    failed_calls: valueOf('failed_calls'),
    failed_sign_ins: valueOf('failed_sign_ins'),
    free_bytes: valueOf('free_bytes'),
  };
}

import { type CallName, endpoints } from '../testing/endpoints.ts';
import type { Generated, Kind } from './requests.ts';

/** How often what was asked, and how it was answered. */
export class Tally {
  readonly kinds = new Map<Kind, number>();
  readonly statuses = new Map<number, number>();
  readonly #calls = new Map<string, { asked: number; succeeded: number }>();
  total = 0;

  constructor() {
    for (const name of endpoints.keys()) this.#calls.set(name, { asked: 0, succeeded: 0 });
  }

  count({ kind, name, answersCall }: Generated, status: number): void {
    this.total += 1;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    const call = this.#calls.get(name);
    if (!call) return;
    call.asked += 1;
    if (status === 200 && answersCall) call.succeeded += 1;
  }

  succeeded(name: CallName): number {
    return this.#calls.get(name)?.succeeded ?? 0;
  }

  share(kind: Kind): number {
    return (this.kinds.get(kind) ?? 0) / this.total;
  }

  /** The calls that never succeeded. */
  neverSucceeded(): string[] {
    return [...this.#calls].filter(([, { succeeded }]) => succeeded === 0).map(([name]) => name);
  }

  /** For people to read. */
  text(): string {
    const calls = [...this.#calls].toSorted(([one], [other]) => one.localeCompare(other));
    const statuses = [...this.statuses].toSorted(([one], [other]) => one - other);
    return [
      ...calls.map(([name, { asked, succeeded }]) => row(name, asked, `${succeeded} succeeded`)),
      ...[...this.kinds].map(([kind, count]) => row(kind, count)),
      ...statuses.map(([status, count]) => row(`HTTP ${status}`, count)),
    ].join('\n');
  }
}

function row(name: string, count: number, more = ''): string {
  return `${name.padEnd(20)} ${String(count).padStart(6)}  ${more}`.trimEnd();
}

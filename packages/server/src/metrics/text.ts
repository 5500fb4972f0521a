import { Durations } from '@engawa/chat-server/parts';

type Labels = Readonly<Record<string, string | number>>;

/** Writes the text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export class MetricsText {
  readonly #lines: string[] = [];

  /** @param values undefined ones are left out. */
  add(
    kind: 'counter' | 'gauge',
    name: string,
    help: string,
    values: Iterable<readonly [labels: Labels, value: number | null | undefined]>,
  ): void {
    this.#begin(kind, name, help);
    for (const [labels, value] of values) {
      if (value !== undefined && value !== null) this.#lines.push(`engawa_${name}${written(labels)} ${value}`);
    }
  }

  addDurations(name: string, help: string, values: Iterable<readonly [labels: Labels, durations: Durations | undefined]>): void {
    this.#begin('histogram', name, help);
    for (const [labels, durations] of values) {
      if (!durations || durations.count === 0) continue;
      let sum = 0;
      for (const [index, count] of durations.classes.entries()) {
        sum += count;
        this.#lines.push(`engawa_${name}_bucket${written({ ...labels, le: Durations.bounds[index] ?? '+Inf' })} ${sum}`);
      }
      this.#lines.push(`engawa_${name}_sum${written(labels)} ${durations.seconds}`);
      this.#lines.push(`engawa_${name}_count${written(labels)} ${durations.count}`);
    }
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  #begin(kind: string, name: string, help: string): void {
    this.#lines.push(`# HELP engawa_${name} ${help}`, `# TYPE engawa_${name} ${kind}`);
  }
}

function written(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(String(value))}`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

import type { Entry, OutboxDisk } from '../src/model/outboxDisk.ts';

export type FakeDisk = OutboxDisk & {
  readonly entries: () => readonly Entry[];
  /** It takes nothing more. */
  fill(): void;
};

/** A member's outbox as a browser keeps it, for all of its tabs. */
export function newDisk(): FakeDisk {
  let rows: readonly (Entry & { readonly order: number })[] = [];
  let nextOrder = 1;
  let isFull = false;
  const turn = async () => {
    await new Promise(setImmediate);
    if (isFull) throw new DOMException('full', 'QuotaExceededError');
  };
  return {
    entries: () => rows,
    fill() {
      isFull = true;
    },
    async read() {
      await new Promise(setImmediate);
      return rows;
    },
    async add(entry) {
      await turn();
      rows = [...rows, { ...entry, order: nextOrder }];
      nextOrder += 1;
    },
    async change(localKey, changes) {
      await turn();
      rows = rows.map((row) => (row.localKey === localKey ? { ...row, ...changes } : row));
    },
    async remove(localKey) {
      await turn();
      rows = rows.filter((row) => row.localKey !== localKey);
    },
  };
}

import type { Entry, OutboxDisk } from '../src/model/outbox/outboxDisk.ts';

export type FakeDisk = OutboxDisk & {
  readonly entries: () => readonly Entry[];
  /** Makes later writes fail. */
  fill(): void;
  /** Blocks all calls until the returned function is called. */
  stall(): () => void;
};

/** A member's outbox database, shared by the tabs of a browser. */
export function newDisk(): FakeDisk {
  let rows: readonly (Entry & { readonly order: number })[] = [];
  let nextOrder = 1;
  let isFull = false;
  let free = Promise.resolve();
  const turn = async () => {
    await new Promise(setImmediate);
    await free;
    if (isFull) throw new DOMException('full', 'QuotaExceededError');
  };
  return {
    entries: () => rows,
    fill() {
      isFull = true;
    },
    stall() {
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      return resolve;
    },
    async read(after) {
      await new Promise(setImmediate);
      await free;
      return rows.filter(({ order }) => order > after);
    },
    async find(localKey) {
      await new Promise(setImmediate);
      await free;
      return rows.find((row) => row.localKey === localKey);
    },
    async add(entry) {
      const { file } = entry;
      // Copied as a database would do, so that a later change of the file has no effect.
      const copy = file && new File([file], file.name, { type: file.type });
      await turn();
      rows = [...rows, { ...entry, file: copy, order: nextOrder }];
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

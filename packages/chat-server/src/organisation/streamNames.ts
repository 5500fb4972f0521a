import { maxStreamNameLength, streamNameKey } from '@engawa/protocol';
import { cleanName } from '../streams/name.ts';

export interface Naming {
  readonly streamId?: number | undefined;
  /** The wanted names, the preferred one first, at least one. */
  readonly names: readonly string[];
}

/** @param streamId the stream that wants the name; undefined for a new one. @returns the id of the stream that has it. */
export type HolderOf = (name: string, streamId: number | undefined) => number | undefined;

/**
 * Chooses a unique name for each stream. A stream that has its preferred name keeps it; the others get names in order.
 * @param ended streams that release their names.
 */
export function chooseNames(namings: readonly Naming[], ended: readonly number[], holderOf: HolderOf): string[] {
  const requests = namings.map(({ streamId, names }) => ({ streamId, names: names.map(cleanName) }));
  const renamed = new Set([...namings.flatMap(({ streamId }) => streamId ?? []), ...ended]);
  const given = new Set<string>();
  const isTaken = (name: string, streamId: number | undefined): boolean => {
    const holder = holderOf(name, streamId);
    return given.has(streamNameKey(name)) || (holder !== undefined && !renamed.has(holder));
  };
  const chosen = new Map<number, string>();
  const take = (index: number, name: string): void => {
    chosen.set(index, name);
    given.add(streamNameKey(name));
  };
  for (const [index, { streamId, names }] of requests.entries()) {
    const [best] = names;
    if (best === undefined) throw new TypeError('a stream needs a name');
    if (streamId !== undefined && holderOf(best, streamId) === streamId && !isTaken(best, streamId)) take(index, best);
  }
  for (const [index, { streamId, names }] of requests.entries()) {
    const isFree = (name: string) => !isTaken(name, streamId);
    if (!chosen.has(index)) take(index, names.find(isFree) ?? numbered(names, isFree));
  }
  return requests.map((_, index) => chosen.get(index) ?? '');
}

/** For example 総務課 (2). */
function numbered([best = '']: readonly string[], isFree: (name: string) => boolean): string {
  for (let number = 2; ; number += 1) {
    const end = ` (${number})`;
    const name = `${[...best].slice(0, maxStreamNameLength - end.length).join('')}${end}`;
    if (isFree(name)) return name;
  }
}

import { maxStreamNameLength, streamNameKey } from '@engawa/protocol';
import { cleanName } from '../streams/name.ts';
import type { Reader } from '../database/index.ts';
import { streams } from '../conversations/streams.ts';

export interface Naming {
  /** Absent: a stream that is made. */
  readonly streamId?: number | undefined;
  /** The best first; at least one. */
  readonly names: readonly string[];
}

/**
 * What each of these streams shall be called, so that no two of all streams are of one name. Who already has the best
 * of their names keeps it; then they choose in their order. Other streams keep theirs.
 * @param ended streams whose names are free by then.
 */
export function chooseNames(reader: Reader, namings: readonly Naming[], ended: readonly number[] = []): string[] {
  const wished = namings.map(({ streamId, names }) => ({ streamId, names: names.map(cleanName) }));
  const renamed = new Set([...namings.flatMap(({ streamId }) => streamId ?? []), ...ended]);
  const keys = [...new Set(wished.flatMap(({ names }) => names.map(streamNameKey)))];
  const holders = streams.byNameKeys(reader, keys);
  const kept = new Map(holders.map(({ conversation_id, name_key }) => [name_key, conversation_id]));
  const taken = new Set(holders.filter(({ conversation_id }) => !renamed.has(conversation_id)).map(({ name_key }) => name_key));
  const chosen = new Map<number, string>();
  const take = (index: number, name: string): void => {
    chosen.set(index, name);
    taken.add(streamNameKey(name));
  };
  for (const [
    index,
    {
      streamId,
      names: [best],
    },
  ] of wished.entries()) {
    if (best === undefined) throw new TypeError('a stream needs a name');
    const isTheirs = streamId !== undefined && kept.get(streamNameKey(best)) === streamId;
    if (isTheirs && !taken.has(streamNameKey(best))) take(index, best);
  }
  for (const [index, { names }] of wished.entries()) {
    if (chosen.has(index)) continue;
    take(index, names.find((name) => !taken.has(streamNameKey(name))) ?? numbered(reader, names, taken));
  }
  return wished.map((_, index) => chosen.get(index) ?? '');
}

/** 総務課 (2), … */
function numbered(reader: Reader, [best = '']: readonly string[], taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const end = ` (${number})`;
    const name = `${[...best].slice(0, maxStreamNameLength - end.length).join('')}${end}`;
    if (!taken.has(streamNameKey(name)) && !streams.byName(reader, name)) return name;
  }
}

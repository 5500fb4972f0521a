import { maxStreamNameLength, streamNameKey } from '@engawa/protocol';
import { streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import { cleanName } from '../streams/name.ts';

export interface Naming {
  readonly streamId?: number | undefined;
  /** The wanted names, the preferred one first, at least one. */
  readonly names: readonly string[];
}

/**
 * Chooses a unique name for each stream. A stream that has its preferred name keeps it; the others get names in order.
 * @param ended streams that release their names.
 */
export function chooseNames(reader: Reader, namings: readonly Naming[], ended: readonly number[] = []): string[] {
  const requests = namings.map(({ streamId, names }) => ({ streamId, names: names.map(cleanName) }));
  const renamed = new Set([...namings.flatMap(({ streamId }) => streamId ?? []), ...ended]);
  const keys = [...new Set(requests.flatMap(({ names }) => names.map(streamNameKey)))];
  const holders = streams.byNameKeys(reader, keys);
  const current = new Map(holders.map(({ conversation_id, name_key }) => [name_key, conversation_id]));
  const taken = new Set(holders.filter(({ conversation_id }) => !renamed.has(conversation_id)).map(({ name_key }) => name_key));
  const chosen = new Map<number, string>();
  const take = (index: number, name: string): void => {
    chosen.set(index, name);
    taken.add(streamNameKey(name));
  };
  for (const [index, { streamId, names }] of requests.entries()) {
    const [best] = names;
    if (best === undefined) throw new TypeError('a stream needs a name');
    const key = streamNameKey(best);
    if (streamId !== undefined && current.get(key) === streamId && !taken.has(key)) take(index, best);
  }
  for (const [index, { names }] of requests.entries()) {
    if (chosen.has(index)) continue;
    take(index, names.find((name) => !taken.has(streamNameKey(name))) ?? numbered(reader, names, taken));
  }
  return requests.map((_, index) => chosen.get(index) ?? '');
}

/** For example 総務課 (2). */
function numbered(reader: Reader, [best = '']: readonly string[], taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const end = ` (${number})`;
    const name = `${[...best].slice(0, maxStreamNameLength - end.length).join('')}${end}`;
    if (!taken.has(streamNameKey(name)) && !streams.byName(reader, name)) return name;
  }
}

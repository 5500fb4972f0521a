import type { MessageKey } from '../../../model/timeline/message.ts';

/** Pixels of a row before its measurement. Constant, because a change would move the rows above. */
export const estimatedHeight = 96;

export type RowHeights = ReturnType<typeof createRowHeights>;

/** Heights of rows and distances from the end, in pixels. `keys`: ascending message ids, then local keys of unsent messages. */
export function createRowHeights() {
  let keys: readonly MessageKey[] = [];
  let heights: number[] = [];
  /** Distances from the index `added` on. Earlier ones are summed on demand, because a change invalidates all of them. */
  let distances = new Float64Array(1);
  let added = 0;

  function distanceOf(index: number): number {
    while (added > index) {
      const below = distances[added] ?? 0;
      added -= 1;
      distances[added] = below + (heights[added] ?? 0);
    }
    return distances[index] ?? 0;
  }

  return {
    get keys(): readonly MessageKey[] {
      return keys;
    },

    become(after: readonly MessageKey[]) {
      if (after === keys) return;
      heights = carriedOver(keys, heights, after);
      keys = after;
      distances = new Float64Array(after.length + 1);
      added = after.length;
    },

    measure(index: number, height: number) {
      if (heights[index] === height) return;
      heights[index] = height;
      added = Math.max(added, index + 1);
    },

    distanceOf,

    indexAt(distance: number) {
      while (added > 0 && distanceOf(added) <= distance) distanceOf(added - 1);
      let low = added;
      let high = keys.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if (distanceOf(middle) > distance) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}

function carriedOver(before: readonly MessageKey[], heights: readonly number[], after: readonly MessageKey[]): number[] {
  let at = 0;
  return after.map((key) => {
    while (at < before.length && comesBefore(before[at], key)) at += 1;
    const same = before[at] === key ? at : typeof key === 'string' ? before.lastIndexOf(key) : -1;
    return heights[same] ?? estimatedHeight;
  });
}

function comesBefore(one: MessageKey | undefined, other: MessageKey): boolean {
  return typeof one === 'number' && (typeof other === 'string' || one < other);
}

/** The index of a message, or where it would be inserted. */
export function indexOf(keys: readonly MessageKey[], key: MessageKey): number {
  if (typeof key === 'string') {
    const index = keys.lastIndexOf(key);
    return index < 0 ? keys.length : index;
  }
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comesBefore(keys[middle], key)) low = middle + 1;
    else high = middle;
  }
  return low;
}

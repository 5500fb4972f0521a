import type { MessageKey } from '../../../model/timeline/message.ts';

/** What a row counts for until it is measured. It never changes, or what is above such rows would move. */
export const estimatedHeight = 96;

/**
 * How high the rows of a list are and so where they lie, counted from the list's end: a distance is how many pixels above
 * the end something is. `keys` hold the numbers of messages, rising, and after them the marks of what is on its way.
 */
export interface RowHeights {
  readonly keys: readonly MessageKey[];
  /** Messages have come or gone: those that stay keep their heights. */
  become(keys: readonly MessageKey[]): void;
  measure(index: number, height: number): void;
  /** The distance of a row's upper edge; of the list's end, 0, for the number of rows. */
  distanceOf(index: number): number;
  /** The row that is at a distance, or the nearest. */
  indexAt(distance: number): number;
}

export function createRowHeights(): RowHeights {
  let keys: readonly MessageKey[] = [];
  let heights: number[] = [];
  /**
   * Those of the rows from `added` on, and of the end. Those of older rows are added up when somebody asks, so that a
   * change costs no more than the way from it to where the reader is.
   */
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
    get keys() {
      return keys;
    },

    become(after) {
      if (after === keys) return;
      heights = carriedOver(keys, heights, after);
      keys = after;
      distances = new Float64Array(after.length + 1);
      added = after.length;
    },

    measure(index, height) {
      if (heights[index] === height) return;
      heights[index] = height;
      added = Math.max(added, index + 1);
    },

    distanceOf,

    indexAt(distance) {
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

/** Both lists are in order, so they are read side by side, once. */
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

/** Where a message is, or where it would be. */
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

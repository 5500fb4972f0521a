/** Which messages the member has not read. Pure. */

/** Message ids by stream id. */
export type Unread = ReadonlyMap<number, ReadonlySet<number>>;

const none: ReadonlySet<number> = new Set();

export function unreadIn(unread: Unread, streamId: number): ReadonlySet<number> {
  return unread.get(streamId) ?? none;
}

/** Without those that are just being marked as read. */
export function countUnread(unread: Unread, reading: ReadonlySet<number>, streamId: number): number {
  const ids = unreadIn(unread, streamId);
  return reading.size === 0 ? ids.size : ids.difference(reading).size;
}

export function firstUnread(unread: Unread, reading: ReadonlySet<number>, streamId: number): number | undefined {
  const ids = unreadIn(unread, streamId).difference(reading);
  return ids.size === 0 ? undefined : ids.values().reduce((one, other) => Math.min(one, other));
}

/** What a total counts of a stream. What is muted calls for nothing. */
interface Counted {
  readonly unReadCount: number;
  readonly status: 'active' | 'muted';
}

export function totalUnread(streams: Iterable<Counted>): number {
  let total = 0;
  for (const { unReadCount, status } of streams) if (status === 'active') total += unReadCount;
  return total;
}

export function withUnread(unread: Unread, streamId: number, ids: readonly number[]): Unread {
  return new Map(unread).set(streamId, unreadIn(unread, streamId).union(new Set(ids)));
}

export function withoutUnread(unread: Unread, ids: readonly number[]): Unread {
  const gone = new Set(ids);
  const rest = new Map(unread);
  for (const [streamId, unreadIds] of unread) {
    if (!unreadIds.isDisjointFrom(gone)) rest.set(streamId, unreadIds.difference(gone));
  }
  return rest;
}

import { newestAnchor } from '@engawa/protocol';

interface RangeOptions {
  readonly anchor: number;
  readonly num_before: number;
  readonly num_after: number;
  readonly include_anchor: boolean;
}

/** The messages that `GET /messages` must return for an anchor, given the ids of all matching messages. */
export function expectedRange(ids: readonly number[], { num_before, num_after, include_anchor, ...options }: RangeOptions) {
  const anchor = Math.min(Math.max(options.anchor, 0), newestAnchor);
  const before = num_before === 0 ? [] : ids.filter((id) => id < anchor).slice(-num_before);
  const at = ids.filter((id) => id === anchor && include_anchor);
  const after = anchor === newestAnchor ? [] : ids.filter((id) => id > anchor).slice(0, num_after);
  return {
    anchor,
    ids: [...before, ...at, ...after],
    found_anchor: at.length > 0,
    found_oldest: anchor === 0 || before.length < num_before,
    found_newest: anchor === newestAnchor || after.length < num_after,
    history_limited: false,
    ...(num_before > 0 && before.length === num_before ? { oldest_examined: before[0] } : {}),
  };
}

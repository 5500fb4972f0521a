import { newestAnchor } from '@engawa/protocol';

interface Asked {
  readonly anchor: number;
  readonly num_before: number;
  readonly num_after: number;
  readonly include_anchor: boolean;
}

/** What GET /messages finds around an anchor, told from the plain list of the ids that there are to find. */
export function around(ids: readonly number[], { num_before, num_after, include_anchor, ...asked }: Asked) {
  const anchor = Math.min(Math.max(asked.anchor, 0), newestAnchor);
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

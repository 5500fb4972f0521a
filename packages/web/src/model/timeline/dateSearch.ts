/** Finds the message ids of a moment on servers that cannot fetch messages from a date: by halving the range of all ids. */
import { getMessages, type Connection } from '@engawa/client';

/** Every message up to `low` is older than the moment, and none from `high` on is. */
export interface IdRange {
  readonly low: number;
  readonly high: number;
}

/** Ids between `low` and `high` that stay unexamined, which saves calls. Pages on both sides are filtered by time anyway. */
const unexamined = 50;

/** @param seconds The moment, in Unix seconds. @param newestId The highest message id that is known. */
export async function idsAround(
  seconds: number,
  newestId: number,
  connection: Connection,
  signal: AbortSignal,
): Promise<IdRange> {
  let low = 0;
  let high = newestId + 1;
  while (high - low > unexamined) {
    const middle = Math.floor((low + high) / 2);
    const anchor = { anchor: String(middle), num_before: 0, num_after: 1 };
    const { messages } = await getMessages(connection, { ...anchor, apply_markdown: false, client_gravatar: false }, { signal });
    const first = messages.find(({ id }) => id >= middle);
    if (first && first.id < high && first.timestamp < seconds) low = first.id;
    else high = middle;
  }
  return { low, high };
}

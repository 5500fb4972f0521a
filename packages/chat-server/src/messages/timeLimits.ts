import type { Reader } from '../database/index.ts';
import { realms } from '../realm/store.ts';
import type { MessageRow } from './store.ts';

/** Seconds after sending in which a message may be changed; null: always. */
interface TimeLimits {
  readonly content_edit_limit: number | null;
  readonly topic_edit_limit: number | null;
  readonly deletion_limit: number | null;
}

export function timeLimits(reader: Reader): TimeLimits {
  const realm = realms.get(reader);
  if (!realm) throw new Error('there is no organisation yet');
  return realm;
}

/** @param grace seconds beyond the limit. */
export function isPast({ timestamp }: Pick<MessageRow, 'timestamp'>, limit: number | null, now: number, grace = 0): boolean {
  return limit !== null && now > timestamp + limit + grace;
}

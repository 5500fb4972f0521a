import type { Reader } from '../database/index.ts';
import { realms } from '../realm/store.ts';
import type { Row } from '../schema.ts';
import type { MessageRow } from './store.ts';

/** A message may be changed for this many seconds after it was sent. Null means always. */
export function timeLimits(reader: Reader): Pick<Row<'realm'>, 'content_edit_limit' | 'topic_edit_limit' | 'deletion_limit'> {
  const realm = realms.get(reader);
  if (!realm) throw new Error('there is no organisation yet');
  return realm;
}

/** @param grace additional seconds after the limit. */
export function isPast({ timestamp }: Pick<MessageRow, 'timestamp'>, limit: number | null, now: number, grace = 0): boolean {
  return limit !== null && now > timestamp + limit + grace;
}

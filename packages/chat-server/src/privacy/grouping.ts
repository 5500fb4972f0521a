import { refused } from '../http/errors.ts';
import type { Sight } from './sight.ts';

/**
 * Who brings others into a group — a stream, or a direct conversation of three and more — needs that each of them wants
 * to be brought into one by this member.
 * @throws ChatError that names all who do not.
 */
export function refuseUnwanted(sight: Sight, callerId: number, userIds: readonly number[]): void {
  const unwilling = userIds.filter((id) => !sight.isOpen('groups_audience', id, callerId));
  if (unwilling.length > 0) throw refused.groupNotWanted([...new Set(unwilling)]);
}

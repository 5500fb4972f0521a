import { refused } from '../errors.ts';
import type { Visibility } from './visibility.ts';

/**
 * Checks that users allow the caller to add them to a group: a stream, or a direct conversation of three or more.
 * @throws ChatError GROUP_NOT_WANTED with the ids of all users who do not.
 */
export function requireGroupConsent(visibility: Visibility, callerId: number, userIds: readonly number[]): void {
  const unwilling = userIds.filter((id) => !visibility.canSee('groups_audience', id, callerId));
  if (unwilling.length > 0) throw refused.groupNotWanted([...new Set(unwilling)]);
}

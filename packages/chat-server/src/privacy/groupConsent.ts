import { refused } from '../errors.ts';
import type { Visibility } from './visibility.ts';

/** @throws ChatError GROUP_NOT_WANTED with the ids of all users who do not let the caller add them to a group. */
export function requireGroupConsent(visibility: Visibility, callerId: number, userIds: readonly number[]): void {
  const unwilling = userIds.filter((id) => !visibility.canSee('groups_audience', id, callerId));
  if (unwilling.length > 0) throw refused.groupNotWanted([...new Set(unwilling)]);
}

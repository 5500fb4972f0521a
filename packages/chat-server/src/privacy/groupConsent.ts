import { conversations } from '../conversations/store.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { Groups } from '../identity/groups.ts';
import { Sight } from './visibility.ts';

/**
 * Who brings others into a group — a stream, or a direct conversation of three and more — needs that each of them wants
 * to be brought into one by this member.
 * @throws ChatError that names all who do not.
 */
export function refuseUnwanted(sight: Sight, callerId: number, userIds: readonly number[]): void {
  const unwilling = userIds.filter((id) => !sight.isOpen('groups_audience', id, callerId));
  if (unwilling.length > 0) throw refused.groupNotWanted([...new Set(unwilling)]);
}

/**
 * The same for a direct conversation of these, the caller among them, ascending: of who is in it already nobody is asked.
 * @throws ChatError as `refuseUnwanted`.
 */
export function refuseUnwantedDirect(reader: Reader, groups: Groups, callerId: number, participants: readonly number[]): void {
  if (participants.length <= 2 || conversations.directOf(reader, participants) !== undefined) return;
  refuseUnwanted(new Sight(reader, groups), callerId, participants);
}

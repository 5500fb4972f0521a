import type { GuestSight } from '../chat/backend.ts';
import type { Reader } from '@engawa/chat-server/database';
import { type DepartmentMemberRow, type DepartmentRow, departments } from './store.ts';

/**
 * THE rule of which departments exist for a viewer. A guest sees the departments whose stream they are in, and of their members
 * those who exist for the guest. A department that is below an unseen one is shown at the top. Everyone else sees all.
 * @param streams the streams of a guest; undefined for everyone else.
 */
export function seenDepartments(reader: Reader, streams: ReadonlySet<number> | undefined): readonly DepartmentRow[] {
  const all = departments.all(reader);
  if (!streams) return all;
  const seen = all.filter(({ stream_id }) => stream_id !== null && streams.has(stream_id));
  const codes = new Set<string | null>(seen.map(({ department_cd }) => department_cd));
  return seen.map((row) => (codes.has(row.parent) ? row : { ...row, parent: null }));
}

/** The members of these departments who exist for the viewer. */
export function seenMembers(
  reader: Reader,
  sight: GuestSight | undefined,
  seen: readonly DepartmentRow[],
): readonly DepartmentMemberRow[] {
  if (!sight) return departments.members(reader);
  const codes = seen.map(({ department_cd }) => department_cd);
  return departments.postsIn(reader, codes).filter(({ user_id }) => sight.users.has(user_id));
}

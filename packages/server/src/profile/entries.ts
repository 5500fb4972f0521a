import type { Reader } from '@engawa/chat-server/database';
import type { DirectoryEntry } from '@engawa/protocol/product';
import { departmentsByUser } from '../departments/store.ts';
import { type ProfileRow, profilesByUser } from './store.ts';

type Texts = Pick<ProfileRow, 'user_id' | 'reading' | 'title'>;

/** In front of a Zulip server, a member of a department may have no profile. */
export function entriesOfUsers(reader: Reader, userIds: readonly number[]): DirectoryEntry[] {
  const known = profilesByUser(reader, userIds);
  return entriesOf(
    reader,
    userIds.map((user_id) => known.get(user_id) ?? { user_id, reading: '', title: '' }),
  );
}

/** The directory's entries as members see them. The location is left out, because it is private. */
export function entriesOf(reader: Reader, rows: readonly Texts[]): DirectoryEntry[] {
  const posts = departmentsByUser(
    reader,
    rows.map(({ user_id }) => user_id),
  );
  return rows.map(({ user_id, reading, title }) => ({ user_id, reading, title, departments: [...(posts.get(user_id) ?? [])] }));
}

import { realmId } from '@engawa/chat-server/export';
import { nameInPath } from '../files/nameInPath.ts';
import type { FileRow } from '../files/store.ts';

const directoryCharacters = 2;
const idCharacters = 20;

/** Below `/user_uploads/`. */
export function uploadPath({ stored_name: storedName, name }: Pick<FileRow, 'stored_name' | 'name'>): string {
  const [directory, id] = [storedName.slice(0, directoryCharacters), storedName.slice(directoryCharacters, idCharacters)];
  return [realmId, directory, id, nameInPath(name)].join('/');
}

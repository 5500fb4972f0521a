import { realmId } from '@engawa/chat-server/export';
import type { FileRow } from '../files/store.ts';

const mostStemCharacters = 60;
const directoryCharacters = 2;
const idCharacters = 20;

/** Below `/user_uploads/`. It ends like the original name, because Zulip offers the end as the name of a download. */
export function uploadPath({ stored_name: storedName, name }: Pick<FileRow, 'stored_name' | 'name'>): string {
  const [directory, id] = [storedName.slice(0, directoryCharacters), storedName.slice(directoryCharacters, idCharacters)];
  return [realmId, directory, id, nameInPath(name)].join('/');
}

/** Only letters and digits of any script and `_.-`, which need no escape in an address in a message. */
function nameInPath(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[^\p{L}\p{N}_.-]/gu, '');
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,20})?$/su.exec(plain) ?? [];
  return `${[...stem].slice(0, mostStemCharacters).join('') || 'file'}${extension}`;
}

import { ownClient } from '@engawa/markup';
import type { Reader } from '../database/index.ts';
import { exported } from './store.ts';

/** Zulip's name of its web client. Messages of our clients get it, because their text is in Zulip's syntax afterwards. */
const website = 'website';
const mostCharacters = 30;

/** Numbers the clients that sent messages, by their names at Zulip. */
export function clientsIn(reader: Reader) {
  const names = new Set([website, ...exported.clients(reader).map(zulipName)]);
  const ids = new Map([...names].map((name, index) => [name, index + 1]));
  const idOf = (client: string): number => ids.get(zulipName(client)) ?? 1;
  return { rows: [...ids].map(([name, id]) => ({ id, name })), idOf };
}

export type Clients = ReturnType<typeof clientsIn>;

function zulipName(client: string): string {
  return client === '' || client.startsWith(ownClient) ? website : [...client].slice(0, mostCharacters).join('');
}

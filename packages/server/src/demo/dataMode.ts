import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holdsOrganisation } from '@engawa/chat-server';
import { openReader } from '@engawa/chat-server/database';
import type { AuthMode } from '@engawa/protocol/product';
import { databaseFiles } from '../storage/layout.ts';
import { seedings } from './store.ts';

/** Ignores AUTH_MODE; undefined without an organisation. The data may be in use. */
export function modeOfData(dataDirectory: string): AuthMode | undefined {
  const [product, chat] = [join(dataDirectory, databaseFiles.product), join(dataDirectory, databaseFiles.chat)];
  if (!existsSync(product) || !existsSync(chat)) return undefined;
  const { reader, close } = openReader(product);
  try {
    if (seedings.get(reader) !== undefined) return 'fake';
  } finally {
    close();
  }
  return holdsOrganisation(chat) ? 'password' : undefined;
}

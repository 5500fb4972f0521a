import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holdsOrganisation } from '@engawa/chat-server';
import { openReader } from '@engawa/chat-server/database';
import type { AuthMode } from '@engawa/protocol/product';
import { databaseFiles } from '../storage/layout.ts';
import { seedings } from './store.ts';

/** Reads the mode from the data; undefined without an organisation. The product may be running on it. */
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

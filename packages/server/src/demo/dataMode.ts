import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holdsOrganisation } from '@engawa/chat-server';
import { openReader, versionOfFile } from '@engawa/chat-server/database';
import type { AuthMode } from '@engawa/protocol/product';
import { zulipSite } from '../chat/remote/store.ts';
import type { Configuration } from '../configuration.ts';
import { migrations } from '../database/migrations.ts';
import type { Failure } from '../log/failure.ts';
import { otherChatServer } from '../storage/dataDirectory.ts';
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

/** Why this data cannot be used with the configured chat server; undefined if it can. The product may be running on it. */
export function otherChatServerIn({ dataDirectory, zulip }: Pick<Configuration, 'dataDirectory' | 'zulip'>): Failure | undefined {
  const site = zulipSiteOf(dataDirectory);
  if (!zulip) return site === undefined ? undefined : otherChatServer(dataDirectory, site);
  if (site !== undefined)
    return site === zulip.site || site === zulip.siteBefore ? undefined : otherChatServer(dataDirectory, site);
  return modeOfData(dataDirectory) === undefined ? undefined : otherChatServer(dataDirectory, undefined);
}

/** The Zulip server whose data this is; undefined: the embedded chat server, or no data. */
export function zulipSiteOf(dataDirectory: string): string | undefined {
  const file = join(dataDirectory, databaseFiles.product);
  // Data of an earlier version has no such table before its first start.
  if (versionOfFile(file) !== migrations.length) return undefined;
  const { reader, close } = openReader(file);
  try {
    return zulipSite.get(reader);
  } finally {
    close();
  }
}

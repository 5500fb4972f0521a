import type { ChatBackend, PasswordCost } from './chat/backend.ts';
import { embeddedBackend } from './chat/embedded.ts';
import { zulipSite } from './chat/remote/store.ts';
import { remoteBackend } from './chat/remote/remote.ts';
import { type Configuration, type ZulipSettings, rateLimitsOf } from './configuration.ts';
import type { ProductData } from './data.ts';
import { otherChatServerIn } from './demo/dataMode.ts';
import { clearUnfinished, completeDirectory, isDemo, seed } from './demo/seeding.ts';
import { bindingsOfDepartments } from './departments/bindings.ts';
import { groupsOfDepartments } from './departments/groups.ts';
import { departments } from './departments/store.ts';
import type { Live } from './live/live.ts';
import type { Log } from './log/log.ts';
import { otherAuthMode } from './storage/dataDirectory.ts';

export interface ChatOptions {
  readonly data: ProductData;
  readonly realm: { readonly url: string; readonly maxFileSize: number };
  readonly live: Live;
  readonly now: () => number;
  readonly log: Log;
  readonly passwordCost: PasswordCost | undefined;
}

/** The chat server that the operator has chosen. @throws Failure for data of another one. */
export async function openChat(configuration: Configuration, options: ChatOptions): Promise<ChatBackend> {
  const { zulip } = configuration;
  const fault = otherChatServerIn(configuration);
  if (fault) {
    options.data.close();
    throw fault;
  }
  return zulip ? openRemote(zulip, configuration, options) : openEmbedded(configuration, options);
}

async function openRemote(
  zulip: ZulipSettings,
  configuration: Configuration,
  { data, live, now, log }: ChatOptions,
): Promise<ChatBackend> {
  const { database } = data;
  await database.write((tx) => zulipSite.put(tx, zulip.site));
  return remoteBackend({
    zulip,
    database,
    isBound: (streamId) => departments.boundTo(database.reader, streamId) !== undefined,
    live,
    rateLimits: rateLimitsOf(configuration),
    now,
    log,
  });
}

async function openEmbedded(
  configuration: Configuration,
  { data, realm, now, log, passwordCost }: ChatOptions,
): Promise<ChatBackend> {
  const { authMode, dataDirectory } = configuration;
  const { database, chatDirectory } = data;
  const fake = authMode === 'fake';
  await clearUnfinished(database, chatDirectory);
  const chat = embeddedBackend({
    directory: chatDirectory,
    realm,
    log,
    rateLimits: rateLimitsOf(configuration),
    groups: groupsOfDepartments(database),
    bindings: bindingsOfDepartments(database),
    emailChanges: fake ? 'own' : 'administrators',
    ...(passwordCost && { passwordCost }),
  });
  const { directory } = chat;
  if (!directory.isEmpty() && isDemo(database) !== fake) {
    await chat.close();
    data.close();
    throw otherAuthMode(dataDirectory, authMode);
  }
  if (fake && directory.isEmpty()) await seed({ chat: directory, database, storage: data.files, now: now() });
  await completeDirectory(database);
  return chat;
}

import { setImmediate } from 'node:timers/promises';
import type { ChatServer } from '@engawa/chat-server';
import type { Database, Transaction } from '@engawa/chat-server/database';
import type { Log } from '../log/log.ts';
import { messagesCarrying } from './access.ts';
import type { Storage } from '../storage/storage.ts';
import { type FileRow, files } from './store.ts';

const day = 24 * 60 * 60 * 1000;
/** Milliseconds that an upload may stay unsent. */
const unsentLife = 7 * day;
/** Milliseconds. A younger file without a row may get its row in a moment; an older one was left by a crash. */
const unknownLife = day;
/** Files per transaction. */
const filesPerTurn = 200;

export interface SweepDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly chat: Pick<ChatServer, 'messagesOfFile'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Sweeper {
  /** Sweeps now and daily, in the background. */
  start(): void;
  /** Resolves once no sweep is running. */
  stop(): Promise<void>;
}

export function createSweeper(options: SweepDependencies & { readonly log: Log }): Sweeper {
  const stopped = new AbortController();
  let sweeping = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    sweeping = sweep(options, stopped.signal).catch((error: unknown) => {
      options.log({ event: 'file_sweep_failed', error });
    });
  };

  return {
    start() {
      begin();
      timer = setInterval(begin, day).unref();
    },
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await sweeping;
    },
  };
}

/** Removes files that were never sent and files without a row. */
export async function sweep(options: SweepDependencies, signal: AbortSignal): Promise<void> {
  await removeUnsent(options, signal);
  await removeUnknown(options, signal);
}

async function removeUnsent({ database, storage, chat, now }: SweepDependencies, signal: AbortSignal): Promise<void> {
  const before = Math.floor((now() - unsentLife) / 1000);
  while (!signal.aborted) {
    const unsent = files.unsent(database.reader, before, filesPerTurn);
    if (unsent.length === 0) return;
    // The row goes first: a file without a row is swept later, but a row without a file breaks downloads.
    const removed = await database.write((tx) =>
      unsent.filter((file) => !markWhereSent(tx, file, chat) && files.removeUnsent(tx, file.stored_name) === 1),
    );
    for (const { place } of removed) await storage.remove(place);
    await setImmediate();
  }
}

/**
 * A send that was not noted, because the process died or the disk was full, is found here. It is looked up in the
 * transaction that would remove the file, so that the file cannot be sent in between.
 * @returns whether the file was sent.
 */
function markWhereSent(tx: Transaction, file: FileRow, chat: SweepDependencies['chat']): boolean {
  const isSent = messagesCarrying(file, chat).length > 0;
  if (isSent) files.markSent(tx, file.stored_name);
  return isSent;
}

async function removeUnknown({ database, storage, now }: SweepDependencies, signal: AbortSignal): Promise<void> {
  const before = now() - unknownLife;
  for await (const places of storage.places()) {
    for (const place of places.filter((each) => !files.byPlace(database.reader, each))) {
      const written = await storage.written(place);
      if (written !== undefined && written < before) await storage.remove(place);
    }
    if (signal.aborted) return;
    await setImmediate();
  }
}

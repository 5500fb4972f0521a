import { setImmediate } from 'node:timers/promises';
import type { SentFiles } from '../chat/backend.ts';
import type { Database, Transaction } from '@engawa/chat-server/database';
import type { Log } from '../log/log.ts';
import { messagesCarrying } from './access.ts';
import type { Storage } from '../storage/storage.ts';
import { type FileRow, files } from './store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const unsentLife = 7 * dayMs;
/** A new file without a row may be an upload that gets its row next; an older one was left by a crash. */
const unknownLife = dayMs;
const filesPerTurn = 200;

export interface SweepDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly sentFiles: Pick<SentFiles, 'messagesOfFile' | 'isFileScheduled'>;
  readonly now: () => number;
}

export interface Sweeper {
  start(): void;
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
      timer = setInterval(begin, dayMs).unref();
    },
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await sweeping;
    },
  };
}

export async function sweep(options: SweepDependencies, signal: AbortSignal): Promise<void> {
  await removeUnsent(options, signal);
  await removeUnknown(options, signal);
}

async function removeUnsent({ database, storage, sentFiles, now }: SweepDependencies, signal: AbortSignal): Promise<void> {
  const before = Math.floor((now() - unsentLife) / 1000);
  let kept = 0;
  while (!signal.aborted) {
    const unsent = files.unsent(database.reader, before, kept, filesPerTurn);
    if (unsent.length === 0) return;
    // The row goes first: a file without a row is swept later, but a row without a file breaks downloads.
    const { scheduled, removed } = await database.write((tx) => {
      // Messages come first: a message that was sent is no longer scheduled.
      const old = unsent.filter((file) => !markIfSent(tx, file, sentFiles));
      const scheduled = old.filter((file) => sentFiles.isFileScheduled(file.uploader_id, file.stored_name));
      const removed = old.filter((file) => !scheduled.includes(file) && files.removeUnsent(tx, file.stored_name) === 1);
      return { scheduled, removed };
    });
    kept += scheduled.length;
    for (const { place } of removed) await storage.remove(place);
    await setImmediate();
  }
}

/** Marks a file whose message was sent but not noted. Runs in the removing transaction, so that no send comes between. */
function markIfSent(tx: Transaction, file: FileRow, sentFiles: SweepDependencies['sentFiles']): boolean {
  const isSent = messagesCarrying(file, sentFiles).length > 0;
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

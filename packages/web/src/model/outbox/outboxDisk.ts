import type { FileMessage } from '@engawa/protocol';
import type { ConversationKey } from '../streams/conversation.ts';
import { outboxName } from './outboxName.ts';
import type { Failure } from '../connection/failure.ts';

export interface Entry {
  readonly localKey: string;
  readonly conversation: ConversationKey;
  readonly text: string;
  readonly file: File | undefined;
  readonly fileMessage: FileMessage | undefined;
  readonly timestamp: number;
  readonly afterId: number | undefined;
  readonly refusal: Failure | undefined;
}

/** All methods reject if the browser fails: storage is forbidden or full, or the member has signed out. */
export interface OutboxDisk {
  /** Reads the entries that any tab has inserted after the one with this `order`, in the order of insertion. */
  read(after: number): Promise<readonly unknown[]>;
  find(localKey: string): Promise<unknown>;
  add(entry: Entry): Promise<void>;
  /** Changes nothing if the entry is missing, because another tab has discarded it. */
  change(localKey: string, changes: Partial<Entry>): Promise<void>;
  remove(localKey: string): Promise<void>;
}

const entries = 'entries';
const byKey = 'localKey';
/** Most entries that are read at once; the outbox stores no more. */
export const mostEntries = 1000;

export async function openDisk(databases: IDBFactory, userId: number): Promise<OutboxDisk> {
  const opening = databases.open(outboxName(userId), 1);
  opening.addEventListener('upgradeneeded', () => {
    const store = opening.result.createObjectStore(entries, { keyPath: 'order', autoIncrement: true });
    store.createIndex(byKey, byKey, { unique: true });
  });
  const database = await resultOf(opening);
  // Signing out deletes the database, and an open connection would block that.
  database.addEventListener('versionchange', () => database.close());

  async function write(act: (store: IDBObjectStore) => void): Promise<void> {
    // `strict`: the data survives a crash of the machine, at the cost of some milliseconds.
    const transaction = database.transaction(entries, 'readwrite', { durability: 'strict' });
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the outbox was not written')));
    });
    act(transaction.objectStore(entries));
    await done;
  }

  return {
    read: async (after) =>
      resultOf(database.transaction(entries).objectStore(entries).getAll(IDBKeyRange.lowerBound(after, true), mostEntries)),

    find: async (localKey) => resultOf<unknown>(database.transaction(entries).objectStore(entries).index(byKey).get(localKey)),

    add: (entry) =>
      write((store) => {
        store.add(entry);
        // Commits now instead of when the browser is idle, because the page may be closed at once.
        store.transaction.commit();
      }),

    change: (localKey, changes) =>
      write((store) => {
        const found = store.index(byKey).openCursor(localKey);
        found.addEventListener('success', () => found.result?.update({ ...Object(found.result.value), ...changes }));
      }),

    remove: (localKey) =>
      write((store) => {
        const found = store.index(byKey).openCursor(localKey);
        found.addEventListener('success', () => found.result?.delete());
      }),
  };
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB reported no error')));
  });
}

/** The outbox in IndexedDB. Fetched on demand. */
import type { FileMessage } from '@engawa/protocol';
import type { ConversationKey } from '../streams/conversation.ts';
import { outboxName } from './outboxName.ts';
import type { Failure } from '../connection/failure.ts';

/** What is needed to go on sending. */
export interface Entry {
  readonly localKey: string;
  readonly conversation: ConversationKey;
  readonly text: string;
  readonly file: File | undefined;
  readonly fileMessage: FileMessage | undefined;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly afterId: number | undefined;
  /** Why the server does not take it; undefined while it is to be sent. */
  readonly refusal: Failure | undefined;
}

/** All of these reject where the browser does not do it: it is forbidden, full, or the member has signed out. */
export interface OutboxDisk {
  /** In the order in which they were added, each with a number `order` that says so; of all tabs of the browser. */
  read(): Promise<readonly unknown[]>;
  /** Resolves when it would survive the end of the browser. */
  add(entry: Entry): Promise<void>;
  /** Changes nothing where it is gone: what was taken back in another tab stays so. */
  change(localKey: string, changes: Partial<Entry>): Promise<void>;
  remove(localKey: string): Promise<void>;
}

const entries = 'entries';
const byKey = 'localKey';
/** So many are read at once; the keeper adds no more. */
export const mostEntries = 1000;

export async function openDisk(databases: IDBFactory, userId: number): Promise<OutboxDisk> {
  const opening = databases.open(outboxName(userId), 1);
  opening.addEventListener('upgradeneeded', () => {
    const store = opening.result.createObjectStore(entries, { keyPath: 'order', autoIncrement: true });
    store.createIndex(byKey, byKey, { unique: true });
  });
  const database = await resultOf(opening);
  // The member has signed out: whoever holds on to it would keep it from being deleted.
  database.addEventListener('versionchange', () => database.close());

  async function write(act: (store: IDBObjectStore) => void): Promise<void> {
    // Strict: it survives the end of the machine as well, which costs some milliseconds.
    const transaction = database.transaction(entries, 'readwrite', { durability: 'strict' });
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the outbox was not written')));
    });
    act(transaction.objectStore(entries));
    await done;
  }

  return {
    read: async () => resultOf(database.transaction(entries).objectStore(entries).getAll(undefined, mostEntries)),

    add: (entry) =>
      write((store) => {
        store.add(entry);
        // So that it is written also where the page is gone with the next moment.
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
    request.addEventListener('error', () => reject(request.error ?? new Error('the outbox cannot be used')));
  });
}

import type { Database, Reader, Transaction } from '@engawa/chat-server/database';
import type { ReceivedFile, Storage } from '../storage/storage.ts';
import type { StoredImage } from './sendImage.ts';

export interface Pictures {
  readonly database: Database;
  readonly storage: Storage;
  readonly rows: {
    ofOwner(reader: Reader, ownerId: number): readonly StoredImage[];
    byVersion(reader: Reader, version: string): StoredImage | undefined;
    insert(tx: Transaction, ownerId: number, image: StoredImage): unknown;
    remove(tx: Transaction, ownerId: number, version: string): unknown;
  };
}

/**
 * The announced picture always exists: a new one is stored before, the old one is removed afterwards. A crash leaves one too
 * many.
 */
export async function replacePicture<Announced>(
  { database, storage, rows }: Pictures,
  ownerId: number,
  image: ReceivedFile | undefined,
  announce: (version: string | undefined) => Promise<Announced>,
): Promise<Announced> {
  const remove = async (versions: readonly string[]): Promise<void> => {
    await database.write((tx) => versions.forEach((version) => rows.remove(tx, ownerId, version)));
    for (const version of versions) await storage.remove(version);
  };
  const before = rows.ofOwner(database.reader, ownerId).map(({ version }) => version);
  const version = await image?.keep();
  const publish = async (): Promise<Announced> => {
    if (image && version !== undefined) {
      await database.write((tx) => rows.insert(tx, ownerId, { version, type: image.type, size: image.size }));
    }
    return announce(version);
  };
  const announced = await publish().catch(async (error: unknown) => {
    if (version !== undefined) await remove([version]);
    throw error;
  });
  await remove(before);
  return announced;
}

/** Removes files that a crash left without a row. Must run before members can change pictures. */
export async function removeUnknownPictures({
  database,
  storage,
  rows,
}: Pick<Pictures, 'database' | 'storage'> & { readonly rows: Pick<Pictures['rows'], 'byVersion'> }): Promise<void> {
  for await (const versions of storage.places()) {
    for (const version of versions) if (!rows.byVersion(database.reader, version)) await storage.remove(version);
  }
}

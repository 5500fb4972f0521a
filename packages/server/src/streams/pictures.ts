import type { ChatServer } from '@engawa/chat-server';
import type { Database } from '@engawa/chat-server/database';
import { paths } from '@engawa/protocol/product';
import type { ReceivedFile, Storage } from '../storage/storage.ts';
import { refused } from '../http/errors.ts';
import { type StreamPictureRow, streamPictures } from './store.ts';

export interface StreamPictureDependencies {
  readonly database: Database;
  /** Contains only pictures of streams. */
  readonly storage: Storage;
  readonly chat: Pick<ChatServer, 'seesStream' | 'managesStream' | 'setStreamPicture'>;
}

/**
 * Sets or removes a stream's picture. The picture that the chat server announces always exists.
 * @returns its URL.
 */
export async function changeStreamPicture(
  dependencies: StreamPictureDependencies,
  memberId: number,
  streamId: number,
  image: ReceivedFile | undefined,
): Promise<string | null> {
  const before = streamPictures.ofStream(dependencies.database.reader, streamId);
  const url = image ? await showImage(dependencies, memberId, streamId, image) : null;
  if (!image) await publish(dependencies, memberId, streamId, null);
  await removePictures(dependencies, before);
  return url;
}

async function showImage(
  dependencies: StreamPictureDependencies,
  memberId: number,
  streamId: number,
  image: ReceivedFile,
): Promise<string> {
  const { type, size } = image;
  const picture = { stream_id: streamId, version: await image.keep(), type, size };
  try {
    await dependencies.database.write((tx) => streamPictures.insert(tx, picture));
    const url = `${paths.streams}${streamId}/picture/${picture.version}`;
    await publish(dependencies, memberId, streamId, url);
    return url;
  } catch (error) {
    await removePictures(dependencies, [picture]);
    throw error;
  }
}

/** The member may have lost the right while the image was received. */
async function publish({ chat }: StreamPictureDependencies, memberId: number, streamId: number, url: string | null) {
  if (!(await chat.setStreamPicture(memberId, streamId, url))) throw refused.notTheirStream();
}

async function removePictures(
  { database, storage }: StreamPictureDependencies,
  pictures: readonly StreamPictureRow[],
): Promise<void> {
  await database.write((tx) => pictures.forEach((picture) => streamPictures.remove(tx, picture)));
  for (const { version } of pictures) await storage.remove(version);
}

/** Removes pictures without a row, which a crash left behind. Must run before anybody can change a picture. */
export async function removeUnknownStreamPictures({
  database,
  storage,
}: Pick<StreamPictureDependencies, 'database' | 'storage'>): Promise<void> {
  for await (const versions of storage.places()) {
    for (const version of versions) {
      if (!streamPictures.isVersion(database.reader, version)) await storage.remove(version);
    }
  }
}

import type { ChatServer } from '@engawa/chat-server';
import type { Database } from '@engawa/chat-server/database';
import { type AvatarChoice, builtInAvatarPath, builtInAvatars, paths } from '@engawa/protocol/product';
import type { ReceivedFile, Storage } from '../storage/storage.ts';
import { type AvatarRow, avatars } from './store.ts';

export interface PictureDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly chat: Pick<ChatServer, 'setAvatar'>;
}

/**
 * Changes a member's picture. The picture that the chat server announces always exists: a new one is stored before, and the
 * old one is removed after the announcement. A crash in between leaves one too many until the next change.
 */
export async function changePicture(
  dependencies: PictureDependencies,
  userId: number,
  picture: AvatarChoice | ReceivedFile,
): Promise<void> {
  if (picture === 'keep') return;
  const before = avatars.ofUser(dependencies.database.reader, userId);
  if (typeof picture === 'object') await showImage(dependencies, userId, picture);
  else await dependencies.chat.setAvatar(userId, addressOf(picture));
  await removePictures(dependencies, before);
}

async function showImage(dependencies: PictureDependencies, userId: number, image: ReceivedFile): Promise<void> {
  const { type, size } = image;
  const avatar = { user_id: userId, version: await image.keep(), type, size };
  try {
    await dependencies.database.write((tx) => avatars.insert(tx, avatar));
    await dependencies.chat.setAvatar(userId, `${paths.avatars}${userId}/${avatar.version}`);
  } catch (error) {
    await removePictures(dependencies, [avatar]);
    throw error;
  }
}

async function removePictures({ database, storage }: PictureDependencies, pictures: readonly AvatarRow[]): Promise<void> {
  await database.write((tx) => pictures.forEach((avatar) => avatars.remove(tx, avatar)));
  for (const { version } of pictures) await storage.remove(version);
}

function addressOf(choice: Exclude<AvatarChoice, 'keep'>): string | null {
  const avatar = builtInAvatars.find((each) => choice === `built-in:${each}`);
  return avatar === undefined ? null : builtInAvatarPath(avatar);
}

/** Removes pictures without a row, which a crash left behind. Must run before anybody can change a picture. */
export async function removeUnknownPictures({ database, storage }: Omit<PictureDependencies, 'chat'>): Promise<void> {
  for await (const versions of storage.places()) {
    for (const version of versions) {
      if (!avatars.isVersion(database.reader, version)) await storage.remove(version);
    }
  }
}

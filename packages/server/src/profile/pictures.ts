import type { Database } from '@engawa/chat-server/database';
import { type AvatarChoice, builtInAvatarPath, builtInAvatars, paths } from '@engawa/protocol/product';
import type { ArrivedFile, Storage } from '../storage/storage.ts';
import { type AvatarRow, avatars } from './store.ts';

/** Says to the chat server where a member's picture is; null: nowhere. */
export type TellAvatar = (userId: number, url: string | null) => Promise<void>;

export interface PictureRooms {
  readonly database: Database;
  readonly storage: Storage;
  readonly tellAvatar: TellAvatar;
}

/**
 * Gives a member the picture that they chose. At every moment what the chat server tells of is there: the new one comes
 * before it is told of, and the one before goes after. A process that dies in between leaves one too many, which goes
 * with the next change.
 */
export async function changePicture(rooms: PictureRooms, userId: number, picture: AvatarChoice | ArrivedFile): Promise<void> {
  if (picture === 'keep') return;
  const before = avatars.ofUser(rooms.database.reader, userId);
  if (typeof picture === 'object') await showImage(rooms, userId, picture);
  else await rooms.tellAvatar(userId, addressOf(picture));
  await forget(rooms, before);
}

async function showImage(rooms: PictureRooms, userId: number, image: ArrivedFile): Promise<void> {
  const { type, size } = image;
  const avatar = { user_id: userId, version: await image.keep(), type, size };
  try {
    await rooms.database.write((tx) => avatars.insert(tx, avatar));
    await rooms.tellAvatar(userId, `${paths.avatars}${userId}/${avatar.version}`);
  } catch (error) {
    await forget(rooms, [avatar]);
    throw error;
  }
}

async function forget({ database, storage }: PictureRooms, pictures: readonly AvatarRow[]): Promise<void> {
  await database.write((tx) => pictures.forEach((avatar) => avatars.remove(tx, avatar)));
  for (const { version } of pictures) await storage.remove(version);
}

function addressOf(choice: Exclude<AvatarChoice, 'keep'>): string | null {
  const avatar = builtInAvatars.find((each) => choice === `built-in:${each}`);
  return avatar === undefined ? null : builtInAvatarPath(avatar);
}

/** Removes what a process that died left on the disk and nobody can ask for. Before anybody can change a picture. */
export async function removeUnknownPictures({ database, storage }: Omit<PictureRooms, 'tellAvatar'>): Promise<void> {
  for await (const versions of storage.places()) {
    for (const version of versions) {
      if (!avatars.isVersion(database.reader, version)) await storage.remove(version);
    }
  }
}

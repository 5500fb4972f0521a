import type { ChatBackend } from '../chat/backend.ts';
import { type AvatarChoice, builtInAvatarPath, builtInAvatars, paths } from '@engawa/protocol/product';
import { type Pictures, replacePicture } from '../pictures/pictures.ts';
import type { ReceivedFile } from '../storage/storage.ts';
import { avatars } from './store.ts';

export interface PictureDependencies extends Pick<Pictures, 'database' | 'storage'> {
  readonly chat: Pick<ChatBackend, 'pictures'>;
}

export async function changePicture(
  { database, storage, chat }: PictureDependencies,
  userId: number,
  picture: AvatarChoice | ReceivedFile,
): Promise<void> {
  if (picture === 'keep') return;
  const [image, builtIn] = typeof picture === 'object' ? [picture, null] : [undefined, builtInAddressOf(picture)];
  await replacePicture({ database, storage, rows: avatars }, userId, image, (version) =>
    chat.pictures.set(userId, version === undefined ? builtIn : `${paths.avatars}${userId}/${version}`),
  );
}

function builtInAddressOf(choice: Exclude<AvatarChoice, 'keep'>): string | null {
  const avatar = builtInAvatars.find((each) => choice === `built-in:${each}`);
  return avatar === undefined ? null : builtInAvatarPath(avatar);
}

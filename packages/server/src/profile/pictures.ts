import type { ChatBackend } from '../chat/backend.ts';
import { type AvatarChoice, builtInAvatarPath, builtInAvatars, paths } from '@engawa/protocol/product';
import { refused } from '../http/errors.ts';
import { type Pictures, replacePicture } from '../pictures/pictures.ts';
import type { ReceivedFile } from '../storage/storage.ts';
import type { Member } from '../sessions/member.ts';
import { avatars } from './store.ts';

export interface PictureDependencies extends Pick<Pictures, 'database' | 'storage'> {
  readonly chat: Pick<ChatBackend, 'pictures'>;
}

export async function changePicture(
  { database, storage, chat: { pictures } }: PictureDependencies,
  member: Pick<Member, 'id' | 'authorization'>,
  picture: AvatarChoice | ReceivedFile,
): Promise<void> {
  if (picture === 'keep') return;
  const [image, builtIn] = typeof picture === 'object' ? [picture, null] : [undefined, builtInAddressOf(picture)];
  if (pictures.storedBy === 'chat server') {
    if (builtIn !== null) throw refused.noBuiltInPictures();
    await pictures.set(member, image && { content: await image.content(), type: image.type });
    await image?.discard();
    return;
  }
  const { id } = member;
  await replacePicture({ database, storage, rows: avatars }, id, image, (version) =>
    pictures.set(id, version === undefined ? builtIn : `${paths.avatars}${id}/${version}`),
  );
}

function builtInAddressOf(choice: Exclude<AvatarChoice, 'keep'>): string | null {
  const avatar = builtInAvatars.find((each) => choice === `built-in:${each}`);
  return avatar === undefined ? null : builtInAvatarPath(avatar);
}

import { parameterError } from '@engawa/protocol';
import { type AvatarChoice, maxImageBytes, profileForm } from '@engawa/protocol/product';
import type { FastifyRequest } from 'fastify';
import { partsOf, receiveFile } from '../files/multipart.ts';
import type { ReceivedFile, Storage } from '../storage/storage.ts';
import { checkImage } from '../pictures/checkImage.ts';

export interface ProfileForm {
  readonly name: string;
  readonly email: string;
  readonly location: string;
  readonly picture: AvatarChoice | ReceivedFile;
}

/** Parses and validates the form; a refused form leaves nothing on the disk. */
export async function receiveProfile(request: FastifyRequest, storage: Storage): Promise<ProfileForm> {
  const fields: Record<string, string> = {};
  let image: ReceivedFile | undefined;
  try {
    for await (const part of partsOf(request, maxImageBytes)) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value);
      else if (part.fieldname !== 'image' || image) part.file.resume();
      else {
        image = await receiveFile(part, storage);
        await checkImage(image, part.file.truncated);
      }
    }
    return formOf(fields, image);
  } catch (error) {
    await image?.discard();
    throw error;
  }
}

function formOf(fields: Readonly<Record<string, string>>, image: ReceivedFile | undefined): ProfileForm {
  const form = profileForm.safeParse(fields);
  if (!form.success) {
    const field = String(form.error.issues[0]?.path[0]);
    const value = fields[field];
    throw value === undefined ? parameterError.missing(field) : parameterError.invalid(field, value);
  }
  const { name, email, location, avatar } = form.data;
  if (image && avatar !== undefined) throw parameterError.confusing('avatar', 'image');
  const picture = image ?? avatar;
  if (picture === undefined) throw parameterError.missing('avatar');
  return { name, email, location, picture };
}

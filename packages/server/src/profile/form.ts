import { parameterError } from '@engawa/protocol';
import { type AvatarChoice, profileForm } from '@engawa/protocol/product';
import type { FormFields } from '../pictures/form.ts';
import type { ReceivedFile } from '../storage/storage.ts';

export interface ProfileForm {
  readonly name: string;
  readonly email: string;
  readonly location: string;
  readonly picture: AvatarChoice | ReceivedFile;
}

export function profileFormOf(fields: FormFields, image: ReceivedFile | undefined): ProfileForm {
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

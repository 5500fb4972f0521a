/** The rule for a new password: its length in code points, as the server counts them. */
import { passwordLength } from '@engawa/protocol';

/** Characters from which a password is called strong. */
const strong = 12;

export type PasswordComplaint = 'required' | 'minLength' | 'maxLength';

export function complaintAboutPassword(password: string): PasswordComplaint | undefined {
  if (password === '') return 'required';
  if ([...password].length < passwordLength.least) return 'minLength';
  return password.length > passwordLength.most ? 'maxLength' : undefined;
}

/** `missing`: how many characters it lacks. */
export function strengthOf(password: string): { readonly missing: number; readonly isStrong: boolean } {
  const { length } = [...password];
  return { missing: Math.max(0, passwordLength.least - length), isStrong: length >= strong };
}

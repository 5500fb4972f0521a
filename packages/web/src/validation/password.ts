/** The rule for a new password: its length in code points, as the server counts them. */
import { passwordLength } from '@engawa/protocol';

const strong = 12;

export type PasswordComplaint = 'required' | 'minLength' | 'maxLength';

export function complaintAboutPassword(password: string): PasswordComplaint | undefined {
  if (password === '') return 'required';
  if ([...password].length < passwordLength.least) return 'minLength';
  return password.length > passwordLength.most ? 'maxLength' : undefined;
}

export function strengthOf(password: string): { readonly missing: number; readonly isStrong: boolean } {
  const { length } = [...password];
  return { missing: Math.max(0, passwordLength.least - length), isStrong: length >= strong };
}

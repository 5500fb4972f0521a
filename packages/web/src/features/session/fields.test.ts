import { expect, it } from 'vitest';
import { complaintAbout, refusedField, trimmed } from './fields.ts';

it.each([
  ['code', ' ', 'required'],
  ['organisation', '', 'required'],
  ['organisation', 'あ'.repeat(101), 'maxLength'],
  ['name', '林', 'minLength'],
  ['reading', 'あ'.repeat(101), 'maxLength'],
  ['email', 'tanaka', 'email'],
  ['password', '1234567', 'minLength'],
  ['reading', '', undefined],
  ['name', ' 林 明 ', undefined],
  ['email', ' tanaka@example.com ', undefined],
  ['password', 'ひだまりの縁側で', undefined],
] as const)('[R5.4] A form before sign-in validates a new %s: %j', (name, value, complaint) => {
  expect(complaintAbout(name, value, 'new')).toBe(complaint);
});

it('[R1.5] The sign-in form accepts any email and password that are not empty', () => {
  expect(complaintAbout('email', 'tanaka@localhost', 'known')).toBeUndefined();
  expect(complaintAbout('password', 'kurz', 'known')).toBeUndefined();
  expect(complaintAbout('password', '', 'known')).toBe('required');
});

it('The forms before the sign-in trim every value except the password', () => {
  const values = { code: ' A ', organisation: ' B ', name: ' C ', reading: ' D ', email: ' E ', password: ' F ' };
  expect(trimmed(values)).toEqual({ code: 'A', organisation: 'B', name: 'C', reading: 'D', email: 'E', password: ' F ' });
});

it.each([
  ['SETUP_CODE_WRONG', { name: 'code', complaint: 'wrong' }],
  ['PASSWORD_TOO_WEAK', { name: 'password', complaint: 'weak' }],
  ['EMAIL_IN_USE', { name: 'email', complaint: 'taken' }],
  ['NAME_IN_USE', { name: 'name', complaint: 'taken' }],
  ['AUTHENTICATION_FAILED', undefined],
])('[R8.4] refusedField returns the field to which the server’s error %s belongs', (code, refused) => {
  expect(refusedField({ kind: 'refused', code, message: '' })).toEqual(refused);
});

import { expect, it } from 'vitest';
import { complaintAboutPassword, strengthOf } from './password.ts';

it.each([
  ['', 'required'],
  ['1234567', 'minLength'],
  ['𠮷野家の牛丼', 'minLength'],
  ['x'.repeat(1001), 'maxLength'],
] as const)('[R5.4] complaintAboutPassword returns what is wrong with the password %j: %s', (password, complaint) => {
  expect(complaintAboutPassword(password)).toBe(complaint);
});

it.each(['12345678', '        ', 'ひだまりの縁側で', 'x'.repeat(1000)])('[R5.4] the password rule accepts %j', (password) => {
  expect(complaintAboutPassword(password)).toBeUndefined();
});

it('[R5.4] the password rule requires only a length', () => {
  expect(strengthOf('𠮷野家')).toEqual({ missing: 5, isStrong: false });
  expect(strengthOf('aaaaaaaa')).toEqual({ missing: 0, isStrong: false });
  expect(strengthOf('ひだまりの縁側でお茶を飲む')).toEqual({ missing: 0, isStrong: true });
});

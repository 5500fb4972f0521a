import { expect, it } from 'vitest';
import { complaintsAbout } from './profileFields.ts';

const values = { image: '/avatars/avatar-1.svg', name: '田中 翔', email: 'tanaka@engawa.example', location: '東京本社' };
const others = ['Sato@engawa.example'];

it('[R5.1] The profile form accepts a complete profile', () => {
  expect(complaintsAbout(values, others)).toEqual({});
  expect(complaintsAbout({ ...values, email: ' TANAKA@engawa.example ' }, others)).toEqual({});
});

it('[R5.1] The profile form requires every field', () => {
  const empty = { image: '', name: ' ', email: '　', location: '' };
  const missing = { image: 'required', name: 'required', email: 'required', location: 'required' };
  expect(complaintsAbout(empty, others)).toEqual(missing);
});

it.each([
  ['name', '翔', 'minLength'],
  ['name', '翔'.repeat(101), 'maxLength'],
  ['email', 'tanaka', 'email'],
  ['email', 'tanaka@', 'email'],
  ['email', 'sato@ENGAWA.example', 'not'],
  ['location', '京'.repeat(101), 'maxLength'],
])('[R5.1] The profile form rejects the %s %s by the rule %s', (field, value, complaint) => {
  expect(complaintsAbout({ ...values, [field]: value }, others)).toEqual({ [field]: complaint });
});

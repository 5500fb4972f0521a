import { expect, it } from 'vitest';
import type { Capability } from '@engawa/protocol/product';
import { screenOf } from '../../../test/screen.tsx';
import type { Me } from '../../model/people/selectors.ts';
import { ProfileForm } from './ProfileForm.tsx';

const me: Me = {
  userId: 1,
  email: 'murakami@engawa.example',
  fullName: '村上 拓',
  avatarUrl: undefined,
  isAdministrator: false,
  isGuest: false,
  timezone: '',
};

const labels = { ja: ['名前', 'メール', '所在地'], en: ['Name', 'Email', 'Location'] };

async function fieldsOf(isGuest: boolean, capabilities: readonly Capability[] = ['accounts'], locale: 'ja' | 'en' = 'ja') {
  const form = () => <ProfileForm me={{ ...me, isGuest }} location="" onClose={() => undefined} />;
  const screen = await screenOf(form, { capabilities, locale });
  const isReadOnly = (label: string) => screen.getByLabelText(label).hasAttribute('readonly');
  return { ...screen, readOnly: labels[locale].filter(isReadOnly) };
}

it('[R4.12] A guest cannot change their name or email in the profile form, which says who changes them', async () => {
  const { readOnly, getByText } = await fieldsOf(true);
  expect(readOnly).toEqual(['名前', 'メール']);
  expect(getByText('名前は管理者が変更します。')).toBeTruthy();
});

it('[R4.12] A member without a password changes all texts of their profile', async () => {
  const { readOnly, queryByText } = await fieldsOf(false);
  expect(readOnly).toEqual([]);
  expect(queryByText('名前は管理者が変更します。')).toBeNull();
});

it.each([
  ['ja', ['メール'], 'メールアドレスは、組織のチャットサーバーの画面で変更します。'],
  ['en', ['Email'], 'You change your email address on the screens of your organisation’s chat server.'],
] as const)('[R7.8] The email is read-only, in words, if the chat server manages accounts (%s)', async (locale, fixed, said) => {
  const { readOnly, getByText } = await fieldsOf(false, [], locale);
  expect(readOnly).toEqual(fixed);
  expect(getByText(said)).toBeTruthy();
});

it('[R7.8] The profile form offers built-in pictures only if the server can store them', async () => {
  const without = await fieldsOf(false, []);
  expect(without.queryByRole('radiogroup', { name: '用意された画像' })).toBeNull();
  expect(without.queryByRole('button', { name: '画像を外す' })).toBeNull();
  without.unmount();
  const withThem = await fieldsOf(false, ['built_in_pictures']);
  expect(withThem.getByRole('radiogroup', { name: '用意された画像' })).toBeTruthy();
});

import { expect, it } from 'vitest';
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

async function fieldsOf(isGuest: boolean) {
  const screen = await screenOf(() => <ProfileForm me={{ ...me, isGuest }} location="" onClose={() => undefined} />);
  const isReadOnly = (label: string) => screen.getByLabelText(label).hasAttribute('readonly');
  return { ...screen, readOnly: ['名前', 'メール', '所在地'].filter(isReadOnly) };
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

import { expect, it } from 'vitest';
import { updateUser } from '@engawa/client';
import { roles } from '@engawa/protocol';
import { chatServer } from '../../../test/chatServer.ts';
import { ai } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { ja } from '../../i18n/ja.ts';
import { Organisation } from './Organisation.tsx';

it('[R7.8] [R2.4] An empty tree says to an administrator where departments are added, and to a member who adds them', async () => {
  const server = await chatServer();
  await server.reorganise([], []);
  const { findByText } = await screenOf(() => <Organisation nextStep={undefined} onOpen={() => undefined} />, { server });
  await findByText(ja.organisation.noneForAdministrator);
  await updateUser(server.as(ai), { user_id: ai.user_id, role: roles.member });
  expect(await findByText(ja.organisation.noneAdvice)).toBeTruthy();
});

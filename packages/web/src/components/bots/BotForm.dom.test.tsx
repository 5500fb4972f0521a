import { fireEvent } from '@testing-library/react';
import { expect, it } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { ja as words } from '../../i18n/bots.ja.ts';
import type { BotView } from '../../model/people/bots.ts';
import { EditBotForm } from './BotForm.tsx';

const nothing = () => undefined;

it('The form that renames a bot moves the focus to a name that is too short', async () => {
  const bot: BotView = {
    userId: 9,
    fullName: '警報 係',
    email: 'keihou-bot@engawa.example',
    avatarUrl: undefined,
    botType: 2,
    ownerId: 1,
    isActive: true,
    standing: 'member',
    isGuest: false,
    isBot: true,
    reading: '',
    title: '',
  };
  const { getByRole } = await screenOf(() => <EditBotForm bot={bot} onClose={nothing} />);
  const name = getByRole('textbox', { name: words.name });
  fireEvent.change(name, { target: { value: '' } });
  fireEvent.click(getByRole('button', { name: words.save }));
  expect(document.activeElement).toBe(name);
});

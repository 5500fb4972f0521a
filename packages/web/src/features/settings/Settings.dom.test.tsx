import { fireEvent, within } from '@testing-library/react';
import { capabilities as all, type Capability } from '@engawa/protocol/product';
import type { OwnSession } from '@engawa/protocol/sessions';
import { describe, expect, it } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { ModelProvider } from '../../hooks/model.ts';
import { en } from '../../i18n/settings.en.ts';
import { ja } from '../../i18n/settings.ja.ts';
import { Settings } from './Settings.tsx';

const dictionaries = { ja, en };
const locales = ['ja', 'en'] as const;
const none: readonly Capability[] = [];

const without = (absent: Capability) => all.filter((each) => each !== absent);

const sessions: readonly OwnSession[] = [1, 2].map((number) => ({
  id: String(number),
  browser: `Browser ${number}`,
  system: null,
  address: '',
  signed_in: 0,
  last_used: 0,
  current: number === 1,
}));

/** The settings of an administrator who signs in by a password, with all sections open. */
async function settings(capabilities: readonly Capability[], locale: 'ja' | 'en' = 'ja') {
  const screen = await screenOf(
    ({ model, server }) => {
      server.fail('GET /api/sessions', Response.json({ sessions }));
      const session = { ...model.session, auth_mode: 'password' as const };
      return (
        <ModelProvider value={{ ...model, session }}>
          <Settings
            session={session}
            theme="system"
            onTheme={() => undefined}
            addressOfHelp={() => '#help'}
            administrationAddress="#administration"
            onSwitchMember={undefined}
            logoutAddress="/logout"
            asksToSignOut={undefined}
            onStay={() => undefined}
          />
        </ModelProvider>
      );
    },
    { capabilities, locale },
  );
  const words = dictionaries[locale];
  fireEvent.click(await screen.findByRole('button', { name: words.page.security }));
  return { ...screen, words };
}

describe('The settings', () => {
  it.each(locales)(
    '[R7.8] The settings say that the chat server keeps password and keys if it manages accounts (%s)',
    async (locale) => {
      const { words, findByText, queryByRole, queryByText } = await settings(none, locale);
      await findByText(words.elsewhere.keys);
      expect(queryByRole('button', { name: words.ownPassword.open })).toBeNull();
      expect(queryByText(words.keys.loading)).toBeNull();
    },
  );

  it('[R7.8] The settings change the password and list the keys if the product manages accounts', async () => {
    const { words, findByRole, queryByText } = await settings(all);
    await findByRole('button', { name: words.ownPassword.open });
    await findByRole('region', { name: words.keys.heading });
    expect(queryByText(words.elsewhere.keys)).toBeNull();
  });

  it.each(locales)(
    '[R7.8] The question before all sessions end says that other programs may be signed out (%s)',
    async (locale) => {
      const { words, findByRole } = await settings(without('session_keys'), locale);
      fireEvent.click(await findByRole('button', { name: words.sessions.endOthers }));
      expect((await findByRole('dialog')).textContent).toContain(words.elsewhere.sessionKeys);
    },
  );

  it('[R7.8] The question before all sessions end says nothing of other programs if each session has its own key', async () => {
    const { words, findByRole } = await settings(all);
    fireEvent.click(await findByRole('button', { name: words.sessions.endOthers }));
    const { textContent } = await findByRole('dialog');
    expect(textContent).toContain(words.sessions.endOthersQuestion(1));
    expect(textContent).not.toContain(words.elsewhere.sessionKeys);
  });

  it.each(locales)('[R7.8] The privacy settings say that audiences cannot be chosen, and offer none (%s)', async (locale) => {
    const { words, getByText, queryByRole, queryByText } = await settings(without('audiences'), locale);
    expect(getByText(words.elsewhere.audiences)).toBeTruthy();
    expect(queryByRole('combobox', { name: words.page.photo })).toBeNull();
    expect(queryByRole('combobox', { name: words.page.groups })).toBeNull();
    expect(queryByText(words.privacy.groupsAdvice)).toBeNull();
  });

  it('[R7.8] The privacy settings offer the three audiences if the server keeps them', async () => {
    const { words, getAllByText, queryByText } = await settings(all);
    expect(getAllByText(words.page.photo)).not.toEqual([]);
    expect(getAllByText(words.page.groups)).not.toEqual([]);
    expect(queryByText(words.elsewhere.audiences)).toBeNull();
  });

  it('[R7.8] The receipts setting promises only what the server does', async () => {
    const absent = await settings(without('read_receipts'));
    expect(absent.getByText(ja.elsewhere.readReceipts)).toBeTruthy();
    expect(absent.queryByText(ja.page.readReceiptsAdvice)).toBeNull();
  });

  it.each<[Capability, string]>([
    ['own_settings', ja.display.density],
    ['realm_settings', ja.organisationSettings.heading],
  ])('[R7.8] The settings have no choice that needs the absent capability %s', async (absent, label) => {
    const lacking = await settings(without(absent));
    expect(lacking.queryByText(label)).toBeNull();
    lacking.unmount();
    expect((await settings(all)).getByText(label)).toBeTruthy();
  });

  it('[R7.8] The alert words say that only whole words are found', async () => {
    expect((await settings(without('substring_search'))).getByText(ja.elsewhere.alertWords)).toBeTruthy();
  });

  it.each<Capability>(['accounts', 'departments', 'all_streams', 'bots', 'hooks', 'realm_settings', 'server_status'])(
    '[R7.8] An administrator is led to the administration if its only section is that of the capability %s',
    async (capability) => {
      expect((await settings([capability])).getByRole('link', { name: /^管理/ })).toBeTruthy();
    },
  );

  it('[R7.8] An administrator is led to the administration only if it has a section', async () => {
    const nothing = await settings(none);
    expect(nothing.queryByRole('link', { name: /^管理/ })).toBeNull();
    nothing.unmount();
    const departments = await settings(['departments']);
    const link = departments.getByRole('link', { name: /^管理/ });
    expect(within(link).getByText(ja.elsewhere.administrationAdvice(false))).toBeTruthy();
  });

  it('[R7.8] The dialog of the status has no end without the capability', async () => {
    const { words, findByRole, getByRole } = await settings(without('status_end'));
    fireEvent.click(getByRole('button', { name: words.status.open }));
    const dialog = await findByRole('dialog');
    expect(within(dialog).queryByText(words.status.until)).toBeNull();
    expect(within(dialog).getByRole('textbox', { name: words.status.text })).toBeTruthy();
  });
});

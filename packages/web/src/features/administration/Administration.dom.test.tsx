import { within } from '@testing-library/react';
import { capabilities as all, type Capability } from '@engawa/protocol/product';
import { describe, expect, it, vi } from 'vitest';
import { screenOf } from '../../../test/screen.tsx';
import { en } from '../../i18n/administration.en.ts';
import { ja } from '../../i18n/administration.ja.ts';
import { Administration, AdministrationSections, type SectionName } from './Administration.tsx';

const dictionaries = { ja, en };

/** The administration of an organisation with passwords, as its administrator sees it in a wide window. */
async function administration(capabilities: readonly Capability[], section?: SectionName, locale: 'ja' | 'en' = 'ja') {
  const onRefused = vi.fn<() => void>();
  const screen = await screenOf(
    ({ model }) => {
      const session = { ...model.session, auth_mode: 'password' as const };
      const shared = { session, section, addressOf: (each: SectionName) => `#${each}` };
      return (
        <>
          <AdministrationSections {...shared} isBesideSection backAddress="#settings" onRefused={undefined} />
          <main>
            <Administration {...shared} chatAddress="#chat" backAddress={undefined} onRefused={onRefused} />
          </main>
        </>
      );
    },
    { capabilities, locale },
  );
  const words = dictionaries[locale];
  const main = within(screen.getByRole('main'));
  await vi.waitFor(() => expect(main.queryByText(words.elsewhere.nothing) ?? main.queryByRole('heading')).not.toBeNull());
  const list = screen.queryByLabelText(words.sectionsLabel);
  const links = list ? within(list).getAllByRole('link') : [];
  const current = links.find((link) => link.hasAttribute('aria-current'));
  return {
    ...screen,
    words,
    onRefused,
    sections: links.map((link) => link.getAttribute('href')?.slice(1)),
    current: current?.getAttribute('href'),
    main,
  };
}

describe('The administration', () => {
  it.each<[string, readonly Capability[], readonly SectionName[], SectionName]>([
    [
      'all',
      all,
      ['start', 'members', 'invitations', 'departments', 'streams', 'bots', 'hooks', 'emoji', 'organisation', 'import', 'status'],
      'members',
    ],
    ['departments', ['departments'], ['departments', 'import'], 'departments'],
    ['all_streams', ['all_streams'], ['streams'], 'streams'],
    ['realm_settings', ['realm_settings'], ['emoji', 'organisation'], 'emoji'],
    ['server_status', ['server_status'], ['status'], 'status'],
  ])(
    '[R7.8] The administration lists and opens only the sections of this capability: %s',
    async (_, capabilities, sections, first) => {
      const screen = await administration(capabilities);
      expect(screen.sections).toEqual(sections);
      expect(screen.current).toBe(`#${first}`);
      await screen.main.findByRole('heading', { name: ja.sections[first] });
    },
  );

  it.each(['ja', 'en'] as const)(
    '[R7.8] The administration says what the chat server keeps, and opens nothing (%s)',
    async (locale) => {
      const { words, sections, main, getAllByText, getByText, server } = await administration([], undefined, locale);
      expect(sections).toEqual([]);
      expect(getAllByText(words.elsewhere.members)).toHaveLength(2);
      expect(getByText(words.elsewhere.organisation)).toBeTruthy();
      await main.findByText(words.elsewhere.nothing);
      expect(server.called('GET /api/administration/members')).toEqual([]);
    },
  );

  it('[R7.8] The administration says nothing of the chat server if the product keeps everything', async () => {
    const { queryByText } = await administration(all);
    expect([ja.elsewhere.members, ja.elsewhere.organisation].map((text) => queryByText(text))).toEqual([null, null]);
  });

  it('[R7.8] The address of an absent section opens the first section', async () => {
    const { main, server } = await administration(['departments'], 'members');
    await main.findByRole('heading', { name: ja.sections.departments });
    expect(server.called('GET /api/administration/members')).toEqual([]);
  });
});

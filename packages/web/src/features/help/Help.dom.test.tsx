import { expect, it } from 'vitest';
import type { Capability } from '@engawa/protocol/product';
import { screenOf } from '../../../test/screen.tsx';
import { ModelProvider } from '../../hooks/model.ts';
import type { Locale } from '../../i18n/locale.ts';
import { Help } from './Help.tsx';

const address = () => '#';

function help(calls: boolean, locale: Locale) {
  return screenOf(
    ({ model }) => (
      <ModelProvider value={{ ...model, session: { ...model.session, calls } }}>
        <Help page="calls" addressed={false} addressOf={address} addressOfMember={address} onClose={() => undefined} />
      </ModelProvider>
    ),
    { locale },
  );
}

it.each([
  ['ja', 'この組織では通話を使わない設定です。'],
  ['en', 'Calls are switched off in this organisation.'],
] as const)('[R2.10] The help says in the language %s when the organisation has switched calls off', async (locale, text) => {
  const off = await help(false, locale);
  expect(off.getByText(text)).toBeTruthy();
  off.unmount();
  expect((await help(true, locale)).queryByText(text)).toBeNull();
});

it.each([
  ['ja', 'faqs', 'substring_search', '単語がそのまま一致する', '一文字でも'],
  ['en', 'faqs', 'substring_search', 'finds whole words only', 'A single character is enough'],
  ['ja', 'policy', 'stores_messages', '組織のチャットサーバーに残ります', 'このサーバーにだけ残ります'],
  ['en', 'policy', 'stores_messages', 'stored on your organisation’s chat server', 'stored only on this server'],
  ['ja', 'policy', 'audiences', '写真とステータスは組織のメンバー全員に見えます', '公開する範囲を決められます'],
] as const)(
  '[R7.8] The help in the language %s, page %s, depends on the capability %s',
  async (locale, page, needs, absent, present) => {
    const shown = async (capabilities: readonly Capability[]) => {
      const { baseElement, unmount } = await screenOf(
        () => <Help page={page} addressed={false} addressOf={address} addressOfMember={address} onClose={() => undefined} />,
        { locale, capabilities },
      );
      const { textContent } = baseElement;
      unmount();
      return [textContent.includes(absent), textContent.includes(present)];
    };
    expect(await shown([])).toEqual([true, false]);
    expect(await shown([needs])).toEqual([false, true]);
  },
);

import { expect, it } from 'vitest';
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

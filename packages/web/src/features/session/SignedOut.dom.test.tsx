import { fireEvent } from '@testing-library/react';
import { capabilities as all, type Capability, type Session } from '@engawa/protocol/product';
import { describe, expect, it, vi } from 'vitest';
import { sessionOf } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { en as enCommon } from '../../i18n/en.ts';
import { ja as jaCommon } from '../../i18n/ja.ts';
import { en } from '../../i18n/session.en.ts';
import { ja } from '../../i18n/session.ja.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { SignedOut } from './SignedOut.tsx';

const dictionaries = { ja: { ...ja, common: jaCommon }, en: { ...en, common: enCommon } };
const locales = ['ja', 'en'] as const;

interface Options {
  readonly locale?: 'ja' | 'en';
  readonly link?: string;
  readonly failure?: Failure;
  readonly session?: Partial<Session>;
}

/** The screens before sign-in, on a server with passwords. */
async function signedOut(capabilities: readonly Capability[], { locale = 'ja', link, failure, session }: Options = {}) {
  const signIn = vi.fn<(email: string, password?: string) => Promise<Failure | undefined>>().mockResolvedValue(failure);
  const ask = vi.fn<() => Promise<never>>();
  const open = vi.fn<() => Promise<void>>();
  const screen = await screenOf(
    () => (
      <SignedOut
        session={{ ...sessionOf(undefined, capabilities), auth_mode: 'password', ...session }}
        link={link}
        onFounded={() => undefined}
        browserSession={{ signIn, ask, adopt: () => undefined, open }}
      />
    ),
    { locale },
  );
  const words = dictionaries[locale];
  const enter = (label: string, name: string) => {
    fireEvent.change(screen.getByLabelText(label), { target: { value: name } });
    fireEvent.change(screen.getByLabelText(words.fields.password), { target: { value: 'secret' } });
    fireEvent.click(screen.getByRole('button', { name: words.signIn.heading }));
  };
  return { ...screen, words, signIn, ask, open, enter };
}

describe('The sign-in', () => {
  it.each(locales)(
    '[R7.8] The sign-in takes the name and password of the chat server, and offers no reset (%s)',
    async (locale) => {
      const { words, signIn, enter, getByText, getByLabelText, queryByRole } = await signedOut([], { locale });
      expect(getByText(words.chatServer.advice)).toBeTruthy();
      expect(getByText(words.chatServer.forgotten)).toBeTruthy();
      expect(queryByRole('button', { name: words.signIn.forgotten })).toBeNull();
      expect(getByLabelText(words.chatServer.name).getAttribute('type')).toBe('text');
      enter(words.chatServer.name, 'hanako');
      await vi.waitFor(() => expect(signIn).toHaveBeenCalledWith('hanako', 'secret'));
    },
  );

  it('[R7.8] The sign-in asks for the email and offers the reset if the product manages accounts', async () => {
    const { words, getByLabelText, getByRole, queryByText } = await signedOut(all);
    expect(getByLabelText(words.fields.email).getAttribute('type')).toBe('email');
    expect(getByRole('button', { name: words.signIn.forgotten })).toBeTruthy();
    expect(queryByText(words.chatServer.advice)).toBeNull();
  });

  it('[R7.8] A missing name of the chat server is explained', async () => {
    const { words, enter, findByText, signIn } = await signedOut([]);
    enter(words.chatServer.name, '');
    await findByText(words.chatServer.nameRequired);
    expect(signIn).not.toHaveBeenCalled();
  });

  it.each(
    locales.flatMap((locale) => {
      const words = dictionaries[locale];
      return [
        [locale, { kind: 'refused', code: 'AUTHENTICATION_FAILED', message: '' }, words.chatServer.wrong],
        [locale, { kind: 'refused', code: 'PASSWORD_AUTH_DISABLED', message: '' }, words.chatServer.noPasswords],
        [locale, { kind: 'chat-server-away' }, words.common.failures.chatServerAway],
      ] as const;
    }),
  )('[R7.8] The sign-in explains a refusal of the chat server or its absence (%s): %j', async (locale, failure, text) => {
    const { words, enter, findByText } = await signedOut([], { locale, failure });
    enter(words.chatServer.name, 'hanako');
    await findByText(text);
  });

  it('[R7.8] A long wait leads to no reset of the password if the chat server manages accounts', async () => {
    const { words, enter, findByText, queryByText } = await signedOut([], { failure: { kind: 'busy', retryAfterSeconds: 900 } });
    enter(words.chatServer.name, 'hanako');
    await findByText(words.failures.tooMany(900));
    expect(queryByText(words.signIn.otherWays)).toBeNull();
  });

  it.each(locales)('[R7.8] A link of the product is explained if the chat server manages accounts (%s)', async (locale) => {
    const link = `#/invitation/${'a'.repeat(43)}`;
    const { words, ask, open, getByText, getByRole } = await signedOut([], { locale, link });
    expect(getByText(words.chatServer.noLinks)).toBeTruthy();
    expect(ask).not.toHaveBeenCalled();
    fireEvent.click(getByRole('button', { name: words.toSignIn }));
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('[R7.8] The setup appears only if the product manages accounts', async () => {
    const session = { setup_needed: true };
    const elsewhere = await signedOut([], { session });
    expect(elsewhere.queryByRole('heading', { name: ja.setUp.heading })).toBeNull();
    elsewhere.unmount();
    const own = await signedOut(all, { session });
    expect(own.getByRole('heading', { name: ja.setUp.heading })).toBeTruthy();
  });
});

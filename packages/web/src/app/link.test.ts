import { expect, it, vi } from 'vitest';
import { newStorage } from '../../test/storage.ts';
import { forgetLink, reloadedLink, takeLink } from './link.ts';

function browserAt(hash: string) {
  const replaceState = vi.fn<(state: unknown, unused: string, address: string) => void>();
  return { replaceState, window: { location: { hash, pathname: '/' }, history: { replaceState } } };
}

it.each(['invitation', 'password'] as const)('[R1.5] takeLink removes the secret of an %s link from the address', (kind) => {
  const { window, replaceState } = browserAt(`#/${kind}/abc_-9`);
  expect(takeLink(window, undefined)).toBe(`#/${kind}/abc_-9`);
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/');
});

it('[R1.5] takeLink accepts a truncated link, so that its page can report it', () => {
  expect(takeLink(browserAt('#/invitation/').window, undefined)).toBe('#/invitation/');
});

it.each(['', '#/stream/7', '#/invitations/abc', '#/password', '#/settings'])(
  '[R2.2] takeLink does not change the address %j',
  (hash) => {
    const { window, replaceState } = browserAt(hash);
    expect(takeLink(window, undefined)).toBeUndefined();
    expect(replaceState).not.toHaveBeenCalled();
  },
);

it.each(['invitation', 'password'] as const)(
  '[R8.4] takeLink stores the kind of the %s link for a reload, without its secret',
  (kind) => {
    const storage = newStorage();
    takeLink(browserAt(`#/${kind}/abc_-9`).window, storage);
    expect(Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? ''))).toEqual([kind]);
    expect(reloadedLink(browserAt('').window, storage)).toBe(kind);
    forgetLink(storage);
    expect(reloadedLink(browserAt('').window, storage)).toBeUndefined();
  },
);

it('[R8.4] The page forgets the link once another address is opened', () => {
  const storage = newStorage();
  takeLink(browserAt('#/password/abc').window, storage);
  expect(reloadedLink(browserAt('#/stream/7').window, storage)).toBeUndefined();
  expect(reloadedLink(browserAt('').window, storage)).toBeUndefined();
});

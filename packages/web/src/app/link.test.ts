import { expect, it, vi } from 'vitest';
import { newStorage } from '../../test/storage.ts';
import { forgetLink, reloadedLink, takeLink } from './link.ts';

function browserAt(hash: string) {
  const replaceState = vi.fn<(state: unknown, unused: string, address: string) => void>();
  return { replaceState, window: { location: { hash, pathname: '/' }, history: { replaceState } } };
}

it.each(['invitation', 'password'] as const)(
  '[R1.5] takeLink removes the address of an %s link, which contains a secret, from the address bar',
  (kind) => {
    const { window, replaceState } = browserAt(`#/${kind}/abc_-9`);
    expect(takeLink(window, undefined)).toBe(`#/${kind}/abc_-9`);
    expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/');
  },
);

it('[R1.5] takeLink accepts an invitation link without its secret, so that the invitation page can report it', () => {
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
  '[R8.4] takeLink stores which kind of link (%s) was opened, for a reload, but not its secret',
  (kind) => {
    const storage = newStorage();
    takeLink(browserAt(`#/${kind}/abc_-9`).window, storage);
    expect(Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? ''))).toEqual([kind]);
    expect(reloadedLink(browserAt('').window, storage)).toBe(kind);
    forgetLink(storage);
    expect(reloadedLink(browserAt('').window, storage)).toBeUndefined();
  },
);

it('[R8.4] After the page has opened another address, a reload no longer asks to open an invitation or password link again', () => {
  const storage = newStorage();
  takeLink(browserAt('#/password/abc').window, storage);
  expect(reloadedLink(browserAt('#/stream/7').window, storage)).toBeUndefined();
  expect(reloadedLink(browserAt('').window, storage)).toBeUndefined();
});

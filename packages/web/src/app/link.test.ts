import { expect, it, vi } from 'vitest';
import { newStorage } from '../../test/storage.ts';
import { forgetLink, reloadedLink, takeLink } from './link.ts';

function browserAt(hash: string) {
  const replaceState = vi.fn<(state: unknown, unused: string, address: string) => void>();
  return { replaceState, window: { location: { hash, pathname: '/' }, history: { replaceState } } };
}

it.each(['invitation', 'password'] as const)('[R1.5] takes the link of %s out of the address', (kind) => {
  const { window, replaceState } = browserAt(`#/${kind}/abc_-9`);
  expect(takeLink(window, undefined)).toBe(`#/${kind}/abc_-9`);
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/');
});

it('[R1.5] takes a link that was cut off, for its page to say so', () => {
  expect(takeLink(browserAt('#/invitation/').window, undefined)).toBe('#/invitation/');
});

it.each(['', '#/stream/7', '#/invitations/abc', '#/password', '#/settings'])('[R2.2] leaves the address %j as it is', (hash) => {
  const { window, replaceState } = browserAt(hash);
  expect(takeLink(window, undefined)).toBeUndefined();
  expect(replaceState).not.toHaveBeenCalled();
});

it.each(['invitation', 'password'] as const)(
  '[R8.4] knows after a reload that a link of %s was here, and nothing of its secret',
  (kind) => {
    const storage = newStorage();
    takeLink(browserAt(`#/${kind}/abc_-9`).window, storage);
    expect(Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? ''))).toEqual([kind]);
    expect(reloadedLink(browserAt('').window, storage)).toBe(kind);
    forgetLink(storage);
    expect(reloadedLink(browserAt('').window, storage)).toBeUndefined();
  },
);

it('[R8.4] knows nothing of a link any more once another place was opened', () => {
  const storage = newStorage();
  takeLink(browserAt('#/password/abc').window, storage);
  expect(reloadedLink(browserAt('#/stream/7').window, storage)).toBeUndefined();
  expect(reloadedLink(browserAt('').window, storage)).toBeUndefined();
});

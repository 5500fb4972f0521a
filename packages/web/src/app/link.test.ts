import { expect, it, vi } from 'vitest';
import { takeLink } from './link.ts';

function browserAt(hash: string) {
  const replaceState = vi.fn<(state: unknown, unused: string, address: string) => void>();
  return { replaceState, window: { location: { hash, pathname: '/' }, history: { replaceState } } };
}

it.each(['invitation', 'password'] as const)('[R1.5] takes the link of %s out of the address', (kind) => {
  const { window, replaceState } = browserAt(`#/${kind}/abc_-9`);
  expect(takeLink(window)).toBe(`#/${kind}/abc_-9`);
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/');
});

it('[R1.5] takes a link that was cut off, for its page to say so', () => {
  expect(takeLink(browserAt('#/invitation/').window)).toBe('#/invitation/');
});

it.each(['', '#/stream/7', '#/invitations/abc', '#/password', '#/settings'])('[R2.2] leaves the address %j as it is', (hash) => {
  const { window, replaceState } = browserAt(hash);
  expect(takeLink(window)).toBeUndefined();
  expect(replaceState).not.toHaveBeenCalled();
});

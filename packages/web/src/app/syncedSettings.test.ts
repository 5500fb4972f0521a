import { expect, it } from 'vitest';
import { isChangedElsewhere, themeOf, type StoredSettings } from './syncedSettings.ts';

const light: StoredSettings = { memberId: 1, settings: { color_scheme: 3, default_language: 'ja' } };

it.each([
  ['what was chosen on another device', 2, 1, light, true],
  ['nothing new', 3, 1, light, false],
  ['what this browser has storedSettings of another member', 3, 2, light, true],
  ['what was chosen, where nothing was storedSettings yet', 2, 1, undefined, true],
  ['nothing that nobody chose, where nothing was storedSettings yet', 3, 1, undefined, false],
  ['nothing where the server does not say', undefined, 2, light, false],
] as const)('[R2.25.1] a device takes over %s', (_, value, memberId, before, expected) => {
  expect(isChangedElsewhere('color_scheme', value, memberId, before)).toBe(expected);
});

it('[R4.11] the theme is light where the server says nothing that is known', () => {
  expect([1, 2, 3, 9, undefined].map(themeOf)).toEqual(['system', 'dark', 'light', 'light', 'light']);
});

import { expect, it } from 'vitest';
import { isChangedElsewhere, themeOf, type StoredSettings } from './syncedSettings.ts';

const light: StoredSettings = { memberId: 1, settings: { color_scheme: 3, default_language: 'ja' } };

it.each([
  ['a choice from another device', 2, 1, light, true],
  ['no value that it already received', 3, 1, light, false],
  ['a value that was stored for another member', 3, 2, light, true],
  ['a choice if nothing is stored', 2, 1, undefined, true],
  ['no default value if nothing is stored', 3, 1, undefined, false],
  ['no value if the server sends none', undefined, 2, light, false],
] as const)('[R2.25.1] Of the settings from the server, a device applies %s', (_, value, memberId, before, expected) => {
  expect(isChangedElsewhere('color_scheme', value, memberId, before)).toBe(expected);
});

it('[R4.11] A device shows the light theme if the server sends an unknown colour scheme or none', () => {
  expect([1, 2, 3, 9, undefined].map(themeOf)).toEqual(['system', 'dark', 'light', 'light', 'light']);
});

/** Decides whether a theme or language from the server replaces the one of this device. */
import { colorSchemes, type UserSettings } from '@engawa/protocol';
import { z } from 'zod';
import type { ThemeChoice } from './theme.ts';

/** The settings that this browser last received, and their member. */
export const storedSettings = z.object({ memberId: z.int(), settings: z.record(z.string(), z.unknown()) });
export type StoredSettings = z.output<typeof storedSettings>;

/** The values of a member who has never chosen. */
const usual: Readonly<Record<string, unknown>> = { color_scheme: colorSchemes.light, default_language: 'ja' };

export type SyncedSetting = 'color_scheme' | 'default_language';

/**
 * Whether this device must apply a value from the server, because it differs from the stored one. If nothing is stored, the
 * choice on this device stays until the member chooses another value on any device.
 */
export function isChangedElsewhere(
  name: SyncedSetting,
  value: UserSettings[SyncedSetting],
  memberId: number,
  before: StoredSettings | undefined,
): boolean {
  if (value === undefined) return false;
  if (!before) return value !== usual[name];
  return before.memberId !== memberId || before.settings[name] !== value;
}

export function themeOf(scheme: number | undefined): ThemeChoice {
  if (scheme === colorSchemes.automatic) return 'system';
  return scheme === colorSchemes.dark ? 'dark' : 'light';
}

import { colorSchemes, type UserSettings } from '@engawa/protocol';
import { z } from 'zod/mini';
import type { ThemeChoice } from './theme.ts';

export const storedSettings = z.object({ memberId: z.int(), settings: z.record(z.string(), z.unknown()) });
export type StoredSettings = z.output<typeof storedSettings>;

const usual: Readonly<Record<string, unknown>> = { color_scheme: colorSchemes.light, default_language: 'ja' };

export type SyncedSetting = 'color_scheme' | 'default_language';

/** Whether to apply a value from the server. The server's default does not replace a first choice on the device. */
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

/** What the member chooses for themselves, on all their devices. Shown at once; it is what it was where it is refused. */
import { updateSettings, type Connection } from '@engawa/client';
import { settingsAsked, settingsKept, settingsRefused } from './reduce.ts';
import type { Store } from './store.ts';
import type { Failure, SettingsChange } from './view.ts';

export interface OwnSettings {
  change(change: SettingsChange): Promise<Failure | undefined>;
}

export interface OwnSettingsOptions {
  readonly connection: Connection;
  readonly store: Store;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createOwnSettings({ connection, store, judge, stop }: OwnSettingsOptions): OwnSettings {
  let last: Promise<unknown> = Promise.resolve();

  async function tell(change: SettingsChange): Promise<Failure | undefined> {
    try {
      await updateSettings(connection, change, { signal: stop, keepalive: true });
      store.update((state) => settingsKept(state, change));
      return undefined;
    } catch (error) {
      if (stop.aborted) return undefined;
      store.update((state) => settingsRefused(state, change));
      return judge(error);
    }
  }

  return {
    change(change) {
      store.update((state) => settingsAsked(state, change));
      // One after the other: what was chosen last is what stays.
      const told = last.then(() => tell(change));
      last = told;
      return told;
    },
  };
}

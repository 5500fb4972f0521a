/** What the member chooses for themselves, on all their devices. Shown at once; it is what it was where it is refused. */
import { updateSettings, type Connection } from '@engawa/client';
import type { Parts } from '../environment.ts';
import { settingsAnswered, settingsRequested, settingsStored } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { SettingsChange, PeopleState } from './state.ts';

export interface OwnSettings {
  change(change: SettingsChange): Promise<Failure | undefined>;
}

export interface OwnSettingsOptions {
  readonly connection: Connection;
  readonly store: Store<PeopleState>;
  readonly parts: Pick<Parts, 'onLeave'>;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createOwnSettings({ connection, store, parts, judge, stop }: OwnSettingsOptions): OwnSettings {
  let last: Promise<unknown> = Promise.resolve();
  /** What has become of what was told, together or not. */
  const told = new WeakMap<SettingsChange, Promise<Failure | undefined>>();

  function tell(changes: readonly SettingsChange[]): Promise<Failure | undefined> {
    const answer = ask(changes.reduce((before, change) => ({ ...before, ...change })));
    for (const change of changes) told.set(change, answer);
    return answer;
  }

  async function ask(change: SettingsChange): Promise<Failure | undefined> {
    try {
      await updateSettings(connection, change, { signal: stop, keepalive: true });
      return undefined;
    } catch (error) {
      return stop.aborted ? undefined : judge(error);
    }
  }

  async function keep(change: SettingsChange): Promise<Failure | undefined> {
    try {
      const failure = await (told.get(change) ?? tell([change]));
      if (!failure && !stop.aborted) store.update((state) => settingsStored(state, change));
      return failure;
    } finally {
      store.update((state) => settingsAnswered(state, change));
    }
  }

  /** What still waits for its turn would be lost with the page. */
  function tellTheRest(): void {
    const rest = store.state().pendingSettings.filter((change) => !told.has(change));
    if (rest.length > 0) void tell(rest);
  }
  stop.addEventListener('abort', parts.onLeave(tellTheRest));

  return {
    change(chosen) {
      // The same may be chosen again: each time it is another change.
      const change = { ...chosen };
      store.update((state) => settingsRequested(state, change));
      // One after the other, whatever becomes of those before: what was chosen last is what stays.
      const kept = Promise.allSettled([last]).then(() => keep(change));
      last = kept;
      return kept;
    },
  };
}

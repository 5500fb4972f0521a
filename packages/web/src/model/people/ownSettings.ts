/** Changes the member's settings on all their devices. A change is shown at once and reverted if it is refused. */
import { updateSettings, type Connection } from '@engawa/client';
import type { Environment } from '../environment.ts';
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
  readonly environment: Pick<Environment, 'onLeave'>;
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createOwnSettings({ connection, store, environment, judge, stop }: OwnSettingsOptions): OwnSettings {
  let last: Promise<unknown> = Promise.resolve();
  /** The result of each change that was sent. */
  const sent = new WeakMap<SettingsChange, Promise<Failure | undefined>>();

  function send(changes: readonly SettingsChange[]): Promise<Failure | undefined> {
    const answer = ask(changes.reduce((before, change) => ({ ...before, ...change })));
    for (const change of changes) sent.set(change, answer);
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

  async function save(change: SettingsChange): Promise<Failure | undefined> {
    try {
      const failure = await (sent.get(change) ?? send([change]));
      if (!failure && !stop.aborted) store.update((state) => settingsStored(state, change));
      return failure;
    } finally {
      store.update((state) => settingsAnswered(state, change));
    }
  }

  /** Sends the waiting changes, which would be lost with the page. */
  function sendTheRest(): void {
    const rest = store.state().pendingSettings.filter((change) => !sent.has(change));
    if (rest.length > 0) void send(rest);
  }
  stop.addEventListener('abort', environment.onLeave(sendTheRest));

  return {
    change(chosen) {
      // A copy, because the identical object may be chosen again as another change.
      const change = { ...chosen };
      store.update((state) => settingsRequested(state, change));
      // Sends changes one after the other, so that the last one wins.
      const saving = Promise.allSettled([last]).then(() => save(change));
      last = saving;
      return saving;
    },
  };
}

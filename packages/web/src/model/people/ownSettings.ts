/** The member's settings, which apply on all their devices. */
import { countEmojiUse, updateSettings } from '@engawa/client';
import type { ModelContext } from '../context.ts';
import { settingsAnswered, settingsRequested, settingsStored } from './changes.ts';
import type { Failure } from '../connection/failure.ts';
import type { SettingsChange, PeopleState } from './state.ts';

export interface OwnSettings {
  /** A change is shown at once and reverted if it is refused. */
  changeSettings(change: SettingsChange): Promise<Failure | undefined>;
  /** Counts emoji that the member has used, in this order, for the picker. A failure loses only a count. */
  countEmojiUses(emoji: readonly string[]): Promise<Failure | undefined>;
}

export function createOwnSettings(context: ModelContext<PeopleState>): OwnSettings {
  const { connection, store, capabilities, environment, attempt, stop } = context;
  let last: Promise<unknown> = Promise.resolve();
  const sent = new WeakMap<SettingsChange, Promise<Failure | undefined>>();

  function send(changes: readonly SettingsChange[]): Promise<Failure | undefined> {
    const merged = changes.reduce((before, change) => ({ ...before, ...change }));
    const answer = attempt(async () => {
      await updateSettings(connection, merged, { signal: stop, keepalive: true });
      return undefined;
    });
    for (const change of changes) sent.set(change, answer);
    return answer;
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

  function sendTheRest(): void {
    const rest = store.state().pendingSettings.filter((change) => !sent.has(change));
    if (rest.length > 0) void send(rest);
  }
  stop.addEventListener('abort', environment.onLeave(sendTheRest));

  return {
    changeSettings(chosen) {
      // Copied because changes are compared by identity, and a caller may pass one object for two changes.
      const change = { ...chosen };
      store.update((state) => settingsRequested(state, change));
      // Each request waits for the one before, so that the server stores the last change last.
      const saving = Promise.allSettled([last]).then(() => save(change));
      last = saving;
      return saving;
    },
    countEmojiUses: (uses) =>
      attempt(async () => {
        // Other servers answer a page: they do not have the call.
        if (!capabilities.includes('own_settings')) return undefined;
        for (const emoji of uses) await countEmojiUse(connection, { emoji }, { signal: stop });
        return undefined;
      }),
  };
}

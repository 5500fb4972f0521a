/**
 * Reports the member's presence for all tabs of the browser, and receives the presence of others (R2.20.2). A visible tab
 * notifies the polling tab, which reports. Without a visible tab nothing is reported, so that the member goes offline.
 */
import { updatePresence } from '@engawa/client';
import { clockRead, presencesForgotten, presencesArrived } from './changes.ts';
import type { ModelContext } from '../context.ts';
import type { Attended, Presences } from './presence.ts';
import { selectSettings } from './selectors.ts';
import type { PeopleState } from './state.ts';

/** Milliseconds between two reads of the clock. A presence on the screen expires late by this much at most. */
const tick = 10_000;
/** Milliseconds after an input, in any tab, in which the member counts as active. */
const activeFor = 60_000;

export interface Attendance {
  attend(attended: Attended): void;
  memberActive(active: boolean): void;
}

interface PresencesNews {
  readonly kind: 'presences';
  readonly presences: Presences;
  readonly update?: number;
}

export interface PresenceTabs {
  leads(): boolean;
  post(news: { readonly kind: 'here'; readonly active: boolean } | PresencesNews): void;
}

export function createAttendance(
  { connection, store, clock, judge, stop }: ModelContext<PeopleState>,
  tabs: PresenceTabs,
): Attendance {
  /** A changed setting counts once it is stored, because until then the server answers with no presences. */
  const isShown = () => {
    const state = store.state();
    return state.settings.presence_enabled !== false && selectSettings(state).presence_enabled !== false;
  };
  let attended: Attended = 'hidden';
  let lastActive = -Infinity;
  let lastSaid: { readonly at: number; readonly status: 'active' | 'idle' } | undefined;

  function look(): void {
    if (stop.aborted) return;
    store.update((state) => clockRead(state, clock.now() / 1000));
    report();
    clock.after(tick, look);
  }

  function report(): void {
    if (attended === 'hidden') return;
    if (tabs.leads()) memberActive(attended === 'active');
    else tabs.post({ kind: 'here', active: attended === 'active' });
  }

  function memberActive(active: boolean): void {
    const now = clock.now();
    const { connection: there, presenceSeconds } = store.state();
    if (active) lastActive = now;
    if (there !== 'online' || !isShown()) return;
    const status = now - lastActive < activeFor ? 'active' : 'idle';
    const isNew = !lastSaid || (status === 'active' && lastSaid.status === 'idle');
    if (!isNew && lastSaid && now - lastSaid.at < presenceSeconds.ping * 1000) return;
    lastSaid = { at: now, status };
    void send(status);
  }

  async function send(status: 'active' | 'idle'): Promise<void> {
    try {
      const { presences, presence_last_update_id: update } = await updatePresence(
        connection,
        { status, new_user_input: status === 'active', slim_presence: true, last_update_id: store.state().presenceUpdate },
        { signal: stop },
      );
      // The member may have hidden their presence during the call.
      if (!presences || !isShown()) return;
      store.update((state) => presencesArrived(state, presences, update));
      tabs.post({ kind: 'presences', presences, ...(update === undefined ? {} : { update }) });
    } catch (error) {
      // A failed report is made again a minute later. `judge` signs the member out after a 401.
      if (!stop.aborted) judge(error);
    }
  }

  /** Members who hide their presence see none. When they show it again, the presences of all others are requested. */
  let wasShown = isShown();
  if (!wasShown) store.update(presencesForgotten);
  store.watch(selectSettings, () => {
    const before = wasShown;
    wasShown = isShown();
    if (before === wasShown) return;
    lastSaid = undefined;
    // -1 requests all presences, because a register while the presence was hidden has brought none.
    store.update((state) => (wasShown ? presencesArrived(state, {}, -1) : presencesForgotten(state)));
    if (wasShown) report();
  });
  look();

  return {
    attend(now) {
      attended = now;
      report();
    },
    memberActive,
  };
}

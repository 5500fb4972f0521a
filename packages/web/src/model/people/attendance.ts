/**
 * Says that the member is there, for all tabs of the browser, and hears who else is (R2.20.2). A tab that is looked at
 * tells the one that polls; where none is looked at nothing is said, and the member is gone in time.
 */
import { updatePresence, type Clock, type Connection } from '@engawa/client';
import { clockRead, presencesForgotten, presencesArrived } from './changes.ts';
import type { Store } from '../store.ts';
import type { Attended, Presences } from './presence.ts';
import type { Failure } from '../connection/failure.ts';
import { selectSettings } from './selectors.ts';
import type { PeopleState } from './state.ts';

/** Milliseconds between two looks at the clock: so much later than it is true something may be shown. */
const tick = 10_000;
/** Milliseconds in which a hand that has moved counts, in whichever tab. */
const activeFor = 60_000;

export interface Attendance {
  /** Whether somebody is at this tab. */
  attend(attended: Attended): void;
  /** Somebody is at another tab. */
  heard(active: boolean): void;
}

interface PresencesNews {
  readonly kind: 'presences';
  readonly presences: Presences;
  readonly update?: number;
}

export interface AttendanceOptions {
  readonly connection: Connection;
  readonly store: Store<PeopleState>;
  readonly sync: {
    /** Whether this tab polls, for all tabs of the browser. */
    leads(): boolean;
    /** Sends to the other tabs. */
    tell(news: { readonly kind: 'here'; readonly active: boolean } | PresencesNews): void;
  };
  readonly clock: Clock;
  /** What the member has chosen. */
  readonly isShown: () => boolean;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createAttendance(options: AttendanceOptions): Attendance {
  const { connection, store, sync, clock, isShown, judge, stop } = options;
  let attended: Attended = 'hidden';
  let lastActive = -Infinity;
  let lastSaid: { readonly at: number; readonly status: 'active' | 'idle' } | undefined;

  function look(): void {
    if (stop.aborted) return;
    store.update((state) => clockRead(state, clock.now() / 1000));
    say();
    clock.after(tick, look);
  }

  function say(): void {
    if (attended === 'hidden') return;
    if (sync.leads()) heard(attended === 'active');
    else sync.tell({ kind: 'here', active: attended === 'active' });
  }

  function heard(active: boolean): void {
    const now = clock.now();
    const { connection: there, presenceSeconds } = store.state();
    if (active) lastActive = now;
    if (there !== 'online' || !isShown()) return;
    const status = now - lastActive < activeFor ? 'active' : 'idle';
    const isNew = !lastSaid || (status === 'active' && lastSaid.status === 'idle');
    if (!isNew && lastSaid && now - lastSaid.at < presenceSeconds.ping * 1000) return;
    lastSaid = { at: now, status };
    void tell(status);
  }

  async function tell(status: 'active' | 'idle'): Promise<void> {
    try {
      const { presences, presence_last_update_id: update } = await updatePresence(
        connection,
        { status, new_user_input: status === 'active', slim_presence: true, last_update_id: store.state().presenceUpdate },
        { signal: stop },
      );
      // What was on its way when they chose to show it no longer.
      if (!presences || !isShown()) return;
      store.update((state) => presencesArrived(state, presences, update));
      sync.tell({ kind: 'presences', presences, ...(update === undefined ? {} : { update }) });
    } catch (error) {
      // The next look says it again; who is signed out hears of it here as well.
      if (!stop.aborted) judge(error);
    }
  }

  /** Who shows theirs no longer knows nothing of others; who shows them again is told of all at once. */
  let wasShown = isShown();
  if (!wasShown) store.update(presencesForgotten);
  store.watch(selectSettings, () => {
    const before = wasShown;
    wasShown = isShown();
    if (before === wasShown) return;
    lastSaid = undefined;
    // A beginning in between told of nobody, and up to where.
    store.update((state) => (wasShown ? presencesArrived(state, {}, -1) : presencesForgotten(state)));
    if (wasShown) say();
  });
  look();

  return {
    attend(now) {
      attended = now;
      say();
    },
    heard,
  };
}

/** The part of the outbox storage that the first screen needs. The rest is loaded later, or with the first send. */
import { sleep } from '@engawa/client';
import type { StoredOutbox, StoredOutboxDependencies } from './storedOutbox.ts';
import type { OutboxEnvironment } from './environment.ts';
import type { OutboxState } from './state.ts';

/** Without storage, sending works as long as the page is open. */
export interface OutboxStorage extends Pick<StoredOutbox, 'inTurn' | 'written' | 'fileOf'> {
  /** Called after every change of the state. */
  follow(after: OutboxState, before: OutboxState): void;
}

export interface OutboxStorageDependencies extends Omit<StoredOutboxDependencies, 'disk' | 'memberId' | 'environment'> {
  readonly memberId: number | undefined;
  readonly environment: OutboxEnvironment;
}

/** Milliseconds in which a working browser opens a database. */
const patience = 5000;
/** Milliseconds until another attempt, unless a send or a wake comes before. */
const triedAgainAfter = 30_000;
/** Number of failures after which only the next send tries again. */
const mostTries = 5;

export function createOutboxStorage({ memberId, environment, ...options }: OutboxStorageDependencies): OutboxStorage {
  const { clock, openOutbox, onWake, log } = environment;
  const { store, run, stop } = options;
  let stored: StoredOutbox | undefined;
  let opening: Promise<void> | undefined;
  let isSlow = false;
  let failures = 0;

  async function open(): Promise<void> {
    if (!openOutbox || memberId === undefined) return;
    try {
      const [disk, { createStoredOutbox }] = await Promise.all([openOutbox(memberId), import('./storedOutbox.ts')]);
      if (!stop.aborted) stored = createStoredOutbox({ ...options, environment, memberId, disk });
    } catch (error) {
      log('outbox_open_failed', error);
      // The next send tries again.
      opening = undefined;
      failures += 1;
      if (failures < mostTries) void tryAgain();
    }
  }

  /** Messages of an earlier visit are stored there and are sent without the member's action. */
  async function tryAgain(): Promise<void> {
    const woken = new AbortController();
    const sleepOn = onWake(() => woken.abort());
    await sleep(clock, triedAgainAfter, AbortSignal.any([stop, woken.signal]));
    sleepOn();
    if (!stop.aborted) opening ??= open();
  }

  async function opened(): Promise<void> {
    opening ??= open();
    if (isSlow) return;
    await Promise.race([opening, sleep(clock, patience, stop)]);
    isSlow = stored === undefined;
  }

  return {
    follow(after, before) {
      stored?.follow(after.outbox, before.outbox);
      if (isBegun(after) && !isBegun(before)) {
        for (const { conversation } of after.outbox) run(conversation);
      }
      if (openOutbox && isShown(after) && !isShown(before)) void opened();
    },

    async inTurn(conversation, act) {
      if (openOutbox && !stored) {
        await opened();
        if (!stored) store.update(withoutStorage);
      }
      await (stored ? stored.inTurn(conversation, act) : act());
    },

    written: async () => stored?.written(),
    fileOf: async (localKey) => stored?.fileOf(localKey),
  };
}

function withoutStorage<S extends OutboxState>(state: S): S {
  return { ...state, outbox: state.outbox.map((row) => (row.isStored === false ? row : { ...row, isStored: false })) };
}

const isBegun = ({ subscriptions }: OutboxState) => subscriptions !== undefined;

const isShown = (state: OutboxState) => state.settled && isBegun(state);

/** The part of the outbox storage that the first screen needs. The rest is loaded later, or with the first send. */
import { sleep } from '@engawa/client';
import type { Keeper, KeeperOptions } from './outboxKeeper.ts';
import type { Parts } from '../environment.ts';
import type { OutboxState } from './state.ts';

/** Without storage, sending works as long as the page is open. */
export interface Keeping extends Pick<Keeper, 'inTurn' | 'written' | 'fileOf'> {
  /** Called after every change of the state. */
  follow(after: OutboxState, before: OutboxState): void;
}

export interface KeepingOptions extends Omit<KeeperOptions, 'disk' | 'memberId' | 'parts'> {
  readonly memberId: number | undefined;
  readonly parts: Parts;
}

/** Milliseconds in which a working browser opens a database. */
const patience = 5000;
/** Milliseconds until another attempt, unless a send or a wake comes before. */
const triedAgainAfter = 30_000;
/** Number of failures after which only the next send tries again. */
const mostTries = 5;

export function keepingOf({ memberId, parts, ...options }: KeepingOptions): Keeping {
  const { clock, openOutbox, onWake, log } = parts;
  const { store, run, stop } = options;
  let keeper: Keeper | undefined;
  let opening: Promise<void> | undefined;
  let isSlow = false;
  let failures = 0;

  async function open(): Promise<void> {
    if (!openOutbox || memberId === undefined) return;
    try {
      const [disk, { createKeeper }] = await Promise.all([openOutbox(memberId), import('./outboxKeeper.ts')]);
      if (!stop.aborted) keeper = createKeeper({ ...options, parts, memberId, disk });
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
    isSlow = keeper === undefined;
  }

  return {
    follow(after, before) {
      keeper?.follow(after.outbox, before.outbox);
      if (isBegun(after) && !isBegun(before)) {
        for (const { conversation } of after.outbox) run(conversation);
      }
      if (openOutbox && isShown(after) && !isShown(before)) void opened();
    },

    async inTurn(conversation, act) {
      if (openOutbox && !keeper) {
        await opened();
        if (!keeper) store.update(notKept);
      }
      await (keeper ? keeper.inTurn(conversation, act) : act());
    },

    written: async () => keeper?.written(),
    fileOf: async (localKey) => keeper?.fileOf(localKey),
  };
}

function notKept<S extends OutboxState>(state: S): S {
  return { ...state, outbox: state.outbox.map((row) => (row.kept === false ? row : { ...row, kept: false })) };
}

const isBegun = ({ subscriptions }: OutboxState) => subscriptions !== undefined;

const isShown = (state: OutboxState) => state.settled && isBegun(state);

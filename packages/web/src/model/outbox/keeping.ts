/** Where the outbox is kept, as far as the first screen needs it: what does so is fetched after that, or with the first send. */
import { sleep } from '@engawa/client';
import type { Keeper, KeeperOptions } from './outboxKeeper.ts';
import type { Parts } from '../environment.ts';
import type { OutboxState } from './state.ts';

/** Where it cannot be kept, sending works as long as the page lives. */
export interface Keeping extends Pick<Keeper, 'inTurn' | 'written' | 'fileOf'> {
  /** Is told of every change of the state. */
  follow(after: OutboxState, before: OutboxState): void;
}

export interface KeepingOptions extends Omit<KeeperOptions, 'disk' | 'memberId' | 'parts'> {
  readonly memberId: number | undefined;
  readonly parts: Parts;
}

/** Milliseconds in which a browser opens a database, unless something is wrong with it. */
const patience = 5000;
/** Milliseconds until what could not be opened is tried again, if nobody sends or comes back before. */
const triedAgainAfter = 30_000;
/** For how many failures: a browser that keeps nothing at all is asked by the next send only. */
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
      log('the outbox cannot be kept', error);
      // The next send tries again.
      opening = undefined;
      failures += 1;
      if (failures < mostTries) void tryAgain();
    }
  }

  /** What an earlier visit has left waits there, and goes by itself. */
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

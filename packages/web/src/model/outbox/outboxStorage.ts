/** Opens the outbox database after the first screen is shown, or at the first send. */
import { sleep } from '@engawa/client';
import type { ConversationKey } from '../streams/conversation.ts';
import type { OutboxDependencies } from './environment.ts';
import type { OutboxState } from './state.ts';
import type { StoredOutbox } from './storedOutbox.ts';

/** Milliseconds after which opening a database counts as slow: a working browser needs less. */
const patience = 5000;
/** Milliseconds until the next try, unless the member sends or the network comes back before. */
const triedAgainAfter = 30_000;
/** Number of failures after which only the next send tries again. */
const mostTries = 5;

export class OutboxStorage {
  /** Undefined until the database is open. When it opens, it also stores the messages that were written before. */
  stored: StoredOutbox | undefined;
  readonly #dependencies: OutboxDependencies;
  readonly #send: (conversation: ConversationKey) => void;
  #opening: Promise<void> | undefined;
  #isSlow = false;
  #failures = 0;

  constructor(dependencies: OutboxDependencies, send: (conversation: ConversationKey) => void) {
    this.#dependencies = dependencies;
    this.#send = send;
  }

  async open(): Promise<void> {
    const { environment, stop } = this.#dependencies;
    this.#opening ??= this.#tryToOpen();
    if (this.#isSlow) return;
    await Promise.race([this.#opening, sleep(environment.clock, patience, stop)]);
    this.#isSlow = this.stored === undefined;
  }

  /** Without a database, sending works as long as the page is open. */
  async inTurn(conversation: ConversationKey, act: () => Promise<void>): Promise<void> {
    const { environment, store } = this.#dependencies;
    if (environment.openOutbox && !this.stored) {
      await this.open();
      if (!this.stored) store.update(withoutStorage);
    }
    await (this.stored ? this.stored.inTurn(conversation, act) : act());
  }

  async #tryToOpen(): Promise<void> {
    const { environment, session, stop } = this.#dependencies;
    const { openOutbox, log } = environment;
    if (!openOutbox || !session.member) return;
    try {
      const [disk, { StoredOutbox }] = await Promise.all([openOutbox(session.member.user_id), import('./storedOutbox.ts')]);
      if (!stop.aborted) this.stored = new StoredOutbox(this.#dependencies, disk, this.#send);
    } catch (error) {
      log('outbox_open_failed', error);
      this.#opening = undefined;
      this.#failures += 1;
      if (this.#failures < mostTries) void this.#openLater();
    }
  }

  /** Tries again without a send, because the database may hold messages of an earlier visit. */
  async #openLater(): Promise<void> {
    const { environment, stop } = this.#dependencies;
    const woken = new AbortController();
    const removeWake = environment.onWake(() => woken.abort());
    await sleep(environment.clock, triedAgainAfter, AbortSignal.any([stop, woken.signal]));
    removeWake();
    if (!stop.aborted) this.#opening ??= this.#tryToOpen();
  }
}

function withoutStorage<S extends OutboxState>(state: S): S {
  return { ...state, outbox: state.outbox.map((row) => (row.isStored === false ? row : { ...row, isStored: false })) };
}

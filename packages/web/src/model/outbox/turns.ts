import { sleep } from '@engawa/client';
import type { ConversationKey } from '../streams/conversation.ts';
import { recognisesRepeats, type OutboxDependencies } from './environment.ts';
import type { StoredOutbox } from './storedOutbox.ts';
import { untilStill } from './untilStill.ts';

/** Milliseconds without progress after which the sending tab counts as frozen and this tab sends the message as well. */
const patience = 60_000;
/** Milliseconds to wait for the disk before a send. It may be copying a large file, or never answer. */
const diskPatience = 2000;

export class Turns {
  readonly #name: string;
  readonly #stored: StoredOutbox;
  readonly #dependencies: OutboxDependencies;
  /** Whether the disk has not answered in time, and not since. */
  #isSlow = false;

  constructor(name: string, stored: StoredOutbox, dependencies: OutboxDependencies) {
    this.#name = name;
    this.#stored = stored;
    this.#dependencies = dependencies;
  }

  async take(conversation: ConversationKey, act: () => Promise<void>): Promise<void> {
    const { environment, stop } = this.#dependencies;
    if (!environment.locks) return this.#run(conversation, act);
    const granted = new AbortController();
    const signal = AbortSignal.any([stop, this.#silence(conversation, granted.signal)]);
    try {
      await environment.locks.request(`${this.#name} ${conversation}`, { signal }, () => {
        granted.abort();
        return this.#run(conversation, act);
      });
    } catch (error) {
      if (granted.signal.aborted || stop.aborted) throw error;
      await this.#run(conversation, act);
    }
    return undefined;
  }

  async #run(conversation: ConversationKey, act: () => Promise<void>): Promise<void> {
    await this.#inTime(this.#stored.readFirst(conversation));
    try {
      await act();
    } finally {
      // Otherwise the next tab finds messages on the disk that are already sent.
      await this.#inTime(this.#stored.written());
    }
  }

  /** Aborted if the tab with the lock makes no progress. Never aborted if the server does not recognise a repeated message. */
  #silence(conversation: ConversationKey, granted: AbortSignal): AbortSignal {
    const { environment, session, stop } = this.#dependencies;
    const silence = new AbortController();
    const reports = () => this.#stored.progressReports(conversation);
    const end = AbortSignal.any([stop, granted]);
    if (recognisesRepeats(session)) void untilStill(environment.clock, reports, () => patience, end).then(() => silence.abort());
    return silence.signal;
  }

  /** Waits only a short time if the server recognises a repeated message, because sending without the disk does no harm then. */
  async #inTime(work: Promise<void>): Promise<void> {
    const { environment, session, stop } = this.#dependencies;
    if (!recognisesRepeats(session)) return work;
    const answered = new AbortController();
    const wait = async () => {
      await work;
      this.#isSlow = false;
      answered.abort();
    };
    const answer = wait();
    if (this.#isSlow) return undefined;
    await Promise.race([answer, sleep(environment.clock, diskPatience, AbortSignal.any([stop, answered.signal]))]);
    this.#isSlow = !answered.signal.aborted && !stop.aborted;
    return undefined;
  }
}

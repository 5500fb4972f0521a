import { setTimeout as sleep } from 'node:timers/promises';
import { NetworkError, RateLimitedError, ServerError } from '@engawa/client';

interface FactsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds, after which the next request asks again. */
  readonly life: number;
}

interface KnownFact<Fact> {
  readonly fact: Fact;
  readonly since: number;
}

/** Milliseconds after the life of a fact. While the chat server does not answer, the last facts are used for so long. */
const longestOutage = 4 * 60_000;
/** Milliseconds. A slow answer is waited for so long if the last one can be used; it then counts for the next request. */
const patience = 3000;
const mostFacts = 10_000;

/** Answers of the chat server to members, kept in memory for a short time. */
export class Facts<Key, Fact> {
  readonly #options: FactsOptions;
  /** The oldest first. */
  readonly #known = new Map<Key, KnownFact<Fact>>();
  readonly #asking = new Map<Key, Promise<Fact>>();

  constructor(options: FactsOptions) {
    this.#options = options;
  }

  /** @returns the last answer, which `ask` has made current for those who have just asked. */
  get(key: Key): KnownFact<Fact> | undefined {
    const known = this.#known.get(key);
    return known && this.#isUsable(known) ? known : undefined;
  }

  /** Concurrent requests share one call. @throws CallError */
  async ask(key: Key, fetch: () => Promise<Fact>): Promise<Fact> {
    const { now, life } = this.#options;
    const known = this.#known.get(key);
    if (known && now() - known.since < life) return known.fact;
    const asking = this.#asking.get(key) ?? this.#fetch(key, fetch).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    const usable = this.get(key);
    return usable ? Promise.race([asking, sleep(patience, usable.fact, { ref: false })]) : asking;
  }

  async #fetch(key: Key, fetch: () => Promise<Fact>): Promise<Fact> {
    const since = this.#options.now();
    try {
      const fact = await fetch();
      this.#set(key, { fact, since });
      return fact;
    } catch (error) {
      const known = this.get(key);
      if (known && isTemporary(error)) return known.fact;
      this.#known.delete(key);
      throw error;
    }
  }

  #set(key: Key, known: KnownFact<Fact>): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    for (const [oldest, fact] of this.#known) {
      if (this.#known.size <= mostFacts && this.#isUsable(fact)) break;
      this.#known.delete(oldest);
    }
  }

  #isUsable({ since }: KnownFact<Fact>): boolean {
    const { now, life } = this.#options;
    return now() - since < life + longestOutage;
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof ServerError || error instanceof RateLimitedError;

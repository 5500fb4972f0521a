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

/** Milliseconds. While the chat server does not answer, the last facts are used for so long. */
const longestUse = 5 * 60_000;
const mostFacts = 10_000;

/** What the chat server has answered to members, kept in memory for a short time. */
export class Facts<Fact> {
  readonly #options: FactsOptions;
  /** The oldest first. */
  readonly #known = new Map<number, KnownFact<Fact>>();
  readonly #asking = new Map<number, Promise<void>>();

  constructor(options: FactsOptions) {
    this.#options = options;
  }

  /** @returns the last answer, which `ask` has made current for those who have just asked. */
  get(id: number): KnownFact<Fact> | undefined {
    const known = this.#known.get(id);
    return known && this.#options.now() - known.since < longestUse ? known : undefined;
  }

  /** Concurrent requests share one call. @throws CallError */
  async ask(id: number, fetch: () => Promise<Fact>): Promise<void> {
    const { now, life } = this.#options;
    const known = this.#known.get(id);
    if (known && now() - known.since < life) return undefined;
    const asking = this.#asking.get(id) ?? this.#fetch(id, fetch).finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    return asking;
  }

  async #fetch(id: number, fetch: () => Promise<Fact>): Promise<void> {
    const since = this.#options.now();
    try {
      this.#set(id, { fact: await fetch(), since });
    } catch (error) {
      if (isTemporary(error) && this.get(id)) return;
      this.#known.delete(id);
      throw error;
    }
  }

  #set(id: number, known: KnownFact<Fact>): void {
    this.#known.delete(id);
    this.#known.set(id, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostFacts && oldest !== undefined) this.#known.delete(oldest);
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof ServerError || error instanceof RateLimitedError;

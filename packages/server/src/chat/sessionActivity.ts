/** The newest of a session. A browser polls one; the others are those of pages that are gone, and end by themselves. */
const mostQueues = 20;

/** What a session has under way at the chat server. In memory alone: a queue of before the start ends by itself. */
export class SessionActivity {
  readonly #calls = new Set<AbortController>();
  #queues: readonly string[] = [];

  /** The event queues that were registered with the session. */
  get queues(): readonly string[] {
    return this.#queues;
  }

  addQueue(id: string): void {
    this.#queues = [...this.#queues, id].slice(-mostQueues);
  }

  /** A call that is given up when the session ends. @returns tells that the call is over. */
  add(call: AbortController): () => void {
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  end(): void {
    for (const call of this.#calls) call.abort();
  }
}

/** The activity of each session that was used since the start, by the session's name. */
export class SessionActivities {
  readonly #byName = new Map<string, SessionActivity>();

  of(name: string): SessionActivity {
    const activity = this.#byName.get(name) ?? new SessionActivity();
    this.#byName.set(name, activity);
    return activity;
  }

  end(name: string): SessionActivity {
    const activity = this.of(name);
    activity.end();
    this.#byName.delete(name);
    return activity;
  }
}

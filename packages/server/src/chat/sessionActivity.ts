/** The maximum of noted queues per session: a browser polls only the newest one, and older ones expire. */
const mostQueues = 20;

/** The waiting calls and queues of a session, in memory only: queues from before a restart expire anyway. */
export class SessionActivity {
  readonly #calls = new Set<AbortController>();
  #queues: readonly string[] = [];

  get queues(): readonly string[] {
    return this.#queues;
  }

  addQueue(id: string): void {
    this.#queues = [...this.#queues, id].slice(-mostQueues);
  }

  add(call: AbortController): () => void {
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  end(): void {
    for (const call of this.#calls) call.abort();
  }
}

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

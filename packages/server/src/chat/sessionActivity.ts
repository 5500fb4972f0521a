import { ChatError } from '@engawa/chat-server/parts';

/** The maximum of noted queues per session: a browser polls only the newest one, and older ones expire. */
const mostQueues = 20;

/** The waiting calls and queues of a session, in memory only: queues from before a restart expire anyway. */
export class SessionActivity {
  readonly #calls = new Set<AbortController>();
  #queues: readonly string[] = [];
  #isOver = false;

  /** Whether the session has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get queues(): readonly string[] {
    return this.#queues;
  }

  addQueue(id: string): void {
    this.#queues = [...this.#queues, id].slice(-mostQueues);
  }

  /** Aborts the call when the session ends, or at once if it has ended. */
  add(call: AbortController): () => void {
    this.#calls.add(call);
    if (this.#isOver) abort(call);
    return () => this.#calls.delete(call);
  }

  end(): void {
    this.#isOver = true;
    for (const call of this.#calls) abort(call);
  }
}

const abort = (call: AbortController) => call.abort(new ChatError(401, 'UNAUTHORIZED', 'The session has ended.'));

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

/** Reads the whole body, once. Undefined if it has more bytes than `most`. Rejects if the client disconnects before its end. */
export type ReadBody = (most: number) => Promise<Uint8Array | undefined>;

/** The body of a call that the process itself makes. */
export const givenBody =
  (bytes: Uint8Array): ReadBody =>
  async (most) =>
    bytes.byteLength > most ? undefined : bytes;

export const noBody: ReadBody = givenBody(new Uint8Array());

export interface ChatRequest {
  readonly method: string;
  /** Path and query, beginning with `/api/v1/`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: ReadBody;
  /** The caller's network address. Undefined if the process itself calls. */
  readonly address: string | undefined;
  /** Whether a key that this call issues is for a browser session. The embedding program sets it, never a client. */
  readonly forBrowser?: boolean;
  /** Names a device on which the user who signs in has signed in before. The embedding program sets it, never a client. */
  readonly knownDevice?: string | undefined;
  /**
   * Of this call alone: a poll does not remove its listener. If the embedding program aborts a call that it wants answered, the reason
   * is a `ChatError`.
   */
  readonly signal: AbortSignal;
  /** Gets the answer of a poll that waits. The call then resolves at once, so that nothing else of it is kept in memory. */
  readonly waiter?: Waiter;
  /** Whether the embedding program writes the `rest` of an answer. If not, all of the answer is in its `body`. */
  readonly takesRest?: boolean;
}

/** Gets the answer of a poll that waits. Either `deliver` and then `end` are called, or `fail`. */
export interface Waiter {
  /** Called in the turn of the event loop in which the events are delivered. The answer has the status 200 and `jsonHeaders`. */
  deliver(body: DeliveredBody): void;
  /** Called in the same turn, after the polls of all other recipients have their answers. */
  end(): void;
  /** `errorAnswer` makes an answer of the error. */
  fail(error: unknown): void;
}

export const jsonHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
} as const;

/**
 * The body of an answer: `before`, then `own`, and then `shared`. The answers of all recipients of the same events differ only in
 * `own`, and have the same bytes object. The texts are ASCII.
 */
export interface DeliveredBody {
  readonly before: string;
  readonly own: string;
  readonly shared: Uint8Array;
}

/** Do not change a body: several answers may share it. */
export interface ChatAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Bytes that follow `body`. They are not copied into it, because other answers share most of them. */
  readonly rest?: readonly Uint8Array[];
  readonly memberId?: number;
  /** If true, the `waiter` of the request receives the answer later, and this one is empty. */
  readonly waits?: true;
}

export type ChatFetch = (request: ChatRequest) => Promise<ChatAnswer>;

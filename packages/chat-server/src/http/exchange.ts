/** One request as the process received it. The chat server knows nothing of sockets. */
export interface ChatRequest {
  readonly method: string;
  /** Path and query, beginning with `/api/v1/`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** The network address that calls; undefined for the process itself: its calls without credentials do not count. */
  readonly address: string | undefined;
  /** A key that it hands out is for a browser's session, which the process itself keeps. No request from outside is one. */
  readonly forBrowser?: boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** One answer. The same body may be given to many: nobody changes it. */
export interface ChatAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Who was found to call, for the log. */
  readonly memberId?: number;
}

/** A chat server as the process sees it, embedded or elsewhere. */
export type ChatFetch = (request: ChatRequest) => Promise<ChatAnswer>;

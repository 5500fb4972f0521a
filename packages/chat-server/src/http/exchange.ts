export interface ChatRequest {
  readonly method: string;
  /** Path and query, beginning with `/api/v1/`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** The caller's network address; undefined for the process itself, whose calls without credentials are not limited. */
  readonly address: string | undefined;
  /** Whether an issued key is for a browser session. Never set for requests from outside. */
  readonly forBrowser?: boolean;
  readonly signal: AbortSignal;
}

/** One answer. Several answers may share a body, so it must not be changed. */
export interface ChatAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly memberId?: number;
}

export type ChatFetch = (request: ChatRequest) => Promise<ChatAnswer>;

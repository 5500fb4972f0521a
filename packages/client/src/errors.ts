/** The class of an error gives its cause. The message is for the log and not shown to members. */
export abstract class CallError extends Error {}

/** The answer is missing or incomplete. The client cannot know whether the server carried out the call. */
export class NetworkError extends CallError {
  override readonly name: string = 'NetworkError';

  constructor(call: string, cause: unknown) {
    super(`${call}: no answer`, { cause });
  }
}

export class TimeoutError extends NetworkError {
  override readonly name = 'TimeoutError';

  constructor(call: string, milliseconds: number) {
    super(call, `waited ${milliseconds} ms`);
  }
}

/** The server refused the call. Use `code` to decide what to do: the message is the server's and may change. */
export class ApiError extends CallError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}

export function isApiError<Code extends string>(error: unknown, code?: Code): error is ApiError & { readonly code: Code } {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** The caller exceeded the rate limit. The call was not carried out. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, code: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(429, code, message, data);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The server failed (5xx). The client cannot know whether the server carried out the call. */
export class ServerError extends CallError {
  override readonly name = 'ServerError';
  readonly status: number;
  /** For example `SEARCH_NOT_READY`; undefined when the answer is not in the API's form. */
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The answer is not in the API's form, because of a bug or a proxy. */
export class MalformedAnswerError extends CallError {
  override readonly name = 'MalformedAnswerError';
  readonly status: number;

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

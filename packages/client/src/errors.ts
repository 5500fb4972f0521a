/** A call that failed. The class says whose fault it was; the message is for the log, not for the person. */
export abstract class CallError extends Error {}

/** The way to the server: nobody answered, or the answer broke off. Whether the server acted on the call is unknown. */
export class NetworkError extends CallError {
  override readonly name: string = 'NetworkError';

  constructor(call: string, cause: unknown) {
    super(`${call}: no answer`, { cause });
  }
}

/** No answer in the time that was given. */
export class TimeoutError extends NetworkError {
  override readonly name = 'TimeoutError';

  constructor(call: string, milliseconds: number) {
    super(call, `waited ${milliseconds} ms`);
  }
}

/** The caller: the server understood the call and refuses it. Branch on `code`; the message is the server's own. */
export class ApiError extends CallError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** What the answer holds beside `result`, `msg` and `code`. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
  }
}

/** Whether an error is a refusal by the server, and of this code if one is named. */
export function isApiError<Code extends string>(error: unknown, code?: Code): error is ApiError & { readonly code: Code } {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** The caller, for asking too often: the call was not carried out. */
export class RateLimitedError extends ApiError {
  override readonly name = 'RateLimitedError';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, code: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(429, code, message, data);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The server: it broke (5xx). Whether it acted on the call is unknown. */
export class ServerError extends CallError {
  override readonly name = 'ServerError';
  readonly status: number;
  /** As of every refusal, `SEARCH_NOT_READY` for one; undefined where the answer is none of the API's. */
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The programmer, or something between us and the server: the answer is not one of the chat API. */
export class MalformedAnswerError extends CallError {
  override readonly name = 'MalformedAnswerError';
  readonly status: number;

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

import { errorAnswer } from '@engawa/protocol';
import { systemClock, type Clock } from './clock.ts';
import { ApiError, MalformedAnswerError, NetworkError, RateLimitedError, ServerError, TimeoutError } from './errors.ts';

export type Fetch = typeof globalThis.fetch;

export interface Reply {
  /** The method and path, for error messages: `GET /messages`. */
  readonly call: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Waits are cut to this, because a timer of more than 24 days overflows and would not wait at all. */
const longestRetryAfterSeconds = 3600;

export interface Exchange {
  readonly call: string;
  readonly url: string;
  readonly init: Omit<RequestInit, 'signal'>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly timeoutMilliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** @throws NetworkError, TimeoutError; the signal's reason when the signal is aborted. */
export async function exchange({ call, url, init, fetch, clock, ...limits }: Exchange): Promise<Reply> {
  const timeout = new AbortController();
  const { signal, timeoutMilliseconds } = limits;
  const either = signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal;
  const cancel = clock.after(timeoutMilliseconds, () => timeout.abort(new TimeoutError(call, timeoutMilliseconds)));
  try {
    const response = await fetch(url, { ...init, signal: either });
    const text = await response.text();
    return { call, status: response.status, retryAfter: response.headers.get('Retry-After'), text };
  } catch (error) {
    if (either.aborted) throw either.reason;
    throw new NetworkError(call, error);
  } finally {
    cancel();
  }
}

/**
 * The JSON of a successful answer. @param clock for a `Retry-After` header with a date.
 * @throws ApiError, RateLimitedError, ServerError, MalformedAnswerError.
 */
export function readReply(reply: Reply, clock: Clock = systemClock): unknown {
  const json = parseJSON(reply.text);
  const refusal = errorAnswer.safeParse(json).data;
  const message = refusal?.msg ?? notJSON(reply);

  if (reply.status >= 500) throw new ServerError(reply.status, message, refusal?.code);
  if (reply.status === 429) {
    const { result: _, msg: __, code = 'RATE_LIMIT_HIT', ...data } = refusal ?? {};
    throw new RateLimitedError(retryAfterSeconds(reply, data, clock), code, message, data);
  }
  if (refusal) {
    const { result: _, msg, code, ...data } = refusal;
    throw new ApiError(reply.status, code, msg, data);
  }
  if (json === undefined) throw new MalformedAnswerError(reply.status, message);
  if (reply.status < 200 || reply.status > 299) {
    throw new MalformedAnswerError(reply.status, `${reply.call}: status ${reply.status} without an error in the answer`);
  }
  return json;
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function notJSON({ call, status }: Reply): string {
  const advice = status === 404 ? `The endpoint ${call} may not exist.` : 'Please check the API documentation.';
  return `The server returned a non-JSON response. ${advice}`;
}

/** The wait in the body, or else the one in the header, or else one second. */
function retryAfterSeconds({ retryAfter }: Reply, data: Readonly<Record<string, unknown>>, clock: Clock): number {
  const candidates = [data['retry-after'], retryAfter === null ? undefined : secondsOfHeader(retryAfter, clock)];
  return Math.min(candidates.find(isSeconds) ?? 1, longestRetryAfterSeconds);
}

/** `Retry-After` has seconds (from Zulip with decimals) or a date (RFC 9110, section 10.2.3). */
function secondsOfHeader(header: string, clock: Clock): number {
  return /^[\d.]+$/.test(header) ? Number(header) : (Date.parse(header) - clock.now()) / 1000;
}

const isSeconds = (value: unknown): value is number => typeof value === 'number' && value >= 0;

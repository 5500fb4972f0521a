import { errorAnswer } from '@engawa/protocol';
import { systemClock, type Clock } from './clock.ts';
import { ApiError, MalformedAnswerError, NetworkError, RateLimitedError, ServerError, TimeoutError } from './errors.ts';

export type Fetch = typeof globalThis.fetch;

/** What came back, before anybody has judged it. */
export interface Reply {
  /** The call it answers, for people: `GET /messages`. */
  readonly call: string;
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Nobody waits longer because a server says so; timers overflow after 24 days, and would then not wait at all. */
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

/**
 * Sends a request and reads all of its answer.
 * @throws NetworkError, TimeoutError; the signal's reason when the caller gave up.
 */
export async function exchange({ call, url, init, fetch, clock, ...limits }: Exchange): Promise<Reply> {
  const late = new AbortController();
  const { signal, timeoutMilliseconds } = limits;
  const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  const cancel = clock.after(timeoutMilliseconds, () => late.abort(new TimeoutError(call, timeoutMilliseconds)));
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
 * The JSON of an answer that says success.
 * @param clock for a `Retry-After` that names a time.
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
    throw new MalformedAnswerError(reply.status, `${reply.call}: status ${reply.status}, and no error in the answer`);
  }
  return json;
}

/** No JSON text stands for undefined, so it can stand for "not JSON". */
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

/** In the body or else in the header. Where neither tells, a second is a polite guess. */
function retryAfterSeconds({ retryAfter }: Reply, data: Readonly<Record<string, unknown>>, clock: Clock): number {
  const told = [data['retry-after'], retryAfter === null ? undefined : secondsOfHeader(retryAfter, clock)];
  return Math.min(told.find(isSeconds) ?? 1, longestRetryAfterSeconds);
}

/** The header counts seconds, Zulip's with decimals, or names a time (RFC 9110, section 10.2.3). */
function secondsOfHeader(header: string, clock: Clock): number {
  return /^[\d.]+$/.test(header) ? Number(header) : (Date.parse(header) - clock.now()) / 1000;
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

import { encodeParameters, fillPath, type AnswerOut, type Endpoint, type Parameters, type ParametersIn } from '@engawa/protocol';
import { systemClock, type Clock } from './clock.ts';
import { MalformedAnswerError } from './errors.ts';
import { exchange, readReply, type Fetch } from './reply.ts';
import { retryCall, type RetryOptions } from './retry.ts';

export interface ConnectionOptions {
  /** The realm's site: `https://chat.example.com`. */
  readonly realm: string;
  /** The member's email. With `apiKey`: Basic authorization. Without both: the cookie of this site's session. */
  readonly username?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The realm's site plus `/api/v1` unless said otherwise. */
  readonly apiURL?: string | undefined;
  /** What every call carries beside its own headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Off unless said otherwise. On: what the server refused for being asked too often is asked again when it says; and
   * after a network or server error a call that reads is made again, and so is a send with a `client_message_id`.
   */
  readonly retry?: RetryOptions | undefined;
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** For each attempt; 30 seconds unless said otherwise. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Sent to its end also where its page is left meanwhile, unless it is too large for a browser to do so. */
  readonly keepalive?: boolean | undefined;
  /** Instead of the connection's. */
  readonly retry?: RetryOptions | undefined;
}

export interface Connection {
  readonly realm: string;
  readonly username: string | undefined;
  readonly apiKey: string | undefined;
  readonly apiURL: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Makes one call and parses its answer.
   * @throws CallError, by its class saying whose fault it is; the signal's reason when the caller gave up.
   */
  call<P extends Parameters, Answer extends Endpoint['answer']>(
    endpoint: Endpoint<P, Answer>,
    parameters: ParametersIn<Endpoint<P, Answer>>,
    options?: CallOptions,
  ): Promise<AnswerOut<Endpoint<P, Answer>>>;
}

const defaultTimeout = 30_000;
/** Characters. Browsers take 64 KiB of such bodies at a time and refuse the rest. */
const maxKeepaliveLength = 8192;
/** Whoever calls decides what to do about a failure. */
export const noRetry: RetryOptions = { attempts: 1 };

export function connect(options: ConnectionOptions): Connection {
  const { username, apiKey, headers = {}, fetch = globalThis.fetch, clock = systemClock } = options;
  const { retry: defaultRetry = noRetry } = options;
  const realm = options.realm.replace(/\/+$/, '');
  const apiURL = options.apiURL ?? `${realm}/api/v1`;
  const authorization = authorizationOf(username, apiKey);
  const proof = authorization === undefined ? {} : { Authorization: authorization };

  return {
    realm,
    username,
    apiKey,
    apiURL,
    headers,
    async call(endpoint, parameters, callOptions = {}) {
      const { signal, timeoutMilliseconds = defaultTimeout, keepalive = false, retry = defaultRetry } = callOptions;
      const call = `${endpoint.method} ${endpoint.path}`;
      const values = new URLSearchParams(encodeParameters(endpoint, parameters));
      const url = apiURL + fillPath(endpoint, parameters);
      const init = {
        method: endpoint.method,
        keepalive: keepalive && String(values).length <= maxKeepaliveLength,
        credentials: authorization ? 'omit' : 'same-origin',
        headers: { ...headers, ...(endpoint.authentication === 'basic' ? proof : {}) },
      } as const;
      const request = isForm(endpoint) ? { url, init: { ...init, body: values } } : { url: `${url}?${values}`, init };
      const make = async () => {
        const reply = await exchange({ call, ...request, fetch, clock, signal, timeoutMilliseconds });
        const answer = endpoint.answer.safeParse(readReply(reply, clock));
        if (answer.success) return answer.data;
        throw new MalformedAnswerError(reply.status, `${call}: the answer is not as documented`, answer.error);
      };
      return retryCall(make, { ...retry, repeatable: isRepeatable(endpoint, parameters), clock, signal });
    },
  };
}

function isForm({ method }: Endpoint): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

/** What only reads; and a message that the server knows again by the id that its sender gave it. */
function isRepeatable({ method }: Endpoint, parameters: Readonly<Record<string, unknown>>): boolean {
  return method === 'GET' || parameters['client_message_id'] !== undefined;
}

function authorizationOf(username: string | undefined, apiKey: string | undefined): string | undefined {
  if (username === undefined && apiKey === undefined) return undefined;
  if (username === undefined || apiKey === undefined) throw new TypeError('username and apiKey go together');
  // btoa takes one byte per character, and an email may hold any.
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${apiKey}`)))}`;
}

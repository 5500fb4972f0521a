import { encodeParameters, fillPath, type AnswerOut, type Endpoint, type Parameters, type ParametersIn } from '@engawa/protocol';
import { systemClock, type Clock } from './clock.ts';
import { MalformedAnswerError } from './errors.ts';
import { exchange, readReply, type Fetch } from './reply.ts';
import { retryCall, type RetryOptions } from './retry.ts';

export interface ConnectionOptions {
  /** The realm's site: `https://chat.example.com`. */
  readonly realm: string;
  /** The member's email, for Basic authorization with `apiKey`. Without both, the browser's session cookie is used. */
  readonly username?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Default: `{realm}/api/v1`. */
  readonly apiURL?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: none. Rate-limited calls are always repeated; after other errors only reads and sends with `client_message_id`. */
  readonly retry?: RetryOptions | undefined;
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The time-out of each attempt. Default: 30 seconds. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Lets the browser complete the request even if the page is closed, unless the body is too large for that. */
  readonly keepalive?: boolean | undefined;
  readonly retry?: RetryOptions | undefined;
}

export interface Connection {
  readonly realm: string;
  readonly username: string | undefined;
  readonly apiKey: string | undefined;
  readonly apiURL: string;
  readonly headers: Readonly<Record<string, string>>;
  /** @throws CallError, whose class gives the cause; or the reason of the signal when it is aborted. */
  call<P extends Parameters, Answer extends Endpoint['answer']>(
    endpoint: Endpoint<P, Answer>,
    parameters: ParametersIn<Endpoint<P, Answer>>,
    options?: CallOptions,
  ): Promise<AnswerOut<Endpoint<P, Answer>>>;
}

const defaultTimeout = 30_000;
/** Characters. Larger bodies are sent without keepalive, because a browser allows 64 KiB for all of them together. */
const maxKeepaliveLength = 8192;
export const noRetry: RetryOptions = { attempts: 1 };

export function connect(options: ConnectionOptions): Connection {
  const { username, apiKey, headers = {}, fetch = globalThis.fetch, clock = systemClock } = options;
  const { retry: defaultRetry = noRetry } = options;
  const realm = options.realm.replace(/\/+$/, '');
  const apiURL = options.apiURL ?? `${realm}/api/v1`;
  const authorization = authorizationOf(username, apiKey);
  const credentials = authorization === undefined ? {} : { Authorization: authorization };

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
        headers: { ...headers, ...(endpoint.authentication === 'basic' ? credentials : {}) },
      } as const;
      const isForm = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
      const request = isForm ? { url, init: { ...init, body: values } } : { url: `${url}?${values}`, init };
      const make = async () => {
        const reply = await exchange({ call, ...request, fetch, clock, signal, timeoutMilliseconds });
        const answer = endpoint.answer.safeParse(readReply(reply, clock));
        if (answer.success) return answer.data;
        throw new MalformedAnswerError(reply.status, `${call}: the answer does not match its documentation`, answer.error);
      };
      return retryCall(make, { ...retry, repeatable: isRepeatable(endpoint, parameters), clock, signal });
    },
  };
}

function isRepeatable({ method }: Endpoint, parameters: Readonly<Record<string, unknown>>): boolean {
  return method === 'GET' || parameters['client_message_id'] !== undefined;
}

function authorizationOf(username: string | undefined, apiKey: string | undefined): string | undefined {
  if (username === undefined && apiKey === undefined) return undefined;
  if (username === undefined || apiKey === undefined) throw new TypeError('username and apiKey must be given together');
  // btoa accepts only characters of one byte, and an email may have others.
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${apiKey}`)))}`;
}

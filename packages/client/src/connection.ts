import {
  encodeParameters,
  fillPath,
  type AnswerOut,
  type Endpoint,
  type Parameters,
  type ParametersIn,
} from '@engawa/protocol';
import { systemClock, type Clock } from './clock.ts';
import { MalformedAnswerError } from './errors.ts';
import { exchange, readReply, type Fetch } from './reply.ts';

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
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
}

export interface CallOptions {
  /** What stands for the `{name}` parts of the endpoint's path. */
  readonly path?: Readonly<Record<string, number>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** 30 seconds unless said otherwise. */
  readonly timeoutMilliseconds?: number | undefined;
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

const usualTimeout = 30_000;

export function connect(options: ConnectionOptions): Connection {
  const { username, apiKey, headers = {}, fetch = globalThis.fetch, clock = systemClock } = options;
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
    async call(endpoint, parameters, { path = {}, signal, timeoutMilliseconds = usualTimeout } = {}) {
      const call = `${endpoint.method} ${endpoint.path}`;
      const values = new URLSearchParams(encodeParameters(endpoint, parameters));
      const url = apiURL + fillPath(endpoint.path, path);
      const init = {
        method: endpoint.method,
        credentials: authorization ? 'omit' : 'same-origin',
        headers: { ...headers, ...(endpoint.authentication === 'basic' ? proof : {}) },
      } as const;
      const request = isForm(endpoint) ? { url, init: { ...init, body: values } } : { url: `${url}?${values}`, init };
      const reply = await exchange({ call, ...request, fetch, clock, signal, timeoutMilliseconds });
      const answer = endpoint.answer.safeParse(readReply(reply));
      if (answer.success) return answer.data;
      throw new MalformedAnswerError(reply.status, `${call}: the answer is not as documented`, answer.error);
    },
  };
}

function isForm({ method }: Endpoint): boolean {
  return method !== 'GET' && method !== 'DELETE';
}

function authorizationOf(username: string | undefined, apiKey: string | undefined): string | undefined {
  if (username === undefined && apiKey === undefined) return undefined;
  if (username === undefined || apiKey === undefined) throw new TypeError('username and apiKey go together');
  // btoa takes one byte per character, and an email may hold any.
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${username}:${apiKey}`)))}`;
}

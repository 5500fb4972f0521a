import {
  type AnswerIn,
  type Endpoint,
  type Method,
  ParameterError,
  type ParametersOut,
  decodeParameters,
} from '@engawa/protocol';
import { WriteFailedError } from '../database/index.ts';
import type { Member } from '../users/member.ts';
import { ChatError, refused } from './errors.ts';
import type { ChatAnswer, ChatFetch, ChatRequest } from './exchange.ts';
import { type ArrivedParameters, parametersOf } from './parameters.ts';

/** An answer that is already written, because many get the same one. */
export class WrittenAnswer {
  readonly body: Uint8Array;
  constructor(body: Uint8Array) {
    this.body = body;
  }
}

/** What a handler knows of the call beside its parameters. */
export interface Call {
  /** The program that calls, as messages name it: `client`, or the beginning of the User-Agent. */
  readonly client: string;
  readonly signal: AbortSignal;
  /** The `{name}` parts of the path. */
  readonly path: Readonly<Record<string, number>>;
}

export interface MemberCall extends Call {
  readonly member: Member;
}

type Answered<E extends Endpoint> = AnswerIn<E> | WrittenAnswer | Promise<AnswerIn<E> | WrittenAnswer>;

/** An endpoint with what answers it. */
export interface Route {
  readonly endpoint: Endpoint;
  answer(authenticate: () => Member, call: Call, parameters: ArrivedParameters): unknown;
}

/** A call that works without credentials. */
export function openRoute<E extends Endpoint>(
  endpoint: E,
  handle: (parameters: ParametersOut<E>, call: Call) => Answered<E>,
): Route {
  return {
    endpoint,
    answer: (_, call, parameters) => handle(decodeParameters(endpoint, parameters.get), call),
  };
}

/** A call of a member. Who it is is known before the first parameter is looked at. */
export function memberRoute<E extends Endpoint>(
  endpoint: E,
  handle: (parameters: ParametersOut<E>, call: MemberCall) => Answered<E>,
): Route {
  return {
    endpoint,
    answer: (authenticate, call, parameters) => {
      const member = authenticate();
      return handle(decodeParameters(endpoint, parameters.get), { ...call, member });
    },
  };
}

export interface RouterOptions {
  readonly routes: readonly Route[];
  /** @throws ChatError when the request's credentials are missing, wrong or revoked. */
  readonly authenticate: (request: ChatRequest) => Member;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const base = '/api/v1';

/** The one place that finds the handler of a request, and turns what it returns or throws into an answer. */
export function createRouter({ routes, authenticate, log }: RouterOptions): ChatFetch {
  const patterns = patternsOf(routes);

  async function answer(request: ChatRequest): Promise<ChatAnswer> {
    // Written behind a host of ours, so that a url that begins with two slashes names no host of its own.
    const { pathname, searchParams } = new URL(`http://chat.invalid/${request.url}`);
    const path = pathname.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
    const found = findPattern(patterns, path);
    if (!found) throw refused.noSuchCall();
    const allowed = [...found.pattern.byMethod.keys()];
    if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: allowed.join(', ') }, body: new Uint8Array() };

    const parameters = await parametersOf(request, searchParams);
    const route = found.pattern.byMethod.get(methodOf(request, parameters));
    if (!route) throw refused.wrongMethod(allowed);

    const call: Call = {
      client: clientOf(request, parameters),
      signal: request.signal,
      path: found.parts,
    };
    const result = await route.answer(() => authenticate(request), call, parameters);
    if (result instanceof WrittenAnswer) return jsonAnswer(200, result.body);
    const ignored = parameters.unread();
    return jsonAnswer(200, {
      result: 'success',
      msg: '',
      ...(typeof result === 'object' ? result : {}),
      ...(ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}),
    });
  }

  return async (request) => {
    try {
      return await answer(request);
    } catch (error) {
      // Who has hung up is told nothing, and breaking off is nobody's fault.
      return request.signal.aborted ? errorAnswer(refused.bodyMalformed(), log) : errorAnswer(error, log);
    }
  };
}

interface Pattern {
  readonly segments: readonly string[];
  readonly byMethod: Map<string, Route>;
}

function patternsOf(routes: readonly Route[]): Pattern[] {
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    const path = base + route.endpoint.path;
    const pattern = patterns.get(path) ?? { segments: path.split('/'), byMethod: new Map<string, Route>() };
    pattern.byMethod.set(route.endpoint.method, route);
    patterns.set(path, pattern);
  }
  // A path that is written out wins over one with a part to fill in.
  return [...patterns.values()].toSorted((one, other) => variableParts(one) - variableParts(other));
}

const variableParts = ({ segments }: Pattern): number => segments.filter((segment) => segment.startsWith('{')).length;

function findPattern(patterns: readonly Pattern[], path: string) {
  const segments = path.split('/');
  for (const pattern of patterns) {
    const parts = match(pattern.segments, segments);
    if (parts) return { pattern, parts };
  }
  return undefined;
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, number> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parts: Record<string, number> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith('{')) {
      if (!/^\d{1,15}$/.test(segment)) return undefined;
      parts[expected.slice(1, -1)] = Number(segment);
    } else if (expected !== segment) return undefined;
  }
  return parts;
}

/** A POST may name the method that it means (chat API, "Verb override"). */
function methodOf(request: ChatRequest, parameters: ArrivedParameters): string {
  if (request.method === 'HEAD') return 'GET' satisfies Method;
  const meant = request.method === 'POST' ? parameters.get('method') : undefined;
  return meant?.toUpperCase() ?? request.method;
}

function clientOf(request: ChatRequest, parameters: ArrivedParameters): string {
  const named = parameters.get('client') ?? String(request.headers['user-agent'] ?? '').split('/')[0];
  return named?.trim().slice(0, 30) || 'Unspecified';
}

function errorAnswer(error: unknown, log: RouterOptions['log']): ChatAnswer {
  if (error instanceof ChatError) {
    const { status, message, code, data, headers } = error;
    return jsonAnswer(status, { result: 'error', msg: message, code, ...data }, headers);
  }
  if (error instanceof ParameterError) {
    return jsonAnswer(400, { result: 'error', msg: error.message, code: error.code, ...error.data });
  }
  log({ event: 'call failed', error });
  // 503 says "try again": nothing was kept, and the caller is not at fault.
  const status = error instanceof WriteFailedError ? 503 : 500;
  return jsonAnswer(status, { result: 'error', msg: 'Internal server error', code: 'INTERNAL' });
}

const jsonHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-store',
} as const;

function jsonAnswer(
  status: number,
  body: Uint8Array | Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): ChatAnswer {
  return {
    status,
    headers: { ...jsonHeaders, ...headers },
    body: body instanceof Uint8Array ? body : Buffer.from(`${JSON.stringify(body)}\n`),
  };
}

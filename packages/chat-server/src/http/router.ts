import {
  type AnswerIn,
  type Endpoint,
  type Method,
  ParameterError,
  type ParametersOut,
  botTypes,
  decodeParameters,
} from '@engawa/protocol';
import { DatabaseClosedError, WriteFailedError } from '../database/index.ts';
import type { Member } from '../identity/member.ts';
import { ChatError, storageError, refused } from '../errors.ts';
import { type ChatAnswer, type ChatFetch, type ChatRequest, type DeliveredBody, type Waiter, jsonHeaders } from './exchange.ts';
import { ArrivedParameters, hasBody, parametersOf } from './parameters.ts';
import type { RateLimiter } from './rateLimits.ts';
import { type Steps, Turns } from '../turns.ts';

/** An answer that is serialised already. Other answers may share its bytes. */
export class WrittenAnswer {
  readonly body: Uint8Array;

  constructor(body: Uint8Array) {
    this.body = body;
  }
}

/** An answer of which other answers share most parts. */
export class AnswerInParts {
  readonly own: string;
  readonly rest: readonly Uint8Array[];

  /** @param own the beginning of the body, only ASCII characters. @param rest the parts that follow it. */
  constructor(own: string, rest: readonly Uint8Array[]) {
    this.own = own;
    this.rest = rest;
  }
}

/** The result of a call whose answer comes by its `answerLater`. */
export const answeredLater = Symbol('answeredLater');

/** The JSON of a field of an answer, in parts that answers may share. */
export class WrittenField {
  readonly parts: readonly Uint8Array[];
  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }
}

/** Fields of an answer, of which some may be serialised already. */
export type Fields<Answer> = { readonly [Name in keyof Answer]: Answer[Name] | WrittenField };

export interface Call {
  /** The calling program as messages name it: `client`, or the beginning of the User-Agent. */
  readonly client: string;
  readonly address: string | undefined;
  readonly forBrowser: boolean;
  readonly knownDevice: string | undefined;
  readonly signal: AbortSignal;
  /** For a poll that waits. Its handler returns `answeredLater`. */
  answerLater(): Waiter;
}

export interface MemberCall extends Call {
  readonly member: Member;
  /** Runs work in steps, between which other members have their turn. Rejects if the client disconnects before the end. */
  takeTurns<Result>(begin: () => Steps<Result>): Promise<Result>;
}

/** A handler returns nothing if the answer of its call has no fields. */
type Answer<E extends Endpoint> =
  | Fields<AnswerIn<E>>
  | WrittenAnswer
  | AnswerInParts
  | typeof answeredLater
  | (string extends keyof AnswerIn<E> ? void : never);
type Handler<E extends Endpoint, C extends Call> = (parameters: ParametersOut<E>, call: C) => Answer<E> | Promise<Answer<E>>;

interface Input {
  readonly parameters: ArrivedParameters;
  readonly parts: Readonly<Record<string, number | string>>;
}

/** Both functions throw a ChatError if the key has ended. */
interface Caller {
  /** Authenticates the member and counts the call. */
  identify(): Member;
  memberNow(member: Member): Member;
}

export interface Route {
  readonly endpoint: Endpoint;
  answer(caller: Caller, call: Call, input: Input, turns: Turns): unknown;
}

export function openRoute<E extends Endpoint>(endpoint: E, handle: Handler<E, Call>): Route {
  return {
    endpoint,
    answer: (_, call, { parameters, parts }) => handle(decodeParameters(endpoint, parameters.get, parts), call),
  };
}

/** A call for members only. The router authenticates the member, waits for their turn, and then reads parameters. */
export function memberRoute<E extends Endpoint>(endpoint: E, handle: Handler<E, MemberCall>): Route {
  return {
    endpoint,
    answer: (caller, call, { parameters, parts }, turns) => {
      const identified = caller.identify();
      refuseBot(endpoint, identified);
      let hasWaited = false;
      const answered = () => {
        // The key may have ended, or the role may have changed, while the call waited.
        const member = hasWaited ? caller.memberNow(identified) : identified;
        const memberCall: MemberCall = {
          ...call,
          member,
          takeTurns: (begin) => turns.steps(member.id, begin, call.signal),
        };
        return handle(decodeParameters(endpoint, parameters.get, parts), memberCall);
      };
      const answer =
        endpoint.method === 'GET' ? turns.read(identified.id, answered, call.signal) : turns.change(identified.id, answered);
      hasWaited = true;
      return answer;
    },
  };
}

function refuseBot({ bots }: Endpoint, { botType }: Member): void {
  if (botType === null) return;
  if (bots === 'none') throw refused.noBots();
  if (bots === 'readers' && botType === botTypes.incomingWebhook) throw refused.onlySends();
}

export interface RouterOptions {
  readonly routes: readonly Route[];
  /** @throws ChatError for missing, wrong or revoked credentials. */
  readonly authenticate: (request: ChatRequest) => Member;
  /** @throws ChatError if the key has ended or its user was deactivated. */
  readonly memberNow: (member: Member) => Member;
  readonly rateLimiter: RateLimiter;
  readonly log: (event: Readonly<Record<string, unknown>>) => void;
}

const base = '/api/v1';
const plainPath = /^(?:\/[a-z_\d]+)+$/;
const dotSegment = /^[^?#]*[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/i;

export function createRouter({ routes, authenticate, memberNow, rateLimiter, log }: RouterOptions): ChatFetch {
  const paths = pathsOf(routes);
  const turns = new Turns();

  /** @param headers receives headers that are added even to an error. @param onMember called with the authenticated member. */
  async function answer(
    request: ChatRequest,
    headers: Record<string, string>,
    onMember: (member: Member) => void,
  ): Promise<ChatAnswer> {
    const { path, query } = targetOf(request);
    const found = findPattern(paths, path);
    if (!found) throw refused.noSuchCall();
    const allowed = () => [...found.pattern.byMethod.keys()];
    if (request.method === 'OPTIONS') {
      return { status: 204, headers: { Allow: allowed().join(', ') }, body: new Uint8Array() };
    }

    // The caller is authenticated before the body is read, so that strangers cannot fill the memory.
    const isOpen = found.pattern.isOpen;
    const authenticated = isOpen ? undefined : authenticateOrCount(request, headers);

    const parameters = hasBody(request) ? await parametersOf(request, query) : new ArrivedParameters(new Map(query));
    const route = found.pattern.byMethod.get(methodOf(request, parameters));
    if (!route) throw refused.wrongMethod(allowed());

    let later: Promise<ChatAnswer> | undefined;
    const call: Call = {
      client: clientOf(request, parameters),
      address: request.address,
      forBrowser: request.forBrowser ?? false,
      knownDevice: request.knownDevice,
      signal: request.signal,
      answerLater: () => {
        if (request.waiter) return request.waiter;
        const promised = new PromisedLater();
        later = promised.answer;
        return promised;
      },
    };
    // The key is checked again after the body was read, because it may have ended meanwhile.
    const identify = (): Member => {
      const member = authenticated && !hasBody(request) ? authenticated : authenticateOrCount(request, headers);
      onMember(member);
      if (route.endpoint.counted) Object.assign(headers, rateLimiter.ofMember(member.id));
      return member;
    };
    const result = await route.answer({ identify, memberNow }, call, { parameters, parts: found.parts }, turns);
    if (result === answeredLater) return later ?? waits;
    if (result instanceof WrittenAnswer) return jsonAnswer(200, result.body);
    if (result instanceof AnswerInParts) return inParts(request, Buffer.from(result.own, 'latin1'), result.rest);
    const ignored = parameters.unread();
    const { own, rest } = serialised({
      result: 'success',
      msg: '',
      ...(typeof result === 'object' ? result : {}),
      ...(ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}),
    });
    return rest.length === 0 ? jsonAnswer(200, own) : inParts(request, own, rest);
  }

  function authenticateOrCount(request: ChatRequest, headers: Record<string, string>): Member {
    try {
      return authenticate(request);
    } catch (error) {
      const { authorization } = request.headers;
      if (error instanceof ChatError && typeof authorization === 'string') {
        Object.assign(headers, rateLimiter.ofRefusedKey(authorization));
      }
      throw error;
    }
  }

  return async (request) => {
    const headers: Record<string, string> = {};
    let answered: ChatAnswer;
    let memberId: number | undefined;
    try {
      answered = await answer(request, headers, ({ id }) => {
        memberId = id;
      });
    } catch (error) {
      answered = errorAnswer(request.signal.aborted ? refusalOf(request.signal) : error, log);
    }
    if (answered.waits) return memberId === undefined ? answered : { ...answered, memberId };
    const { status, body, rest } = answered;
    // Without further headers the object stays the same, so that the embedding program can remember what it writes for it.
    const isComplete = Object.keys(headers).length === 0;
    const all = isComplete ? answered.headers : { ...headers, ...answered.headers };
    const whole = rest ? { status, headers: all, body, rest } : { status, headers: all, body };
    return memberId === undefined ? whole : { ...whole, memberId };
  };
}

function targetOf({ url }: ChatRequest): { readonly path: string; readonly query: Iterable<[name: string, value: string]> } {
  // Most changes have a plain path without a query, for which `URL` would change nothing.
  if (plainPath.test(url)) return { path: url, query: [] };
  // `URL` would resolve them: DELETE `/users/me/muted_users/..` must not end the account of the caller.
  if (dotSegment.test(url)) throw refused.noSuchCall();
  // The invented host keeps a path that begins with two slashes from being read as a host.
  const { pathname, searchParams } = new URL(`http://chat.invalid/${url}`);
  return { path: pathname.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, ''), query: searchParams };
}

const waits: ChatAnswer = { status: 200, headers: {}, body: new Uint8Array(), waits: true };

class PromisedLater implements Waiter {
  readonly #promised = Promise.withResolvers<ChatAnswer>();
  readonly answer = this.#promised.promise;

  deliver({ before, own, shared }: DeliveredBody): void {
    this.#promised.resolve(jsonAnswer(200, Buffer.concat([Buffer.from(before + own, 'latin1'), shared])));
  }

  end(): void {}

  fail(error: unknown): void {
    this.#promised.reject(error);
  }
}

/** If the client closed the connection, the body cannot be read and nobody waits for the answer: no fault to report. */
function refusalOf({ reason }: AbortSignal): ChatError {
  return reason instanceof ChatError ? reason : refused.bodyMalformed();
}

/** An element of a path that is the same in each call, or a variable. */
type Segment = string | { readonly name: string; readonly isText: boolean };

interface Pattern {
  readonly segments: readonly Segment[];
  readonly isOpen: boolean;
  readonly byMethod: Map<string, Route>;
}

interface Paths {
  /** The patterns without variables by their path, which come before all others. */
  readonly fixed: ReadonlyMap<string, Pattern>;
  readonly variable: readonly Pattern[];
}

function pathsOf(routes: readonly Route[]): Paths {
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    const path = base + route.endpoint.path;
    const pattern = patterns.get(path) ?? {
      segments: path.split('/').map((segment) => segmentOf(segment, route.endpoint)),
      isOpen: route.endpoint.authentication === 'none',
      byMethod: new Map<string, Route>(),
    };
    pattern.byMethod.set(route.endpoint.method, route);
    patterns.set(path, pattern);
  }
  const isFixed = (pattern: Pattern) => vagueness(pattern) === 0;
  return {
    fixed: new Map([...patterns].filter(([, pattern]) => isFixed(pattern))),
    variable: [...patterns.values()]
      .filter((pattern) => !isFixed(pattern))
      .toSorted((one, other) => vagueness(one) - vagueness(other)),
  };
}

function segmentOf(segment: string, { parameters }: Endpoint): Segment {
  if (!segment.startsWith('{')) return segment;
  const name = segment.slice(1, -1);
  return { name, isText: parameters[name]?.encoding === 'segment' };
}

const textCounts = 100;

/** Paths with fewer variables are tried first, so that `/users/me` is not an id, and texts last, so that `/users/5` is an id. */
function vagueness({ segments }: Pattern): number {
  return segments.reduce((sum, segment) => (typeof segment === 'string' ? sum : sum + (segment.isText ? textCounts : 1)), 0);
}

function findPattern({ fixed, variable }: Paths, path: string) {
  const known = fixed.get(path);
  if (known) return { pattern: known, parts: {} };
  const segments = path.split('/');
  for (const pattern of variable) {
    const parts = match(pattern.segments, segments);
    if (parts) return { pattern, parts };
  }
  return undefined;
}

function match(pattern: readonly Segment[], segments: readonly string[]): Record<string, number | string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parts: Record<string, number | string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (typeof expected === 'string') {
      if (expected !== segment) return undefined;
    } else {
      const value = expected.isText ? decoded(segment) : idIn(segment);
      if (value === undefined || value === '') return undefined;
      parts[expected.name] = value;
    }
  }
  return parts;
}

const idIn = (segment: string): number | undefined => (/^\d{1,15}$/.test(segment) ? Number(segment) : undefined);

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return undefined;
  }
}

/** A POST may name another method, because some clients can only send GET and POST (chat API, "Verb override"). */
function methodOf(request: ChatRequest, parameters: ArrivedParameters): string {
  if (request.method === 'HEAD') return 'GET' satisfies Method;
  const override = request.method === 'POST' ? parameters.get('method') : undefined;
  return override?.toUpperCase() ?? request.method;
}

function clientOf(request: ChatRequest, parameters: ArrivedParameters): string {
  const named = parameters.get('client') ?? String(request.headers['user-agent'] ?? '').split('/')[0];
  return named?.trim().slice(0, 30) || 'Unspecified';
}

export function errorAnswer(error: unknown, log: RouterOptions['log']): ChatAnswer {
  if (error instanceof ChatError) {
    const { status, message, code, data, headers } = error;
    return jsonAnswer(status, { result: 'error', msg: message, code, ...data }, headers);
  }
  if (error instanceof ParameterError) {
    return jsonAnswer(400, { result: 'error', msg: error.message, code: error.code, ...error.data });
  }
  // Every call that runs while the server closes gets this error, so it is no fault to report.
  if (error instanceof DatabaseClosedError) return failure(503);
  // No report here: the database has already reported this fault of the machine once for all calls.
  const fault = error instanceof WriteFailedError ? error.fault : undefined;
  if (fault !== undefined) return errorAnswer(storageError(fault), log);
  log({ event: 'call_failed', error });
  // 503 asks for a retry: nothing was stored, and the caller is not at fault.
  return failure(error instanceof WriteFailedError ? 503 : 500);
}

const failure = (status: number): ChatAnswer =>
  jsonAnswer(status, { result: 'error', msg: 'Internal server error', code: 'INTERNAL' });

function jsonAnswer(
  status: number,
  body: Uint8Array | Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
): ChatAnswer {
  return {
    status,
    headers: headers ? { ...jsonHeaders, ...headers } : jsonHeaders,
    body: body instanceof Uint8Array ? body : bytesOf(body),
  };
}

const inParts = ({ takesRest }: ChatRequest, own: Uint8Array, rest: readonly Uint8Array[]): ChatAnswer =>
  takesRest ? { ...jsonAnswer(200, own), rest } : jsonAnswer(200, Buffer.concat([own, ...rest]));

const bytesOf = (fields: Readonly<Record<string, unknown>>): Uint8Array => Buffer.from(`${JSON.stringify(fields)}\n`);

/** The JSON of the fields is `own` and then `rest`, in which long parts of written fields are the bytes that answers share. */
function serialised(fields: Readonly<Record<string, unknown>>): { own: Uint8Array; rest: readonly Uint8Array[] } {
  const isWritten = Object.values(fields).some((value) => value instanceof WrittenField);
  if (!isWritten) return { own: bytesOf(fields), rest: [] };
  const parts: Uint8Array[] = [];
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof WrittenField) parts.push(Buffer.from(`,${JSON.stringify(name)}:`), ...value.parts);
    else others[name] = value;
  }
  // Every answer has at least the field `result`, so that a comma follows it.
  return { own: Buffer.from(JSON.stringify(others).slice(0, -1)), rest: [...parts, Buffer.from('}\n')] };
}

import { type Endpoint, type Parameter, encodeParameters, fillPath } from '@engawa/protocol';
import { type ChatRequest, givenBody } from '../http/exchange.ts';
import * as eg from '../testing/eg.ts';
import { type CallName, endpointOf, endpoints } from '../testing/endpoints.ts';
import { callOf } from './calls.ts';
import { hostilePathSegments, mutatedValue, unknownNames } from './mutations.ts';
import type { RequestContext } from './requestContext.ts';

type Kind =
  /** `mutated`: a valid call of a member with one changed parameter. */
  'mutated' | 'valid' | 'credentials' | 'unknown route' | 'wrong method' | 'broken body' | 'verb override' | 'HEAD' | 'OPTIONS';

/** A request and the expectations on its answer. */
export interface GeneratedRequest {
  readonly kind: Kind;
  readonly name: CallName;
  readonly by: string;
  readonly request: Omit<ChatRequest, 'signal'>;
  /** Whether a successful answer must match the schema of `name`. False if a changed path can lead to another call. */
  readonly answersCall: boolean;
  /** Parameter names that a successful answer must list as ignored. */
  readonly ignored: readonly string[];
}

type Pair = [name: string, value: string];

/** A request before it is encoded. */
interface Draft {
  readonly name: CallName;
  readonly endpoint: Endpoint;
  readonly by: string;
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly pairs: readonly Pair[];
  readonly authorization: string | null;
  readonly answersCall: boolean;
  readonly ignored: readonly string[];
}

/** The number of such requests in a thousand. All other requests are mutated. */
const kindShares: readonly (readonly [Kind, number])[] = [
  ['valid', 60],
  ['credentials', 35],
  ['unknown route', 20],
  ['wrong method', 20],
  ['broken body', 25],
  ['verb override', 20],
  ['HEAD', 10],
  ['OPTIONS', 5],
];

function kindOf({ random }: RequestContext): Kind {
  let roll = random.below(1000);
  for (const [kind, share] of kindShares) {
    if (roll < share) return kind;
    roll -= share;
  }
  return 'mutated';
}

/** How often these calls are kept when they are chosen, because they are slow. */
const callProbability: { readonly [Name in CallName]?: number } = { fetchApiKey: 0.05, createUser: 0.1, registerQueue: 0.5 };
const isCall = (name: string): name is CallName => endpoints.has(name);
const names = [...endpoints.keys()].filter(isCall);

function randomCall({ random }: RequestContext): CallName {
  for (;;) {
    const name = random.pick(names);
    if (random.chance(callProbability[name] ?? 1)) return name;
  }
}

export function generate(context: RequestContext): GeneratedRequest {
  const kind = kindOf(context);
  const name = randomCall(context);
  const draft = validDraft(context, name);
  return { kind, ...generators[kind](context, draft) };
}

function validDraft(context: RequestContext, name: CallName): Draft {
  const endpoint = endpointOf(name);
  const { by, parameters } = callOf(context, name);
  return {
    name,
    endpoint,
    by,
    method: endpoint.method,
    path: fillPath(endpoint, parameters),
    pairs: Object.entries(encodeParameters(endpoint, parameters)),
    authorization: endpoint.authentication === 'none' ? null : eg.basic(eg.emailOf(by), context.key(by)),
    answersCall: true,
    ignored: [],
  };
}

type Generator = (context: RequestContext, draft: Draft) => Omit<GeneratedRequest, 'kind'>;

const generators: { readonly [K in Kind]: Generator } = {
  valid: (context, draft) => encodeRequest(context, draft),
  mutated: (context, draft) => encodeRequest(context, mutated(context, draft)),
  credentials: (context, draft) => encodeRequest(context, { ...draft, authorization: brokenCredentials(context, draft) }),

  'unknown route': (context, draft) => {
    const { random } = context;
    // `DELETE /users/me/alert_words/..` would deactivate the caller.
    const climbs = draft.method === 'DELETE' && draft.path.startsWith('/users/me/');
    const segments = hostilePathSegments.filter((segment) => !climbs || (segment !== '..' && segment !== '%2e%2e'));
    const path = random.pick([
      `${draft.path}/${random.pick(segments)}`,
      `/${random.pick(hostilePathSegments)}${draft.path}`,
      `//${draft.path}`,
      draft.path.toUpperCase(),
      draft.endpoint.path.slice(0, -1),
      `${draft.path};x=1`,
      `${draft.path}%20`,
      '/../../etc/passwd',
      '',
    ]);
    return encodeRequest(context, { ...draft, path, answersCall: false });
  },

  'wrong method': (context, draft) => {
    const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND', 'get', '__proto__', ''];
    const method = context.random.pick(methods.filter((each) => each !== draft.method));
    return encodeRequest(context, { ...draft, method, path: pathWithoutIds(draft), answersCall: false });
  },

  'broken body': (context, draft) => {
    const { random } = context;
    const { request, ...made } = encodeRequest(context, { ...draft, answersCall: false });
    const [type, body] = random.pick(brokenBodies)(new URLSearchParams([...draft.pairs]).toString());
    const method = random.pick([draft.method === 'GET' ? 'POST' : draft.method, 'POST']);
    const headers = { ...request.headers, ...(type === undefined ? {} : { 'content-type': type }) };
    const url = urlOf(draft.path, []);
    return { ...made, request: { ...request, method, url, headers, body: givenBody(Buffer.from(body)) } };
  },

  'verb override': (context, draft) => {
    const others = ['DELETE', 'patch', 'x', '', '__proto__'];
    const override = context.random.chance(0.7) ? draft.method : context.random.pick(others);
    const isOwnMethod = override === draft.method;
    const path = isOwnMethod ? draft.path : pathWithoutIds(draft);
    const pairs: Pair[] = [...draft.pairs, ['method', override]];
    return encodeRequest(context, { ...draft, method: 'POST', path, pairs, answersCall: isOwnMethod });
  },

  HEAD: (context, draft) => encodeRequest(context, { ...draft, method: 'HEAD', answersCall: draft.method === 'GET' }),
  OPTIONS: (context, draft) => encodeRequest(context, { ...draft, method: 'OPTIONS', answersCall: false }),
};

/** The path with id 0 everywhere, also for the caller, so that a request with another method cannot delete anything. */
const pathWithoutIds = ({ endpoint }: Draft): string =>
  endpoint.path.replaceAll(/\{\w+\}/g, '0').replace(/^\/users\/me$/, '/users/0');

/** A valid call with one parameter changed, removed, doubled or added. */
function mutated(context: RequestContext, draft: Draft): Draft {
  const { random } = context;
  const declared = Object.entries(draft.endpoint.parameters);
  const [name, parameter] = declared.length === 0 || random.chance(0.05) ? [] : random.pick(declared);
  if (name === undefined || parameter === undefined) return withUnknownParameter(random.pick(unknownNames), context, draft);
  if (parameter.encoding === 'path' || parameter.encoding === 'segment') {
    const path = draft.endpoint.path.replace(`{${name}}`, () => random.pick(hostilePathSegments));
    return { ...draft, path, answersCall: false };
  }
  return { ...draft, pairs: mutatedPairs(context, draft, name, parameter) };
}

function withUnknownParameter(name: string, { random }: RequestContext, draft: Draft): Draft {
  const value = mutatedValue(random, 'text', 'x');
  return { ...draft, pairs: [...draft.pairs, [name, value]], ignored: [name] };
}

function mutatedPairs({ random }: RequestContext, { pairs }: Draft, name: string, { encoding, aliases }: Parameter): Pair[] {
  const rest = pairs.filter(([each]) => each !== name);
  const value = pairs.find(([each]) => each === name)?.[1] ?? '1';
  const [alias] = aliases;
  if (alias !== undefined && random.chance(0.2)) {
    return random.pick([
      [...rest, [alias, value]],
      [...rest, [name, value], [alias, value]],
      [...rest, [alias, value], [name, mutatedValue(random, encoding, value)]],
    ]);
  }
  const roll = random.below(20);
  if (roll === 0) return rest;
  if (roll === 1) return [...rest, [name, value], [name, mutatedValue(random, encoding, value)]];
  if (roll === 2) return [...rest, ...Array.from({ length: 500 }, (): Pair => [name, value])];
  return [...rest, [name, mutatedValue(random, encoding, value)]];
}

function brokenCredentials({ random }: RequestContext, { by }: Draft): string | null {
  const email = eg.emailOf(by);
  const key = 'A'.repeat(32);
  return random.pick([
    null,
    '',
    ' ',
    'Basic',
    'Basic ',
    'Basic !!!!',
    'Basic Og==',
    `Basic ${'A'.repeat(20_000)}`,
    `Bearer ${key}`,
    `basic ${email}:${key}`,
    eg.basic(email, key),
    eg.basic(email, ''),
    eg.basic('', key),
    eg.basic(email, `${key}:${key}`),
    eg.basic(email, 'あ'.repeat(32)),
    eg.basic(email, '\0'.repeat(32)),
    eg.basic("' OR 1=1 --", key),
    eg.basic('__proto__', key),
    eg.basic('\ud800@example.com', key),
  ]);
}

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=edge';

const brokenBodies: readonly ((encoded: string) => readonly [type: string | undefined, body: string | Uint8Array])[] = [
  (encoded) => [undefined, encoded],
  (encoded) => ['application/json', JSON.stringify({ encoded })],
  (encoded) => ['text/plain', encoded],
  (encoded) => ['', encoded],
  (encoded) => [`${form}; charset=utf-16`, Buffer.from(encoded, 'utf16le')],
  (encoded) => [form, `${encoded}&%&%E3%81&=&&a=%ZZ`],
  () => [form, '&'.repeat(100_000)],
  () => [form, Array.from({ length: 20_000 }, (_, index) => `p${index}=1`).join('&')],
  () => [form, new Uint8Array([0xff, 0xfe, 0x00, 0x80, 0xc0, 0xaf, 0xed, 0xa0, 0x80])],
  () => [form, 'a'.repeat(1024 * 1024 + 1)],
  (encoded) => ['multipart/form-data', encoded],
  (encoded) => [multipart, encoded],
  () => [multipart, '--edge'],
  () => [multipart, '--edge--\r\n'],
  () => [multipart, '--edge\r\nContent-Disposition: form-data; name="content"\r\n\r\ncut o'],
  () => [multipart, '--edge\r\nContent-Disposition: form-data\r\n\r\nno name\r\n--edge--\r\n'],
  () => [multipart, '--edge\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--edge--\r\n'],
  () => [multipart, '--edge\r\nContent-Disposition: form-data; name="f"; filename="\0/../x"\r\n\r\nx\r\n--edge--\r\n'],
  () => [`multipart/form-data; boundary=${'b'.repeat(500)}`, '--b\r\n\r\n'],
  () => [`${multipart}; boundary=other`, '--other--'],
];

/** Encodes the request as a query, a form or multipart. */
function encodeRequest(context: RequestContext, draft: Draft): Omit<GeneratedRequest, 'kind'> {
  const { random } = context;
  const { name, by, method, path, answersCall, pairs } = draft;
  const headers: Record<string, string> = { 'user-agent': random.chance(0.02) ? '/' : 'Engawa/1.0' };
  if (draft.authorization !== null) headers['authorization'] = draft.authorization;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const bodyKind = hasBody ? random.pick(['form', 'form', 'query', 'parts'] as const) : 'query';
  let url = urlOf(path, []);
  let body: string | Uint8Array = '';
  if (bodyKind === 'query') url = urlOf(path, pairs);
  else if (bodyKind === 'form') {
    headers['content-type'] = form;
    body = random.chance(0.03) ? withInvalidBytes(random, pairs) : new URLSearchParams([...pairs]).toString();
  } else {
    headers['content-type'] = multipart;
    body = multipartBody(pairs);
  }
  const request = { method, url, headers, body: givenBody(Buffer.from(body)), address: '192.0.2.1' };
  return { name, by, request, answersCall, ignored: draft.ignored };
}

function urlOf(path: string, pairs: readonly Pair[]): string {
  const query = new URLSearchParams([...pairs]).toString();
  return `/api/v1${path}${query === '' ? '' : `?${query}`}`;
}

/** Adds bytes that are not valid UTF-8 to every value. */
function withInvalidBytes(random: RequestContext['random'], pairs: readonly Pair[]): string {
  const bytes = random.pick(['%FF', '%ED%A0%80', '%C0%AF', '%E3%81', '%', '%u3042', '+%2B+']);
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}${bytes}`).join('&');
}

const encoded = (value: string): string => encodeURIComponent(value.toWellFormed());

function multipartBody(pairs: readonly Pair[]): string {
  const each = pairs.map(([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  return `${each.join('')}--edge--\r\n`;
}

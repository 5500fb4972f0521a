import { type Endpoint, type Parameter, encodeParameters, fillPath } from '@engawa/protocol';
import type { ChatRequest } from '../http/exchange.ts';
import * as eg from '../testing/eg.ts';
import { type CallName, endpointOf } from '../testing/endpoints.ts';
import { calls } from './calls.ts';
import { hostileParts, mutatedValue, strangeNames } from './mutations.ts';
import type { Scene } from './scene.ts';

export type Kind =
  /** A valid call of a member, but for one parameter. */
  'mutated' | 'valid' | 'credentials' | 'unknown route' | 'wrong method' | 'broken body' | 'verb override' | 'HEAD' | 'OPTIONS';

/** One request, and what its answer must be like. */
export interface Generated {
  readonly kind: Kind;
  readonly name: CallName;
  /** Who asks. */
  readonly by: string;
  readonly request: Omit<ChatRequest, 'signal'>;
  /** Whether a success has the form of `name`'s answers: not where the path may lead to another call. */
  readonly answersCall: boolean;
  /** What no call reads: a success says so. */
  readonly ignored: readonly string[];
}

type Pair = [name: string, value: string];

/** A request before it is written down. */
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

/** Of 1000: what is not a call with one parameter mutated. */
const shares: readonly (readonly [Kind, number])[] = [
  ['valid', 60],
  ['credentials', 35],
  ['unknown route', 20],
  ['wrong method', 20],
  ['broken body', 25],
  ['verb override', 20],
  ['HEAD', 10],
  ['OPTIONS', 5],
];

function kindOf({ random }: Scene): Kind {
  let dice = random.below(1000);
  for (const [kind, share] of shares) {
    if (dice < share) return kind;
    dice -= share;
  }
  return 'mutated';
}

/** A password takes a hash, and registering looks at all there is. */
const seldom: { readonly [Name in CallName]?: number } = { fetchApiKey: 0.05, createUser: 0.1, registerQueue: 0.5 };
const isCall = (name: string): name is CallName => Object.hasOwn(calls, name);
const names = Object.keys(calls).filter(isCall);

function someCall({ random }: Scene): CallName {
  for (;;) {
    const name = random.pick(names);
    if (random.chance(seldom[name] ?? 1)) return name;
  }
}

export function generate(scene: Scene): Generated {
  const kind = kindOf(scene);
  const name = someCall(scene);
  const draft = validDraft(scene, name);
  return { kind, ...make[kind](scene, draft) };
}

function validDraft(scene: Scene, name: CallName): Draft {
  const endpoint = endpointOf(name);
  const { by, asks } = calls[name](scene);
  return {
    name,
    endpoint,
    by,
    method: endpoint.method,
    path: fillPath(endpoint, asks),
    pairs: Object.entries(encodeParameters(endpoint, asks)),
    authorization: endpoint.authentication === 'none' ? null : eg.basic(eg.emailOf(by), scene.key(by)),
    answersCall: true,
    ignored: [],
  };
}

type Maker = (scene: Scene, draft: Draft) => Omit<Generated, 'kind'>;

const make: { readonly [K in Kind]: Maker } = {
  valid: (scene, draft) => written(scene, draft),
  mutated: (scene, draft) => written(scene, mutated(scene, draft)),
  credentials: (scene, draft) => written(scene, { ...draft, authorization: brokenCredentials(scene, draft) }),

  'unknown route': (scene, draft) => {
    const { random } = scene;
    const path = random.pick([
      `${draft.path}/${random.pick(hostileParts)}`,
      `/${random.pick(hostileParts)}${draft.path}`,
      `//${draft.path}`,
      draft.path.toUpperCase(),
      draft.endpoint.path.slice(0, -1),
      `${draft.path};x=1`,
      `${draft.path}%20`,
      '/../../etc/passwd',
      '',
    ]);
    return written(scene, { ...draft, path, answersCall: false });
  },

  'wrong method': (scene, draft) => {
    const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND', 'get', '__proto__', ''];
    const method = scene.random.pick(methods.filter((each) => each !== draft.method));
    return written(scene, { ...draft, method, path: nowhere(draft), answersCall: false });
  },

  'broken body': (scene, draft) => {
    const { random } = scene;
    const { request, ...made } = written(scene, { ...draft, answersCall: false });
    const [type, body] = random.pick(brokenBodies)(new URLSearchParams([...draft.pairs]).toString());
    const method = random.pick([draft.method === 'GET' ? 'POST' : draft.method, 'POST']);
    const headers = { ...request.headers, ...(type === undefined ? {} : { 'content-type': type }) };
    const url = urlOf(draft.path, []);
    return { ...made, request: { ...request, method, url, headers, body: chunks(random, body) } };
  },

  'verb override': (scene, draft) => {
    const others = ['DELETE', 'patch', 'x', '', '__proto__'];
    const meant = scene.random.chance(0.7) ? draft.method : scene.random.pick(others);
    const isMeant = meant === draft.method;
    const path = isMeant ? draft.path : nowhere(draft);
    const pairs: Pair[] = [...draft.pairs, ['method', meant]];
    return written(scene, { ...draft, method: 'POST', path, pairs, answersCall: isMeant });
  },

  HEAD: (scene, draft) => written(scene, { ...draft, method: 'HEAD', answersCall: draft.method === 'GET' }),
  OPTIONS: (scene, draft) => written(scene, { ...draft, method: 'OPTIONS', answersCall: false }),
};

/** The path without the ids in it, so that a method that is not meant does no harm. */
const nowhere = ({ endpoint }: Draft): string => endpoint.path.replaceAll(/\{\w+\}/g, '0');

/** A valid call with one parameter changed, left out, doubled, or one too many. */
function mutated(scene: Scene, draft: Draft): Draft {
  const { random } = scene;
  const declared = Object.entries(draft.endpoint.parameters);
  const [name, parameter] = declared.length === 0 || random.chance(0.05) ? [] : random.pick(declared);
  if (name === undefined || parameter === undefined) return withStranger(random.pick(strangeNames), scene, draft);
  if (parameter.encoding === 'path') {
    const path = draft.endpoint.path.replace(`{${name}}`, () => random.pick(hostileParts));
    return { ...draft, path, answersCall: false };
  }
  return { ...draft, pairs: mutatedPairs(scene, draft, name, parameter) };
}

function withStranger(name: string, { random }: Scene, draft: Draft): Draft {
  const value = mutatedValue(random, 'text', 'x');
  return { ...draft, pairs: [...draft.pairs, [name, value]], ignored: [name] };
}

function mutatedPairs({ random }: Scene, { pairs }: Draft, name: string, { encoding, aliases }: Parameter): Pair[] {
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
  const dice = random.below(20);
  if (dice === 0) return rest;
  if (dice === 1) return [...rest, [name, value], [name, mutatedValue(random, encoding, value)]];
  if (dice === 2) return [...rest, ...Array.from({ length: 500 }, (): Pair => [name, value])];
  return [...rest, [name, mutatedValue(random, encoding, value)]];
}

function brokenCredentials({ random }: Scene, { by }: Draft): string | null {
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

/** As a client may write it: in the query, in a form, or in parts. */
function written(scene: Scene, draft: Draft): Omit<Generated, 'kind'> {
  const { random } = scene;
  const { name, by, method, path, answersCall, pairs } = draft;
  const headers: Record<string, string> = { 'user-agent': random.chance(0.02) ? '/' : 'Engawa/1.0' };
  if (draft.authorization !== null) headers['authorization'] = draft.authorization;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const way = hasBody ? random.pick(['form', 'form', 'query', 'parts'] as const) : 'query';
  let url = urlOf(path, []);
  let body: string | Uint8Array = '';
  if (way === 'query') url = urlOf(path, pairs);
  else if (way === 'form') {
    headers['content-type'] = form;
    body = random.chance(0.03) ? strangelyEncoded(random, pairs) : new URLSearchParams([...pairs]).toString();
  } else {
    headers['content-type'] = multipart;
    body = parts(pairs);
  }
  const request = { method, url, headers, body: chunks(random, body), address: '192.0.2.1' };
  return { name, by, request, answersCall, ignored: draft.ignored };
}

function urlOf(path: string, pairs: readonly Pair[]): string {
  const query = new URLSearchParams([...pairs]).toString();
  return `/api/v1${path}${query === '' ? '' : `?${query}`}`;
}

/** Percent signs with bytes that are no UTF-8, at the end of each value. */
function strangelyEncoded(random: Scene['random'], pairs: readonly Pair[]): string {
  const bytes = random.pick(['%FF', '%ED%A0%80', '%C0%AF', '%E3%81', '%', '%u3042', '+%2B+']);
  return pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}${bytes}`).join('&');
}

const encoded = (value: string): string => encodeURIComponent(value.toWellFormed());

function parts(pairs: readonly Pair[]): string {
  const each = pairs.map(([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  return `${each.join('')}--edge--\r\n`;
}

/** Whole, or in two pieces that may cut a character in two. */
function chunks(random: Scene['random'], body: string | Uint8Array): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(body);
  const cut = random.chance(0.1) ? random.below(bytes.length) : 0;
  return pieces(bytes.subarray(0, cut), bytes.subarray(cut));
}

async function* pieces(...bytes: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  for (const piece of bytes) if (piece.length > 0) yield piece;
}

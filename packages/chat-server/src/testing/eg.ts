/** A small organisation and a chat server that serves it in the same process, with clients for its members. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as api from '@engawa/protocol';
import { onTestFinished } from 'vitest';
import { type ChatServer, createChatServer } from '../chatServer.ts';
import { givenBody } from '../http/exchange.ts';
import type { RateLimits } from '../http/rateLimits.ts';
import type { Member } from '../identity/member.ts';
import type { ImportedOrganisation, Organisation } from '../organisation/importOrganisation.ts';
import { type FakeClock, fakeClock, settled } from './clock.ts';
import { quickPasswordCost } from './passwordCost.ts';

export const password = 'himitsu';
export const realm = { url: 'http://chat.example', maxFileSize: 25 * 2 ** 20 };

const joined = Date.UTC(2026, 3, 1) / 1000;

export function person(name: string, full_name: string, role: Organisation['users'][number]['role']) {
  const avatar_url = `/avatars/${name}.png`;
  return { email: emailOf(name), full_name, role, timezone: 'Asia/Tokyo', avatar_url, password, date_joined: joined };
}

export const emailOf = (name: string): string => `${name}@example.com`;

const people = [
  person('tanaka', '田中 太郎', api.roles.owner),
  person('sato', '佐藤 花子', api.roles.administrator),
  person('suzuki', '鈴木 一郎', api.roles.member),
  person('takahashi', '高橋 恵', api.roles.guest),
  person('ito', '伊藤 誠', api.roles.member),
];

export function stream(name: string, subscribers: readonly string[], shared = true): Organisation['streams'][number] {
  return {
    name,
    description: `${name}の連絡`,
    creator: emailOf('tanaka'),
    subscribers: subscribers.map(emailOf),
    invite_only: true,
    history_public_to_subscribers: shared,
    created: joined,
  };
}

/** Everyone except ito. New subscribers can read its history. */
export const general = '総務部';
/** tanaka and sato. New subscribers cannot read its history. */
export const personnel = '人事の相談';
/** Only suzuki. */
export const board = '経営会議';
/** tanaka and suzuki. Its name looks like an id. */
export const numbered = '123';

const streams = [
  stream(general, ['tanaka', 'sato', 'suzuki', 'takahashi']),
  stream(personnel, ['tanaka', 'sato'], false),
  stream(board, ['suzuki']),
  stream(numbered, ['tanaka', 'suzuki']),
];

/** The custom emoji of the organisation. `old_engawa` is deactivated. */
const emoji = [
  { name: 'engawa', source_url: '/emoji/engawa.png', author: emailOf('tanaka'), deactivated: false },
  { name: 'old_engawa', source_url: '/emoji/old_engawa.png', author: emailOf('sato'), deactivated: true },
];

/** `#123` links to a ticket. */
const linkifiers = [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }];

export function organisation(change: Partial<Organisation> = {}): Organisation {
  return {
    name: '株式会社縁側',
    description: '縁側 & <庭>',
    users: people,
    streams,
    emoji,
    linkifiers,
    messages: [],
    unread: [],
    ...change,
  };
}

export function streamMessage(content: string, stream = general) {
  return { type: 'stream', to: api.addressStream(stream), topic: 't', content };
}

interface PastMessageOptions {
  readonly by?: string;
  readonly stream?: string;
  readonly topic?: string;
  readonly deleted?: boolean;
}

export function pastMessage(content: string, options: PastMessageOptions = {}): Organisation['messages'][number] {
  const { by = 'tanaka', stream: where = general, topic = 'stream events', deleted = false } = options;
  return { sender: emailOf(by), stream: where, topic, content, timestamp: joined + 3600, deleted };
}

export function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'engawa-chat-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export interface Server {
  readonly fetch: ChatServer['fetch'];
  readonly seesStream: ChatServer['seesStream'];
  readonly setStreamPicture: ChatServer['setStreamPicture'];
  readonly directory: string;
  readonly clock: FakeClock;
  user(name: string): number;
  stream(name: string): number;
  /** The ids of the existing messages, in order. */
  readonly messages: readonly number[];
  key(name: string): string;
  /** Log events since the last call. A test fails if it leaves log events unread. */
  reports(): readonly Readonly<Record<string, unknown>>[];
  /** Closes the server and starts a new one on the same files. */
  restart(options?: { readonly maxBytes?: number }): Promise<void>;
  running(): ChatServer;
  setAvatar(name: string, url: string | null): Promise<void>;
  close(): Promise<void>;
}

interface ServerOptions {
  readonly organisation?: Organisation;
  readonly maxBytes?: number;
  /** The members who get an API key. Everyone by default. */
  readonly signedIn?: readonly string[];
  /** None by default, because the clock of a test stands still and a count would never end. */
  readonly rateLimits?: RateLimits;
  /** The members of each mentionable group, by name or by user id. */
  readonly groups?: Readonly<Record<string, readonly (string | number)[]>>;
  /** The members of each department and those below it, by department code. */
  readonly departments?: Readonly<Record<string, readonly string[]>>;
  /** The members of the department of each bound stream. */
  readonly bound?: Readonly<Record<string, readonly string[]>>;
  /** Default: `own`. */
  readonly emailChanges?: 'own' | 'administrators';
}

export async function server({
  organisation: given,
  signedIn,
  groups = {},
  departments = {},
  bound = {},
  ...options
}: ServerOptions = {}): Promise<Server> {
  const { directory: original, imported, keys } = await importOnce(given ?? organisation(), signedIn);
  const copy = directory();
  cpSync(original, copy, { recursive: true });

  const clock = fakeClock();
  let logged: Readonly<Record<string, unknown>>[] = [];
  const members = (names: readonly string[], most: number) => {
    const all = new Set(names.flatMap((name) => groups[name] ?? []));
    const ids = [...all].map((each) => (typeof each === 'number' ? each : found(imported.users, emailOf(each))));
    return ids.slice(0, most);
  };
  const audienceGroupsOf = (userId: number) => {
    const matching = Object.entries(departments).filter(([, names]) =>
      names.some((name) => found(imported.users, emailOf(name)) === userId),
    );
    return new Set(matching.map(([code]) => code));
  };
  // These departments have no streams, so none exists for a guest.
  const isAudienceGroup = (code: string, streams?: ReadonlySet<number>) => !streams && Object.hasOwn(departments, code);
  // Each department is also a group of `user_groups`, named by its code.
  const all = () =>
    Object.entries(departments).map(([code, names]) => ({
      code,
      name: code,
      memberIds: names.map((name) => found(imported.users, emailOf(name))),
      children: [],
    }));
  const bindings = new Map(
    Object.entries(bound).map(([name, memberNames]) => [
      found(imported.streams, name),
      memberNames.map((each) => found(imported.users, emailOf(each))),
    ]),
  );
  const start = (limits: Omit<ServerOptions, 'organisation' | 'signedIn' | 'groups' | 'departments' | 'bound'>) =>
    createChatServer({
      directory: copy,
      realm,
      clock,
      log: (event) => void logged.push(event),
      rateLimits: 'none',
      passwordCost: quickPasswordCost,
      groups: { all, members, audienceGroupsOf, isAudienceGroup },
      bindings: {
        isBound: (streamId) => bindings.has(streamId),
        belonging: (streamId, userIds) => userIds.filter((id) => bindings.get(streamId)?.includes(id)),
      },
      ...limits,
    });
  let running = start(options);
  onTestFinished(async () => {
    await running.close();
    const [unexpected] = logged;
    if (unexpected) throw new Error('the server reported what the test did not expect', { cause: unexpected });
  });

  return {
    fetch: (request) => running.fetch(request),
    seesStream: (...given) => running.seesStream(...given),
    setStreamPicture: (...given) => running.setStreamPicture(...given),
    directory: copy,
    clock,
    user: (name) => found(imported.users, emailOf(name)),
    stream: (name) => found(imported.streams, name),
    messages: imported.messages,
    key: (name) => found(keys, emailOf(name)),
    reports() {
      const taken = logged;
      logged = [];
      return taken;
    },
    async restart(limits = {}) {
      await running.close();
      running = start(limits);
      await settled();
    },
    running: () => running,
    setAvatar: (name, url) => running.setAvatar(found(imported.users, emailOf(name)), url),
    close: () => running.close(),
  };
}

/** A person as the server knows the caller of a call. */
export const memberOf = (at: Server, name: string, role: api.Role): Member => ({
  id: at.user(name),
  email: emailOf(name),
  role,
  keyId: 1,
  botType: null,
  ownerId: null,
});

interface ImportedServer {
  readonly directory: string;
  readonly imported: ImportedOrganisation;
  readonly keys: ReadonlyMap<string, string>;
}

const importedServers = new Map<string, Promise<ImportedServer>>();

/**
 * Imports each organisation once per process and copies its files for later servers, which is faster. The original is removed
 * with the temporary directory of the run.
 */
function importOnce(given: Organisation, signedIn?: readonly string[]): Promise<ImportedServer> {
  const key = JSON.stringify({ given, signedIn });
  const stored = importedServers.get(key) ?? importFirst(given, signedIn);
  importedServers.set(key, stored);
  return stored;
}

async function importFirst(given: Organisation, signedIn?: readonly string[]): Promise<ImportedServer> {
  const path = mkdtempSync(join(tmpdir(), 'engawa-chat-'));
  const first = createChatServer({
    directory: path,
    realm,
    clock: fakeClock(),
    rateLimits: 'none',
    passwordCost: quickPasswordCost,
  });
  const imported = await first.import(given);
  const keys = await Promise.all(
    given.users
      .filter(({ email }) => signedIn?.includes(email) ?? true)
      .map(async ({ email, password: known }): Promise<[string, string]> => {
        const { api_key } = await visitor(first).ok(api.fetchApiKey, { username: email, password: known });
        return [email, api_key];
      }),
  );
  await first.close();
  return { directory: path, imported, keys: new Map(keys) };
}

export interface RawRequest {
  readonly method?: string;
  /** Below `/api/v1`. */
  readonly path?: string;
  /** The complete path and query, in place of `path` and `query`. */
  readonly url?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly address?: string;
  readonly knownDevice?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Refusal = api.ErrorAnswer & { readonly status: number };

export interface Client {
  ok<P extends api.Parameters, Answer extends api.Endpoint['answer']>(
    endpoint: api.Endpoint<P, Answer>,
    parameters: api.ParametersIn<api.Endpoint<P, Answer>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<api.AnswerOut<api.Endpoint<P, Answer>>>;
  /** Makes a call that must be refused and returns the parsed error. */
  refused<P extends api.Parameters, Answer extends api.Endpoint['answer']>(
    endpoint: api.Endpoint<P, Answer>,
    parameters: api.ParametersIn<api.Endpoint<P, Answer>>,
  ): Promise<Refusal>;
  /** Makes a call and returns its unparsed answer. */
  reply(endpoint: api.Endpoint, parameters: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Reply>;
  raw(request: RawRequest): Promise<Reply>;
}

export function signIn(at: Server, name: string): Client {
  return withKey(at, emailOf(name), at.key(name));
}

export function withKey(at: Pick<ChatServer, 'fetch'>, email: string, key: string): Client {
  return client(at, { authorization: basic(email, key) });
}

export function visitor(at: Pick<ChatServer, 'fetch'>): Client {
  return client(at, {});
}

export function basic(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}

export function client({ fetch }: Pick<ChatServer, 'fetch'>, credentials: Readonly<Record<string, string>>): Client {
  const raw = async (request: RawRequest): Promise<Reply> => {
    const query = new URLSearchParams(request.query).toString();
    const { headers, body } = await encodeBody(request);
    const answer = await fetch({
      method: request.method ?? 'GET',
      url: request.url ?? `/api/v1${request.path}${query === '' ? '' : `?${query}`}`,
      headers: { 'user-agent': 'Engawa/1.0', ...credentials, ...headers, ...request.headers },
      body,
      address: request.address ?? '192.0.2.1',
      knownDevice: request.knownDevice,
      signal: request.signal ?? new AbortController().signal,
    });
    return { status: answer.status, headers: answer.headers, text: Buffer.from(answer.body).toString('utf8') };
  };
  const reply: Client['reply'] = (endpoint, parameters, signal) => {
    const values = api.encodeParameters(endpoint, parameters);
    const { method } = endpoint;
    const path = api.fillPath(endpoint, parameters);
    const parts = method === 'POST' ? { form: values } : { query: values };
    return raw({ method, path, ...parts, ...(signal ? { signal } : {}) });
  };
  return {
    raw,
    reply,
    async ok(endpoint, parameters, { signal } = {}) {
      const { status, text } = await reply(endpoint, parameters, signal);
      if (status !== 200) throw new Error(`${endpoint.method} ${endpoint.path} was refused: ${text}`);
      return endpoint.answer.parse(JSON.parse(text));
    },
    refused: async (endpoint, parameters) => refusal(await reply(endpoint, parameters)),
  };
}

async function encodeBody({ form, body }: RawRequest) {
  if (body instanceof FormData) {
    const response = new Response(body);
    return {
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
      body: givenBody(new Uint8Array(await response.arrayBuffer())),
    };
  }
  if (form) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers, body: givenBody(Buffer.from(new URLSearchParams(form).toString())) };
  }
  return { headers: {}, body: givenBody(Buffer.from(body ?? '')) };
}

export function refusal({ status, text }: Reply): Refusal {
  return { ...api.errorAnswer.parse(JSON.parse(text)), status };
}

function found<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name);
  if (value === undefined) throw new TypeError(`there is no ${name} in the organisation`);
  return value;
}

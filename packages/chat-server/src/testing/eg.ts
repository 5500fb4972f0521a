/** A small organisation whose members and streams the tests name. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnswerOut,
  type Endpoint,
  type ErrorAnswer,
  type Parameters,
  type ParametersIn,
  encodeParameters,
  errorAnswer,
  fetchApiKey,
  fillPath,
  roles,
} from '@engawa/protocol';
import { onTestFinished } from 'vitest';
import { type ChatServer, createChatServer } from '../chatServer.ts';
import type { RateLimits } from '../http/rateLimits.ts';
import type { ImportedOrganisation, Organisation } from '../organisation/importOrganisation.ts';
import { type FakeClock, fakeClock, settled } from './clock.ts';
import { quickPasswordCost } from './passwordCost.ts';

export const password = 'himitsu';
export const realm = { url: 'http://chat.example' };

const joined = Date.UTC(2026, 3, 1) / 1000;

export function person(name: string, full_name: string, role: Organisation['users'][number]['role']) {
  const avatar_url = `/avatars/${name}.png`;
  return { email: emailOf(name), full_name, role, timezone: 'Asia/Tokyo', avatar_url, password, date_joined: joined };
}

/** `tanaka` is 田中's name in these pages. */
export function emailOf(name: string): string {
  return `${name}@example.com`;
}

const people = [
  person('tanaka', '田中 太郎', roles.owner),
  person('sato', '佐藤 花子', roles.administrator),
  person('suzuki', '鈴木 一郎', roles.member),
  person('takahashi', '高橋 恵', roles.guest),
  person('ito', '伊藤 誠', roles.member),
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

/** Where everyone but 伊藤 is: whoever joins reads all that was said before. */
export const general = '総務部';
/** 田中 and 佐藤: whoever joins reads only what is said from then on. */
export const personnel = '人事の相談';
/** 鈴木 alone. */
export const board = '経営会議';
/** Its name reads like an id. 田中 and 鈴木. */
export const numbered = '123';

const streams = [
  stream(general, ['tanaka', 'sato', 'suzuki', 'takahashi']),
  stream(personnel, ['tanaka', 'sato'], false),
  stream(board, ['suzuki']),
  stream(numbered, ['tanaka', 'suzuki']),
];

/** Its own emoji; `old_engawa` was taken away. */
const emoji = [
  { name: 'engawa', source_url: '/emoji/engawa.png', author: emailOf('tanaka'), deactivated: false },
  { name: 'old_engawa', source_url: '/emoji/old_engawa.png', author: emailOf('sato'), deactivated: true },
];

/** `#123` leads to a ticket. */
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

interface Saying {
  readonly by?: string;
  readonly stream?: string;
  readonly topic?: string;
  readonly deleted?: boolean;
}

/** What somebody said before the story of a test begins. */
export function said(content: string, saying: Saying = {}): Organisation['messages'][number] {
  const { by = 'tanaka', stream: where = general, topic = 'stream events', deleted = false } = saying;
  return { sender: emailOf(by), stream: where, topic, content, timestamp: joined + 3600, deleted };
}

/** A directory that is gone when the test is over. */
export function directory(): string {
  const made = mkdtempSync(join(tmpdir(), 'engawa-chat-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

export interface Server {
  readonly fetch: ChatServer['fetch'];
  readonly seesStream: ChatServer['seesStream'];
  readonly setStreamPicture: ChatServer['setStreamPicture'];
  readonly directory: string;
  readonly clock: FakeClock;
  /** A member's id. */
  user(name: string): number;
  /** A stream's id. */
  stream(name: string): number;
  /** The ids of what was said before, in its order. */
  readonly messages: readonly number[];
  /** The key that a member got by signing in. */
  key(name: string): string;
  /** What it reported since it was last asked. A report that nobody asked for fails the test. */
  reports(): readonly Readonly<Record<string, unknown>>[];
  /** Ends it and begins a new one on the same files. */
  restart(options?: { readonly maxBytes?: number }): Promise<void>;
  /** The server itself, as the program around it has it. */
  running(): ChatServer;
  /** Says where a member's picture is, as the program around the server does. */
  setAvatar(name: string, url: string | null): Promise<void>;
  close(): Promise<void>;
}

interface ServerOptions {
  readonly organisation?: Organisation;
  readonly maxBytes?: number;
  /** Who signs in once; everyone unless said otherwise. */
  readonly signedIn?: readonly string[];
  /** None, because the clock of a test stands still; unless the test is about them. */
  readonly rateLimits?: RateLimits;
  /** Whom `@*name*` calls; names are those of `user`, numbers are ids of whoever else there is. */
  readonly groups?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Who is in which department, or below it, by its code. */
  readonly departments?: Readonly<Record<string, readonly string[]>>;
  /** Who stays in a stream, by its name: it is bound to what they belong to. */
  readonly bound?: Readonly<Record<string, readonly string[]>>;
  /** Who changes a member's email; the member unless said otherwise. */
  readonly emailChanges?: 'own' | 'administrators';
}

/** A chat server on a directory of its own, with an organisation in which everyone has signed in once. */
export async function server({
  organisation: asked,
  signedIn,
  groups = {},
  departments = {},
  bound = {},
  ...options
}: ServerOptions = {}): Promise<Server> {
  const { directory: original, imported, keys } = await begunOnce(asked ?? organisation(), signedIn);
  const own = directory();
  cpSync(original, own, { recursive: true });

  const clock = fakeClock();
  let reported: Readonly<Record<string, unknown>>[] = [];
  const members = (names: readonly string[], most: number) => {
    const all = new Set(names.flatMap((name) => groups[name] ?? []));
    const ids = [...all].map((each) => (typeof each === 'number' ? each : found(imported.users, emailOf(each))));
    return ids.slice(0, most);
  };
  const audienceGroupsOf = (userId: number) => {
    const around = Object.entries(departments).filter(([, names]) =>
      names.some((name) => found(imported.users, emailOf(name)) === userId),
    );
    return new Set(around.map(([code]) => code));
  };
  const isAudienceGroup = (code: string) => Object.hasOwn(departments, code);
  const bindings = new Map(
    Object.entries(bound).map(([name, staying]) => [
      found(imported.streams, name),
      staying.map((each) => found(imported.users, emailOf(each))),
    ]),
  );
  const start = (limits: Omit<ServerOptions, 'organisation' | 'signedIn' | 'groups' | 'departments' | 'bound'>) =>
    createChatServer({
      directory: own,
      realm,
      clock,
      log: (event) => void reported.push(event),
      rateLimits: 'none',
      passwordCost: quickPasswordCost,
      groups: { members, audienceGroupsOf, isAudienceGroup },
      bindings: {
        isBound: (streamId) => bindings.has(streamId),
        belonging: (streamId, userIds) => userIds.filter((id) => bindings.get(streamId)?.includes(id)),
      },
      ...limits,
    });
  let running = start(options);
  onTestFinished(async () => {
    await running.close();
    const [unexpected] = reported;
    if (unexpected) throw new Error('the server reported what the test did not expect', { cause: unexpected });
  });

  return {
    fetch: (request) => running.fetch(request),
    seesStream: (...asked) => running.seesStream(...asked),
    setStreamPicture: (...asked) => running.setStreamPicture(...asked),
    directory: own,
    clock,
    user: (name) => found(imported.users, emailOf(name)),
    stream: (name) => found(imported.streams, name),
    messages: imported.messages,
    key: (name) => found(keys, emailOf(name)),
    reports() {
      const taken = reported;
      reported = [];
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

interface Begun {
  readonly directory: string;
  readonly imported: ImportedOrganisation;
  readonly keys: ReadonlyMap<string, string>;
}

const begunBefore = new Map<string, Promise<Begun>>();

/**
 * An organisation is brought in once per process and copied from then on, also by the files of tests that come later.
 * What it is copied from is gone after the run, with all that is temporary.
 */
function begunOnce(asked: Organisation, signedIn?: readonly string[]): Promise<Begun> {
  const what = JSON.stringify({ asked, signedIn });
  const begun = begunBefore.get(what) ?? begin(asked, signedIn);
  begunBefore.set(what, begun);
  return begun;
}

async function begin(asked: Organisation, signedIn?: readonly string[]): Promise<Begun> {
  const made = mkdtempSync(join(tmpdir(), 'engawa-chat-'));
  const first = createChatServer({
    directory: made,
    realm,
    clock: fakeClock(),
    rateLimits: 'none',
    passwordCost: quickPasswordCost,
  });
  const imported = await first.import(asked);
  const keys = await Promise.all(
    asked.users
      .filter(({ email }) => signedIn?.includes(email) ?? true)
      .map(async ({ email, password: known }): Promise<[string, string]> => {
        const { api_key } = await visitor(first).ok(fetchApiKey, { username: email, password: known });
        return [email, api_key];
      }),
  );
  await first.close();
  return { directory: made, imported, keys: new Map(keys) };
}

export interface RawRequest {
  readonly method?: string;
  /** Below `/api/v1`. */
  readonly path?: string;
  /** All of path and query, instead. */
  readonly url?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The network address that it comes from. */
  readonly address?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Refusal = ErrorAnswer & { readonly status: number };

export interface Client {
  /** Makes a call and parses its answer. */
  ok<P extends Parameters, Answer extends Endpoint['answer']>(
    endpoint: Endpoint<P, Answer>,
    parameters: ParametersIn<Endpoint<P, Answer>>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<AnswerOut<Endpoint<P, Answer>>>;
  /** Makes a call that is refused, and parses how. */
  refused<P extends Parameters, Answer extends Endpoint['answer']>(
    endpoint: Endpoint<P, Answer>,
    parameters: ParametersIn<Endpoint<P, Answer>>,
  ): Promise<Refusal>;
  /** Makes a request as it is. */
  raw(request: RawRequest): Promise<Reply>;
}

/** Somebody who has a key. */
export function signIn(at: Server, name: string): Client {
  return withKey(at, emailOf(name), at.key(name));
}

export function withKey(at: Pick<ChatServer, 'fetch'>, email: string, key: string): Client {
  return client(at, { authorization: basic(email, key) });
}

/** Somebody without credentials. */
export function visitor(at: Pick<ChatServer, 'fetch'>): Client {
  return client(at, {});
}

export function basic(email: string, key: string): string {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}

/** Somebody with these headers. */
export function client({ fetch }: Pick<ChatServer, 'fetch'>, credentials: Readonly<Record<string, string>>): Client {
  const raw = async (request: RawRequest): Promise<Reply> => {
    const query = new URLSearchParams(request.query).toString();
    const { headers, body } = await written(request);
    const {
      status,
      headers: answered,
      body: bytes,
    } = await fetch({
      method: request.method ?? 'GET',
      url: request.url ?? `/api/v1${request.path}${query === '' ? '' : `?${query}`}`,
      headers: { 'user-agent': 'Engawa/1.0', ...credentials, ...headers, ...request.headers },
      body,
      address: request.address ?? '192.0.2.1',
      signal: request.signal ?? new AbortController().signal,
    });
    return { status, headers: answered, text: Buffer.from(bytes).toString('utf8') };
  };
  const call = (endpoint: Endpoint, parameters: Readonly<Record<string, unknown>>, signal?: AbortSignal) => {
    const values = encodeParameters(endpoint, parameters);
    const { method } = endpoint;
    const path = fillPath(endpoint, parameters);
    const parts = method === 'POST' ? { form: values } : { query: values };
    return raw({ method, path, ...parts, ...(signal ? { signal } : {}) });
  };
  return {
    raw,
    async ok(endpoint, parameters, { signal } = {}) {
      const reply = await call(endpoint, parameters, signal);
      if (reply.status !== 200) throw new Error(`${endpoint.method} ${endpoint.path} was refused: ${reply.text}`);
      return endpoint.answer.parse(JSON.parse(reply.text));
    },
    refused: async (endpoint, parameters) => refusal(await call(endpoint, parameters)),
  };
}

async function written({ form, body }: RawRequest) {
  if (body instanceof FormData) {
    const response = new Response(body);
    return {
      headers: { 'content-type': response.headers.get('content-type') ?? '' },
      body: chunks(new Uint8Array(await response.arrayBuffer())),
    };
  }
  if (form) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers, body: chunks(Buffer.from(new URLSearchParams(form).toString())) };
  }
  return { headers: {}, body: chunks(Buffer.from(body ?? '')) };
}

/** In pieces, as a network brings it. */
async function* chunks(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536);
}

export function refusal({ status, text }: Reply): Refusal {
  return { ...errorAnswer.parse(JSON.parse(text)), status };
}

function found<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name);
  if (value === undefined) throw new TypeError(`there is no ${name} in the organisation`);
  return value;
}

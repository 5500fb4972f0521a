import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChatServer } from '@engawa/chat-server';
import { quickPasswordCost } from '@engawa/chat-server/testing/passwordCost';
import { Calls } from './calls.ts';
import { type Fields, isFields } from './fields.ts';
import { type Member, Members } from './members.ts';
import { shownAddress, zulipOrganisation } from './organisation.ts';
import { type Faults, type ReceivedCall, type SomeFaults, type ZulipOptions, faults as faultsOf } from './orders.ts';
import { Queues } from './queues.ts';
import { PageNotFound, Refusal, unauthorized } from './refusal.ts';
import { Uploads, picture } from './uploads.ts';

/**
 * A server that behaves like a real Zulip of version 8.0 (feature level 218) wherever that differs from the chat server of
 * ours that it has inside. It is no kinder: `facts.test.ts` has what a real server lacks, refuses and ignores.
 *
 * It has the demo organisation. Members sign in with the addresses and the password of the demo (`tanaka@engawa.example`,
 * `demo`); answers show other addresses (`user6@zulip.example`).
 *
 * A real server also has: bots, other organisations, changes of a stream's access, moves to other streams,
 * the earlier messages as Zulip would show them in HTML, a name that another member has already. A member's new role ends their queues, an
 * event has the message in its state when the event is fetched, and a search reads 2,500 messages on each side of its anchor.
 */
export interface Zulip {
  /** Without a slash at the end: the value of `ZULIP_SITE`. */
  readonly url: string;
  /** The calls since the start, or since a test emptied the list. */
  readonly received: ReceivedCall[];
  /** Sets these faults and ends all others. Without faults, everything works again. */
  fail(faults?: SomeFaults): Promise<void>;
  /** Ends all connections and queues. The data stays. */
  restart(): void;
  /** Adds an event to all queues, such as one of a type that nobody knows. */
  say(event: Fields): void;
  close(): Promise<void>;
}

const defaultCallsPerMinute = 200;
const defaultHeartbeatSeconds = 47;

export async function startZulip({
  port = 0,
  secure = false,
  callsPerMinute = defaultCallsPerMinute,
  heartbeatSeconds = defaultHeartbeatSeconds,
}: ZulipOptions = {}): Promise<Zulip> {
  const directory = mkdtempSync(join(tmpdir(), 'zulip-'));
  const realm = { url: '' };
  const chat = createChatServer({ directory, realm, rateLimits: 'none', passwordCost: quickPasswordCost });
  const { organisation, addresses } = zulipOrganisation(Date.now());
  const { users } = await chat.import(organisation);
  for (const [shown, id] of users) if (shown !== shownAddress(id)) throw new TypeError(`${shown} has the id ${id}`);
  const members = new Members(chat);

  let faults = faultsOf.parse({});
  const queues = new Queues(heartbeatSeconds * 1000);
  const uploads = new Uploads();
  const count = limiter(callsPerMinute, (member) => {
    if (faults.refusedKeys.includes(member.address)) throw unauthorized('Invalid API key');
    return faults.rateLimited;
  });
  const calls = new Calls({ chat, members, queues, uploads, url: () => realm.url, count });
  for (const [index, address] of addresses.entries()) await calls.addMember(index + 1, address);
  const received: ReceivedCall[] = [];
  const site = { calls, members, uploads, received, faults: () => faults };
  const listener: RequestListener = (request, response) => void answer(request, response, site);
  const server = secure ? createSecureServer(certificate('first'), listener) : createServer(listener);

  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(port);
  const bound = portOf(server.address());
  realm.url = `${secure ? 'https' : 'http'}://127.0.0.1:${bound}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  return {
    url: realm.url,
    received,
    async fail(next = {}) {
      const wasDown = faults.down;
      faults = faultsOf.parse(next);
      if ('setSecureContext' in server) {
        server.setSecureContext(certificate(faults.wrongCertificate ? 'second' : 'first'));
        // A connection that was made before would go on with the other certificate.
        server.closeIdleConnections();
      }
      if (faults.down && !wasDown) await stop();
      if (!faults.down && wasDown) await listen(bound);
    },
    restart() {
      server.closeAllConnections();
      queues.clear();
    },
    say: (event) => queues.say(event),
    async close() {
      queues.clear();
      if (!faults.down) await stop();
      await chat.close();
      rmSync(directory, { recursive: true });
    },
  };
}

interface Site {
  readonly calls: Calls;
  readonly members: Members;
  readonly uploads: Uploads;
  readonly received: ReceivedCall[];
  faults(): Faults;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

async function answer(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const faults = site.faults();
  const { status, headers, body } = await answerOf(request, left.signal, site).catch((error: unknown) =>
    failureAnswer(error, request),
  );
  if (faults.lostAnswers.includes(nameOf(request))) return void response.destroy();
  if (faults.delay > 0) await new Promise((resolve) => setTimeout(resolve, faults.delay));
  response.writeHead(status, headers).end(body);
}

const nameOf = ({ method = '', url = '' }: IncomingMessage): string =>
  `${method} ${decodeURIComponent(url.split('?', 1).join('')).replace(/^\/api\/v1(?=\/)/, '')}`;

async function answerOf(request: IncomingMessage, signal: AbortSignal, site: Site): Promise<Answer> {
  const faults = site.faults();
  if (faults.badGateway) return page(502, '502 Bad Gateway');
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://zulip.invalid');
  const path = decodeURIComponent(pathname);
  const { method = 'GET' } = request;
  const form = await formOf(request);
  const parameters = new Map(searchParams);
  for (const [name, value] of form) if (typeof value === 'string') parameters.set(name, value);
  const client = parameters.get('client') ?? clientOf(request.headers['user-agent'] ?? '');
  const { authorization } = request.headers;
  const below = path.startsWith('/api/v1') ? path.slice('/api/v1'.length) : undefined;
  site.received.push({ call: nameOf(request), client });
  if (below === undefined) return file(path, authorization, site);
  if (below.startsWith('/user_uploads/')) {
    await requireFile(below, authorization, site);
    return json(200, { result: 'success', msg: '', url: site.uploads.temporaryPath(below) });
  }
  const sent = Array.from(form, ([, value]) => value).find((value) => typeof value !== 'string');
  parameters.delete('client');
  const fields = await site.calls.answer({ method, path: below, parameters, client, authorization, file: sent, signal });
  if (faults.emptyAnswers) return json(200, { result: 'success', msg: '' });
  return json(200, faults.unknownKeys ? withUnknownKeys(fields) : fields);
}

async function file(path: string, authorization: string | undefined, site: Site): Promise<Answer> {
  const { members, uploads } = site;
  if (path.startsWith('/user_avatars/')) return { status: 200, headers: { 'content-type': 'image/png' }, body: picture };
  if (path.startsWith('/user_uploads/temporary/')) return uploadAnswer(uploads.ofTemporary(path));
  if (path.startsWith('/user_uploads/')) {
    await requireFile(path, authorization, site);
    return uploadAnswer(uploads.of(path));
  }
  const user = /^\/avatar\/(\d+)$/.exec(path)?.[1];
  if (user === undefined) throw new PageNotFound(path);
  members.of(authorization);
  return { status: 302, headers: { location: `/user_avatars/2/${user.padStart(40, '0')}.png?version=2` }, body: '' };
}

/** @throws Refusal, PageNotFound */
async function requireFile(path: string, authorization: string | undefined, { members, calls }: Site): Promise<void> {
  if (await calls.mayRead(members.of(authorization), path)) return;
  throw new Refusal('You are not authorized to view this file.', { status: 403 });
}

const uploadAnswer = ({ type, content }: ReturnType<Uploads['of']>): Answer => ({
  status: 200,
  headers: { 'content-type': type },
  body: content,
});

async function formOf(request: IncomingMessage): Promise<FormData | URLSearchParams> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return new URLSearchParams(body.toString());
  return new Response(body, { headers: { 'content-type': type } }).formData();
}

/** The words before the version: `Engawa desktop app/1.0 (…)` gives `Engawa desktop app`. */
const clientOf = (userAgent: string): string => /^[^/ ]*[^0-9/(]*/.exec(userAgent)?.[0].trim().slice(0, 30) || 'Unspecified';

/** Adds a key to the answer and to each user, stream, message and event in it, but not to maps. */
function withUnknownKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownKeys);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, withUnknownKeys(each)] as const);
  const isMap = !['result', 'id', 'user_id', 'stream_id'].some((name) => name in value);
  return Object.fromEntries(isMap ? fields : [...fields, ['from_a_later_version', { of: ['the API'] }]]);
}

function json(status: number, fields: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: `${JSON.stringify(fields)}\n` };
}

function page(status: number, title: string): Answer {
  const body = `<!DOCTYPE html>\n<html lang="en">\n<head><title>${title}</title></head>\n<body><h1>${title}</h1></body>\n</html>\n`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function failureAnswer(error: unknown, request: IncomingMessage): Answer {
  // The client has left, so that nobody gets this answer.
  if (!request.complete) return page(400, 'Bad Request');
  if (error instanceof PageNotFound) return page(404, `Page not found at ${error.message}`);
  if (error instanceof Refusal) return json(error.status, error.fields, error.headers);
  throw error;
}

/** Counts calls in windows of a minute that begin with a member's first call. */
function limiter(most: number, isRefused: (member: Member) => boolean): (member: Member) => void {
  const windows = new Map<number, { count: number; readonly ends: number }>();
  return (member) => {
    const now = performance.now();
    const known = windows.get(member.id);
    const window = known && known.ends > now ? known : { count: 0, ends: now + 60_000 };
    windows.set(member.id, window);
    window.count += 1;
    if (!isRefused(member) && window.count <= most) return;
    const seconds = (window.ends - now) / 1000;
    throw new Refusal('API usage exceeded rate limit', {
      status: 429,
      code: 'RATE_LIMIT_HIT',
      'retry-after': seconds,
      headers: {
        'retry-after': String(seconds),
        'x-ratelimit-limit': String(most),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.floor(Date.now() / 1000 + seconds)),
      },
    });
  };
}

function certificate(name: 'first' | 'second') {
  const path = join(import.meta.dirname, '../tls', name);
  return { key: readFileSync(`${path}-key.pem`), cert: readFileSync(`${path}.pem`) };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the server does not listen on a port');
  return address.port;
}

/** The product behind Debian's nginx and Caddy, set up as the operator's guide says. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, type IncomingHttpHeaders, type IncomingHttpStatusHeader, connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { connect as connectByTls } from 'node:tls';
import { livePath, liveAnswer } from '@engawa/protocol/live';
import { sendMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { emailOf, runProduct, type RunningProduct } from '../testing/product.ts';
import { certificate, exampleHost, proxyMissing, proxyNames, type ProxyName, startProxy } from '../testing/reverseProxies.ts';
import { waitingPoll } from '../testing/waitingPoll.ts';
import { startZulip } from '../testing/zulip/zulip.ts';

const origin = `https://${exampleHost}`;
/** The client is at another address than the proxy. */
const clientAddress = '127.0.0.2';
const megabyte = 1024 * 1024;

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders & IncomingHttpStatusHeader;
  readonly body: Buffer;
}

interface Visitor {
  readonly protocol: string | undefined;
  ask(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: Buffer | string): Promise<Answer>;
}

/** A browser that opens the product through a proxy. */
async function visit(
  name: ProxyName,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly product: RunningProduct; readonly visitor: Visitor }> {
  const product = await runProduct({ TRUSTED_PROXY: '127.0.0.1', PUBLIC_URL: origin, RATE_LIMIT: 'none', ...environment });
  onTestFinished(() => product.close());
  const proxy = await startProxy(name, Number(new URL(product.address).port));
  onTestFinished(() => proxy.stop());
  const session = connect(origin, {
    // A browser accepts as much before it confirms; Node's default of 64 kB makes downloads slow.
    settings: { initialWindowSize: 6 * megabyte },
    createConnection: () =>
      connectByTls({
        socket: connectSocket({ host: '127.0.0.1', port: proxy.port, localAddress: clientAddress }),
        servername: exampleHost,
        ca: readFileSync(certificate),
        // The certificate is for `localhost`.
        checkServerIdentity: () => undefined,
        ALPNProtocols: ['h2', 'http/1.1'],
      }),
  });
  onTestFinished(() => session.destroy());
  await once(session, 'connect');
  session.setLocalWindowSize(15 * megabyte);
  return { product, visitor: { protocol: session.alpnProtocol, ask: (...call) => ask(session, ...call) } };
}

async function ask(
  session: ClientHttp2Session,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Buffer | string,
): Promise<Answer> {
  const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const { promise, resolve, reject } = Promise.withResolvers<Answer['headers']>();
  stream.once('response', resolve).once('error', reject);
  const answered = await promise;
  return { status: answered[':status'], headers: answered, body: await buffer(stream) };
}

const jsonOf = (answer: { readonly body: Buffer }): unknown => JSON.parse(answer.body.toString());

function signIn(visitor: Visitor, headers: Readonly<Record<string, string>> = {}, password?: string) {
  const all = { 'content-type': 'application/json', origin, ...headers };
  return visitor.ask('POST', paths.session, all, JSON.stringify({ email: emailOf('tanaka'), password }));
}

async function cookieOf(...how: Parameters<typeof signIn>): Promise<string> {
  const answer = await signIn(...how);
  return (answer.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1).join('')).join('; ');
}

async function upload(visitor: Visitor, cookie: string, storedName: string, content: Buffer) {
  const form = new FormData();
  form.append('dstFileName', storedName);
  form.append('file', new Blob([content]), 'movie.mp4');
  const request = new Request(origin, { method: 'POST', body: form });
  const type = request.headers.get('content-type') ?? '';
  const body = Buffer.from(await request.arrayBuffer());
  return visitor.ask('POST', paths.upload, { cookie, origin, 'content-type': type }, body);
}

const register = z.object({ queue_id: z.string(), last_event_id: z.int() });
const eventsAnswer = z.object({ events: z.array(z.object({ type: z.string() })) });
const ownSessions = z.object({ sessions: z.array(z.object({ address: z.string() })) });

describe.for(proxyNames)('behind %s', (name) => {
  const missing = proxyMissing(name);
  const open = async (skip: (note: string) => never) => (missing === undefined ? visit(name) : skip(missing));

  it(`Through ${name}, set up as in the guide, a browser gets the page by HTTP/2`, async ({ skip }) => {
    const { visitor } = await open(skip);
    expect(visitor.protocol).toBe('h2');
    const answer = await visitor.ask('GET', '/');
    expect([answer.status, answer.body.toString()]).toEqual([200, expect.stringContaining('<title>')]);
  });

  it(`Through ${name}, set up as in the guide, cookies are for https only and the answer to a sign-in has HSTS once`, async ({
    skip,
  }) => {
    const { visitor } = await open(skip);
    const { status, headers } = await signIn(visitor);
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
    expect(headers['set-cookie']?.[0]).toMatch(/^__Host-engawa_session=.*; Secure;/);
  });

  it(`Through ${name}, set up as in the guide, the server knows the client's address and believes no header of the client`, async ({
    skip,
  }) => {
    const { visitor } = await open(skip);
    const forged = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
      'x-real-ip': '203.0.113.9',
      forwarded: 'for=203.0.113.9;proto=http;host=evil.example',
    };
    const cookie = await cookieOf(visitor, forged);
    expect(cookie).toContain('__Host-engawa_session=');
    const { sessions } = ownSessions.parse(jsonOf(await visitor.ask('GET', '/api/sessions', { cookie, ...forged })));
    expect(sessions.map(({ address }) => address)).toEqual([clientAddress]);
    expect((await visitor.ask('GET', '/metrics')).status).toBe(401);
  });

  it(`Through ${name}, set up as in the guide, a waiting poll gets an event`, async ({ skip }) => {
    const { product, visitor } = await open(skip);
    const cookie = await cookieOf(visitor);
    const registered = await visitor.ask(
      'POST',
      '/api/v1/register',
      {
        cookie,
        origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      'event_types=["message"]',
    );
    const { queue_id: queue, last_event_id: last } = register.parse(jsonOf(registered));
    const events = () =>
      visitor.ask('GET', `/api/v1/events?${new URLSearchParams({ queue_id: queue, last_event_id: String(last) })}`, { cookie });
    const { answer: poll } = await waitingPoll(events);
    await product.call('tanaka', sendMessage, { type: 'stream', to: 'デザイン室', topic: 'proxy', content: 'すぐ届く' });
    expect(eventsAnswer.parse(jsonOf(await poll)).events).toMatchObject([{ type: 'message' }]);
  });

  it(`Through ${name}, set up as in the guide, the live channel in front of a Zulip delivers an event to a waiting poll`, async ({
    skip,
  }) => {
    if (missing !== undefined) return skip(missing);
    const zulip = await startZulip();
    onTestFinished(() => zulip.close());
    const { visitor } = await visit(name, { ZULIP_SITE: zulip.url });
    const cookie = await cookieOf(visitor, {}, 'demo');
    const live = async (after?: string) => {
      const query = new URLSearchParams(after === undefined ? {} : { after });
      return liveAnswer.parse(jsonOf(await visitor.ask('GET', `${livePath}?${query}`, { cookie })));
    };
    const poll = live((await live()).after);
    // The answer to this request shows that the poll has arrived.
    await live();
    const form = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
    const draft = { type: '', to: [], topic: '', content: 'すぐ届く', timestamp: 1 };
    const saved = await visitor.ask('POST', '/api/v1/drafts', form, `drafts=${encodeURIComponent(JSON.stringify([draft]))}`);
    expect(saved.status).toBe(200);
    expect((await poll).events).toMatchObject([{ type: 'drafts', op: 'add' }]);
  });

  it(`Through ${name}, set up as in the guide, a file of 100 MB arrives and returns unchanged`, async ({ skip }) => {
    const { visitor } = await open(skip);
    const cookie = await cookieOf(visitor);
    const content = randomBytes(100 * megabyte);
    const stored = `${'a'.repeat(20)}.mp4`;
    expect(jsonOf(await upload(visitor, cookie, stored, content))).toMatchObject({ result: 'success', size: content.length });
    const { body } = await visitor.ask('GET', `/api/storage/temp/${stored}`, { cookie });
    expect(body.equals(content)).toBe(true);
  });
});

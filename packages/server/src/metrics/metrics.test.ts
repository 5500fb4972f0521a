import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendMessage } from '@engawa/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProduct, runProductForFile, signIn } from '../testing/product.ts';

const product = await runProductForFile();
const token = 'a-token-of-prometheus';

const scrape = async (
  { app }: Pick<typeof product, 'app'>,
  headers: Readonly<Record<string, string>> = {},
  remoteAddress?: string,
) => app.inject({ url: '/metrics', headers: { host: 'localhost', ...headers }, ...(remoteAddress && { remoteAddress }) });

/** The value of a line, without its labels if none are given. */
const valueIn = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
};

it('The metrics count calls by the name of their route, without ids, names and content', async () => {
  const secret = '議事録の秘密';
  const { id } = await product.call('tanaka', sendMessage, { type: 'stream', to: 'デザイン室', topic: secret, content: secret });
  const authorization = await product.basicOf('tanaka');
  await fetch(`${product.address}/api/v1/messages/${id}`, { headers: { authorization } });
  await fetch(`${product.address}/api/v1/users/tanaka%40engawa.example`, { headers: { authorization } });
  await fetch(`${product.address}/api/v1/realm/emoji/${secret}`, { method: 'DELETE', headers: { authorization } });
  await fetch(`${product.address}/api/v1/messages/${secret}`, { headers: { authorization } });
  await fetch(`${product.address}/api/${secret}`, { headers: { authorization } });
  await fetch(`${product.address}/assets/app-1a2b3c.js`);
  await signIn(product, secret);
  const { body: text, headers } = await scrape(product);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(valueIn(text, 'engawa_messages_sent_total')).toBe(1);
  expect(valueIn(text, 'engawa_calls_total{call="GET /api/v1/messages/{message_id}",status="200"}')).toBe(1);
  expect(valueIn(text, 'engawa_calls_total{call="GET /api/v1/users/{email}",status="200"}')).toBe(1);
  expect(valueIn(text, 'engawa_calls_total{call="DELETE /api/v1/realm/emoji/{emoji_name}",status="400"}')).toBe(1);
  expect(valueIn(text, 'engawa_calls_total{call="screens",status="200"}')).toBe(1);
  expect(valueIn(text, 'engawa_sign_ins_failed_total')).toBe(1);
  expect(valueIn(text, 'engawa_calls_total{call="unknown",status="404"}')).toBe(2);
  expect(text).not.toMatch(new RegExp(`${secret}|${encodeURIComponent(secret)}|tanaka|/${id}\\b|app-1a2b3c`));
});

it('Every line of the metrics is valid in the text format of Prometheus, and each metric has one type', async () => {
  const { body: text } = await scrape(product);
  expect(text.endsWith('\n')).toBe(true);
  const lines = text.trimEnd().split('\n');
  const sample = /^engawa_[a-z_]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? [-+\d.e]+$/;
  expect(lines.filter((line) => !/^# (HELP|TYPE) engawa_/.test(line) && !sample.test(line))).toEqual([]);
  const types = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
  expect(new Set(types).size).toBe(types.length);
});

it('The classes of a duration are cumulative, and the last one equals the count', async () => {
  const { body: text } = await scrape(product);
  const counts = [...text.matchAll(/^engawa_commit_duration_seconds_bucket\{database="chat",le="[^"]+"\} (\d+)$/gm)].map(
    ([, n]) => Number(n),
  );
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  expect(counts.at(-1)).toBe(valueIn(text, 'engawa_commit_duration_seconds_count{database="chat"}'));
  expect(counts.at(-1)).toBeGreaterThan(0);
});

describe('access to the metrics', () => {
  it.each([
    ['a program on the same machine', {}, '127.0.0.1', 200],
    ['a program on the same machine over IPv6', {}, '::1', 200],
    ['another machine', {}, '192.0.2.7', 401],
    ['a client of a proxy on the same machine', { 'x-forwarded-for': '127.0.0.1' }, '127.0.0.1', 401],
    ['a client of a proxy that uses Forwarded', { forwarded: 'for=127.0.0.1' }, '127.0.0.1', 401],
    ['another machine with a token that is not set', { authorization: 'Bearer undefined' }, '192.0.2.7', 401],
  ])('Without METRICS_TOKEN, %s gets the right answer', async (_, headers, address, status) => {
    expect((await scrape(product, headers, address)).statusCode).toBe(status);
  });

  it('A trusted proxy gets no metrics without the token, whatever headers it sends', async () => {
    const proxied = await runProduct({ TRUSTED_PROXY: '127.0.0.1,::1' });
    onTestFinished(() => proxied.close());
    expect((await scrape(proxied)).statusCode).toBe(401);
    expect((await scrape(proxied, { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(401);
  });

  it('With METRICS_TOKEN only the token opens the metrics, from every machine, also through a trusted proxy', async () => {
    const secured = await runProduct({ METRICS_TOKEN: token, TRUSTED_PROXY: '127.0.0.1' });
    onTestFinished(() => secured.close());
    const bearer = { authorization: `Bearer ${token}` };
    expect((await scrape(secured)).statusCode).toBe(401);
    expect((await scrape(secured, { authorization: `Bearer ${token}x` })).statusCode).toBe(401);
    expect((await scrape(secured, bearer, '192.0.2.7')).statusCode).toBe(200);
    expect((await scrape(secured, { ...bearer, 'x-forwarded-for': '192.0.2.7' })).statusCode).toBe(200);
  });
});

it.each(['grafana.json', 'alerts.yaml'])('Each metric that %s names is one that the product has', async (name) => {
  const { body: text } = await scrape(product);
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, metric]) => metric));
  const named = readFileSync(join(import.meta.dirname, '../../../../docs/monitoring', name), 'utf8').match(/engawa_\w+/g) ?? [];
  expect(named.map((metric) => metric.replace(/_bucket$/, '')).filter((metric) => !known.has(metric))).toEqual([]);
  expect(named).not.toEqual([]);
});

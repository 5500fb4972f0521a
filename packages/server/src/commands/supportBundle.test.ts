import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendMessage } from '@engawa/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { logToStderr } from '../log/log.ts';
import { runProduct } from '../testing/product.ts';
import { runUpstream } from '../testing/upstream.ts';
import { runCommand } from './run.ts';

const secret = 'ひみつ-himitsu-no-kagi-0123456789abcdef';
const ascii = 'himitsu-no-kagi-0123456789abcdef';
const secrets = {
  PUBLIC_URL: 'http://localhost',
  SMTP_URL: `smtp://user:${ascii}@127.0.0.1:9`,
  MAIL_FROM: 'engawa@niwa.example',
  TURN_URL: 'turn:127.0.0.1:9',
  TURN_SECRET: ascii,
  LIVEKIT_URL: 'ws://127.0.0.1:9',
  LIVEKIT_KEY: ascii,
  LIVEKIT_SECRET: ascii,
  METRICS_TOKEN: ascii,
  UNKNOWN_SECRET: ascii,
};

function target(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-support-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'bundle.json');
}

async function bundleOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const file = target();
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  expect([await runCommand(['support-bundle', file], { environment, say, warn: say }), lines]).toEqual([
    0,
    [expect.stringContaining(file)],
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return readFileSync(file, 'utf8');
}

it('A support bundle has versions, settings, findings, metrics and log lines, but no secret, no message and no name', async () => {
  const product = await runProduct();
  onTestFinished(() => product.close());
  await product.call('tanaka', sendMessage, { type: 'stream', to: 'デザイン室', topic: secret, content: secret });
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  logToStderr({ event: 'call_failed', call: 'POST /api/v1/messages', error: new SyntaxError(`Unexpected token in "${secret}"`) });
  logToStderr({ event: 'call_finished', path: '/api/v1/messages/5', status: 200, member: 3 });
  const text = await bundleOf({ ...secrets, DATA_DIR: product.dataDirectory });
  write.mockRestore();
  expect(JSON.parse(text)).toMatchObject({
    versions: { engawa: expect.any(String), node: process.version },
    settings: { TURN_SECRET: '…', METRICS_TOKEN: '…', TURN_URL: 'turn:127.0.0.1:9', DATA_DIR: product.dataDirectory },
    findings: expect.arrayContaining([expect.objectContaining({ check: 'disk' })]),
    metrics: expect.arrayContaining(['engawa_messages_sent_total 1']),
    log: expect.arrayContaining([
      expect.objectContaining({ event: 'call_failed', error: expect.objectContaining({ name: 'SyntaxError', message: '…' }) }),
      expect.objectContaining({ event: 'call_finished', path: '/api/v1/messages/5', status: 200, member: 3 }),
    ]),
  });
  for (const hidden of [secret, ascii, '田中', 'tanaka@', 'デザイン室']) expect(text).not.toContain(hidden);
});

it('A support bundle of a stopped product has everything but metrics and log, and no file is overwritten', async () => {
  const text = await bundleOf({ ...secrets, DATA_DIR: join(tmpdir(), 'engawa-does-not-exist') });
  expect(JSON.parse(text)).toMatchObject({ metrics: null, log: [] });
  expect(text).not.toContain(ascii);
  const warnings: string[] = [];
  const terminal = { environment: {}, say: () => undefined, warn: (line: string) => void warnings.push(line) };
  expect(await runCommand(['support-bundle', '/dev/null'], terminal)).toBe(1);
  expect(warnings).toEqual([expect.stringContaining('/dev/null')]);
});

it('A support bundle of a product in front of a Zulip has metrics and log lines', async () => {
  const zulip = await runUpstream();
  const product = await runProduct({ ZULIP_SITE: zulip.site });
  onTestFinished(() => product.close());
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  logToStderr({ event: 'chat_server_failed', call: 'GET /api/v1/users' });
  const text = await bundleOf({ ZULIP_SITE: zulip.site, DATA_DIR: product.dataDirectory });
  write.mockRestore();
  expect(JSON.parse(text)).toMatchObject({
    metrics: expect.arrayContaining(['engawa_deliveries_total 0']),
    log: expect.arrayContaining([expect.objectContaining({ event: 'chat_server_failed' })]),
  });
});

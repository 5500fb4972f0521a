import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import type { OperatorAnswer } from './commands.ts';
import { sendToRunningProduct, serveOperatorCommands } from './socket.ts';

/** A server whose commands finish when the test says so. */
async function opened(gracePeriod: number) {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-socket-'));
  const app = Fastify();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<OperatorAnswer>();
  const run = () => {
    asked.resolve();
    return answer.promise;
  };
  const settle = serveOperatorCommands(app, directory, run, () => {});
  app.addHook('preClose', () => settle(gracePeriod));
  onTestFinished(async () => {
    await app.close();
    rmSync(directory, { recursive: true });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { app, directory, asked: asked.promise, answer: answer.resolve };
}

const listing = { command: 'user list' } as const;

it("When the product stops, it still answers a running operator's command, and accepts no new one", async () => {
  const { app, directory, asked, answer } = await opened(60_000);
  const first = sendToRunningProduct(directory, listing);
  await asked;
  const closed = app.close();
  answer({ done: true, lines: ['庭野 葉'] });
  expect(await first).toEqual({ done: true, lines: ['庭野 葉'] });
  await closed;
  expect(await sendToRunningProduct(directory, listing)).toBeUndefined();
});

it("The product stops although an operator's command is still running and a client is idle", async () => {
  const { app, directory, asked } = await opened(10);
  const idle = connect({ path: join(directory, 'engawa.sock') });
  await new Promise((resolve) => {
    idle.once('connect', resolve);
  });
  const first = sendToRunningProduct(directory, listing);
  await asked;
  await app.close();
  expect(await first).toMatchObject({ done: false });
  idle.destroy();
});

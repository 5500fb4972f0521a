import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@engawa/chat-server/parts';
import { expect, it, onTestFinished } from 'vitest';
import type { Conversations } from '../chat/backend.ts';
import { openData } from '../data.ts';
import { Calls } from './calls.ts';
import { createMesh } from './engine.ts';

const tanaka = { id: 11, authorization: 'Basic dGFuYWthOmtleQ==' };
const direct = [11, 12];

const log = () => undefined;

/** Calls whose announcements the test sends itself. */
async function eg() {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-calls-'));
  const data = await openData(directory, { now: Date.now, log });
  const sent = Promise.withResolvers<number>();
  const announcing = Promise.withResolvers<void>();
  const conversations: Conversations = {
    ask: () => Promise.resolve(),
    askWhoCanAnswer: () => Promise.resolve(),
    announce() {
      announcing.resolve();
      return sent.promise;
    },
    marksMessages: false,
    isIn: () => true,
    mayJoin: () => true,
    members: () => direct,
    mayBeRung: () => true,
    seenBy: () => (ids) => new Set(ids),
    publish: () => undefined,
  };
  const mesh = createMesh({ turn: undefined });
  const engines = {
    ready: Promise.resolve(),
    available: () => [mesh],
    engineFor: () => mesh,
    close: () => Promise.resolve(),
  };
  const calls = new Calls({ database: data.database, conversations, engines, clock: systemClock, log });
  onTestFinished(async () => {
    calls.stop();
    await calls.settled();
    data.close();
    rmSync(directory, { recursive: true });
  });
  return { calls, announcing, sent };
}

it('[R7.8] A message of a call that arrives before the chat server has answered its id waits for the id', async () => {
  const { calls, announcing, sent } = await eg();
  const started = calls.start(tanaka, { conversation: direct, kind: 'video', ring: false });
  await announcing.promise;
  const marked = calls.ofMessages([7, 8]);
  sent.resolve(7);
  const { id } = await started;
  expect(await marked).toEqual(new Map([[7, { id, kind: 'video' }]]));
  await calls.settled();
  expect(await calls.ofMessages([7])).toEqual(new Map([[7, { id, kind: 'video' }]]));
});

it('[R7.8] A message with the text of a call is passed on when an announcement has not succeeded for three seconds', async () => {
  const { calls, announcing, sent } = await eg();
  const started = calls.start(tanaka, { conversation: direct, kind: 'audio', ring: false });
  await announcing.promise;
  expect(await calls.ofMessages([8])).toEqual(new Map());
  sent.reject(new Error('no answer'));
  await expect(started).rejects.toThrow('no answer');
});

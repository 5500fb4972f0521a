import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { crash } from './testing/crash/crash.ts';

/** `npm run crash` takes any, and kills as often as it is told. */
const seed = 8;
const kills = 20;

it('[R4.8.2] [issue 8] a server that is killed 20 times while members write keeps every acknowledged change, once, and tells it once to whoever polls through', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-crash-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const [round] = await crash({ times: kills, seed, dataDirectory });
  // It was at work while it was killed.
  expect(round?.acknowledged).toBeGreaterThan(kills);
  expect(round?.lostAnswers).toBeGreaterThan(0);
  expect(round?.cutPolls).toBeGreaterThan(kills);
}, 120_000);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { crash } from './testing/crash/crash.ts';

/** `npm run crash` takes any seed and number of kills. */
const seed = 8;
const kills = 20;

it('[R4.8.2] A server killed 20 times while members write keeps each acknowledged change once, and clients receive it once', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-crash-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const [round] = await crash({ times: kills, seed, dataDirectory });
  // The server was busy while it was killed.
  expect(round?.acknowledged).toBeGreaterThan(kills);
  expect(round?.lostAnswers).toBeGreaterThan(0);
  expect(round?.cutPolls).toBeGreaterThan(kills);
}, 120_000);

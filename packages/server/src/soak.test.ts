import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Reading, growths, riseOf } from './testing/soak/reading.ts';
import { soak } from './testing/soak/soak.ts';

/** `npm run soak` runs the same for an hour. */
const short = { rounds: 6, turnsPerRound: 2, warmUp: 3 } as const;

it("The server's memory, open files and timers do not grow from round to round under mixed load", async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-soak-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const readings = await soak({ ...short, dataDirectory });
  expect(readings).toHaveLength(short.rounds);
  expect(growths(readings)).toEqual([]);
}, 120_000);

it('The soak test reports a quantity that rises in each round, and not one that fluctuates', () => {
  const usual: Reading = { heap: 50e6, rss: 300e6, files: 60, timers: 3, others: 15, delayP50: 10, delayP99: 20 };
  const rounds = (change: (at: number) => Partial<Reading>) =>
    Array.from({ length: 6 }, (_, at) => ({ ...usual, ...change(at) }));
  expect(riseOf([1, 2, 3, 4])).toBeCloseTo(3);
  expect(growths(rounds((at) => ({ heap: 50e6 + (at % 2) * 1e6, files: 60 + (at % 2) * 3 })))).toEqual([]);
  expect(growths(rounds((at) => ({ heap: 50e6 + at * 5e5 })))).toMatchObject([/^heap rose by 2500000 in 6 rounds/]);
  expect(growths(rounds((at) => ({ files: 60 + at * 2, timers: 3 + at })))).toHaveLength(2);
});

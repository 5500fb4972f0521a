// `npm run crash -- --times 1000 --seed 17`: kills a server again and again while members write, and checks its data.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withNode } from './withNode.mjs';

await withNode(import.meta.filename, async () => {
  const { values } = parseArgs({ options: { times: { type: 'string', default: '1000' }, seed: { type: 'string' } } });
  const times = Number(values.times);
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
  if (!Number.isSafeInteger(times) || times < 1 || !Number.isSafeInteger(seed)) {
    console.error('usage: npm run crash -- [--times 1000] [--seed 17]');
    process.exit(2);
  }
  const { buildServer } = await import('./build.mjs');
  buildServer();
  const { crash } = await import('../packages/server/src/testing/crash/crash.ts');
  const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-crash-'));
  console.log(`${times} kills, seed ${seed}, data in ${dataDirectory}`);
  let killed = 0;
  const tell = (round) => {
    killed += round.killed;
    const { acknowledged, lostAnswers, cutPolls, events } = round;
    console.log(
      `${killed}: ${acknowledged} messages acknowledged, ${lostAnswers} answers lost, ${cutPolls} polls cut, ${events} events received`,
    );
  };
  try {
    await crash({ times, seed, dataDirectory, tell });
  } catch (error) {
    console.error(error);
    console.error(`Data was lost after more than ${killed} kills with seed ${seed}. See ${dataDirectory}.`);
    process.exit(1);
  }
  rmSync(dataDirectory, { recursive: true });
  console.log('Nothing was lost or duplicated.');
  process.exit(0);
});

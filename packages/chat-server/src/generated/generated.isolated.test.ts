import { getMessages, maxAlertWords, sendMessage } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { statement } from '../schema.ts';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { usedMemory } from '../testing/memory.ts';
import { queueOf } from '../testing/queue.ts';
import { seeded } from '../testing/random.ts';
import { run } from './run.ts';
import { Scene } from './scene.ts';
import { Tally } from './tally.ts';

const requests = 100_000;
const seed = 20_261_120;
const mebibyte = 1024 * 1024;

describe('a hundred thousand generated requests', () => {
  it('are each answered in the form of the API, and leave a server that works', { timeout: 600_000 }, async () => {
    const scene = await Scene.begin(seeded(seed));
    const tally = new Tally();
    const began = performance.now();
    await run(scene, tally, requests / 2);
    const half = await memoryAtRest(scene.server);
    await run(scene, tally, requests / 2);
    const growth = (await memoryAtRest(scene.server)) - half;

    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(`${tally.text()}\nin ${seconds} s, heap ${Math.round(growth / 1024)} KiB larger\n`);
    expect(tally.total).toBe(requests);
    expect(tally.neverSucceeded(), 'calls that never succeeded').toEqual([]);
    expect(tally.share('mutated')).toBeGreaterThan(0.8);
    expect(growth).toBeLessThan(2 * mebibyte);
    expect(scene.server.reports()).toEqual([]);
    await expectWorks(scene.server);
    await expectBounded(scene.server);
  });
});

/** Bytes that are used at rest. What goes only when something else has gone, goes in a later turn. */
async function memoryAtRest(server: eg.Server): Promise<number> {
  // Two sweeps, in which nobody comes back.
  for (let minutes = 0; minutes < 2; minutes += 1) await server.clock.jump(60);
  for (let rounds = 0; rounds < 2; rounds += 1) {
    usedMemory();
    await settled();
  }
  return usedMemory();
}

async function expectWorks(server: eg.Server): Promise<void> {
  const queue = await queueOf(eg.signIn(server, 'suzuki'), { event_types: ['message'] });
  const sent = { type: 'stream', to: eg.general, topic: '最後', content: 'まだ動いています' };
  const { id } = await eg.signIn(server, 'tanaka').ok(sendMessage, sent);
  expect(await queue.take()).toMatchObject([{ message: { id, content: 'まだ動いています' } }]);
  const narrow = [{ operator: 'stream', operand: eg.general }];
  const asked = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await eg.signIn(server, 'sato').ok(getMessages, asked);
  expect(messages).toMatchObject([{ id, content: 'まだ動いています' }]);
}

/** What one member may have of each, however much they ask for. */
const mostOfMember = { api_key: 20, queue: 100, alert_word: maxAlertWords } as const;
/** What lives for seven days. */
const passing = ['event', 'client_message', 'queue'] as const;

async function expectBounded(server: eg.Server): Promise<void> {
  const { database } = fileOf(server);
  const rowsOf = (table: CountedTable) => database.reader.get(counts[table], {})?.rows;
  const members = rowsOf('user') ?? 0;
  for (const table of ['api_key', 'queue', 'alert_word'] as const) {
    expect(rowsOf(table), table).toBeLessThanOrEqual(members * mostOfMember[table]);
  }
  await server.clock.jump(8 * 24 * 60 * 60);
  for (let sweeps = 0; sweeps < 100; sweeps += 1) await server.clock.jump(60);
  for (const table of passing) expect(rowsOf(table), `${table} after eight days`).toBe(0);
}

type CountedTable = 'user' | keyof typeof mostOfMember | (typeof passing)[number];

const countOf = (table: CountedTable) =>
  statement()((query) => query.selectFrom(table).select((build) => build.fn.countAll<number>().as('rows')));

const counts = {
  user: countOf('user'),
  api_key: countOf('api_key'),
  queue: countOf('queue'),
  alert_word: countOf('alert_word'),
  event: countOf('event'),
  client_message: countOf('client_message'),
} as const;

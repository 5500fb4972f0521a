import { getMessages, maxAlertWords, maxDrafts, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { queries } from '../schema.ts';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { endpoints } from '../testing/endpoints.ts';
import { fileOf } from '../testing/membership.ts';
import { usedMemory } from '../testing/memory.ts';
import { queueOf } from '../testing/queue.ts';
import { seeded } from '../testing/random.ts';
import { RequestCounts, run } from './run.ts';
import { RequestContext } from './requestContext.ts';

/** Calls that the server refuses on principle. */
const alwaysRefused = ['getStreamEmailAddress'];

const requests = 100_000;
const seed = 20_261_120;
const mebibyte = 1024 * 1024;

it(
  'The chat server answers 100,000 random valid and invalid requests in the form of the API and works afterwards',
  { timeout: 600_000 },
  async () => {
    const context = await RequestContext.begin(seeded(seed));
    const counts = new RequestCounts();
    await run(context, counts, requests / 2);
    const half = await memoryAtRest(context.server);
    await run(context, counts, requests / 2);
    const growth = (await memoryAtRest(context.server)) - half;

    expect(counts.total).toBe(requests);
    expect([...endpoints.keys()].filter((name) => !counts.succeeded.has(name))).toEqual(alwaysRefused);
    expect(counts.mutated / counts.total).toBeGreaterThan(0.8);
    expect(growth).toBeLessThan(2 * mebibyte);
    expect(context.server.reports()).toEqual([]);
    await expectWorks(context.server);
    await expectBounded(context.server);
  },
);

/** Bytes in use at rest. Some objects are collected only after others, in a later turn. */
async function memoryAtRest(server: eg.Server): Promise<number> {
  // Two sweeps in which no request arrives.
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
  const requested = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await eg.signIn(server, 'sato').ok(getMessages, requested);
  expect(messages).toMatchObject([{ id, content: 'まだ動いています' }]);
}

/** The maximum number of rows per member. */
const maxPerMember = { api_key: 20, queue: 100, alert_word: maxAlertWords, draft: maxDrafts } as const;
/** Rows that are kept for seven days. */
const expiring = ['event', 'client_message', 'queue'] as const;

async function expectBounded(server: eg.Server): Promise<void> {
  const { database } = fileOf(server);
  const rowsOf = (table: CountedTable) => counts[table](database.reader);
  const members = rowsOf('user') ?? 0;
  for (const table of ['api_key', 'queue', 'alert_word', 'draft'] as const) {
    expect(rowsOf(table), table).toBeLessThanOrEqual(members * maxPerMember[table]);
  }
  // The scheduled messages are sent within the hour, so that their events expire too.
  for (let seconds = 0; seconds < 3600; seconds += 30) await server.clock.jump(30);
  await server.clock.jump(8 * 24 * 60 * 60);
  for (let sweeps = 0; sweeps < 100; sweeps += 1) await server.clock.jump(60);
  for (const table of expiring) expect(rowsOf(table), `${table} after eight days`).toBe(0);
}

type CountedTable = 'user' | keyof typeof maxPerMember | (typeof expiring)[number];

const countOf = (table: CountedTable) =>
  queries.value((query) => query.selectFrom(table).select((build) => build.fn.countAll<number>().as('rows')));

const counts = {
  user: countOf('user'),
  api_key: countOf('api_key'),
  queue: countOf('queue'),
  alert_word: countOf('alert_word'),
  draft: countOf('draft'),
  event: countOf('event'),
  client_message: countOf('client_message'),
} as const;

import { sendMessage } from '@engawa/protocol';
import { administrationPaths, serverStatus } from '@engawa/protocol/administration';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RunningProduct, runProduct } from '../testing/product.ts';
import { quantile } from './samples.ts';
import { daysLeft } from './status.ts';

const fiveMinutes = 5 * 60_000;
const hour = 60 * 60_000;

async function statusOf({ app, cookieOf }: RunningProduct) {
  const cookie = await cookieOf('saito');
  const answer = await app.inject({ url: administrationPaths.status, headers: { host: 'localhost', cookie } });
  return serverStatus.parse(answer.json());
}

const send = (product: RunningProduct) =>
  product.call('tanaka', sendMessage, { type: 'stream', to: 'デザイン室', topic: 't', content: 'x' });

/** Waits until the sample of this moment is stored. */
async function sampled(product: RunningProduct, milliseconds: number, count: number) {
  product.pass(milliseconds);
  return vi.waitFor(async () => {
    const status = await statusOf(product);
    expect(status.day.times).toHaveLength(count);
    return status;
  });
}

it('Each sample has what happened since the one before, and a restart keeps the samples', async () => {
  const product = await runProduct();
  await send(product);
  await send(product);
  await sampled(product, fiveMinutes, 1);
  await send(product);
  const { day, week } = await sampled(product, fiveMinutes, 2);
  expect(day.values.messages).toEqual([2, 1]);
  expect(day.values.free_bytes.every((bytes) => bytes !== null && bytes > 0)).toBe(true);
  expect(day.every).toBe(300);
  expect(week.values.messages.reduce((sum, count) => Number(sum) + Number(count), 0)).toBe(3);
  await product.app.close();

  const again = await runProduct({}, product.dataDirectory);
  onTestFinished(() => again.close());
  // Its clock is that of the machine, which is behind the samples.
  expect((await statusOf(again)).day.values.messages).toEqual([2, 1]);
});

it('Samples that are older than a week are deleted, and the day shows only its own', async () => {
  const product = await runProduct();
  onTestFinished(() => product.close());
  await sampled(product, fiveMinutes, 1);
  const later = await sampled(product, 25 * hour, 1);
  expect(later.week.times).toHaveLength(2);
  const last = await sampled(product, 7 * 24 * hour, 1);
  expect(last.week.times).toHaveLength(1);
});

it('The status says in both languages what the doctor finds in a running product', async () => {
  const product = await runProduct();
  onTestFinished(() => product.close());
  const { findings, version } = await statusOf(product);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(findings).toContainEqual(expect.objectContaining({ en: expect.stringMatching(/^The disk has .* free\./) }));
  expect(findings).toContainEqual(
    expect.objectContaining({ level: 'ok', en: 'No change is unfinished.', ja: '途中の変更はありません。' }),
  );
});

it('95 % of durations are estimated within the class in which they end, and no duration gives no value', () => {
  expect(quantile([0, 0, 0, 0], 0.95)).toBeNull();
  expect(quantile([100], 0.5)).toBeCloseTo(0.5);
  expect(quantile([90, 0, 10], 0.95)).toBeCloseTo(12.5);
  expect(quantile([0, 0, 0, 0, 0, 0, 0, 0, 1], 0.95)).toBe(5000);
});

const free = (...bytes: number[]) => ({
  every: 3600,
  times: bytes.map((_, index) => index * 24 * 3600),
  values: {
    messages: [],
    polls: [],
    call_ms: [],
    loop_ms: [],
    commit_ms: [],
    failed_calls: [],
    failed_sign_ins: [],
    free_bytes: bytes,
  },
});

describe('forecast of the disk', () => {
  it.each([
    ['fills by a tenth a day', [100, 90], 9],
    ['does not fill', [90, 100], null],
    ['has one sample', [100], null],
    ['fills so slowly that nobody needs to know', [100_000, 99_999], null],
  ])('A disk that %s has the right number of days left', (_, bytes, days) => {
    expect(daysLeft(free(...bytes))).toBe(days);
  });
});

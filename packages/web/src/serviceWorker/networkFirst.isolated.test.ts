import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { networkFirst, patienceMs } from './networkFirst.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const page = async () => new Response('kept');
const nothing = async () => undefined;
const says = async (text: string, status = 200) => new Response(text, { status });
const after = (milliseconds: number, text: string) =>
  new Promise<Response>((resolve) => setTimeout(() => resolve(new Response(text)), milliseconds));

async function shown(...of: Parameters<typeof networkFirst>) {
  const answer = networkFirst(...of);
  await vi.runAllTimersAsync();
  const { type, status } = await answer;
  return type === 'error' ? type : [status, await (await answer).text()];
}

it.each([
  ['the server’s page', () => says('fresh'), page, [200, 'fresh']],
  ['the server’s refusal', () => says('slowly', 429), page, [429, 'slowly']],
  ['the stored page if the server is unreachable', nothing, page, [200, 'kept']],
  ['the stored page if a proxy says that the server is down', () => says('bad gateway', 502), page, [200, 'kept']],
  ['the stored page if no response begins in time', () => after(patienceMs + 1, 'late'), page, [200, 'kept']],
  ['the server’s page if it arrives just in time', () => after(patienceMs - 1, 'fresh'), page, [200, 'fresh']],
  ['the server’s late page if nothing is stored', () => after(patienceMs * 2, 'late'), nothing, [200, 'late']],
  ['the server’s error if nothing is stored', () => says('broken', 500), nothing, [500, 'broken']],
  ['the browser’s error without any response', nothing, nothing, 'error'],
] as const)('The service worker shows %s', async (_, asked, kept, expected) => {
  expect(await shown(asked(), kept)).toEqual(expected);
});

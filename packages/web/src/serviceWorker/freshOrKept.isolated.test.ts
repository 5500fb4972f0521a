import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freshOrKept, patience } from './freshOrKept.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const page = async () => new Response('kept');
const nothing = async () => undefined;
const says = async (text: string, status = 200) => new Response(text, { status });
const after = (milliseconds: number, text: string) =>
  new Promise<Response>((resolve) => setTimeout(() => resolve(new Response(text)), milliseconds));

async function shown(...of: Parameters<typeof freshOrKept>) {
  const answer = freshOrKept(...of);
  await vi.runAllTimersAsync();
  const { type, status } = await answer;
  return type === 'error' ? type : [status, await (await answer).text()];
}

it.each([
  ['the server’s page', () => says('fresh'), page, [200, 'fresh']],
  ['the server’s refusal', () => says('slowly', 429), page, [429, 'slowly']],
  ['what is kept where nobody can be reached', nothing, page, [200, 'kept']],
  ['what is kept where a proxy says that the server is down', () => says('bad gateway', 502), page, [200, 'kept']],
  ['what is kept where no answer begins in time', () => after(patience + 1, 'late'), page, [200, 'kept']],
  ['the server’s page that comes just in time', () => after(patience - 1, 'fresh'), page, [200, 'fresh']],
  ['the server’s page however late where nothing is kept', () => after(patience * 2, 'late'), nothing, [200, 'late']],
  ['the server’s fault where nothing is kept', () => says('broken', 500), nothing, [500, 'broken']],
  ['the browser’s own word where there is nothing at all', nothing, nothing, 'error'],
] as const)('[issue 8] the service worker shows %s', async (_, asked, kept, expected) => {
  expect(await shown(asked(), kept)).toEqual(expected);
});

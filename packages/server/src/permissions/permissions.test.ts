import { errorAnswer } from '@engawa/protocol';
import { accountPaths } from '@engawa/protocol/accounts';
import { administrationPaths } from '@engawa/protocol/administration';
import { paths } from '@engawa/protocol/product';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callers } from './callers.ts';
import type { Outcome } from './row.ts';
import { accounts, administration, own } from './table.ts';
import { type Method, type World, makeWorld } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
}, 120_000);
afterAll(() => world.product.close());

const parts = [own, accounts, administration];
const calls = parts.flatMap((part) => Object.values(part).flatMap((rows) => Object.entries(rows)));
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

/** `GET /api/session`: each call that the product answers, but for the screens, HEAD, and what is the chat server's. */
function answered(): string[] {
  /** The tree has one line for each part of an address, which stands behind what it is added to. */
  const above: string[] = [];
  return world.product.app.printRoutes({ commonPrefix: false }).split('\n').flatMap((line) => {
    const { indent = '', part = '', of = '' } = /^(?<indent>[│ ]*)[├└]── (?<part>\S+) \((?<of>[A-Z, ]+)\)$/.exec(line)?.groups ?? {};
    const depth = indent.length / 4;
    above.splice(depth, above.length, (above[depth - 1] ?? '') + part);
    const path = above[depth] ?? '';
    if (!path.startsWith('/') || path.startsWith('/api/v1/')) return [];
    return of.split(', ').filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`);
  });
}

describe('the table of permissions', () => {
  it('has rows for every call that the product answers, and for no other', () => {
    expect(calls.map(([call]) => call).toSorted()).toEqual(answered().toSorted());
  });
});

/** Whatever the table does not name is not there, for nobody and for the owner alike. */
describe('a method that the table does not name', () => {
  const addresses = [paths, accountPaths, administrationPaths].flatMap((part) => Object.values(part));

  it.each([...new Set(addresses)])('is none at %s', async (address) => {
    const known = calls.map(([call]) => call.replace(/:\w+/g, 'x'));
    for (const url of [address.replace(/\/$/, ''), `${address.replace(/\/$/, '')}/x`]) {
      for (const method of methods.filter((each) => !known.includes(`${each} ${url}`))) {
        for (const caller of ['nobody', 'owner'] as const) {
          const { status } = await world.ask(method, caller, { url });
          expect([method, url, caller, status]).toEqual([method, url, caller, 404]);
        }
      }
    }
  });
});

describe.each(calls)('%s', (call, rows) => {
  const method = methods.find((each) => call.startsWith(`${each} `)) ?? 'GET';

  it.each([...(rows ?? [])])('[R6.1] answers each as the table says: $what', async ({ asks, answers }) => {
    for (const caller of callers) {
      const { status, text } = await world.ask(method, caller, asks(world, caller));
      expect([caller, outcomeOf(status, text)]).toEqual([caller, answers.get(caller)]);
    }
  });
});

function outcomeOf(status: number, text: string): Outcome | { readonly status: number; readonly code: string } {
  return status < 400 ? 'ok' : { status, code: errorAnswer.parse(JSON.parse(text)).code };
}

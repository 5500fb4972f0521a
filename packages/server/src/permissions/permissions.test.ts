import { accountPaths } from '@engawa/protocol/accounts';
import { administrationPaths } from '@engawa/protocol/administration';
import { callPaths } from '@engawa/protocol/calls';
import { hookPaths } from '@engawa/protocol/hooks';
import { paths } from '@engawa/protocol/product';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from './routesOf.ts';
import { methods } from './request.ts';
import { describeCalls } from './describeCalls.ts';
import { callTable } from './callTable.ts';
import { hookTable } from './hookTable.ts';
import { outgoingHookTable } from './outgoingHookTable.ts';
import { accounts, administration, own } from './table.ts';
import { type World, makeWorld } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
}, 120_000);
afterAll(() => world.product.close());

const parts = [own, accounts, administration, callTable, hookTable, outgoingHookTable];
const calls = parts.flatMap((part) => Object.values(part).flatMap((rows) => Object.entries(rows)));

describe('permission table', () => {
  it('The permission table contains exactly the calls that the product has', () => {
    expect(calls.map(([call]) => call).toSorted()).toEqual(routesOf(world.product.app).toSorted());
  });
});

describe('method without a row', () => {
  const addresses = [
    ...[paths, accountPaths, administrationPaths].flatMap((part) => Object.values(part)),
    callPaths.calls,
    hookPaths.hooks,
  ];

  it.each([...new Set(addresses)])(
    'At %s the product answers 404 to each method that is not in the permission table',
    async (address) => {
      const known = calls.map(([call]) => call.replace(/:\w+/g, 'x'));
      for (const url of [address.replace(/\/$/, ''), `${address.replace(/\/$/, '')}/x`]) {
        for (const method of methods.filter((each) => !known.includes(`${each} ${url}`))) {
          for (const caller of ['nobody', 'owner'] as const) {
            const { status } = await world.ask(method, caller, { url });
            expect([method, url, caller, status]).toEqual([method, url, caller, 404]);
          }
        }
      }
    },
  );
});

describeCalls(calls, () => world);

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesOf } from './routesOf.ts';
import { describeCalls } from './describeCalls.ts';
import { passwordCalls } from './passwordTable.ts';
import { type PasswordWorld, makePasswordWorld } from './passwordWorld.ts';
import { callTable } from './callTable.ts';
import { hookTable } from './hookTable.ts';
import { outgoingHookTable } from './outgoingHookTable.ts';
import { accounts, administration, own } from './table.ts';

let world: PasswordWorld;
beforeAll(async () => {
  world = await makePasswordWorld();
}, 120_000);
afterAll(() => world.product.close());

const calls = Object.entries(passwordCalls);

describe('permission table with passwords', () => {
  it('With passwords, the permission tables together contain exactly the calls that the product has', () => {
    const answered = routesOf(world.product.app);
    const shared = [own, accounts, administration, callTable, hookTable, outgoingHookTable].flatMap((part) =>
      Object.values(part).flatMap((rows) => Object.keys(rows)),
    );
    const request = new Set([...shared, ...calls.map(([call]) => call)]);
    expect([...request].toSorted()).toEqual(answered.toSorted());
  });
});

describeCalls(calls, () => world);

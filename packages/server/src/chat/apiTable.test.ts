import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zulipFeatureLevel, zulipVersion } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as product from '../permissions/table.ts';
import { endpoints } from './endpoints.ts';

const document = readFileSync(join(import.meta.dirname, '../../../../docs/zulip-api.md'), 'utf8');
const [documented = '', beyond = ''] = document.split('## Calls beyond it');

const callsIn = (text: string) =>
  [...text.matchAll(/^\| `([A-Z]+ \/[^`]+)` \| ([^|]+) \|/gm)].map(([, call = '', state = '']) => ({ call, state }));

/** Ids and names are equal, whatever they are called. The name of an upload has several elements. */
const shapeOf = (call: string): string => call.replaceAll(/\{\w+\}|:\w+/g, '{}').replace(/(?<= \/user_uploads)\/.+/, '/{}');

const ofProtocol = endpoints.map(({ method, path }) => shapeOf(`${method} ${path}`));
/** Calls that the product serves itself, because they carry files. */
const ofProduct = Object.values(product)
  .flatMap((calls) => Object.values(calls).flatMap((routes) => Object.keys(routes)))
  .filter((route) => route.includes(' /api/v1/'))
  .map((route) => shapeOf(route.replace(' /api/v1/', ' /')));
const served = new Set([...ofProtocol, ...ofProduct]);

it('The table of the chat API has every documented call once, each with one of three states', () => {
  const calls = callsIn(documented);
  expect(calls).toHaveLength(99);
  expect(new Set(calls.map(({ call }) => call)).size).toBe(calls.length);
  expect(calls.filter(({ state }) => !['works', 'refused on purpose', 'not there'].includes(state))).toEqual([]);
});

it('The calls that the table of the chat API says work are exactly those that the server has', () => {
  const working = callsIn(documented).filter(({ state }) => state === 'works');
  expect(working.filter(({ call }) => !served.has(shapeOf(call)))).toEqual([]);
  const others = callsIn(documented).filter(({ state }) => state !== 'works');
  expect(others.filter(({ call }) => served.has(shapeOf(call)))).toEqual([]);
});

it('Every call of the server is in one of the two tables of the chat API', () => {
  const all = new Set([...callsIn(documented), ...callsIn(beyond)].map(({ call }) => shapeOf(call)));
  expect([...served].filter((call) => !all.has(call))).toEqual([]);
  expect(callsIn(beyond).filter(({ call }) => !served.has(shapeOf(call)))).toEqual([]);
});

it('A refusal on purpose has a reason, and the table names the version that the server announces', () => {
  expect(document).not.toMatch(/\| refused on purpose \| +\|/);
  expect(document).toContain(`version ${zulipVersion} with feature level ${zulipFeatureLevel}`);
});

import { expect, it, onTestFinished } from 'vitest';
import { changesBetween, processState } from './processState.ts';

it('of a process is the same as long as nothing is changed', () => {
  expect(changesBetween(processState(), processState())).toEqual([]);
});

it('of a process tells what was put in the place of something, what came and what went', () => {
  const before = processState();
  const { fetch } = globalThis;
  onTestFinished(() => {
    Object.assign(globalThis, { fetch });
    Reflect.deleteProperty(globalThis, 'ofATest');
    delete process.env['OF_A_TEST'];
  });
  Object.assign(globalThis, { fetch: () => undefined, ofATest: 1 });
  process.env['OF_A_TEST'] = 'yes';
  expect(changesBetween(before, processState()).toSorted()).toEqual([
    'globalThis.fetch',
    'globalThis.ofATest',
    'process.env.OF_A_TEST',
  ]);
  expect(changesBetween(processState(), before).toSorted()).toEqual([
    'globalThis.fetch',
    'globalThis.ofATest',
    'process.env.OF_A_TEST',
  ]);
});

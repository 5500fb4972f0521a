import { expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import { Turnstile } from './turnstile.ts';

/** Tasks that end when the test resolves them. */
function setup(turnstile: Turnstile) {
  const ends: PromiseWithResolvers<string>[] = [];
  const begin = (name: string) =>
    turnstile.pass(() => {
      const end = Promise.withResolvers<string>();
      ends.push(end);
      return end.promise.then(() => name);
    });
  return { ends, begin };
}

it('A turnstile runs a limited number of tasks at once, lets the next tasks wait in order, and refuses tasks when too many wait', async () => {
  const { ends, begin } = setup(new Turnstile({ atOnce: 2, waiting: 2 }, () => new RangeError('too many')));
  const results = ['一', '二', '三', '四'].map(begin);
  await expect(begin('五')).rejects.toThrow('too many');
  expect(ends).toHaveLength(2);

  ends[1]?.resolve('');
  expect(await results[1]).toBe('二');
  await settled();
  expect(ends).toHaveLength(3);
  ends[0]?.reject(new TypeError('it went wrong'));
  await expect(results[0]).rejects.toThrow('it went wrong');
  await settled();
  expect(ends).toHaveLength(4);
  ends[2]?.resolve('');
  ends[3]?.resolve('');
  expect(await Promise.all([results[2], results[3]])).toEqual(['三', '四']);

  const later = begin('六');
  await settled();
  ends[4]?.resolve('');
  expect(await later).toBe('六');
});

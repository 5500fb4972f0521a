import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

const still = new AbortController().signal;

/** Longer than a turn of many may take. */
function takeLong(): void {
  const until = performance.now() + 15;
  while (performance.now() < until);
}

describe('long looks', () => {
  it('are taken in the order in which they came, and each is told what it saw or threw', async () => {
    const turns = new Turns();
    const seen: number[] = [];
    const looks = [1, 2, 3].map((number) => turns.take(() => seen.push(number), still));
    const failing = turns.take(() => {
      throw new TypeError('unseen');
    }, still);
    await expect(failing).rejects.toThrow('unseen');
    expect(await Promise.all(looks)).toEqual([1, 2, 3]);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('leave others their turn between them', async () => {
    const turns = new Turns();
    let seen = 0;
    const looks = Array.from({ length: 4 }, () =>
      turns.take(() => {
        takeLong();
        seen += 1;
      }, still),
    );
    const between: number[] = [];
    while (seen < looks.length) {
      await setImmediate();
      between.push(seen);
    }
    expect(new Set(between)).toEqual(new Set([1, 2, 3, 4]));
    await Promise.all(looks);
  });

  it('are not taken for those who have hung up', async () => {
    const turns = new Turns();
    const left = new AbortController();
    let looked = false;
    const look = turns.take(() => {
      looked = true;
      return 'seen';
    }, left.signal);
    left.abort();
    expect(await look).toBe(undefined);
    expect(looked).toBe(false);
    expect(await turns.take(() => 'later', still)).toBe('later');
  });
});

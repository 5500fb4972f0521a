import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('The changes of one member run one after another, and the changes of other members do not wait for them', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const failed = turns.take(1, async () => {
    await first.promise;
    done.push('first');
    throw new Error('refused');
  });
  const second = turns.take(1, async () => done.push('second'));
  await turns.take(2, async () => done.push('other'));
  first.resolve();
  await expect(failed).rejects.toThrow('refused');
  await second;
  expect(done).toEqual(['other', 'first', 'second']);
});

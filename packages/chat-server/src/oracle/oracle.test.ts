import { expect, it } from 'vitest';
import { run } from './run.ts';

const seeds = [1, 2, 3, 4, 5, 6];
const steps = 350;

it.each(seeds)(
  '[R4.4] [R4.6] [R4.8.2] [R6.1] a random history is for every member what a model with a row per recipient says: %i',
  async (seed) => {
    const { model, performed, followers } = await run(seed, steps);
    // A history that holds nothing would prove nothing.
    expect(model.messages.size).toBeGreaterThan(100);
    expect(new Set(performed.map(({ does }) => does)).size).toBe(10);
    expect(followers.length).toBeGreaterThan(10);
    expect(followers.flatMap(({ heard }) => heard).length).toBeGreaterThan(500);
  },
  60_000,
);

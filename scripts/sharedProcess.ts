/** Files of tests that share a process leave it as they found it: what one changes, another would find. */
import { afterAll } from 'vitest';
import { changesBetween, processState } from './processState.ts';

const before = processState();
afterAll(() => {
  const changes = changesBetween(before, processState());
  if (changes.length > 0)
    throw new Error(`a process of its own is needed to change this, see vitest.config.ts: ${changes.join(', ')}`);
});

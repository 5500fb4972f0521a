import { expect, it } from 'vitest';
import { begin } from '../../../test/exampleState.ts';
import { connectionBecame } from '../connection/state.ts';
import { happened } from './changes.ts';

it('an unknown event only moves the cursor', () => {
  const state = happened(begin(), [{ id: 9, type: 'unknown', original: {} }], { queueId: 'queue-1', lastEventId: 9 });
  expect(state).toEqual({ ...begin(), cursor: { queueId: 'queue-1', lastEventId: 9 } });
});

it('a signed-out model stays signed out', () => {
  expect(connectionBecame(connectionBecame(begin(), 'signed-out'), 'online').connection).toBe('signed-out');
});

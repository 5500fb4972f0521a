import { expect, it } from 'vitest';
import { begin } from '../../../test/exampleState.ts';
import { connectionBecame } from '../connection/state.ts';
import { happened } from './events.ts';

it('An unknown event changes only the event id up to which the state is current', () => {
  const state = happened(begin(), [{ id: 9, type: 'unknown', original: {} }], { queueId: 'queue-1', lastEventId: 9 });
  expect(state).toEqual({ ...begin(), cursor: { queueId: 'queue-1', lastEventId: 9 } });
});

it('A signed-out model stays signed out when its connection changes', () => {
  expect(connectionBecame(connectionBecame(begin(), 'signed-out'), 'online').connection).toBe('signed-out');
});

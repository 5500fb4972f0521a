import { expect, it, vi } from 'vitest';
import type { ConversationKey } from './timeline/conversation.ts';
import { createStore } from './store.ts';
import { initialState } from './state.ts';

const store = () => createStore(initialState(1), (state, key) => (key === 'current' ? state.current : state.connection));

it('tells after a change, once, only those who listen to what has changed', () => {
  const { update, subscribe } = store();
  const [current, connection] = [vi.fn<() => void>(), vi.fn<() => void>()];
  subscribe('current', current);
  subscribe('connection', connection);
  update((state) => ({ ...state, current: 7 }));
  update((state) => ({ ...state }));
  expect(current).toHaveBeenCalledTimes(1);
  expect(connection).not.toHaveBeenCalled();
});

it('lets a listener change the state, and tells of that too', () => {
  const { state, update, subscribe } = store();
  const heard: (ConversationKey | undefined)[] = [];
  subscribe('current', () => {
    heard.push(state().current);
    if (state().current === 1) update((before) => ({ ...before, current: 2 }));
  });
  update((before) => ({ ...before, current: 1 }));
  expect(heard).toEqual([1, 2]);
});

it('tells the same function as often as it subscribed, until it leaves', () => {
  const { update, subscribe } = store();
  const listener = vi.fn<() => void>();
  const leave = subscribe('current', listener);
  subscribe('current', listener);
  leave();
  leave();
  update((state) => ({ ...state, current: 1 }));
  expect(listener).toHaveBeenCalledTimes(1);
});

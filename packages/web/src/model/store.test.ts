import { expect, it, vi } from 'vitest';
import { createStore } from './store.ts';

const store = () => createStore({ count: 0, name: '' });

it('The store notifies only the listeners whose selected value has changed', () => {
  const { update, watch } = store();
  const [count, name] = [vi.fn<() => void>(), vi.fn<() => void>()];
  watch((state) => state.count, count);
  watch((state) => state.name, name);
  update((state) => ({ ...state, count: 7 }));
  update((state) => ({ ...state }));
  expect(count).toHaveBeenCalledTimes(1);
  expect(name).not.toHaveBeenCalled();
});

it('The store notifies its listeners of a change that another listener makes', () => {
  const { state, update, watch } = store();
  const seen: number[] = [];
  watch(
    ({ count }) => count,
    () => {
      seen.push(state().count);
      if (state().count === 1) update((before) => ({ ...before, count: 2 }));
    },
  );
  update((before) => ({ ...before, count: 1 }));
  expect(seen).toEqual([1, 2]);
});

it('The store calls a function that subscribed twice until both of its subscriptions have ended', () => {
  const { update, subscribe } = store();
  const listener = vi.fn<() => void>();
  const unsubscribe = subscribe(listener);
  subscribe(listener);
  unsubscribe();
  unsubscribe();
  update((state) => ({ ...state, count: 1 }));
  expect(listener).toHaveBeenCalledTimes(1);
});

import type { State } from './state.ts';
import type { Key } from './view.ts';

export interface Store {
  state(): State;
  /** Changes the state, then tells those who listen to what has changed, once. */
  update(change: (state: State) => State): void;
  /** Calls the listener after each change of what the key names; returns how to stop. */
  subscribe(key: Key, listener: () => void): () => void;
  /** Forgets every listener. */
  clear(): void;
}

interface Subscribers {
  value: unknown;
  readonly listeners: Set<() => void>;
}

/**
 * @param read What a key names: the same object for as long as it has not changed.
 * @param onChange Hears of each change before anybody is told.
 */
export function createStore(
  initial: State,
  read: (state: State, key: Key) => unknown,
  onChange: (after: State, before: State) => void = () => undefined,
): Store {
  let state = initial;
  const byKey = new Map<Key, Subscribers>();

  /** Notes the new values before anybody is told, because a listener may change the state again. */
  function changed(): readonly Subscribers[] {
    const heard: Subscribers[] = [];
    for (const [key, subscribers] of byKey) {
      const value = read(state, key);
      if (Object.is(value, subscribers.value)) continue;
      subscribers.value = value;
      heard.push(subscribers);
    }
    return heard;
  }

  return {
    state: () => state,

    update(change) {
      const before = state;
      state = change(before);
      if (state === before) return;
      onChange(state, before);
      for (const { listeners } of changed()) {
        // A listener may subscribe or leave while it is told.
        for (const listener of listeners.values().toArray()) listener();
      }
    },

    subscribe(key, listener) {
      const subscribers = byKey.get(key) ?? { value: read(state, key), listeners: new Set() };
      byKey.set(key, subscribers);
      // Two subscriptions of the same function are two.
      const told = () => listener();
      subscribers.listeners.add(told);
      return () => {
        subscribers.listeners.delete(told);
        if (subscribers.listeners.size === 0 && byKey.get(key) === subscribers) byKey.delete(key);
      };
    },

    clear: () => byKey.clear(),
  };
}

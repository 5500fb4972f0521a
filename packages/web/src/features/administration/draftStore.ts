import { useSyncExternalStore } from 'react';

/** A draft that survives navigation, until the page is reloaded. */
export interface DraftStore<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

export function createDraftStore<Value>(initial: Value): DraftStore<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useDraftStore<Value>({ subscribe, get }: DraftStore<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}

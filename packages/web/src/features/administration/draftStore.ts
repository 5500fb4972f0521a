import { useSyncExternalStore } from 'react';
import { createSignal } from '../../model/signal.ts';

/** A draft that survives navigation, until the page is reloaded. */
export interface DraftStore<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

export function createDraftStore<Value>(initial: Value): DraftStore<Value> {
  let value = initial;
  const changed = createSignal();
  return {
    get: () => value,
    set(next) {
      value = next;
      changed.emit();
    },
    subscribe: changed.subscribe,
  };
}

export function useDraftStore<Value>({ subscribe, get }: DraftStore<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}

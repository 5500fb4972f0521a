export interface Signal<Value> {
  /** @returns how to unsubscribe. */
  subscribe(listener: (value: Value) => void): () => void;
  emit(value: Value): void;
  /** Removes every listener. */
  clear(): void;
  readonly hasListeners: boolean;
}

export function createSignal<Value = void>(): Signal<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    subscribe(listener) {
      // A wrapper, so that the same function can be subscribed twice.
      const own = (value: Value) => listener(value);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    emit(value) {
      // A copy, because a listener may subscribe or unsubscribe.
      for (const listener of listeners.values().toArray()) listener(value);
    },
    clear: () => listeners.clear(),
    get hasListeners() {
      return listeners.size > 0;
    },
  };
}

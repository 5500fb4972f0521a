export interface Signal<Value> {
  /** @returns how to unsubscribe. */
  subscribe(listener: (value: Value) => void): () => void;
  emit(value: Value): void;
  clear(): void;
  readonly hasListeners: boolean;
}

export function createSignal<Value = void>(): Signal<Value> {
  const listeners = new Set<(value: Value) => void>();
  return {
    subscribe(listener) {
      // Wrapped, so that one function can subscribe twice.
      const own = (value: Value) => listener(value);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    emit(value) {
      // Copied, because a listener may subscribe or unsubscribe others.
      for (const listener of listeners.values().toArray()) listener(value);
    },
    clear: () => listeners.clear(),
    get hasListeners() {
      return listeners.size > 0;
    },
  };
}

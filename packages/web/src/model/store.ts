import { createSignal } from './signal.ts';

export interface Store<State> {
  state(): State;
  update(change: <S extends State>(state: S) => S): void;
  subscribe(listener: () => void): () => void;
  /** Calls the listener after each change of the selected value; returns how to unsubscribe. */
  watch(select: (state: State) => unknown, listener: () => void): () => void;
  clear(): void;
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const changed = createSignal();

  return {
    state: () => state,

    update(change) {
      const before = state;
      state = change(before);
      if (state !== before) changed.emit();
    },

    subscribe: changed.subscribe,

    watch(select, listener) {
      let last = select(state);
      return changed.subscribe(() => {
        const value = select(state);
        if (Object.is(value, last)) return;
        last = value;
        listener();
      });
    },

    clear: changed.clear,
  };
}

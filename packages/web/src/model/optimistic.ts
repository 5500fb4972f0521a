import type { Failure } from './connection/failure.ts';
import type { ModelContext } from './context.ts';

interface OptimisticValue<State, Value> {
  readonly select: (state: State) => Value;
  readonly set: <S extends State>(state: S, value: Value) => S;
  readonly send: (value: Value) => Promise<unknown>;
}

/** Changes a value that is shown at once and reverted if the server refuses it. Changes are sent in order: the last one wins. */
export function createOptimistic<State, Value>(
  { store, attempt, stop }: ModelContext<State>,
  { select, set, send }: OptimisticValue<State, Value>,
): (value: Value) => Promise<Failure | undefined> {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  /** The last value that the server has stored. A refused change returns to it. */
  let stored = select(store.state());

  async function sendOrRevert(value: Value): Promise<Failure | undefined> {
    const failure = await attempt(async () => {
      await send(value);
      stored = value;
      return undefined;
    });
    const isShown = select(store.state()) === value;
    if (failure && isShown && !stop.aborted) store.update((state) => set(state, stored));
    return failure;
  }

  return async (value) => {
    if (pending === 0) stored = select(store.state());
    pending += 1;
    store.update((state) => set(state, value));
    const sending = Promise.allSettled([last]).then(() => sendOrRevert(value));
    last = sending;
    const failure = await sending;
    pending -= 1;
    return failure;
  };
}

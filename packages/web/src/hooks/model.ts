/** The model in React. A component renders again only when a value that it selects has changed. */
import { createContext, use, useSyncExternalStore } from 'react';
import type { Capability } from '@engawa/protocol/product';
import type { Model } from '../model/model.ts';
import type { State } from '../model/state.ts';

const Context = createContext<Model | undefined>(undefined);

export const ModelProvider = Context;

export function useCommands(): Model {
  const model = use(Context);
  if (!model) throw new Error('The model is missing: the component is not inside its provider.');
  return model;
}

/** Whether the server behind the screens can do this. */
export function useCapability(capability: Capability): boolean {
  return useCommands().session.capabilities.includes(capability);
}

/** Reads a value of the state, for example `useModel(selectMessage, key)`. */
export function useModel<Value, Arguments extends readonly unknown[]>(
  select: (state: State, ...given: Arguments) => Value,
  ...given: Arguments
): Value {
  const { state, subscribe } = useCommands();
  return useSyncExternalStore(subscribe, () => select(state(), ...given));
}

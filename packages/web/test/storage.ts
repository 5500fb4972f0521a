import type { UnsentStorage } from '../src/model/browserStorage.ts';

/** An empty `localStorage`. */
export function newStorage(): UnsentStorage {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
    key: (index) => items.keys().toArray()[index] ?? null,
    get length() {
      return items.size;
    },
  };
}

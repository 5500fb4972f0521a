import type { UnsentStorage } from '../src/model/browserStorage.ts';

/** A browser's storage, empty. */
export function newStorage(): UnsentStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
    key: (index) => kept.keys().toArray()[index] ?? null,
    get length() {
      return kept.size;
    },
  };
}

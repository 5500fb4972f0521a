import { unsentPrefix, type TabStorage } from '../../model/tabStorage.ts';

/**
 * What is being written, per stream. The text outlives a reload of the tab; a chosen file is the browser's and lives as
 * long as the page. Drafts belong to a member, so that switching member shows none of another's.
 */
export interface Draft {
  readonly text: string;
  readonly file: File | undefined;
}

export interface Drafts {
  get(streamId: number): Draft;
  /** Keeps what the composer holds. */
  keep(streamId: number, draft: Draft): void;
  /** Puts back what was cleared or could not be sent, before what has been written since. */
  restore(streamId: number, draft: Draft): void;
  /** Hears of what is put back; returns how to stop. */
  onRestore(listener: (streamId: number) => void): () => void;
}

const empty: Draft = { text: '', file: undefined };

export function createDrafts(storage: TabStorage | undefined, userId: number): Drafts {
  const kept = new Map<number, Draft>();
  const listeners = new Set<(streamId: number) => void>();
  const keyOf = (streamId: number) => `${unsentPrefix}${userId}:${streamId}`;

  const get = (streamId: number): Draft => {
    const draft = kept.get(streamId) ?? { text: storage?.getItem(keyOf(streamId)) ?? '', file: undefined };
    return draft.text === '' && !draft.file ? empty : draft;
  };

  const keep = (streamId: number, draft: Draft) => {
    kept.set(streamId, draft);
    try {
      if (draft.text === '') storage?.removeItem(keyOf(streamId));
      else storage?.setItem(keyOf(streamId), draft.text);
    } catch {
      // The storage is full or forbidden: the draft is still kept as long as the page.
    }
  };

  return {
    get,
    keep,
    restore: (streamId, draft) => {
      const since = get(streamId);
      const text = [draft.text, since.text].filter((part) => part !== '').join('\n');
      keep(streamId, { text, file: since.file ?? draft.file });
      for (const listener of listeners) listener(streamId);
    },
    onRestore: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

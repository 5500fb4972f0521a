import { unsentPrefix, type UnsentStorage } from '../../model/unsentStorage.ts';

/**
 * What is being written, one draft per stream. Its text is the same in all tabs of the browser and outlives them; a
 * chosen file is the page's and goes with it. Drafts belong to a member, so that switching member shows none of
 * another's.
 */
export interface Draft {
  readonly text: string;
  readonly file: File | undefined;
}

/** A message that is being corrected. */
export interface Correction {
  readonly messageId: number;
  /** What the message said when it was begun. */
  readonly before: string;
  readonly text: string;
}

/** `restored`: put back here, so that writing goes on. `elsewhere`: written in another tab. */
export type DraftChange = 'restored' | 'elsewhere';

export interface Drafts {
  get(streamId: number): Draft;
  /** Keeps what the composer holds. */
  keep(streamId: number, draft: Draft): void;
  /** Puts back what was cleared or could not be sent, before what has been written since. */
  restore(streamId: number, draft: Draft): void;
  /** Puts another text in the place of what has been written, so that writing goes on behind it. */
  rewrite(streamId: number, text: string): void;
  /** The name of the file that was chosen when the page was loaded anew, until the draft is sent or emptied. */
  lostFile(streamId: number): string | undefined;
  /** The correction that was begun in this tab and not finished. */
  correction(streamId: number): Correction | undefined;
  keepCorrection(streamId: number, correction: Correction | undefined): void;
  /** Hears of what does not come from the composer; returns how to stop. */
  onChange(listener: (streamId: number, change: DraftChange) => void): () => void;
}

export interface DraftParts {
  readonly browser: UnsentStorage | undefined;
  readonly tab: UnsentStorage | undefined;
  /** Calls back with the name of what another tab has changed in `browser`; returns how to stop. */
  readonly onOtherTab: (listener: (name: string) => void) => () => void;
}

export function createDrafts({ browser, tab, onOtherTab }: DraftParts, userId: number): Drafts {
  const texts = keptIn(browser);
  const ofTab = keptIn(tab);
  const files = new Map<number, File>();
  const listeners = new Set<(streamId: number, change: DraftChange) => void>();
  const prefix = `${unsentPrefix}${userId}:`;
  const nameOf = (streamId: number) => `${prefix}${streamId}`;
  const correctionOf = (streamId: number) => `${prefix}${streamId}:edit`;
  const fileNameOf = (streamId: number) => `${prefix}${streamId}:file`;

  const get = (streamId: number): Draft => ({ text: texts.get(nameOf(streamId)), file: files.get(streamId) });

  const keep = (streamId: number, { text, file }: Draft) => {
    const removed = files.get(streamId) !== undefined && !file;
    texts.set(nameOf(streamId), text);
    if (file) {
      files.set(streamId, file);
      ofTab.set(fileNameOf(streamId), file.name);
    } else if (removed || text === '') {
      files.delete(streamId);
      ofTab.set(fileNameOf(streamId), '');
    }
  };

  const putBack = (streamId: number, draft: Draft) => {
    keep(streamId, draft);
    for (const listener of listeners) listener(streamId, 'restored');
  };

  return {
    get,
    keep,
    rewrite: (streamId, text) => putBack(streamId, { ...get(streamId), text }),
    restore: (streamId, draft) => {
      const since = get(streamId);
      const text = [draft.text, since.text].filter((part) => part !== '').join('\n');
      putBack(streamId, { text, file: since.file ?? draft.file });
    },
    lostFile: (streamId) => (files.has(streamId) ? undefined : ofTab.get(fileNameOf(streamId)) || undefined),
    correction: (streamId) => {
      const [, id, length, both] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(ofTab.get(correctionOf(streamId))) ?? [];
      if (id === undefined || length === undefined || both === undefined) return undefined;
      return { messageId: Number(id), before: both.slice(0, Number(length)), text: both.slice(Number(length)) };
    },
    keepCorrection: (streamId, correction) => {
      const { messageId, before = '', text = '' } = correction ?? {};
      ofTab.set(correctionOf(streamId), correction ? `${messageId} ${before.length} ${before}${text}` : '');
    },
    onChange: (listener) => {
      listeners.add(listener);
      const stop = onOtherTab((name) => {
        const streamId = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
        if (Number.isSafeInteger(streamId)) listener(streamId, 'elsewhere');
      });
      return () => {
        stop();
        listeners.delete(listener);
      };
    },
  };
}

interface Kept {
  /** Empty when there is nothing. */
  get(name: string): string;
  set(name: string, text: string): void;
}

/** Where the storage is missing, full or forbidden, a text is still kept as long as the page. */
function keptIn(storage: UnsentStorage | undefined): Kept {
  const unstored = new Map<string, string>();
  return {
    get: (name) => unstored.get(name) ?? storage?.getItem(name) ?? '',
    set: (name, text) => {
      unstored.set(name, text);
      if (!storage) return;
      try {
        if (text === '') storage.removeItem(name);
        else storage.setItem(name, text);
        unstored.delete(name);
      } catch {
        // It stands in `unstored`, and takes the place of what the storage still holds.
      }
    },
  };
}

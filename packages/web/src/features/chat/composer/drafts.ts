import { conversationIn, type ConversationKey } from '../../../model/streams/conversation.ts';
import { unsentPrefix, type UnsentStorage } from '../../../model/browserStorage.ts';

/**
 * What is being written, one draft per conversation. Its text is the same in all tabs of the browser and outlives them; chosen
 * files are the page's and go with it. Drafts belong to a member, so that switching member shows none of
 * another's.
 */
export interface Draft {
  readonly text: string;
  /** In the order in which they were chosen. */
  readonly files: readonly File[];
}

/** A message that is being corrected. */
export interface Correction {
  readonly messageId: number;
  /** What the message said when it was begun. */
  readonly before: string;
  readonly text: string;
}

/** `restored`: put back here, so that writing goes on. `elsewhere`: written in another tab. */
type DraftChange = 'restored' | 'elsewhere';

export interface Drafts {
  get(conversation: ConversationKey): Draft;
  /** Keeps what the composer holds. */
  keep(conversation: ConversationKey, draft: Draft): void;
  /** Puts back what was cleared or could not be sent, before what has been written since. */
  restore(conversation: ConversationKey, draft: Draft): void;
  /** Puts another text in the place of what has been written, so that writing goes on behind it. */
  rewrite(conversation: ConversationKey, text: string): void;
  /** The names of the files that were chosen when the page was loaded anew, until the draft is sent or emptied. */
  lostFiles(conversation: ConversationKey): readonly string[];
  /** Whether files are chosen, for whichever conversation. */
  holdsFiles(): boolean;
  /** The correction that was begun in this tab and not finished. */
  correction(conversation: ConversationKey): Correction | undefined;
  keepCorrection(conversation: ConversationKey, correction: Correction | undefined): void;
  /** Hears of what does not come from the composer; returns how to stop. */
  onChange(listener: (conversation: ConversationKey, change: DraftChange) => void): () => void;
}

export interface DraftParts {
  readonly browser: UnsentStorage | undefined;
  readonly tab: UnsentStorage | undefined;
  /** Calls back with the name of what another tab has changed in `browser`; returns how to stop. */
  readonly onOtherTab: (listener: (name: string) => void) => () => void;
}

const none: readonly File[] = [];
/** No name holds it. */
const betweenNames = '/';

export function createDrafts({ browser, tab, onOtherTab }: DraftParts, userId: number): Drafts {
  const texts = keptIn(browser);
  const ofTab = keptIn(tab);
  const files = new Map<ConversationKey, readonly File[]>();
  const listeners = new Set<(conversation: ConversationKey, change: DraftChange) => void>();
  const prefix = `${unsentPrefix}${userId}:`;
  const nameOf = (conversation: ConversationKey) => `${prefix}${conversation}`;
  const correctionOf = (conversation: ConversationKey) => `${prefix}${conversation}:edit`;
  const fileNameOf = (conversation: ConversationKey) => `${prefix}${conversation}:file`;

  const get = (conversation: ConversationKey): Draft => ({
    text: texts.get(nameOf(conversation)),
    files: files.get(conversation) ?? none,
  });

  const keep = (conversation: ConversationKey, { text, files: chosen }: Draft) => {
    const removed = files.has(conversation) && chosen.length === 0;
    texts.set(nameOf(conversation), text);
    if (chosen.length > 0) {
      files.set(conversation, chosen);
      ofTab.set(fileNameOf(conversation), chosen.map(({ name }) => name).join(betweenNames));
    } else if (removed || text === '') {
      files.delete(conversation);
      ofTab.set(fileNameOf(conversation), '');
    }
  };

  const putBack = (conversation: ConversationKey, draft: Draft) => {
    keep(conversation, draft);
    for (const listener of listeners) listener(conversation, 'restored');
  };

  return {
    get,
    keep,
    rewrite: (conversation, text) => putBack(conversation, { ...get(conversation), text }),
    restore: (conversation, draft) => {
      const since = get(conversation);
      const text = [draft.text, since.text].filter((part) => part !== '').join('\n');
      putBack(conversation, { text, files: [...draft.files, ...since.files] });
    },
    lostFiles: (conversation) => {
      const names = files.has(conversation) ? '' : ofTab.get(fileNameOf(conversation));
      return names === '' ? [] : names.split(betweenNames);
    },
    holdsFiles: () => files.size > 0,
    correction: (conversation) => {
      const [, id, length, both] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(ofTab.get(correctionOf(conversation))) ?? [];
      if (id === undefined || length === undefined || both === undefined) return undefined;
      return { messageId: Number(id), before: both.slice(0, Number(length)), text: both.slice(Number(length)) };
    },
    keepCorrection: (conversation, correction) => {
      const { messageId, before = '', text = '' } = correction ?? {};
      ofTab.set(correctionOf(conversation), correction ? `${messageId} ${before.length} ${before}${text}` : '');
    },
    onChange: (listener) => {
      listeners.add(listener);
      const stop = onOtherTab((name) => {
        const conversation = name.startsWith(prefix) ? conversationIn(name.slice(prefix.length)) : undefined;
        if (conversation !== undefined) listener(conversation, 'elsewhere');
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

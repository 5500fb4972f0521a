import { conversationIn, type ConversationKey } from '../../../model/streams/conversation.ts';
import { unsentPrefix, type UnsentStorage } from '../../../model/browserStorage.ts';
import { createSignal } from '../../../model/signal.ts';

/** The drafts of a member. All tabs of the browser share the texts, which outlive the page. Chosen files do not. */
export interface Draft {
  readonly text: string;
  readonly files: readonly File[];
}

export interface Correction {
  readonly messageId: number;
  readonly before: string;
  readonly text: string;
}

/** `restored`: put back by this tab, and the field takes the focus. `elsewhere`: changed by another tab. */
type DraftChange = 'restored' | 'elsewhere';

const none: readonly File[] = [];
const betweenNames = '/';

interface DraftsOptions {
  readonly browser: UnsentStorage | undefined;
  readonly tab: UnsentStorage | undefined;
  readonly onOtherTab: (listener: (name: string) => void) => () => void;
}

export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts({ browser, tab, onOtherTab }: DraftsOptions, userId: number) {
  const texts = keptIn(browser);
  const ofTab = keptIn(tab);
  const files = new Map<ConversationKey, readonly File[]>();
  const restored = createSignal<ConversationKey>();
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
    restored.emit(conversation);
  };

  return {
    get,
    keep,
    rewrite: (conversation: ConversationKey, text: string) => putBack(conversation, { ...get(conversation), text }),
    restore: (conversation: ConversationKey, draft: Draft) => {
      const since = get(conversation);
      const text = [draft.text, since.text].filter((part) => part !== '').join('\n');
      putBack(conversation, { text, files: [...draft.files, ...since.files] });
    },
    /** Names of files that were chosen before a reload, until the draft is sent or emptied. */
    lostFiles: (conversation: ConversationKey): readonly string[] => {
      const names = files.has(conversation) ? '' : ofTab.get(fileNameOf(conversation));
      return names === '' ? [] : names.split(betweenNames);
    },
    holdsFiles: () => files.size > 0,
    correction: (conversation: ConversationKey): Correction | undefined => {
      const [, id, length, both] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(ofTab.get(correctionOf(conversation))) ?? [];
      if (id === undefined || length === undefined || both === undefined) return undefined;
      return { messageId: Number(id), before: both.slice(0, Number(length)), text: both.slice(Number(length)) };
    },
    keepCorrection: (conversation: ConversationKey, correction: Correction | undefined) => {
      const { messageId, before = '', text = '' } = correction ?? {};
      ofTab.set(correctionOf(conversation), correction ? `${messageId} ${before.length} ${before}${text}` : '');
    },
    /** Subscribes to changes that do not come from the composer. Returns the unsubscribe function. */
    onChange: (listener: (conversation: ConversationKey, change: DraftChange) => void) => {
      const unsubscribe = restored.subscribe((conversation) => listener(conversation, 'restored'));
      const stop = onOtherTab((name) => {
        const conversation = name.startsWith(prefix) ? conversationIn(name.slice(prefix.length)) : undefined;
        if (conversation !== undefined) listener(conversation, 'elsewhere');
      });
      return () => {
        stop();
        unsubscribe();
      };
    },
  };
}

interface Kept {
  get(name: string): string;
  set(name: string, text: string): void;
}

/** Texts that the storage did not accept, kept for the lifetime of the page. */
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
        // The text is in `unstored`, which has priority over the storage.
      }
    },
  };
}

import { conversationIn, type ConversationKey } from '../streams/conversation.ts';
import { storedNames, unsentPrefix, type UnsentStorage } from '../browserStorage.ts';
import { createSignal, type Signal } from '../signal.ts';

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

/** `restored`: put back by this tab, and the field takes the focus. `elsewhere`: changed by another tab or device. */
type DraftChange = 'restored' | 'elsewhere';

export const mostFiles = 10;
/** `server`: the text is that of the server. */
type WrittenBy = 'member' | 'server';

const none: readonly File[] = [];
const betweenNames = '/';

interface DraftsOptions {
  readonly browser: UnsentStorage | undefined;
  readonly tab: UnsentStorage | undefined;
  readonly onOtherTab: (listener: (name: string) => void) => () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts({ browser, tab, onOtherTab, now }: DraftsOptions, userId: number | undefined) {
  const texts = keptIn(browser);
  const ofTab = keptIn(tab);
  const files = new Map<ConversationKey, readonly File[]>();
  const changed = createSignal<readonly [ConversationKey, DraftChange]>();
  const written = createSignal<readonly [ConversationKey, WrittenBy]>();
  const prefix = `${unsentPrefix}${userId}:`;
  const nameOf = (conversation: ConversationKey) => `${prefix}${conversation}`;
  const correctionOf = (conversation: ConversationKey) => `${prefix}${conversation}:edit`;
  const recordOf = (conversation: ConversationKey) => `${prefix}${conversation}:server`;
  const timeOf = (conversation: ConversationKey) => `${prefix}${conversation}:time`;
  const fileNameOf = (conversation: ConversationKey) => `${prefix}${conversation}:file`;

  const get = (conversation: ConversationKey): Draft => ({
    text: texts.get(nameOf(conversation)),
    files: files.get(conversation) ?? none,
  });

  const keep = (conversation: ConversationKey, { text, files: chosen }: Draft) => {
    const removed = files.has(conversation) && chosen.length === 0;
    if (text !== texts.get(nameOf(conversation))) {
      texts.set(nameOf(conversation), text);
      texts.set(timeOf(conversation), text === '' ? '' : String(now()));
    }
    if (chosen.length > 0) {
      files.set(conversation, chosen);
      ofTab.set(fileNameOf(conversation), chosen.map(({ name }) => name).join(betweenNames));
    } else if (removed || text === '') {
      files.delete(conversation);
      ofTab.set(fileNameOf(conversation), '');
    }
    written.emit([conversation, 'member']);
  };

  const putBack = (conversation: ConversationKey, draft: Draft) => {
    keep(conversation, draft);
    changed.emit([conversation, 'restored']);
  };

  /** The conversation of a key of the storage; undefined for other keys. */
  const conversationOf = (name: string) => (name.startsWith(prefix) ? conversationIn(name.slice(prefix.length)) : undefined);

  /** Subscribes to the changes of this tab and, as `elsewhere`, to those of other tabs. Returns the unsubscribe function. */
  const listenTo =
    <Change>(signal: Signal<readonly [ConversationKey, Change]>, elsewhere: Change) =>
    (listener: (conversation: ConversationKey, change: Change) => void) => {
      const unsubscribe = signal.subscribe((change) => listener(...change));
      const stop = onOtherTab((name) => {
        const conversation = conversationOf(name);
        if (conversation !== undefined) listener(conversation, elsewhere);
      });
      return () => {
        stop();
        unsubscribe();
      };
    };

  return {
    get,
    keep,
    /** Every conversation that has a text or files, or a record of a text. */
    conversations: () =>
      new Set<ConversationKey>([
        ...files.keys(),
        ...texts.names().flatMap((name) => conversationOf(name.replace(/:server$/, '')) ?? []),
      ]),
    /** Replaces a text by the one that the server has. */
    adopt(conversation: ConversationKey, text: string) {
      texts.set(nameOf(conversation), text);
      written.emit([conversation, 'server']);
      changed.emit([conversation, 'elsewhere']);
    },
    /** When a member last wrote the text on this device, in milliseconds since 1970; 0 if that is unknown. */
    writtenAt: (conversation: ConversationKey) => Number(texts.get(timeOf(conversation))),
    /** The state of the draft on the server as far as this device knows it, in the format of `record.ts`. */
    record: (conversation: ConversationKey) => texts.get(recordOf(conversation)),
    keepRecord: (conversation: ConversationKey, record: string) => texts.set(recordOf(conversation), record),
    /** All changes of drafts. */
    onWritten: listenTo(written, 'member'),
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
    /** Changes that do not come from the composer. */
    onChange: listenTo(changed, 'elsewhere'),
  };
}

interface Kept {
  get(name: string): string;
  set(name: string, text: string): void;
  names(): string[];
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
    names: () => [...unstored.keys(), ...storedNames(storage)],
  };
}

/** The outbox as a tab keeps it through a reload. A file's bytes are the browser's: they live as long as the page. */
import { z } from 'zod';
import { conversationKey } from './conversation.ts';
import type { Outgoing } from './outbox.ts';
import { unsentPrefix, type UnsentStorage } from './unsentStorage.ts';

const kept = z.array(
  z.object({
    localKey: z.string(),
    conversation: conversationKey,
    text: z.string(),
    timestamp: z.int(),
    afterId: z.int().optional(),
  }),
);

export interface Unsent {
  /** What was not sent when the page was left, to be sent again by hand: nobody knows how far it had come. */
  read(): readonly Outgoing[];
  keep(outbox: readonly Outgoing[]): void;
}

export function createUnsent(storage: UnsentStorage | undefined, userId: number | undefined): Unsent {
  const name = `${unsentPrefix}${userId}:outbox`;
  return {
    read() {
      const rows = kept.safeParse(jsonIn(storage?.getItem(name) ?? '[]'));
      return rows.success ? rows.data.map(notSent) : [];
    },

    keep(outbox) {
      const rows = outbox
        .filter(({ text, state, messageId }) => text !== '' && state !== 'sent' && messageId === undefined)
        .map(({ localKey, conversation, text, timestamp, afterId }) => ({ localKey, conversation, text, timestamp, afterId }));
      try {
        if (rows.length === 0) storage?.removeItem(name);
        else storage?.setItem(name, JSON.stringify(rows));
      } catch {
        // The storage is full or forbidden: what is not sent is still kept as long as the page.
      }
    },
  };
}

function notSent(row: z.output<typeof kept>[number]): Outgoing {
  return {
    ...row,
    afterId: row.afterId,
    file: undefined,
    fileMessage: undefined,
    state: 'failed',
    progress: undefined,
    failure: undefined,
    messageId: undefined,
  };
}

/** What somebody else has put there is as nothing. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

import { uploadAnswer } from '@engawa/protocol/uploads';
import { z } from 'zod/mini';
import { conversationKey, type ConversationKey } from '../streams/conversation.ts';
import type { Entry } from './outboxDisk.ts';
import { refusalOf, settled, take, type Outgoing } from './outgoing.ts';
import type { OutboxState } from './state.ts';

const refusal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal('not-wanted'), userIds: z.array(z.int()) }),
  z.object({ kind: z.literal('file-too-large'), maxBytes: z.number() }),
  z.object({ kind: z.enum(['malformed', 'not-ready', 'file-gone']) }),
]);

export const storedEntry = z.object({
  order: z.int(),
  localKey: z.string(),
  conversation: conversationKey,
  text: z.string(),
  file: z.optional(z.instanceof(File)),
  fileMessage: z.optional(
    z.object({ name: z.string(), storedName: z.string(), size: z.int(), picture: uploadAnswer.shape.picture }),
  ),
  timestamp: z.int(),
  afterId: z.optional(z.int()),
  refusal: z.optional(refusal),
});
export type StoredEntry = z.output<typeof storedEntry>;

export function entryOf(row: Outgoing): Entry {
  const { localKey, conversation, text, file, fileMessage, timestamp, afterId } = row;
  return { localKey, conversation, text, file, fileMessage, timestamp, afterId, refusal: refusalOf(row.failure) };
}

function rowOf({ localKey, conversation, text, file, fileMessage, timestamp, afterId, refusal: failure }: StoredEntry): Outgoing {
  const entry = { localKey, conversation, text, file, fileMessage, timestamp, afterId, failure };
  return { ...entry, state: failure ? 'failed' : 'waiting', progress: undefined, messageId: undefined, isStored: true };
}

/**
 * The state with entries from the database, in the order of sending.
 * @param gone Local keys of messages that another tab has sent or discarded.
 * @param isFirstRead Then all entries are of earlier visits, so they stand before the messages of this page.
 */
export function withEntries<S extends OutboxState>(
  state: S,
  found: readonly StoredEntry[],
  gone: ReadonlySet<string>,
  isFirstRead: boolean,
): S {
  const byKey = new Map(found.map((entry) => [entry.localKey, entry]));
  const outbox = state.outbox
    .filter(({ localKey }) => !gone.has(localKey))
    .map((row) => {
      const entry = byKey.get(row.localKey);
      return entry ? withEntry(row, entry) : row;
    });
  const added = new Set<ConversationKey>();
  let oldest = 0;
  for (const entry of found) {
    if (take(outbox, entry.localKey)) continue;
    const next = outbox.findIndex(({ localKey }) => (byKey.get(localKey)?.order ?? 0) > entry.order);
    const end = isFirstRead ? oldest : outbox.length;
    outbox.splice(next === -1 ? end : next, 0, rowOf(entry));
    oldest += 1;
    added.add(entry.conversation);
  }
  const matched = [...added].reduce<readonly Outgoing[]>(
    (rows, conversation) => settled(rows, state.memberId, conversation, state.timelines.get(conversation)?.messages ?? []),
    outbox,
  );
  return { ...state, outbox: matched };
}

/** Another tab may have uploaded the file, received the refusal, or tried again. */
function withEntry(row: Outgoing, { fileMessage = row.fileMessage, afterId = row.afterId, refusal }: StoredEntry): Outgoing {
  const before = refusalOf(row.failure);
  if (refusal && !before) return { ...row, fileMessage, afterId, state: 'failed', failure: refusal };
  if (!refusal && before) return { ...row, fileMessage, afterId, state: 'waiting', failure: undefined };
  return fileMessage === row.fileMessage && afterId === row.afterId ? row : { ...row, fileMessage, afterId };
}

/** Edits and deletes messages for everyone, and loads their versions (R4.9). */
import { ApiError, deleteMessage, editMessage, getMessage, getMessageHistory } from '@engawa/client';
import { contentEdited, messageDeleted } from './eventChanges.ts';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { locate, type TimelinesState } from './state.ts';

export interface Version {
  readonly content: string;
  readonly timestamp: number;
}

export interface MessageEdits {
  /** Returns the failure, if any. It also fails if the message has another text than `before`. */
  edit(messageId: number, content: string, before: string): Promise<Failure | undefined>;
  remove(messageId: number): Promise<Failure | undefined>;
  history(messageId: number): Promise<readonly Version[] | Failure>;
}

export function createMessageEdits(context: ModelContext<TimelinesState>): MessageEdits {
  const { connection, store, capabilities, clock, judge, stop } = context;
  async function fetchContent(messageId: number): Promise<string> {
    const parameters = { message_id: messageId, apply_markdown: false };
    const { message, raw_content } = await getMessage(connection, parameters, { signal: stop });
    const { last_edit_timestamp: when = message.timestamp } = message;
    if (raw_content !== locate(store.state(), messageId)?.content) {
      store.update((state) => contentEdited(state, messageId, raw_content, when));
    }
    return raw_content;
  }

  /** Fails like a server with `edit_guard` if the message has another text than `before`, which is then shown. */
  async function checkContent(messageId: number, before: string): Promise<void> {
    if ((await fetchContent(messageId)) === before) return;
    throw new ApiError(400, 'EXPECTATION_MISMATCH', 'The message has been edited meanwhile.');
  }

  /** Whether the server still has the message; true if the server does not answer. */
  async function isThere(messageId: number): Promise<boolean> {
    try {
      await getMessage(connection, { message_id: messageId, apply_markdown: false }, { signal: stop });
      return true;
    } catch (error) {
      return stop.aborted || judge(error).kind !== 'refused';
    }
  }

  return {
    async edit(messageId, content, before) {
      try {
        if (!capabilities.includes('edit_guard')) await checkContent(messageId, before);
        const prev_content_sha256 = await sha256(before);
        const expected = prev_content_sha256 === undefined ? {} : { prev_content_sha256 };
        await editMessage(connection, { message_id: messageId, content, ...expected }, { signal: stop });
      } catch (error) {
        if (stop.aborted) return undefined;
        // The text is loaded now, because another device has edited it. If that fails, the event brings it.
        if (error instanceof ApiError && error.code === 'EXPECTATION_MISMATCH') await fetchContent(messageId).catch(judge);
        return judge(error);
      }
      const now = Math.floor(clock.now() / 1000);
      store.update((state) => contentEdited(state, messageId, content.trimEnd(), now));
      return undefined;
    },

    async remove(messageId) {
      try {
        await deleteMessage(connection, { message_id: messageId }, { signal: stop });
      } catch (error) {
        if (stop.aborted) return undefined;
        const failure = judge(error);
        // Deleting succeeds if another device has deleted the message before.
        if (failure.kind !== 'refused' || (await isThere(messageId))) return failure;
      }
      store.update((state) => messageDeleted(state, messageId));
      return undefined;
    },

    async history(messageId) {
      try {
        const { message_history } = await getMessageHistory(connection, { message_id: messageId }, { signal: stop });
        // A change of the topic alone is no version of the text.
        return message_history
          .filter(({ prev_topic, prev_content }) => prev_topic === undefined || prev_content !== undefined)
          .map(({ content, timestamp }) => ({ content, timestamp }))
          .toReversed();
      } catch (error) {
        return judge(error);
      }
    },
  };
}

/** Returns undefined on insecure origins, which have no `crypto.subtle`. */
async function sha256(text: string): Promise<string | undefined> {
  const { subtle }: { readonly subtle?: SubtleCrypto } = crypto;
  if (!subtle) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Corrects and deletes messages on the server, for everyone, and asks what they said before (R4.9). */
import { ApiError, deleteMessage, editMessage, getMessage, getMessageHistory, type Connection } from '@engawa/client';
import type { Clock } from '@engawa/client';
import { contentEdited, messageDeleted } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { TimelinesState } from './state.ts';

/** What a message has said since a time. */
export interface Version {
  readonly content: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

export interface Corrector {
  /** Answers why it was not corrected, which is also that it no longer says `before`. */
  edit(messageId: number, content: string, before: string): Promise<Failure | undefined>;
  /** Answers why it was not deleted. */
  remove(messageId: number): Promise<Failure | undefined>;
  /** What it has said, the newest first. */
  history(messageId: number): Promise<readonly Version[] | Failure>;
}

export interface CorrectorOptions {
  readonly connection: Connection;
  readonly store: Store<TimelinesState>;
  readonly clock: Clock;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createCorrector({ connection, store, clock, judge, stop }: CorrectorOptions): Corrector {
  /** What another device has made of the message, where its event is still on the way. */
  async function fetchContent(messageId: number): Promise<void> {
    const asked = { message_id: messageId, apply_markdown: false };
    const { message, raw_content } = await getMessage(connection, asked, { signal: stop });
    const { last_edit_timestamp: when = message.timestamp } = message;
    store.update((state) => contentEdited(state, messageId, raw_content, when));
  }

  /** Where nobody can say so, it is. */
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
        const prev_content_sha256 = await sha256(before);
        const expected = prev_content_sha256 === undefined ? {} : { prev_content_sha256 };
        await editMessage(connection, { message_id: messageId, content, ...expected }, { signal: stop });
      } catch (error) {
        if (stop.aborted) return undefined;
        // Where it cannot be had now, its event brings it.
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
        // That somebody else was faster is no failure: what was wanted is so.
        if (failure.kind !== 'refused' || (await isThere(messageId))) return failure;
      }
      store.update((state) => messageDeleted(state, messageId));
      return undefined;
    },

    async history(messageId) {
      try {
        const { message_history } = await getMessageHistory(connection, { message_id: messageId }, { signal: stop });
        // A change of nothing but the topic is no other version of what was said.
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

/** Undefined where the browser has no means for it: outside of HTTPS and of this computer. */
async function sha256(text: string): Promise<string | undefined> {
  const { subtle }: { readonly subtle?: SubtleCrypto } = crypto;
  if (!subtle) return undefined;
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

import { useCallback, useEffect, useState } from 'react';
import { sanitizeFileName, type FileMessage } from '@engawa/protocol';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { matches } from '../../../i18n/matches.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { nothing, type Hit, type HitPage } from '../../../model/timeline/search.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import type { MessageView } from '../../../model/timeline/message.ts';
import type { Model } from '../../../model/model.ts';
import { selectConnection } from '../../../model/connection/state.ts';
import { selectDeletedIds } from '../../../model/timeline/state.ts';
import { selectMessage, selectTimeline } from '../../../model/outbox/selectors.ts';

export interface SentFile {
  readonly key: number;
  readonly file: FileMessage;
  readonly senderFullName: string;
  readonly timestamp: number;
}

const atOnce = 20;
const restMs = 200;

interface Held {
  readonly query: string;
  readonly hits: readonly SentFile[] | undefined;
  readonly next: number | undefined;
  readonly failure: Failure | undefined;
  readonly loading: boolean;
}

const empty: Held = { query: '', hits: undefined, next: undefined, failure: undefined, loading: true };

/** The files of a conversation, page by page. New files are added and deleted ones removed while the list is open. */
export function useSentFiles(conversation: ConversationKey, query: string) {
  const model = useCommands();
  const isOnline = useModel(selectConnection) === 'online';
  const gone = useModel(selectDeletedIds);
  const { keys = [] } = useModel(selectTimeline, conversation) ?? {};
  const [held, setHeld] = useState(empty);

  const fetchBefore = useCallback(
    (before: number | undefined, signal: AbortSignal) =>
      model.search({ ...nothing, query, conversation, hasFile: true }, { before, most: atOnce }, signal),
    [model, conversation, query],
  );

  // Loads again after a reconnect, because events may have been missed.
  useEffect(() => {
    if (!isOnline) return undefined;
    const over = new AbortController();
    const begin = async () => {
      const page = await fetchBefore(undefined, over.signal);
      if (!over.signal.aborted)
        setHeld((was) => after({ ...(was.query === query && isFailure(page) ? was : empty), query }, page));
    };
    const timer = setTimeout(() => void begin(), query === '' ? 0 : restMs);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [fetchBefore, query, isOnline]);

  const { hits, next, failure, loading } = held;
  const goOn = async () => {
    setHeld({ ...held, loading: true, failure: undefined });
    const page = await fetchBefore(next, new AbortController().signal);
    // Ignores the answer if a newer request has replaced this one.
    setHeld((was) => (was.query === query && was.next === next ? after(was, page) : was));
  };

  return {
    /** Newest first; undefined while loading. */
    files: hits && [...arrived(model, keys, hits[0]?.key ?? 0, held.query), ...hits].filter(({ key }) => !gone.has(key)),
    failure,
    loading: loading || held.query !== query,
    /** Loads the next page or retries; undefined after the last page. */
    more: next !== undefined || failure ? () => void goOn() : undefined,
  };
}

function isFailure(page: HitPage | Failure): page is Failure {
  return 'kind' in page;
}

function after(was: Held, page: HitPage | Failure): Held {
  if (isFailure(page)) return { ...was, failure: page, loading: false };
  const hits = [
    ...(was.hits ?? []),
    ...page.hits.flatMap((hit) => sentFile(hit.messageId, hit)).filter(({ file }) => matches(was.query, file.name)),
  ];
  return { ...was, hits, next: page.next, failure: undefined, loading: false };
}

/** Attachments of other clients are not file messages. */
function sentFile(key: number, message: Hit | MessageView | undefined): readonly SentFile[] {
  if (!message?.file) return [];
  const { file, senderFullName, timestamp } = message;
  return [{ key, file: { ...file, name: sanitizeFileName(file.name) }, senderFullName, timestamp }];
}

function arrived(model: Model, keys: readonly (number | string)[], since: number, query: string): readonly SentFile[] {
  const found: SentFile[] = [];
  for (const key of keys.toReversed()) {
    if (typeof key === 'string') continue;
    if (key <= since) break;
    found.push(...sentFile(key, selectMessage(model.state(), key)).filter(({ file }) => matches(query, file.name)));
  }
  return found;
}

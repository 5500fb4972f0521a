import { useCallback, useEffect, useRef, useState } from 'react';
import { useCommands } from '../../hooks/model.ts';
import type { Failure } from '../../model/connection/failure.ts';
import type { Flag, FoundMessage, FoundPage } from '../../model/unread/flaggedMessages.ts';
import { selectFlagged } from '../../model/unread/state.ts';

export interface Found {
  readonly messages: readonly FoundMessage[] | undefined;
  readonly isAll: boolean;
  readonly failure: Failure | undefined;
  readonly loading: boolean;
}

const nothing: Found = { messages: undefined, isAll: false, failure: undefined, loading: true };

/** Messages with the flag, kept up to date. `more` loads older messages, or repeats a failed request. */
export function useFlaggedMessages(flag: Flag): Found & { readonly more: () => void } {
  const model = useCommands();
  const [found, setFound] = useState(nothing);
  /** The last request. Answers to earlier ones are ignored, because they may lack newer messages. */
  const asked = useRef<{ readonly before: number | undefined }>(undefined);

  const load = useCallback(
    async (before: number | undefined) => {
      const mine = { before };
      asked.current = mine;
      const answer = await model.loadFlagged(flag, before);
      if (mine !== asked.current) return;
      setFound((was) => ('kind' in answer ? { ...was, failure: answer, loading: false } : joined(was, answer, before)));
    },
    [model, flag],
  );

  useEffect(() => {
    void load(undefined);
    const stop = model.watch(selectFlagged, () => void load(undefined));
    return () => {
      stop();
      asked.current = undefined;
    };
  }, [model, load]);

  const more = () => {
    setFound({ ...found, loading: true, failure: undefined });
    void load(found.failure ? asked.current?.before : found.messages?.at(-1)?.messageId);
  };
  return { ...found, more };
}

/** Replaces the messages that the newest page covers and keeps the older ones. */
export function joined(
  { messages = [], isAll }: Pick<Found, 'messages' | 'isAll'>,
  page: FoundPage,
  before: number | undefined,
): Found {
  const rest = { failure: undefined, loading: false };
  if (before !== undefined) return { ...rest, messages: [...messages, ...page.messages], isAll: page.isAll };
  const last = page.messages.at(-1);
  if (page.isAll || !last) return { ...rest, messages: page.messages, isAll: page.isAll };
  // If the page does not reach the loaded messages, there may be others between them.
  const isNext = messages.some(({ messageId }) => messageId >= last.messageId);
  const older = isNext ? messages.filter(({ messageId }) => messageId < last.messageId) : [];
  return { ...rest, messages: [...page.messages, ...older], isAll: older.length > 0 && isAll };
}

/** Loads the open conversation first, and previews and directory once it is drawn. */
import { sleep } from '@engawa/client';
import { isTemporary } from '../connection/failure.ts';
import { firstScreenShown } from '../connection/state.ts';
import type { ModelContext } from '../context.ts';
import { selectStreamIds } from '../conversations/selectors.ts';
import type { State } from '../state.ts';
import { mayOpen, type ConversationKey } from '../streams/conversation.ts';
import { opened, openedAt } from '../timeline/changes.ts';
import type { Loader } from '../timeline/loader.ts';
import type { ConversationLink } from '../timeline/state.ts';
import { needsLoading } from '../timeline/timeline.ts';

/** Milliseconds that everything else waits for the first messages. */
export const firstScreenTime = 3000;

export interface ScreenLoader {
  fill(): void;
  /** Loads previews and directory once the first conversation, or its failure, is drawn. */
  loadRest(): void;
  reloadFailed(): void;
}

export function createScreenLoader(
  { store, environment, clock, stop }: ModelContext<State>,
  loader: Loader,
  loadDirectory: () => void,
): ScreenLoader {
  let isWaitingForFrame = false;

  function loadRest(): void {
    if (isWaitingForFrame || store.state().connection === 'starting') return;
    isWaitingForFrame = true;
    environment.onceDrawn(() => {
      isWaitingForFrame = false;
      if (stop.aborted) return;
      store.update(firstScreenShown);
      // When the connection is back, `fill` is called again.
      if (store.state().connection !== 'online') return;
      loader.previews();
      loadDirectory();
    });
  }

  /** Everything else waits for this load, but not longer than `firstScreenTime`. */
  async function fillFirst(conversation: ConversationKey): Promise<void> {
    const loading = new AbortController();
    const filled = loader.fill(conversation).finally(() => loading.abort());
    await sleep(clock, firstScreenTime, AbortSignal.any([stop, loading.signal]));
    loadRest();
    // The connection may have been away when the time was over.
    await filled;
    loadRest();
  }

  return {
    fill() {
      const { current, timelines } = store.state();
      const timeline = current === undefined ? undefined : timelines.get(current);
      if (current === undefined || !timeline) loadRest();
      else if (needsLoading(timeline)) void fillFirst(current);
      else if (!timeline.loading) loadRest();
    },
    loadRest,
    reloadFailed() {
      const { current, timelines } = store.state();
      const failure = current === undefined ? undefined : timelines.get(current)?.failure;
      if (current !== undefined && failure && isTemporary(failure)) loader.reload(current);
    },
  };
}

/** Opens the linked conversation, or else the first stream of the list, unless a conversation is open. */
export function withOpenConversation<S extends State>(state: S, link: ConversationLink | undefined): S {
  if (state.current !== undefined || !state.subscriptions) return state;
  if (link && mayOpen(state, link.conversation)) {
    const { conversation, messageId } = link;
    return messageId === undefined ? opened(state, conversation) : openedAt(state, conversation, messageId);
  }
  const first = selectStreamIds(state)?.[0];
  return first === undefined ? state : opened(state, first);
}

import type { ServerEvent } from '@engawa/protocol';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { onDemand } from '../onDemand.ts';
import { selectMe } from '../people/selectors.ts';
import { japan } from '../people/zone.ts';
import type { ConversationKey } from '../streams/conversation.ts';
import { ledTo, opened, openedAt, returnedTo, trimmedAround } from './changes.ts';
import type { MessageEdits } from './edit.ts';
import type { Loader } from './loader.ts';
import type { UnreadMarks } from './markUnread.ts';
import type { MessageKey } from './message.ts';
import type { Marks } from './marks.ts';
import { rightsOver, secondsToEdit, type Rights } from './rights.ts';
import type { HitPage, SearchConditions, SearchBounds } from './search.ts';
import { locate, type ReadingPlace, type TimelinesState } from './state.ts';

export interface TimelineCommands extends MessageEdits, UnreadMarks, Marks {
  /** Opens a conversation at its newest messages. If it is open at another message, scrolls to the first unread or newest one. */
  open(conversation: ConversationKey): void;
  /** Opens a conversation at a message, and loads the messages around it if needed. `destination` says if it was found. */
  openAt(conversation: ConversationKey, messageId: number): void;
  /** Scrolls to where the member stopped reading in the open conversation, without marking messages as read. */
  readOn(conversation: ConversationKey, messageId: number): void;
  /** Opens a conversation at the reading position that its reader left, or like `open` if that message is gone. */
  returnTo(place: ReadingPlace): void;
  /** Scrolls to the newest messages of an open conversation, and loads them if needed. */
  toNewest(conversation: ConversationKey): void;
  loadOlder(conversation: ConversationKey): void;
  loadNewer(conversation: ConversationKey): void;
  /** Bounds the loaded messages of an open conversation. Keeps those around the one that the reader sees; undefined: the newest. */
  trimAround(conversation: ConversationKey, seen: number | undefined): void;
  /** Repeats a failed load. */
  reload(conversation: ConversationKey): void;
  /** Reports to other members that the member is typing, or, if `still` is false, has sent, cleared or left the text. */
  writes(conversation: ConversationKey, still: boolean): void;
  /**
   * R2.9.1: searches in a bounded number of calls. It may find few messages, and says where to continue. Ignore the result after
   * `signal` was aborted.
   */
  search(conditions: SearchConditions, bounds: SearchBounds, signal: AbortSignal): Promise<HitPage | Failure>;
  /** The actions that the member may use on a message now; none while it is being sent. */
  rights(key: MessageKey): Rights;
  /** Seconds in which the member may still edit their message; undefined if there is no limit or it is unknown. */
  secondsToEdit(messageId: number): number | undefined;
}

/** @param fill Loads what the open conversation does not have yet. */
export function createTimelineCommands(
  context: ModelContext<TimelinesState>,
  loader: Loader,
  fill: () => void,
): TimelineCommands & { readonly onEvents: (events: readonly ServerEvent[]) => void } {
  const { store, clock } = context;
  const edits = onDemand(
    context,
    () => import('./edit.ts'),
    ({ createMessageEdits }) => createMessageEdits(context),
  );
  const marks = onDemand(
    context,
    () => import('./marks.ts'),
    ({ createMarks }) => createMarks(context),
  );
  const unreadMarks = onDemand(
    context,
    () => import('./markUnread.ts'),
    ({ createUnreadMarks }) => createUnreadMarks(context),
  );
  const typing = onDemand(
    context,
    () => import('./typing.ts'),
    ({ createTyping }) => createTyping(context),
  );
  const search = onDemand(
    context,
    () => import('./search.ts'),
    ({ createSearch }) => createSearch(context),
  );
  const show = (change: <S extends TimelinesState>(state: S) => S) => {
    store.update(change);
    fill();
  };

  return {
    open: (conversation) => show((state) => opened(state, conversation)),
    openAt: (conversation, messageId) => show((state) => openedAt(state, conversation, messageId)),
    readOn: (conversation, messageId) => show((state) => ledTo(state, conversation, messageId, true)),
    returnTo: (place) => show((state) => returnedTo(state, place)),
    toNewest: (conversation) => show((state) => ledTo(state, conversation, 'newest')),
    loadOlder: loader.older,
    loadNewer: loader.newer,
    trimAround: (conversation, seen) => store.update((state) => trimmedAround(state, conversation, seen)),
    reload(conversation) {
      if (store.state().timelines.get(conversation)?.failure) loader.reload(conversation);
    },
    writes(conversation, still) {
      // A stop is not reported if the member has typed nothing on this page, so that its code is not loaded.
      if (still || typing.isUsed) void typing.use(({ report }) => report(conversation, still));
    },
    onEvents(events) {
      if (typing.isUsed || events.some(({ type }) => type === 'typing')) void typing.use(({ receive }) => receive(events));
    },
    search: (...input) => search.use((find) => find(selectMe(store.state())?.timezone || japan, ...input)),
    rights(key) {
      const { memberId, users, limits } = store.state();
      const message = typeof key === 'number' ? locate(store.state(), key) : undefined;
      const me = memberId === undefined ? undefined : users.get(memberId);
      return message ? rightsOver(message, me, limits, Math.floor(clock.now() / 1000)) : { edit: false, delete: false };
    },
    secondsToEdit(messageId) {
      const message = locate(store.state(), messageId);
      return message && secondsToEdit(message, store.state().limits, clock.now() / 1000);
    },
    toggleReaction: (...input) => marks.use((there) => there.toggleReaction(...input)),
    star: (...input) => marks.use((there) => there.star(...input)),
    edit: (...input) => edits.use((there) => there.edit(...input)),
    remove: (messageId) => edits.use((there) => there.remove(messageId)),
    history: (messageId) => edits.use((there) => there.history(messageId)),
    unreadFrom: (...input) => unreadMarks.use((there) => there.unreadFrom(...input)),
  };
}

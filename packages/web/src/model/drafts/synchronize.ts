/**
 * Keeps the drafts on the server and on this device equal. The texts of the device come first: typing never waits, and works
 * without a network. The tab that polls makes the calls for all tabs of the browser. Loaded on demand.
 */
import { ApiError, createDrafts, deleteDraft, editDraft, sleep } from '@engawa/client';
import type { Draft } from '@engawa/protocol';
import { failureOf, isRetried } from '../connection/failure.ts';
import { topic } from '../constants.ts';
import type { ModelContext } from '../context.ts';
import { memoise } from '../memoise.ts';
import { isBlank } from '../outbox/blank.ts';
import { excessOf } from '../outbox/excess.ts';
import { selectHoldsUnstored } from '../outbox/selectors.ts';
import { directOf, isDirect, participantsIn, type ConversationKey } from '../streams/conversation.ts';
import type { Drafts } from './drafts.ts';
import { keepRecord, recordOf, type DraftRecord } from './record.ts';
import { draftRemoved, draftSaved } from './changes.ts';
import type { DraftsState } from './state.ts';

/** Milliseconds without a change after which a text is saved. */
const pause = 1000;

interface Synchronization {
  readonly context: ModelContext<DraftsState>;
  readonly drafts: Drafts;
  /** Whether this tab makes the calls. */
  readonly leads: () => boolean;
}

export function synchronizeDrafts(synchronization: Synchronization): void {
  const { context, drafts, leads } = synchronization;
  const { store, retry, environment, stop } = context;
  const changes = new Map<ConversationKey, number>();
  const due = new Set<ConversationKey>();
  let working = false;

  /** One call at a time, so that the answers come in order. In a tab that does not poll, `due` waits until it does. */
  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    try {
      for (const conversation of due) {
        if (stop.aborted || !leads() || store.state().connection !== 'online') break;
        due.delete(conversation);
        const outcome = await retry.until(() => reconcile(synchronization, conversation), isRetried);
        if (outcome === 'again') due.add(conversation);
      }
    } finally {
      working = false;
    }
  };

  const reconcileSoon = async (conversation: ConversationKey): Promise<void> => {
    const change = (changes.get(conversation) ?? 0) + 1;
    changes.set(conversation, change);
    await sleep(environment.clock, pause, stop);
    if (stop.aborted || changes.get(conversation) !== change) return;
    changes.delete(conversation);
    due.add(conversation);
    await work();
  };

  /** At most as many as a member may have drafts; for most there is nothing to do. A text that is being typed waits. */
  const reconcileAll = (): void => {
    const { drafts: server, memberId } = store.state();
    for (const conversation of drafts.conversations().union(byConversation(server, memberId))) {
      if (conversation !== undefined && !changes.has(conversation)) due.add(conversation);
    }
    void work();
  };

  const stopListening = drafts.onWritten((conversation, by) => by === 'member' && void reconcileSoon(conversation));
  stop.addEventListener('abort', stopListening);
  store.watch(({ drafts: server }) => server, reconcileAll);
  store.watch(({ connection }) => connection, reconcileAll);
  store.watch(isSynchronized, reconcileAll);
  store.watch(selectHoldsUnstored, reconcileAll);
  // The first event that this tab gets after another tab has stopped to poll.
  store.watch(
    ({ cursor }) => cursor,
    () => void work(),
  );
  reconcileAll();
}

const isSynchronized = ({ settings }: DraftsState): boolean => settings.enable_drafts_synchronization !== false;

/** @returns `again` if the conversation is to be looked at once more, because something has changed. */
async function reconcile(synchronization: Synchronization, conversation: ConversationKey): Promise<'again' | undefined> {
  const { context, drafts } = synchronization;
  const state = context.store.state();
  if (!state.drafts) return undefined;
  const record = recordOf(drafts, conversation);
  if (!isSynchronized(state)) {
    keepRecord(drafts, conversation, {});
    return undefined;
  }
  const { text } = drafts.get(conversation);
  const saved = byConversation(state.drafts, state.memberId).get(conversation) ?? [];
  const server = saved.filter(({ id }) => id !== record.gone);
  const own = server.find(({ id }) => id === record.id);
  // The event about the newest revision has not arrived yet.
  if (own && revisionOf(own) < record.revision) return undefined;
  const unanswered = record.tried === undefined ? undefined : arrivedUnanswered(server, record);
  if (unanswered) return keep(drafts, conversation, unanswered);
  if (text === record.content) {
    adoptNewest(drafts, conversation, server, record);
    return removeContained(context, server, recordOf(drafts, conversation));
  }
  if (text === '') return remove(synchronization, conversation, own, record);
  if (isBlank(text) || excessOf(text) !== undefined) return undefined;
  return save(synchronization, conversation, { text, server, own, record });
}

/** The draft whose call was performed although its answer was lost. */
function arrivedUnanswered(server: readonly Draft[], { id, revision, tried }: DraftRecord): Draft | undefined {
  return server.find(
    (draft) => draft.content === tried && (id === undefined || (draft.id === id && revisionOf(draft) > revision)),
  );
}

/** Notes the draft that the text of this device continues from here. */
function keep(drafts: Drafts, conversation: ConversationKey, { id, revision, content }: Draft): 'again' {
  const { gone } = recordOf(drafts, conversation);
  keepRecord(drafts, conversation, { id, revision, content, gone });
  return 'again';
}

/** Shows the newest draft of the server. The text here is saved, so it is not lost. */
function adoptNewest(drafts: Drafts, conversation: ConversationKey, server: readonly Draft[], record: DraftRecord): undefined {
  const [newest] = server;
  if (!newest && record.id === undefined) return;
  if (newest?.id === record.id && revisionOf(newest) === record.revision) return;
  // The text first: if the page ended in between, the record would say that the former text is a change of this one.
  drafts.adopt(conversation, newest?.content ?? '');
  if (newest) keep(drafts, conversation, newest);
  else keepRecord(drafts, conversation, { gone: record.gone });
}

/** Deletes the draft of a text that was sent or cleared here, unless another device has changed it since. */
async function remove(
  { context, drafts }: Synchronization,
  conversation: ConversationKey,
  own: Draft | undefined,
  record: DraftRecord,
): Promise<'again' | undefined> {
  const { connection, store } = context;
  if (own && revisionOf(own) === record.revision) {
    // A message that is only in the memory of this page is still in the draft, which outlives the page.
    if (selectHoldsUnstored(store.state())) return undefined;
    const refusal = await refusalOf(deleteDraft(connection, { draft_id: own.id, revision: own.revision }));
    if (refusal && !isMissing(refusal)) return undefined;
    forget(store, drafts, conversation, own.id);
  } else keepRecord(drafts, conversation, { gone: record.gone });
  return 'again';
}

function forget(store: ModelContext<DraftsState>['store'], drafts: Drafts, conversation: ConversationKey, id: number): void {
  keepRecord(drafts, conversation, { gone: id });
  store.update((state) => draftRemoved(state, id));
}

interface Unsaved {
  readonly text: string;
  /** The drafts of the conversation on the server, the newest first, and among them the one that this text continues. */
  readonly server: readonly Draft[];
  readonly own: Draft | undefined;
  readonly record: DraftRecord;
}

/**
 * Saves a text of this device. If another device has changed the draft meanwhile, both texts stay: this one becomes a separate
 * draft, and the field shows the newer one. The older one appears when the newer one is sent or cleared.
 */
async function save(
  { context, drafts }: Synchronization,
  conversation: ConversationKey,
  { text, server, own, record }: Unsaved,
): Promise<'again' | undefined> {
  const { connection, store } = context;
  const { clockAhead } = store.state();
  const continued = continuedBy(text, server, own, record);
  if (continued?.content === text) return keep(drafts, conversation, continued);
  keepRecord(drafts, conversation, { ...record, tried: text });
  const now = Math.floor(context.clock.now() / 1000 + clockAhead);
  const writtenAt = Math.min(Math.floor(drafts.writtenAt(conversation) / 1000 + clockAhead), now);
  const written = { ...addressOf(conversation), content: text };
  const call = continued
    ? editDraft(connection, { draft_id: continued.id, draft: written, revision: continued.revision })
    : createDrafts(connection, { drafts: [{ ...written, timestamp: writtenAt }] });
  const refusal = await refusalOf(call);
  if (refusal) {
    keepRecord(drafts, conversation, record);
    if (!continued || !isMissing(refusal)) return undefined;
    forget(store, drafts, conversation, continued.id);
    return 'again';
  }
  const answer = await call;
  const saved: Draft = continued
    ? { ...continued, ...written, timestamp: now, revision: revisionOf(continued) + 1 }
    : { ...written, id: 'ids' in answer ? (answer.ids[0] ?? 0) : 0, timestamp: writtenAt, revision: 0 };
  keep(drafts, conversation, saved);
  store.update((state) => draftSaved(state, saved));
  return 'again';
}

/** A text that begins with the one of a draft continues it, also if another device or an unanswered call has written that. */
function continuedBy(text: string, server: readonly Draft[], own: Draft | undefined, record: DraftRecord): Draft | undefined {
  if (record.id === undefined) return server.find(({ content }) => text.startsWith(content));
  return own && (revisionOf(own) === record.revision || text.startsWith(own.content)) ? own : undefined;
}

/** Deletes earlier drafts whose text the saved one begins with, so that the beginning of a sent text does not come back. */
async function removeContained(
  { connection, store }: ModelContext<DraftsState>,
  server: readonly Draft[],
  { id: savedId, content: saved }: DraftRecord,
): Promise<undefined> {
  for (const { id, content, revision } of server) {
    if (savedId === undefined || id >= savedId || !saved.startsWith(content)) continue;
    if (!(await refusalOf(deleteDraft(connection, { draft_id: id, revision })))) store.update((state) => draftRemoved(state, id));
  }
}

/** Undefined if the call succeeds. @throws the error if the call may be repeated, or if the member is signed out. */
async function refusalOf(call: Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && failureOf(error).kind === 'refused') return error;
    throw error;
  }
}

const isMissing = ({ status }: ApiError): boolean => status === 404;

const revisionOf = (draft: Draft | undefined): number => draft?.revision ?? 0;

function addressOf(conversation: ConversationKey): Pick<Draft, 'type' | 'to' | 'topic'> {
  if (isDirect(conversation)) return { type: 'private', to: [...participantsIn(conversation)], topic: '' };
  return { type: 'stream', to: [conversation], topic };
}

/** Undefined for drafts that this client does not show: without an address, or under another topic than its own. */
function conversationOf({ type, to, topic: written }: Draft, memberId: number | undefined): ConversationKey | undefined {
  if (type === 'stream') return written === topic ? to[0] : undefined;
  return type === 'private' && to.length > 0 && memberId !== undefined ? directOf([memberId, ...to]) : undefined;
}

/** The drafts of each conversation, the newest first. Drafts that this client does not show are under `undefined`. */
const byConversation = memoise((drafts: ReadonlyMap<number, Draft> | undefined, memberId: number | undefined) =>
  Map.groupBy(
    [...(drafts?.values() ?? [])].toSorted((one, other) => other.timestamp - one.timestamp || other.id - one.id),
    (draft) => conversationOf(draft, memberId),
  ),
);

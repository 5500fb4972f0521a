/**
 * Persists the outbox through reloads and the end of the browser, and sends what was left. All tabs share it; one tab at a time
 * sends in a conversation. Loaded on demand.
 */
import { sleep } from '@engawa/client';
import { z } from 'zod';
import { conversationKey, type ConversationKey } from '../streams/conversation.ts';
import { goesOn, type Failure } from '../connection/failure.ts';
import { change, isToSend, settled, take, type Outgoing } from './outgoing.ts';
import { mostEntries, type Entry, type OutboxDisk } from './outboxDisk.ts';
import type { Environment } from '../environment.ts';
import type { Store } from '../store.ts';
import { untilStill } from './untilStill.ts';
import type { OutboxState } from './state.ts';

export { openDisk } from './outboxDisk.ts';

/** Milliseconds until other tabs read a reported change: mostly the message has been sent by then. */
const soon = 1000;
/**
 * Milliseconds of silence after which the sending tab counts as frozen or its upload as stuck. This tab then sends the same
 * message as well; a server that recognises repeats stores it once.
 */
const patience = 60_000;
/**
 * Milliseconds for which a send waits for the disk, which may be copying a large file or hang. If the server recognises repeats,
 * sending without the disk does no harm.
 */
const diskPatience = 2000;
/** Most bytes of all stored files. The browser's own limit may be lower. */
const mostBytes = 512 * 1024 * 1024;

const refusal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal('not-wanted'), userIds: z.array(z.int()) }),
  z.object({ kind: z.literal('file-too-large'), maxBytes: z.number() }),
  z.object({ kind: z.enum(['malformed', 'not-ready', 'file-gone']) }),
]);

const storedEntry = z.object({
  order: z.int(),
  localKey: z.string(),
  conversation: conversationKey,
  text: z.string(),
  file: z.instanceof(File).optional(),
  fileMessage: z.object({ name: z.string(), storedName: z.string(), size: z.int() }).optional(),
  timestamp: z.int(),
  afterId: z.int().optional(),
  refusal: refusal.optional(),
});
type StoredEntry = z.output<typeof storedEntry>;

/** Messages between tabs about their outboxes. */
const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('changed') }),
  z.object({ kind: z.literal('sending'), localKey: z.string(), begins: z.boolean() }),
]);
type News = z.output<typeof news>;

export interface StoredOutbox {
  /** Called after every change of the outbox. */
  follow(after: readonly Outgoing[], before: readonly Outgoing[]): void;
  /** Runs `act` while no other tab sends in the conversation, after reading what other tabs have stored and sent there. */
  inTurn(conversation: ConversationKey, act: () => Promise<void>): Promise<void>;
  /** Resolves when all changes until now are on the disk, or have failed. */
  written(): Promise<void>;
  /** The stored copy of a message's file, if there is one. */
  fileOf(localKey: string): Promise<File | undefined>;
}

export interface StoredOutboxDependencies {
  readonly disk: OutboxDisk;
  readonly store: Store<OutboxState>;
  readonly environment: Pick<Environment, 'clock' | 'locks' | 'openChannel' | 'log' | 'onWake'>;
  readonly memberId: number;
  /** Whether the server recognises a repeated message. */
  readonly knowsAgain: boolean;
  /** Sends the waiting messages of a conversation. */
  readonly run: (conversation: ConversationKey) => void;
  readonly stop: AbortSignal;
}

/** It is long because writing, reading and taking turns share the record of what is on the disk. */
export function createStoredOutbox({
  disk,
  store,
  environment,
  memberId,
  knowsAgain,
  run,
  stop,
}: StoredOutboxDependencies): StoredOutbox {
  const { clock, locks, openChannel, log, onWake } = environment;
  const name = `engawa-outbox v1 member ${memberId}`;
  const channel = openChannel(name);
  const post = channel.postMessage.bind(channel);
  /** The size of each stored or pending entry's file in bytes, by local key. */
  const bytes = new Map<string, number>();
  /** Local keys of entries that the disk failed to change: the state in memory is right. */
  const outdated = new Set<string>();
  let written = Promise.resolve();
  let writes = 0;
  let isApplying = false;
  let waits = false;
  /** Number of progress reports by other tabs, by conversation. */
  const progressReports = new Map<ConversationKey, number>();
  /** A wait for the disk has timed out, and it has not answered since. */
  let isSlow = false;

  function notify(what: News): void {
    if (!stop.aborted) post(what);
  }

  function write(localKey: string, act: () => Promise<void>): void {
    writes += 1;
    // Starts at once, because the page may be closed before an earlier write completes. The disk keeps their order.
    const writing = act().then(
      () => notify({ kind: 'changed' }),
      (error: unknown) => {
        outdated.add(localKey);
        log('outbox_write_failed', error);
      },
    );
    written = Promise.all([written, writing]).then(() => undefined);
  }

  function add(row: Outgoing): void {
    const { localKey, file } = row;
    const size = file?.size ?? 0;
    const isFull = bytes.size >= mostEntries || size + bytes.values().reduce((sum, each) => sum + each, 0) > mostBytes;
    if (isFull) {
      markStored(localKey, false);
      return;
    }
    bytes.set(localKey, size);
    write(localKey, async () => {
      try {
        await disk.add(entryOf(row));
      } catch (error) {
        // The message is sent as long as the page is open.
        bytes.delete(localKey);
        markStored(localKey, false);
        throw error;
      }
      markStored(localKey, true);
    });
  }

  function markStored(localKey: string, isStored: boolean): void {
    applyStored((state) => {
      const row = take(state.outbox, localKey);
      return !row || row.isStored === isStored ? state : { ...state, outbox: change(state.outbox, localKey, { isStored }) };
    });
  }

  function rewrite(row: Outgoing, earlier: Outgoing): void {
    const { localKey, fileMessage, afterId } = row;
    if (!bytes.has(localKey)) return;
    const begins = row.state === 'sending';
    if (begins !== (earlier.state === 'sending') || percentOf(row) !== percentOf(earlier))
      notify({ kind: 'sending', localKey, begins });
    const [now, before] = [refusalOf(row), refusalOf(earlier)];
    if (fileMessage === earlier.fileMessage && afterId === earlier.afterId && now === before) return;
    write(localKey, async () => {
      try {
        await disk.change(localKey, { fileMessage, afterId, refusal: now });
      } catch (error) {
        // The stored entry is stale, so the message is safe only as long as the page is open.
        bytes.delete(localKey);
        markStored(localKey, false);
        await disk.remove(localKey);
        throw error;
      }
    });
  }

  function remove(localKey: string): void {
    if (bytes.delete(localKey)) write(localKey, () => disk.remove(localKey));
  }

  /** Applies a change from the disk without writing it back. */
  function applyStored(change: <S extends OutboxState>(state: S) => S): void {
    isApplying = true;
    try {
      store.update(change);
    } finally {
      isApplying = false;
    }
  }

  async function read(): Promise<readonly StoredEntry[]> {
    const all = (await disk.read()).flatMap((each) => storedEntry.safeParse(each).data ?? []);
    return all.filter(({ localKey }) => !outdated.has(localKey));
  }

  async function catchUp(): Promise<void> {
    try {
      let known = -1;
      let found: readonly StoredEntry[] = [];
      // A write during the read may be missing from its result.
      while (known !== writes) {
        known = writes;
        await written;
        found = await read();
      }
      if (stop.aborted) return;
      applyStored((state) => withStored(state, found, new Set(bytes.keys())));
      bytes.clear();
      for (const { localKey, file } of found) bytes.set(localKey, file?.size ?? 0);
    } catch (error) {
      log('outbox_read_failed', error);
    }
  }

  async function inTime(work: Promise<void>): Promise<void> {
    const answered = new AbortController();
    const waitForIt = async () => {
      await work;
      isSlow = false;
      answered.abort();
    };
    const answer = waitForIt();
    if (!knowsAgain) await answer;
    if (!knowsAgain || isSlow) return;
    await Promise.race([answer, sleep(clock, diskPatience, AbortSignal.any([stop, answered.signal]))]);
    isSlow = !answered.signal.aborted && !stop.aborted;
  }

  async function lookAgain(): Promise<void> {
    await catchUp();
    if (stop.aborted) return;
    for (const conversation of new Set(
      store
        .state()
        .outbox.filter(isToSend)
        .map((row) => row.conversation),
    ))
      run(conversation);
  }

  async function lookSoon(): Promise<void> {
    if (waits) return;
    waits = true;
    await sleep(clock, soon, stop);
    waits = false;
    if (!stop.aborted) await lookAgain();
  }

  channel.addEventListener('message', ({ data }) => {
    const { data: message } = news.safeParse(data);
    if (!message || stop.aborted) return;
    if (message.kind === 'changed') {
      void lookSoon();
      return;
    }
    const { localKey, begins } = message;
    const row = take(store.state().outbox, localKey);
    if (row) progressReports.set(row.conversation, (progressReports.get(row.conversation) ?? 0) + 1);
    if (row?.state !== (begins ? 'waiting' : 'sending') && row?.state !== 'failed') return;
    const changes = begins ? ({ state: 'sending', failure: undefined } as const) : ({ state: 'waiting' } as const);
    applyStored((state) => ({ ...state, outbox: change(state.outbox, localKey, changes) }));
  });
  const sleepOn = onWake(() => void lookAgain());
  stop.addEventListener('abort', () => {
    sleepOn();
    channel.close();
  });
  for (const row of store.state().outbox) if (row.state !== 'sent') add(row);
  void lookAgain();

  return {
    follow(after, before) {
      if (isApplying) return;
      for (const row of after) {
        const earlier = take(before, row.localKey);
        if (!earlier) add(row);
        else if (row.state === 'sent') remove(row.localKey);
        else if (row !== earlier) rewrite(row, earlier);
      }
      for (const { localKey } of before) if (!take(after, localKey)) remove(localKey);
    },

    async inTurn(conversation, act) {
      const turn = async () => {
        await inTime(catchUp());
        try {
          await act();
        } finally {
          // The next tab must not find messages that are already sent.
          await inTime(written);
        }
      };
      if (!locks) return turn();
      const granted = new AbortController();
      const silent = new AbortController();
      if (knowsAgain) {
        const waiting = AbortSignal.any([stop, granted.signal]);
        void untilStill(
          clock,
          () => progressReports.get(conversation),
          () => patience,
          waiting,
        ).then(() => silent.abort());
      }
      try {
        await locks.request(`${name} ${conversation}`, { signal: AbortSignal.any([stop, silent.signal]) }, () => {
          granted.abort();
          return turn();
        });
      } catch (error) {
        if (granted.signal.aborted || stop.aborted) throw error;
        await turn();
      }
      return undefined;
    },

    written: () => written,

    async fileOf(localKey) {
      try {
        await written;
        return (await read()).find((each) => each.localKey === localKey)?.file;
      } catch (error) {
        log('outbox_read_failed', error);
        return undefined;
      }
    },
  };
}

/** The progress of an upload in percent, rounded so that it changes rarely. */
function percentOf({ progress }: Outgoing): number | undefined {
  return progress === undefined ? undefined : Math.floor(progress * 100);
}

function entryOf(row: Outgoing): Entry {
  const { localKey, conversation, text, file, fileMessage, timestamp, afterId } = row;
  return { localKey, conversation, text, file, fileMessage, timestamp, afterId, refusal: refusalOf(row) };
}

/** Only the server's refusal of the message itself: others end with the next sign-in. */
function refusalOf({ failure }: Outgoing): Failure | undefined {
  return failure && !goesOn(failure) && failure.kind !== 'signed-out' ? failure : undefined;
}

function rowOf({ localKey, conversation, text, file, fileMessage, timestamp, afterId, refusal: failure }: StoredEntry): Outgoing {
  const entry = { localKey, conversation, text, file, fileMessage, timestamp, afterId, failure };
  return { ...entry, state: failure ? 'failed' : 'waiting', progress: undefined, messageId: undefined, isStored: true };
}

/**
 * The state with the stored outbox: without messages that another tab has sent or discarded, and with those that it has left, in
 * the order of sending.
 * @param known The entries that were on the disk before.
 */
function withStored<S extends OutboxState>(state: S, found: readonly StoredEntry[], known: ReadonlySet<string>): S {
  const byKey = new Map(found.map((each) => [each.localKey, each]));
  const outbox = state.outbox
    .filter(({ localKey }) => byKey.has(localKey) || !known.has(localKey))
    .map((row) => {
      const entry = byKey.get(row.localKey);
      return entry ? asStored(row, entry) : row;
    });
  const added = new Set<ConversationKey>();
  // Entries of earlier visits are older than all messages of this page.
  let oldest = 0;
  for (const entry of found) {
    if (take(outbox, entry.localKey)) continue;
    const next = outbox.findIndex(({ localKey }) => (byKey.get(localKey)?.order ?? 0) > entry.order);
    const end = known.size === 0 ? oldest : outbox.length;
    outbox.splice(next === -1 ? end : next, 0, rowOf(entry));
    oldest += 1;
    added.add(entry.conversation);
  }
  const seen = [...added].reduce<readonly Outgoing[]>(
    (rows, conversation) => settled(rows, state.memberId, conversation, state.timelines.get(conversation)?.messages ?? []),
    outbox,
  );
  return { ...state, outbox: seen };
}

/** Another tab may have uploaded its file, received its refusal, or retried it. */
function asStored(row: Outgoing, { fileMessage = row.fileMessage, afterId = row.afterId, refusal }: StoredEntry): Outgoing {
  const before = refusalOf(row);
  if (refusal && !before) return { ...row, fileMessage, afterId, state: 'failed', failure: refusal };
  if (!refusal && before) return { ...row, fileMessage, afterId, state: 'waiting', failure: undefined };
  return fileMessage === row.fileMessage && afterId === row.afterId ? row : { ...row, fileMessage, afterId };
}

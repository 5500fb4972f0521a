import { connect } from '@engawa/client';
import { memberHeader, paths, type Session } from '@engawa/protocol/product';
import { streamOfDepartment } from './departments.ts';
import { failureOf } from './failure.ts';
import { createLoader } from './loader.ts';
import { outgoing, take, type Outgoing } from './outbox.ts';
import { browserParts, type Parts } from './parts.ts';
import { createReader } from './reader.ts';
import { discarded, opened, queued, retried } from './reduce.ts';
import { createRetry } from './retry.ts';
import { createSender } from './sender.ts';
import { initialState } from './state.ts';
import { createStore } from './store.ts';
import { createSync } from './sync.ts';
import { createUnsent } from './unsent.ts';
import type { Failure, Model } from './view.ts';
import { createViews } from './views.ts';

export interface ModelOptions {
  readonly session: Session;
  /** The browser's unless said otherwise. */
  readonly parts?: Parts;
}

export function createModel({ session, parts = browserParts() }: ModelOptions): Model {
  const { clock, random } = parts;
  const { member, extensions } = session;
  const stopping = new AbortController();
  const stop = stopping.signal;

  const headers = member ? { [memberHeader]: String(member.user_id) } : {};
  const connection = connect({ realm: parts.site, headers, fetch: parts.fetch, clock });
  const views = createViews(session);
  const unsent = createUnsent(parts.storage, member?.user_id);
  const initial = { ...initialState(member?.user_id), outbox: unsent.read() };
  const store = createStore(initial, views.read, ({ outbox }, before) => {
    if (outbox !== before.outbox) unsent.keep(outbox);
  });
  const retry = createRetry({ clock, random, stop, judge });
  const loader = createLoader({ connection, store, extensions, retry, stop });
  const sender = createSender({ connection, store, session, parts, retry, stop });
  const reader = createReader({ connection, store, retry, stop });
  const sync = createSync({ connection, store, parts, extensions, loader, retry, streams: views.streams, stop });
  const sleepOn = parts.onWake(sync.wake);

  /** Whatever call it is that the server refuses with 401: the member is signed out of all of them. */
  function judge(error: unknown): Failure {
    const failure = failureOf(error);
    if (failure.kind === 'signed-out') sync.signOut();
    return failure;
  }

  function give(streamId: number, sent: readonly Outgoing[]): void {
    if (sent.length === 0) return;
    store.update((state) => queued(state, sent));
    sender.run(streamId);
  }

  return {
    subscribe: store.subscribe,

    connection: () => store.state().connection,
    me: () => views.me(store.state()),
    departments: () => store.state().departments,
    departmentsFailure: () => store.state().departmentsFailure,
    streams: () => views.streams(store.state()),
    stream: (streamId) => views.stream(store.state(), streamId),
    current: () => store.state().current,
    totalUnread: () => views.totalUnread(store.state()),
    timeline: (streamId) => views.timeline(store.state(), streamId),
    message: (key) => views.message(store.state(), key),
    session: () => session,

    start: (streamId) => sync.start(streamId),

    async stop() {
      stopping.abort();
      sleepOn();
      store.clear();
      await sync.ended();
    },

    signOut: sync.signOutAsTold,

    open(streamId) {
      store.update((state) => opened(state, streamId));
      sync.fill();
    },

    streamOf: (department) => streamOfDepartment(department, store.state().subscriptions ?? new Map()),

    reloadDepartments: sync.reloadDepartments,

    loadOlder: (streamId) => loader.older(streamId),

    reload(streamId) {
      const { messages, stale, failure } = store.state().timelines.get(streamId) ?? {};
      if (!failure) return;
      if (messages && !stale) loader.older(streamId);
      else void loader.newest(streamId);
    },

    send(streamId, { text, file }) {
      const contents = [...(text.trim() === '' ? [] : [text]), ...(file ? [file] : [])];
      give(streamId, contents.map((content) => outgoing(streamId, content, clock.now())));
    },

    retry(localKey) {
      const failed = take(store.state().outbox, localKey);
      if (failed?.state !== 'failed') return;
      store.update((state) => retried(state, localKey));
      retry.wake();
      sender.run(failed.streamId);
    },

    discard(localKey) {
      const row = take(store.state().outbox, localKey);
      if (!row || row.state === 'sending' || row.state === 'sent') return undefined;
      store.update((state) => discarded(state, localKey));
      return { text: row.text, file: row.file };
    },

    markRead: (streamId) => reader.markRead(streamId),

    fileAddress({ key, file }) {
      if (!file || typeof key === 'string') return undefined;
      return `${paths.storage}${encodeURIComponent(file.storedName)}?message=${key}`;
    },
  };
}

/** This tab's copy of the server's state. A change of it may load more, for example changed departments. */
import type { Batch } from '@engawa/client';
import { isEphemeral, type ServerEvent } from '@engawa/protocol';
import { connectionBecame, type Connection } from '../connection/state.ts';
import type { ModelContext } from '../context.ts';
import type { State } from '../state.ts';
import type { Loader } from '../timeline/loader.ts';
import type { ConversationLink } from '../timeline/state.ts';
import { registered } from './changes.ts';
import type * as events from './events.ts';
import { createOrganisationLoader } from './organisation.ts';
import { createScreenLoader, withOpenConversation } from './screen.ts';
import type { Snapshot } from './snapshot.ts';

export interface Replica {
  /** @param link The conversation to open first, instead of the stream with the newest message. */
  openAtStart(link: ConversationLink | undefined): void;
  adopt(snapshot: Snapshot): void;
  apply(code: EventCode, batch: Batch): void;
  /** Applies those events that are new here. Returns false if events before them are missing. */
  applyNew(code: EventCode, batch: Batch): boolean;
  /** Applies events that are not in the event queue of the chat server. */
  applyLive(code: EventCode, events: Batch['events']): void;
  become(connection: Connection): void;
  fill(): void;
  reloadFailed(): void;
  reloadDepartments(): void;
}

/** The code that applies events. */
export type EventCode = typeof events;
export type OnEvents = (code: EventCode, events: readonly ServerEvent[], before: State) => void;

interface ReplicaListeners {
  readonly onEvents: OnEvents;
  readonly onConnection: (connection: Exclude<Connection, 'starting' | 'broken'>) => void;
}

export function createReplica(
  context: ModelContext<State>,
  loader: Loader,
  { onEvents, onConnection }: ReplicaListeners,
): Replica {
  const { store, retry } = context;
  const screen = createScreenLoader(context, loader, () => organisation.loadDirectory());
  const organisation = createOrganisationLoader(context, screen.loadRest);
  let link: ConversationLink | undefined;

  /** Makes all changes in one update, so that listeners are notified once. */
  function changeTo(connection: Connection, change: <S extends State>(state: S) => S): void {
    const before = store.state().connection;
    store.update((state) => withOpenConversation(connectionBecame(change(state), connection), link));
    const after = store.state().connection;
    if (after === 'online') screen.fill();
    else if (after !== 'starting') screen.loadRest();
    if (after === before || after === 'starting' || after === 'broken') return;
    onConnection(after);
    if (after !== 'online') return;
    retry.wake();
    screen.reloadFailed();
  }

  function apply(code: EventCode, { queueId, lastEventId, events }: Batch): void {
    const before = store.state();
    changeTo('online', (state) => code.happened(state, events, { queueId, lastEventId }));
    onEvents(code, events, before);
    organisation.onEvents(events);
  }

  return {
    openAtStart(wanted) {
      link = wanted;
    },
    adopt(snapshot) {
      loader.abandon();
      organisation.markStale();
      changeTo('online', (state) => registered(state, snapshot));
      organisation.loadDepartments();
    },
    apply,
    applyNew(code, batch) {
      const { cursor } = store.state();
      if (!cursor || batch.queueId !== cursor.queueId || batch.after > cursor.lastEventId) return false;
      // Ephemeral events are not in the log. They are always applied, because their ids may repeat.
      const events = batch.events.filter(({ id, type }) => id > cursor.lastEventId || isEphemeral(type));
      apply(code, { ...batch, events });
      return true;
    },
    applyLive(code, events) {
      const before = store.state();
      store.update((state) => code.happened(state, events, state.cursor));
      onEvents(code, events, before);
      organisation.onEvents(events);
    },
    become: (connection) => changeTo(connection, (state) => state),
    fill: screen.fill,
    reloadFailed: screen.reloadFailed,
    reloadDepartments: organisation.reloadDepartments,
  };
}

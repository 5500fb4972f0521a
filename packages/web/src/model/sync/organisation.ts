import { sleep } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { isTemporary, type Failure } from '../connection/failure.ts';
import { departmentTree, paths } from '@engawa/protocol/product';
import { askProduct, type ProductCallDependencies } from '../connection/productCall.ts';
import type { ModelContext } from '../context.ts';
import { departmentsFailed, departmentsLoaded, directoryLoaded } from '../people/loadChanges.ts';
import type { State } from '../state.ts';

type DirectoryEvent = Extract<ServerEvent, { type: 'directory' }>;

/** The time of the server for one answer grows with the members, and their number of answers, too. */
const reloadMilliseconds = (members: number): number => members * Math.max(1, members / 500);

export interface OrganisationLoader {
  markStale(): void;
  loadDepartments(): void;
  reloadDepartments(): void;
  loadDirectory(): void;
  onEvents(events: readonly ServerEvent[]): void;
}

/** @param onStale Called when a changed directory must be loaded, which waits until the screen is drawn. */
export function createOrganisationLoader(context: ModelContext<State>, onStale: () => void): OrganisationLoader {
  const { store, clock, environment, stop } = context;
  // R7.1: the tree of departments.
  const departments = createLatestLoad(context, async (asking) => {
    const { answer } = await askProduct(asking, { method: 'GET', path: paths.departmentTree, answer: departmentTree });
    return answer;
  });
  const directory = createLatestLoad(context, async (asking) => (await import('../people/directory.ts')).fetchDirectory(asking));
  let isDirectoryStale = true;
  /** The reload that waits for its random time. */
  let pending: Outdated | undefined;

  const loadDepartments = () =>
    departments.load(
      (failure) => {
        store.update((state) => departmentsFailed(state, failure));
        return failure.kind !== 'signed-out';
      },
      (loaded) => store.update((state) => departmentsLoaded(state, loaded)),
    );

  function reload(outdated: Outdated): void {
    if (outdated.departments) void loadDepartments();
    if (!outdated.directory) return;
    isDirectoryStale = true;
    onStale();
  }

  /** Waits for a random time, so that not all clients ask together. */
  async function reloadLater(outdated: Outdated): Promise<void> {
    if (!outdated.departments && !outdated.directory) return;
    const isWaiting = pending !== undefined;
    pending = { departments: true, directory: outdated.directory || pending?.directory === true };
    if (isWaiting) return;
    const delay = environment.random() * reloadMilliseconds(store.state().users.size);
    await sleep(clock, delay, stop);
    const due = pending;
    pending = undefined;
    if (due && !stop.aborted) reload(due);
  }

  return {
    markStale() {
      isDirectoryStale = true;
    },
    loadDepartments: () => void loadDepartments(),
    reloadDepartments() {
      store.update((state) => departmentsFailed(state, undefined));
      void loadDepartments();
    },
    loadDirectory() {
      if (!isDirectoryStale) return;
      isDirectoryStale = false;
      // A failure is only logged, because members are shown by name without the directory.
      directory
        .load(isTemporary, (people) => store.update((state) => directoryLoaded(state, people)))
        .catch((error: unknown) => environment.log('directory_load_failed', error));
    },
    onEvents(events) {
      const { memberId = 0, users } = store.state();
      const changes = events.filter((event) => event.type === 'directory');
      // An answer that is on its way may not have these changes.
      if (changes.length > 0) reload({ departments: departments.isLoading(), directory: directory.isLoading() });
      const isOwn = ({ user_ids }: DirectoryEvent) => user_ids.includes(memberId);
      const isSightChanged = users.get(memberId)?.is_guest === true && events.some(changesSightOfGuest);
      reload(isSightChanged ? { departments: true, directory: true } : outdatedBy(changes.filter(isOwn)));
      void reloadLater(outdatedBy(changes.filter((change) => !isOwn(change))));
    },
  };
}

interface Outdated {
  readonly departments: boolean;
  readonly directory: boolean;
}

/** Changed entries in an event are applied by `peopleAfter`, also to the departments. */
function outdatedBy(changes: readonly DirectoryEvent[]): Outdated {
  const directory = changes.some(({ people }) => people === undefined);
  return { directory, departments: directory || changes.some((change) => change.departments !== false) };
}

/** Guests see the departments of their streams, and the members with whom they share a conversation. */
function changesSightOfGuest(event: ServerEvent): boolean {
  return (event.type === 'realm_user' || event.type === 'subscription') && (event.op === 'add' || event.op === 'remove');
}

function createLatestLoad<Loaded>(
  { connection, environment, retry, stop }: ModelContext<State>,
  fetch: (asking: ProductCallDependencies) => Promise<Loaded>,
) {
  let latest: AbortController | undefined;
  return {
    isLoading: () => latest !== undefined,
    async load(goesOn: (failure: Failure) => boolean, onLoaded: (loaded: Loaded) => void): Promise<void> {
      latest?.abort();
      const own = new AbortController();
      latest = own;
      const signal = AbortSignal.any([stop, own.signal]);
      try {
        const loaded = await retry.until(() => fetch({ connection, environment, stop: signal }), goesOn, signal);
        if (loaded && !own.signal.aborted) onLoaded(loaded);
      } finally {
        if (latest === own) latest = undefined;
      }
    },
  };
}

import { sleep } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { isTemporary, type Failure } from '../connection/failure.ts';
import { departmentTree, paths } from '@engawa/protocol/product';
import { askProduct, type ProductCallDependencies } from '../connection/productCall.ts';
import type { ModelContext } from '../context.ts';
import { departmentsFailed, departmentsLoaded, directoryLoaded } from '../people/changes.ts';
import type { State } from '../state.ts';

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
  let isReloadPending = false;

  const loadDepartments = () =>
    departments(
      (failure) => {
        store.update((state) => departmentsFailed(state, failure));
        return failure.kind !== 'signed-out';
      },
      (loaded) => store.update((state) => departmentsLoaded(state, loaded)),
    );

  /** Members whom a change concerns load it at once. All others wait for a random time, so that they do not all ask together. */
  async function reload(isOwn: boolean): Promise<void> {
    if (isReloadPending && !isOwn) return;
    isReloadPending = true;
    if (!isOwn) await sleep(clock, environment.random() * store.state().users.size, stop);
    isReloadPending = false;
    if (stop.aborted) return;
    void loadDepartments();
    isDirectoryStale = true;
    onStale();
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
      directory(isTemporary, (people) => store.update((state) => directoryLoaded(state, people))).catch((error: unknown) =>
        environment.log('directory_load_failed', error),
      );
    },
    onEvents(events) {
      const { memberId = 0, users } = store.state();
      const changes = events.filter((event) => event.type === 'directory');
      const isOwn = changes.some(({ user_ids }) => user_ids.includes(memberId));
      const isSightChanged = users.get(memberId)?.is_guest === true && events.some(changesSightOfGuest);
      if (changes.length > 0 || isSightChanged) void reload(isOwn || isSightChanged);
    },
  };
}

/** Guests see the departments of their streams, and the members with whom they share a conversation. */
function changesSightOfGuest(event: ServerEvent): boolean {
  return (event.type === 'realm_user' || event.type === 'subscription') && (event.op === 'add' || event.op === 'remove');
}

function createLatestLoad<Loaded>(
  { connection, environment, retry, stop }: ModelContext<State>,
  fetch: (asking: ProductCallDependencies) => Promise<Loaded>,
) {
  let latest = new AbortController();
  return async (goesOn: (failure: Failure) => boolean, onLoaded: (loaded: Loaded) => void): Promise<void> => {
    latest.abort();
    const own = new AbortController();
    latest = own;
    const signal = AbortSignal.any([stop, own.signal]);
    const loaded = await retry.until(() => fetch({ connection, environment, stop: signal }), goesOn, signal);
    if (loaded && !own.signal.aborted) onLoaded(loaded);
  };
}

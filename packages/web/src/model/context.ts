/** What all parts of the model need: the connection for the member's calls, the state, and access to the browser. */
import type { Capability } from '@engawa/protocol/product';
import { connect, type Clock, type Connection } from '@engawa/client';
import { memberHeader, type Session } from '@engawa/protocol/product';
import { failureOf, type Failure } from './connection/failure.ts';
import { createRetry, type Retry } from './connection/retry.ts';
import type { Environment } from './environment.ts';
import type { Store } from './store.ts';

export interface ModelContext<State> {
  readonly connection: Connection;
  readonly store: Store<State>;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly capabilities: readonly Capability[];
  readonly retry: Retry;
  /** Returns the failure of a call and signs the member out after a 401. Throws a programming error again. */
  readonly judge: (error: unknown) => Failure;
  /** Makes a call. Returns its result or failure; a failure after the model has stopped is `signed-out`, which nobody reads. */
  readonly attempt: <Done>(call: () => Promise<Done>) => Promise<Done | Failure>;
  readonly stop: AbortSignal;
}

interface ContextOptions<State> extends Pick<ModelContext<State>, 'store' | 'environment' | 'stop'> {
  readonly session: Session;
  readonly onSignedOut: () => void;
}

export function createContext<State>(options: ContextOptions<State>): ModelContext<State> {
  const { session, environment, store, stop, onSignedOut } = options;
  const { clock, random, site: realm, fetch } = environment;
  const headers = session.member ? { [memberHeader]: String(session.member.user_id) } : {};

  function judge(error: unknown): Failure {
    const failure = failureOf(error);
    if (failure.kind === 'signed-out') onSignedOut();
    return failure;
  }

  return {
    connection: connect({ realm, headers, fetch, clock }),
    store,
    environment,
    clock,
    capabilities: session.capabilities,
    retry: createRetry({ clock, random, stop, judge }),
    judge,
    async attempt(call) {
      try {
        return await call();
      } catch (error) {
        return stop.aborted ? { kind: 'signed-out' } : judge(error);
      }
    },
    stop,
  };
}

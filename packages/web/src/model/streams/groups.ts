/** Creates streams for chosen members (R2.7.2). */
import { ApiError, getStreams, subscribe } from '@engawa/client';
import { streamNameKey } from '@engawa/protocol';
import type { ModelContext } from '../context.ts';
import type { Failure } from '../connection/failure.ts';
import type { StreamsState } from './state.ts';

export interface Groups {
  /**
   * R2.7.2: creates a private stream with shared history for the member and these users. Returns its id once it can be opened,
   * or the failure.
   */
  createGroup(name: string, userIds: readonly number[], description?: string): Promise<number | Failure>;
}

export function createGroups({ connection, store, attempt, stop }: ModelContext<StreamsState>): Groups {
  /** The name of a request whose answer was lost. A stream that has this name now was made by that request. */
  let unanswered: string | undefined;

  /** Looks the name up before creating, because the server would add the users to an existing stream of this name. */
  async function streamNamed(name: string): Promise<number | undefined> {
    const { streams } = await getStreams(connection, {}, { signal: stop });
    return streams.find((each) => streamNameKey(each.name) === streamNameKey(name))?.stream_id;
  }

  async function make(name: string, userIds: readonly number[], description: string): Promise<boolean> {
    const parameters = {
      subscriptions: [description === '' ? { name } : { name, description }],
      principals: [...userIds],
      invite_only: true,
      history_public_to_subscribers: true,
      // Then the server tells an invisible stream of this name apart from every other refusal.
      authorization_errors_fatal: false,
    };
    const again = unanswered === name;
    unanswered = name;
    try {
      const { already_subscribed, unauthorized = [] } = await subscribe(connection, parameters, { signal: stop });
      unanswered = undefined;
      return unauthorized.length === 0 && (again || Object.keys(already_subscribed).length === 0);
    } catch (error) {
      if (error instanceof ApiError) unanswered = undefined;
      throw error;
    }
  }

  function arrival(name: string): Promise<number> {
    return new Promise((arrived, gone) => {
      const look = () => {
        const stream = store
          .state()
          .subscriptions?.values()
          .find((each) => each.name === name);
        if (!stream) return;
        stopLooking();
        arrived(stream.stream_id);
      };
      const stopLooking = store.watch(({ subscriptions }) => subscriptions, look);
      stop.addEventListener('abort', () => gone(stop.reason));
      look();
    });
  }

  function nameTaken(id: number | undefined): Failure {
    const mine = id !== undefined && store.state().subscriptions?.has(id);
    return { kind: 'name-taken', streamId: mine ? id : undefined };
  }

  return {
    createGroup: (typed, others, description = '') =>
      attempt(async () => {
        const name = typed.trim();
        const { memberId } = store.state();
        const userIds = new Set([...(memberId === undefined ? [] : [memberId]), ...others]);
        const existing = unanswered === name ? undefined : await streamNamed(name);
        if (existing !== undefined) return nameTaken(existing);
        return (await make(name, [...userIds], description.trim())) ? arrival(name) : nameTaken(undefined);
      }),
  };
}

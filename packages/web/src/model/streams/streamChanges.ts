/** Changes a stream or the member's own subscription (R2.7, R2.11). Loaded on demand. */
import {
  ApiError,
  deleteStream,
  exchange,
  readReply,
  subscribe,
  unsubscribe,
  updateStream,
  updateSubscriptionProperties,
  type Connection,
} from '@engawa/client';
import { paths } from '@engawa/protocol/product';
import type { Environment } from '../environment.ts';
import { propertySet } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { StreamsState } from './state.ts';

/** A change of a stream or of the member's own subscription. */
export type StreamChange =
  /** Properties of the subscription by their names in the chat API. */
  | { readonly kind: 'set'; readonly settings: Readonly<Record<string, boolean>> }
  | { readonly kind: 'change'; readonly name: string; readonly description: string }
  | { readonly kind: 'picture'; readonly image: Blob | 'none' }
  | { readonly kind: 'invite' | 'remove'; readonly userIds: readonly number[] }
  | { readonly kind: 'leave' | 'delete' };

/** The part of a stream that a change needs. */
export interface StreamSeen {
  readonly name: string;
  readonly description: string;
}

/** Milliseconds; uploading 5 MB takes long on a telephone. */
const pictureTimeoutMilliseconds = 120_000;

export interface StreamChangeDependencies {
  readonly connection: Connection;
  readonly store: Store<StreamsState>;
  readonly environment: Pick<Environment, 'site' | 'fetch' | 'clock'>;
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

/** Returns the failure, if any. Events update the other members. */
export async function changeStream(
  dependencies: StreamChangeDependencies,
  streamId: number,
  change: StreamChange,
  seen?: StreamSeen,
): Promise<Failure | undefined> {
  try {
    await apply(dependencies, streamId, change, seen);
    return undefined;
  } catch (error) {
    // The model has stopped; the result is not used.
    if (dependencies.stop.aborted) return undefined;
    return dependencies.judge(error);
  }
}

async function apply(
  dependencies: StreamChangeDependencies,
  streamId: number,
  change: StreamChange,
  seen: StreamSeen | undefined,
): Promise<void> {
  const { connection, store, stop: signal } = dependencies;
  const stream = store.state().subscriptions?.get(streamId) ?? seen;
  // The stream was removed while the change was being prepared.
  if (!stream) throw new ApiError(400, 'STREAM_DOES_NOT_EXIST', 'the stream is gone');
  const { name } = stream;
  switch (change.kind) {
    case 'set': {
      const settings = Object.entries(change.settings);
      const subscription_data = settings.map(([property, value]) => ({ stream_id: streamId, property, value }));
      await updateSubscriptionProperties(connection, { subscription_data }, { signal });
      // Shown at once, before its event arrives.
      store.update((state) => settings.reduce((set, each) => propertySet(set, streamId, ...each), state));
      return;
    }
    case 'change':
      await updateStream(
        connection,
        {
          stream_id: streamId,
          ...(change.name === name ? {} : { new_name: change.name }),
          ...(change.description === stream.description ? {} : { description: change.description }),
        },
        { signal },
      );
      return;
    case 'picture':
      await givePicture(dependencies, streamId, change.image);
      return;
    case 'invite':
      await subscribe(connection, { subscriptions: [{ name }], principals: [...change.userIds] }, { signal });
      return;
    case 'remove':
      await unsubscribe(connection, { subscriptions: [name], principals: [...change.userIds] }, { signal });
      return;
    case 'leave':
      await unsubscribe(connection, { subscriptions: [name] }, { signal });
      return;
    case 'delete':
      await deleteStream(connection, { stream_id: streamId }, { signal });
  }
}

async function givePicture(
  { connection: { headers }, environment: { site, fetch, clock }, stop: signal }: StreamChangeDependencies,
  streamId: number,
  image: Blob | 'none',
): Promise<void> {
  const path = `${paths.streams}${streamId}/picture`;
  const body = new FormData();
  if (image === 'none') body.append('picture', image);
  else body.append('image', image);
  const init = { method: 'POST', body, credentials: 'same-origin', headers } as const;
  const limits = { timeoutMilliseconds: pictureTimeoutMilliseconds, signal };
  readReply(await exchange({ call: `POST ${path}`, url: site + path, init, fetch, clock, ...limits }), clock);
}

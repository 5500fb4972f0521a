/** What a member does to a stream, and to their own subscription to it (R2.7, R2.11). Fetched when somebody does. */
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
import type { Parts } from '../environment.ts';
import { propertySet } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { StreamsState } from './state.ts';

/** What is to be done to a stream, or to the member's own subscription to it. */
export type StreamWish =
  /** Properties of the subscription, as the chat API names them. */
  | { readonly kind: 'set'; readonly settings: Readonly<Record<string, boolean>> }
  | { readonly kind: 'change'; readonly name: string; readonly description: string }
  | { readonly kind: 'picture'; readonly image: Blob | 'none' }
  | { readonly kind: 'invite' | 'remove'; readonly userIds: readonly number[] }
  | { readonly kind: 'leave' | 'delete' };

/** A stream as far as it must be known to change it. */
export interface StreamSeen {
  readonly name: string;
  readonly description: string;
}

/** An image of 5 MB takes its time on a telephone. */
const pictureTimeoutMilliseconds = 120_000;

export interface StreamKeeping {
  readonly connection: Connection;
  readonly store: Store<StreamsState>;
  readonly parts: Pick<Parts, 'site' | 'fetch' | 'clock'>;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

/** Answers why it could not be done. What others hear of it the events tell. */
export async function keep(
  keeping: StreamKeeping,
  streamId: number,
  wish: StreamWish,
  seen?: StreamSeen,
): Promise<Failure | undefined> {
  try {
    await fulfil(keeping, streamId, wish, seen);
    return undefined;
  } catch (error) {
    // Nobody waits for the answer any more.
    if (keeping.stop.aborted) return undefined;
    return keeping.judge(error);
  }
}

async function fulfil(keeping: StreamKeeping, streamId: number, wish: StreamWish, seen: StreamSeen | undefined): Promise<void> {
  const { connection, store, stop: signal } = keeping;
  const stream = store.state().subscriptions?.get(streamId) ?? seen;
  // It went while somebody was about to do something to it.
  if (!stream) throw new ApiError(400, 'STREAM_DOES_NOT_EXIST', 'the stream is gone');
  const { name } = stream;
  switch (wish.kind) {
    case 'set': {
      const settings = Object.entries(wish.settings);
      const subscription_data = settings.map(([property, value]) => ({ stream_id: streamId, property, value }));
      await updateSubscriptionProperties(connection, { subscription_data }, { signal });
      // The member need not wait for the events that tell their other devices.
      store.update((state) => settings.reduce((set, each) => propertySet(set, streamId, ...each), state));
      return;
    }
    case 'change':
      await updateStream(
        connection,
        {
          stream_id: streamId,
          ...(wish.name === name ? {} : { new_name: wish.name }),
          ...(wish.description === stream.description ? {} : { description: wish.description }),
        },
        { signal },
      );
      return;
    case 'picture':
      await givePicture(keeping, streamId, wish.image);
      return;
    case 'invite':
      await subscribe(connection, { subscriptions: [{ name }], principals: [...wish.userIds] }, { signal });
      return;
    case 'remove':
      await unsubscribe(connection, { subscriptions: [name], principals: [...wish.userIds] }, { signal });
      return;
    case 'leave':
      await unsubscribe(connection, { subscriptions: [name] }, { signal });
      return;
    case 'delete':
      await deleteStream(connection, { stream_id: streamId }, { signal });
  }
}

async function givePicture(
  { connection: { headers }, parts: { site, fetch, clock }, stop: signal }: StreamKeeping,
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

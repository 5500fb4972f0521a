/** Changes a stream or the member's own subscription (R2.7, R2.11). Loaded on demand. */
import { ApiError, deleteStream, subscribe, unsubscribe, updateStream, updateSubscriptionProperties } from '@engawa/client';
import type { Subscription } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { z } from 'zod/mini';
import { askProduct } from '../connection/productCall.ts';
import { propertySet } from './changes.ts';
import type { ModelContext } from '../context.ts';
import type { Failure } from '../connection/failure.ts';
import type { StreamsState } from './state.ts';

export type StreamChange =
  /** Properties of the subscription by their names in the chat API. */
  | { readonly kind: 'set'; readonly settings: Readonly<Record<string, boolean>> }
  | { readonly kind: 'change'; readonly name: string; readonly description: string }
  | { readonly kind: 'picture'; readonly image: Blob | 'none' }
  | { readonly kind: 'invite' | 'remove'; readonly userIds: readonly number[] }
  | { readonly kind: 'leave' | 'delete' };

type StreamText = Pick<Subscription, 'name' | 'description'>;

/** Milliseconds. Long, because a telephone may upload 5 MB slowly. */
const pictureTimeoutMilliseconds = 120_000;

export interface StreamChanges {
  /** R2.11: returns the failure, if any. @param unsubscribed the stream, if an administrator changes it unsubscribed. */
  changeStream(streamId: number, change: StreamChange, unsubscribed?: StreamText): Promise<Failure | undefined>;
}

export const createStreamChanges = (context: ModelContext<StreamsState>): StreamChanges => ({
  changeStream: (streamId, change, unsubscribed) =>
    context.attempt(async () => {
      await apply(context, streamId, change, unsubscribed);
      return undefined;
    }),
});

async function apply(
  context: ModelContext<StreamsState>,
  streamId: number,
  change: StreamChange,
  unsubscribed: StreamText | undefined,
): Promise<void> {
  const { connection, store, stop: signal } = context;
  const stream = store.state().subscriptions?.get(streamId) ?? unsubscribed;
  // The stream was closed or left while the member prepared the change.
  if (!stream) throw new ApiError(400, 'STREAM_DOES_NOT_EXIST', 'the stream is gone');
  const { name } = stream;
  switch (change.kind) {
    case 'set': {
      const settings = Object.entries(change.settings);
      const subscription_data = settings.map(([property, value]) => ({ stream_id: streamId, property, value }));
      await updateSubscriptionProperties(connection, { subscription_data }, { signal });
      // The change is shown now, because its event may arrive later.
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
      await setPicture(context, streamId, change.image);
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

async function setPicture(context: ModelContext<StreamsState>, streamId: number, image: Blob | 'none'): Promise<void> {
  const path = `${paths.streams}${streamId}/picture`;
  const body = new FormData();
  if (image === 'none') body.append('picture', image);
  else body.append('image', image);
  const timeoutMilliseconds = pictureTimeoutMilliseconds;
  await askProduct(context, { method: 'POST', path, body, answer: z.unknown(), timeoutMilliseconds });
}

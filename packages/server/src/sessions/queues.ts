import { ApiError, deleteQueue, type Connection } from '@engawa/client';
import type { SessionActivity } from '../chat/sessionActivity.ts';

export async function endQueues({ queues }: SessionActivity, connection: Connection): Promise<void> {
  for (const id of queues) await endQueue(id, connection);
}

async function endQueue(id: string, connection: Connection): Promise<void> {
  try {
    await deleteQueue(connection, { queue_id: id });
  } catch (error) {
    // Ignored: if the queue has expired or the key is revoked, nothing is left to end.
    if (!(error instanceof ApiError)) throw error;
  }
}

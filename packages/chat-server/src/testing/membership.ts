/** What no call does yet, done on the file behind a server by a second connection. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { conversations } from '../conversations/store.ts';
import { subscribe } from '../conversations/subscribe.ts';
import { Database } from '../database/index.ts';
import { EventLog } from '../events/log.ts';
import { messages } from '../messages/store.ts';
import { migrations } from '../migrations.ts';
import { statement } from '../schema.ts';
import type { Server } from './eg.ts';

export function fileOf(server: Server): { readonly database: Database; readonly log: EventLog } {
  const database = new Database(join(server.directory, 'chat.db'), { migrations });
  onTestFinished(() => database.close());
  return { database, log: new EventLog(server.clock) };
}

/** Polls that wait do not notice: they are woken by the server's own next commit. */
export async function joins(server: Server, name: string, stream: string): Promise<void> {
  const { database, log } = fileOf(server);
  await database.write((tx) => subscribe(tx, log, server.stream(stream), [server.user(name)]));
  database.close();
}

const endStay = statement<{ id: number; event: number; message: number }>()((query, value) =>
  query
    .updateTable('membership')
    .set({ ended_event: value.event, ended_message: value.message })
    .where('id', '=', value.id),
);

export async function leaves(server: Server, name: string, stream: string): Promise<void> {
  const { database, log } = fileOf(server);
  const conversationId = server.stream(stream);
  const userId = server.user(name);
  await database.write((tx) => {
    const stays = conversations.stays(tx, conversationId, userId);
    const event = log.append(tx, {
      type: 'subscription',
      reach: 'members',
      reachId: conversationId,
      payload: { op: 'peer_remove', stream_ids: [conversationId], user_ids: [userId] },
    });
    const message = messages.newestId(tx, conversationId);
    for (const stay of stays) if (stay.ended_event === null) tx.run(endStay, { id: stay.id, event, message });
  });
  database.close();
}

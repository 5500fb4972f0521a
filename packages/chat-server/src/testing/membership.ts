/** Direct access to the database of a running server, for changes that the API does not allow. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { noBindings } from '../streams/bindings.ts';
import { subscribe, unsubscribe } from '../streams/subscribe.ts';
import { Database } from '../database/index.ts';
import { EventLog } from '../events/log.ts';
import { migrations } from '../migrations.ts';
import { users } from '../identity/store.ts';
import { viewerOf } from '../identity/member.ts';
import { atOnce } from '../turns.ts';
import type { Server } from './eg.ts';
import { streams } from '../conversations/streams.ts';

export function fileOf(server: Server): { readonly database: Database; readonly log: EventLog } {
  const database = new Database(join(server.directory, 'chat.db'), { migrations });
  onTestFinished(() => database.close());
  return { database, log: new EventLog(server.clock) };
}

/** Changes the files only, so polls do not notice it before the next commit of the server. */
export async function joins(server: Server, name: string, stream: string): Promise<void> {
  await change(server, name, stream, subscribe);
}

export async function leaves(server: Server, name: string, stream: string): Promise<void> {
  await change(server, name, stream, (tx, log, row, users) => unsubscribe(tx, log, noBindings, row, users));
}

/** Logs events that only the members of a stream receive. Polls do not notice them before the next commit of the server. */
export async function logsEvents(server: Server, count: number, stream: string): Promise<void> {
  const { database, log } = fileOf(server);
  await database.write((tx) => {
    for (let number = 0; number < count; number += 1) {
      log.append(tx, { type: 'realm', reach: 'members', reachId: server.stream(stream), payload: { number } });
    }
  });
  database.close();
}

async function change(server: Server, name: string, stream: string, how: typeof subscribe) {
  const { database, log } = fileOf(server);
  await database.write((tx) => {
    const [row, user] = [streams.byId(tx, server.stream(stream)), users.byId(tx, server.user(name))];
    if (!row || !user) throw new TypeError(`there is no ${name} or no ${stream} in the organisation`);
    return atOnce(how(tx, log, row, [viewerOf(user)]));
  });
  database.close();
}

import { isDeepStrictEqual } from 'node:util';
import { addressDirect, maxScheduledSentAtOnce } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Transaction } from '../database/index.ts';
import { ChatError, refused } from '../errors.ts';
import type { WriteDependencies } from '../messages/dependencies.ts';
import { destinationOf, send } from '../messages/send.ts';
import { activeViewer } from '../privacy/seenUsers.ts';
import { publishScheduled } from './events.ts';
import { type ScheduledRow, scheduledMessages } from './store.ts';
import { recipientsOf } from './view.ts';

/**
 * Sends the messages whose time has come, at most `maxScheduledSentAtOnce`. A message and the removal of its plan are one
 * transaction, so that it is sent exactly once, also if the server stops.
 */
export async function sendDue(database: Database, dependencies: WriteDependencies, clock: Clock): Promise<void> {
  const due = scheduledMessages.due(database.reader, seconds(clock), maxScheduledSentAtOnce);
  // Changes that are made in one turn share a commit, in this order.
  await Promise.all(due.map((row) => sendOrFail(database, dependencies, row, seconds(clock))));
}

async function sendOrFail(database: Database, dependencies: WriteDependencies, row: ScheduledRow, now: number) {
  const { id, user_id: userId } = row;
  try {
    await database.write((tx) => sendOne(tx, dependencies, userId, id, now));
  } catch (error) {
    // The author may no longer send there, or a recipient has left. The author sees it and can choose another time.
    if (!(error instanceof ChatError)) throw error;
    await database.write((tx) => {
      // The author has changed or deleted it meanwhile. A changed one is tried again.
      if (!isDeepStrictEqual(scheduledMessages.one(tx, userId, id), row)) return;
      scheduledMessages.noteFailure(tx, id);
      publishScheduled(tx, dependencies.log, userId, { op: 'update', scheduled_id: id });
    });
  }
}

function sendOne(tx: Transaction, dependencies: WriteDependencies, userId: number, id: number, now: number): void {
  const row = scheduledMessages.one(tx, userId, id);
  // The author has deleted or postponed it meanwhile.
  if (!row || row.failed === 1 || row.due > now) return;
  const author = activeViewer(tx, userId);
  if (!author) throw refused.deactivated();
  const { content, client } = row;
  const destination = destinationOf(tx, dependencies, author, addressOf(row));
  send(tx, dependencies, author, destination, { content, read_by_sender: true }, client, now);
  scheduledMessages.remove(tx, id);
  publishScheduled(tx, dependencies.log, userId, { op: 'remove', scheduled_message_id: id });
}

function addressOf(row: ScheduledRow) {
  const to = recipientsOf(row);
  if (typeof to === 'number') return { type: 'stream', to: String(to), topic: row.topic };
  return { type: 'direct', to: addressDirect(to), topic: undefined };
}

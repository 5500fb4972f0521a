import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';

/**
 * Tells everyone that what the program around the server keeps of people is another than it was: departments, who
 * belongs to them, posts. An event of ours: what is so now, clients ask that program.
 * @param userIds whom it is about, where these are few; they ask at once.
 */
export function tellOfDirectory(database: Database, log: EventLog, userIds: readonly number[]): Promise<void> {
  return database.write((tx) => {
    log.append(tx, { type: 'directory', reach: 'everyone', payload: { user_ids: userIds.slice(0, mostNamed) } });
  });
}

/** So that an event stays small whatever it is about. */
const mostNamed = 1000;

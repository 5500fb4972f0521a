import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';

/** Most ids in one event, so that events stay small. */
const mostNamed = 1000;

/**
 * Publishes to everyone that the surrounding program's directory has changed, from which clients read the new state.
 * @param userIds the members concerned, if few: their clients read it at once.
 */
export function publishDirectory(database: Database, log: EventLog, userIds: readonly number[]): Promise<void> {
  return database.write((tx) => {
    log.append(tx, { type: 'directory', reach: 'everyone', payload: { user_ids: userIds.slice(0, mostNamed) } });
  });
}

import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { AlertWordIndex } from '../reading/alertWordIndex.ts';
import type { SearchIndex } from '../search/searchIndex.ts';
import type { Groups } from '../identity/groups.ts';

/** What the calls about messages need. */
export interface MessageRooms {
  readonly database: Database;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly alertWordIndex: AlertWordIndex;
  readonly groups: Groups;
  readonly searchIndex: SearchIndex;
}

/** What a change of a message is written down with. */
export type Writing = Pick<MessageRooms, 'log' | 'alertWordIndex' | 'groups'>;

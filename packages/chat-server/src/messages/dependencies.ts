import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Groups } from '../identity/groups.ts';
import type { AlertWordIndex } from '../reading/alertWords.ts';
import type { SearchIndex } from '../search/searchIndex.ts';

export interface MessageDependencies {
  readonly database: Database;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly alertWordIndex: AlertWordIndex;
  readonly groups: Groups;
  readonly searchIndex: SearchIndex;
}

export type WriteDependencies = Pick<MessageDependencies, 'log' | 'alertWordIndex' | 'groups'>;

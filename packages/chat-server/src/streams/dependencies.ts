import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Groups } from '../identity/groups.ts';
import type { Announce } from './announcement.ts';
import type { Bindings } from './bindings.ts';

export interface StreamDependencies {
  readonly database: Database;
  readonly log: EventLog;
  readonly groups: Groups;
  readonly bindings: Bindings;
  readonly clock: Clock;
  readonly announce: Announce;
}

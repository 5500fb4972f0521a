import type { Environment } from '../environment.ts';
import type { OutboxDisk } from './outboxDisk.ts';
import type { Upload } from './upload.ts';

export interface OutboxEnvironment extends Environment {
  readonly upload: Upload;
  /** Opens the outbox database of a member; rejects if the browser cannot store it. Undefined: nothing is stored. */
  readonly openOutbox: ((userId: number) => Promise<OutboxDisk>) | undefined;
}

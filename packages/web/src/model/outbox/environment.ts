import type { Session } from '@engawa/protocol/product';
import type { ModelContext } from '../context.ts';
import type { Environment } from '../environment.ts';
import type { OutboxDisk } from './outboxDisk.ts';
import type { OutboxState } from './state.ts';
import type { Upload } from './upload.ts';

export interface OutboxEnvironment extends Environment {
  readonly upload: Upload;
  /** Opens a member's outbox database; rejects if the browser cannot store it. If undefined, nothing is stored. */
  readonly openOutbox: ((userId: number) => Promise<OutboxDisk>) | undefined;
}

export interface OutboxDependencies extends ModelContext<OutboxState> {
  readonly session: Session;
  readonly environment: OutboxEnvironment;
}

export const recognisesRepeats = ({ capabilities }: Session) => capabilities.includes('client_message_id');

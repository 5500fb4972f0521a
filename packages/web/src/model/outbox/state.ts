import type { MessageKey } from '../timeline/message.ts';
import type { TimelinesState } from '../timeline/state.ts';
import type { Outgoing } from './outgoing.ts';

export interface OutboxState extends TimelinesState {
  readonly outbox: readonly Outgoing[];
  /** The outbox keys of messages that were sent from here, by message id: their rows keep these keys. */
  readonly sentAs: ReadonlyMap<MessageKey, string>;
  /** The last files that this page has uploaded, by stored name, to show them without a download. */
  readonly ownFiles: ReadonlyMap<string, File>;
}

export const initialOutbox: Omit<OutboxState, keyof TimelinesState> = { outbox: [], sentAs: new Map(), ownFiles: new Map() };

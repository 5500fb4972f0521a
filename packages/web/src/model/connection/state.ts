import type { Cursor } from '@engawa/client';
import type { Session } from '@engawa/protocol/product';

/**
 * `starting` until the first register; `reconnecting` while the network or the server is away; `broken` after a programming
 * error, when no event is applied until the page is reloaded.
 */
export type Connection = 'starting' | 'online' | 'reconnecting' | 'signed-out' | 'broken';

export interface ConnectionState {
  /** Undefined when nobody is signed in. */
  readonly memberId: number | undefined;
  readonly session: Session;
  readonly connection: Connection;
  /** Whether the first conversation is on the screen, or could not be loaded. Everything less urgent is loaded after that. */
  readonly settled: boolean;
  /** The position in the event queue up to which this state is true; undefined before the first register. */
  readonly cursor: Cursor | undefined;
}

export function initialConnection(session: Session): ConnectionState {
  return { session, memberId: session.member?.user_id, connection: 'starting', settled: false, cursor: undefined };
}

export const selectConnection = ({ connection }: ConnectionState) => connection;
export const selectSettled = ({ settled }: ConnectionState) => settled;

import type { KnownEvent } from '@engawa/protocol';
import type { Session } from '@engawa/protocol/product';
import { z } from 'zod/mini';

export type EventOf<Type extends KnownEvent['type']> = Extract<KnownEvent, { type: Type }>;

/**
 * `starting` until the first register; `reconnecting` while the network or the server is away; `chat-server-away` while only the chat
 * server behind it does not answer; `broken` after a programming error, when no event is applied until the page is reloaded.
 */
export type Connection = 'starting' | 'online' | 'reconnecting' | 'chat-server-away' | 'signed-out' | 'broken';

export interface ConnectionState {
  readonly session: Session;
  readonly memberId: number | undefined;
  readonly connection: Connection;
  /** Whether the first conversation is on the screen, or could not be loaded in time. Less urgent code and data are loaded after that. */
  readonly settled: boolean;
  /** The event up to which this state is current; undefined before the first register. */
  readonly cursor: Cursor | undefined;
}

const cursor = z.object({ queueId: z.string(), lastEventId: z.int() });
type Cursor = z.output<typeof cursor>;

/** The part of the state that the answer of register contains and that tabs send each other. */
export const connectionSnapshot = { cursor };

export function initialConnection(session: Session): ConnectionState {
  return { session, memberId: session.member?.user_id, connection: 'starting', settled: false, cursor: undefined };
}

export const selectConnection = ({ connection }: ConnectionState) => connection;
export const selectSettled = ({ settled }: ConnectionState) => settled;

/** Nothing replaces `signed-out` and `broken`: only a new model can connect again. */
export function connectionBecame<S extends ConnectionState>(state: S, connection: Connection): S {
  if (state.connection === connection || state.connection === 'signed-out') return state;
  if (state.connection === 'broken' && connection !== 'signed-out') return state;
  return { ...state, connection };
}

export function firstScreenShown<S extends ConnectionState>(state: S): S {
  return state.settled ? state : { ...state, settled: true };
}

/** The links of a call to its other participants, as each engine makes them. */
import type { Clock } from '@engawa/client';
import type { JoinedCall, OutgoingSignal, ReceivedSignal } from '@engawa/protocol/calls';
import type { Participant } from './ownCall.ts';
import type { Tracks } from './peer.ts';
import type { Sound } from './sound.ts';

/** Louder than the noise of a quiet room, 0 to 1. */
export const speechLevel = 0.02;

export interface CallLinksOptions {
  readonly clock: Clock;
  readonly sound: Sound;
  readonly tracks: () => Tracks;
  readonly send: (signal: OutgoingSignal) => void;
  readonly onChange: () => void;
  readonly log: (message: string, error: unknown) => void;
}

export interface CallLinks {
  /** Links to everybody in the answer of a join. A known participant keeps their link. */
  joined(joined: JoinedCall): void;
  receive(signal: ReceivedSignal): void;
  others(): readonly Participant[];
  refresh(): void;
  /** Returns false if only the other side can try again. */
  restart(participant: string): boolean;
  close(): void;
}

export function iceServersOf({ ice }: JoinedCall): readonly RTCIceServer[] {
  return ice.map(({ urls, username, credential }) => ({
    urls,
    ...(username !== undefined && { username }),
    ...(credential !== undefined && { credential }),
  }));
}

import type { CallConversation } from '@engawa/protocol';
import { callLimits, type CallEngine, type JoinedCall, type OutgoingSignal } from '@engawa/protocol/calls';
import type { CallSettings } from '../configuration.ts';
import { iceServersFor } from './turn.ts';

/** How the media of the calls travels. Ringing, access and signalling do not depend on it. */
export interface Engine {
  readonly name: CallEngine;
  readonly mostParticipants: number;
  readonly mostCameras: number;
  readonly mostCalls: number;
  /** The addresses and credentials with which a participant enters. @param seconds since 1970. */
  entryFor(participant: EnteringParticipant, seconds: number): Pick<JoinedCall, 'ice' | 'livekit'>;
  entered(callId: string, participant: string): void;
  /** For any reason, also because the call has ended. */
  left(callId: string, participant: string): void;
  /** Before the last participants leave. */
  ended(callId: string): void;
  receive(callId: string, participant: string, signal: EngineSignal): void;
}

interface EnteringParticipant {
  readonly callId: string;
  readonly id: string;
  readonly userId: number;
}

/** The signals from a participant to the engine. */
export type EngineSignal = Extract<OutgoingSignal, { kind: `sfu_${string}` }>;

export const isForEngine = (signal: OutgoingSignal): signal is EngineSignal => signal.kind.startsWith('sfu_');

export interface Engines {
  /** Resolves when it is known which engines can be used. */
  readonly ready: Promise<void>;
  /** At least one, the smallest first. */
  available(): readonly Engine[];
  /** For a call that begins or goes on in a conversation. */
  engineFor(conversation: CallConversation): Engine;
  close(): Promise<void>;
}

export function createMesh({ turn }: Pick<CallSettings, 'turn'>): Engine {
  return {
    name: 'mesh',
    mostParticipants: callLimits.participants.mesh,
    mostCameras: callLimits.cameras,
    mostCalls: callLimits.calls.mesh,
    entryFor: ({ userId }, seconds) => ({ ice: iceServersFor(turn, userId, seconds) }),
    entered: () => undefined,
    left: () => undefined,
    ended: () => undefined,
    receive: () => undefined,
  };
}

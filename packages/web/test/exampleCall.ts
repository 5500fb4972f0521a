/** A call of 田中 愛 with 石川 健 as the server and the screens describe it, and commands that only remember how they were called. */
import type { CallState } from '@engawa/protocol/calls';
import { vi } from 'vitest';
import type { CallCommands, OwnCall, Participant } from '../src/model/calls/ownCall.ts';
import type { Failure } from '../src/model/connection/failure.ts';
import { directOf } from '../src/model/streams/conversation.ts';
import { ai, ken } from './organisation.ts';

export function exampleParticipant(change: Partial<Participant> = {}): Participant {
  return {
    id: 'ken',
    userId: ken.user_id,
    isSelf: false,
    link: 'connected',
    muted: false,
    listenOnly: false,
    speaking: false,
    camera: undefined,
    screen: undefined,
    ...change,
  };
}

export const exampleSelf = exampleParticipant({ id: 'ai', userId: ai.user_id, isSelf: true });

export function exampleCall(change: Partial<OwnCall> = {}): OwnCall {
  return {
    conversation: directOf([ai.user_id, ken.user_id]),
    kind: 'audio',
    callId: 'call',
    phase: 'inCall',
    isAccepted: false,
    problems: [],
    preview: undefined,
    level: () => 0.5,
    participants: [exampleSelf, exampleParticipant()],
    muted: false,
    camera: false,
    screen: false,
    listensOnly: false,
    camerasAllowed: true,
    serverAway: false,
    throughServer: false,
    deviceLost: undefined,
    ended: undefined,
    elsewhere: undefined,
    since: undefined,
    ...change,
  };
}

/** A call of 石川 健 that rings for 田中 愛. */
export function exampleCallState(change: Partial<CallState> = {}): CallState {
  return {
    id: 'call-of-ken-0001',
    conversation: [ai.user_id, ken.user_id],
    kind: 'audio',
    state: 'ongoing',
    started_by: ken.user_id,
    started: 1_700_000_000,
    ended: null,
    reason: null,
    message_id: 7,
    participants: [ken.user_id],
    ringing: [ai.user_id],
    ring_ends: 1_700_000_030,
    answers: [],
    ...change,
  };
}

export function exampleCommands(change: Partial<CallCommands> = {}): CallCommands {
  return {
    open: vi.fn(),
    join: vi.fn(async () => undefined),
    leave: vi.fn(),
    dismissMissed: vi.fn(),
    details: vi.fn(async (): Promise<Failure> => ({ kind: 'network' })),
    decline: vi.fn(async () => undefined),
    ring: vi.fn(async () => undefined),
    setMuted: vi.fn(),
    setCamera: vi.fn(async () => undefined),
    setScreen: vi.fn(async () => undefined),
    talk: vi.fn(),
    devices: vi.fn(async () => []),
    choose: vi.fn(async () => undefined),
    flipCamera: vi.fn(async () => undefined),
    testSound: vi.fn(),
    recordAndPlay: vi.fn(async () => undefined),
    reconnect: vi.fn(),
    ...change,
  };
}

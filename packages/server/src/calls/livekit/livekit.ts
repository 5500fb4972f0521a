import type { Clock } from '@engawa/chat-server/parts';
import { callLimits } from '@engawa/protocol/calls';
import type { LivekitSettings } from '../../configuration.ts';
import { reasonOf } from '../../log/failure.ts';
import type { Log } from '../../log/log.ts';
import type { Engine } from '../engine.ts';
import { createRoomService } from './roomService.ts';
import { signToken } from './token.ts';

/** Seconds. A token only guards the entry. */
const tokenValidity = 10 * 60;
/** Milliseconds between two comparisons of the rooms with the calls. */
const comparisonEvery = 10_000;
/** A room that could not be deleted so often is left to LiveKit, which closes empty rooms. */
const mostDeletions = 6;

interface Room {
  readonly participants: Set<string>;
  /** Tries to delete it since the call ended. */
  deletions: number | undefined;
}

interface LivekitDependencies {
  /** Has the TURN servers. */
  readonly mesh: Engine;
  readonly nameOf: (userId: number) => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Call ids are random, so installations that share a LiveKit server have different rooms. */
const roomOf = (callId: string): string => `engawa-${callId}`;

/**
 * The media of a call goes through a room of a LiveKit server. Who is in a call is decided here: the server removes a participant
 * who has left from the room, and ends the room with the call. A token still lets its bearer in until it ends, and LiveKit
 * renews the tokens of those who are connected. So the rooms are compared with the calls again and again while they last.
 */
export function createLivekit(
  settings: LivekitSettings,
  { mesh, nameOf, clock, log }: LivekitDependencies,
): { readonly engine: Engine; close(): void } {
  const rooms = new Map<string, Room>();
  const closing = new AbortController();
  const service = createRoomService(settings, clock.now, closing.signal);
  /** After a restart, the participants of before are unknown until they have joined again. */
  const strangersFrom = clock.now() + callLimits.restart * 1000;
  let isFailing = false;
  let isComparing = false;

  /** Only the first failure of a row is logged. */
  async function attempt(callId: string, act: () => Promise<void>): Promise<boolean> {
    try {
      await act();
      if (isFailing) log({ event: 'livekit_answers_again' });
      isFailing = false;
      return true;
    } catch (error) {
      if (closing.signal.aborted) return false;
      if (!isFailing) log({ level: 'error', event: 'livekit_failed', call: callId, reason: reasonOf(error) });
      isFailing = true;
      return false;
    }
  }

  async function compare(): Promise<void> {
    if (isComparing) return;
    isComparing = true;
    await Promise.all(
      [...rooms].map(([callId, room]) => (room.deletions === undefined ? check(callId, room) : remove(callId, room))),
    );
    isComparing = false;
  }

  const check = (callId: string, { participants }: Room) =>
    attempt(callId, async () => {
      if (clock.now() < strangersFrom) return;
      const present = await service.participants(roomOf(callId));
      await Promise.all(
        present.map((identity) => (participants.has(identity) ? undefined : service.remove(roomOf(callId), identity))),
      );
    });

  async function remove(callId: string, room: Room): Promise<void> {
    room.deletions = (room.deletions ?? 0) + 1;
    const isDeleted = await attempt(callId, () => service.deleteRoom(roomOf(callId)));
    if (!isDeleted && room.deletions < mostDeletions) return;
    if (!isDeleted) log({ level: 'error', event: 'livekit_room_kept', call: callId });
    rooms.delete(callId);
  }

  const stopComparing = clock.every(comparisonEvery, () => void compare());

  const engine: Engine = {
    name: 'livekit',
    mostParticipants: callLimits.participants.livekit,
    mostCameras: callLimits.participants.livekit,
    mostCalls: callLimits.calls.livekit,
    entryFor(participant, seconds) {
      const { callId, id, userId } = participant;
      const token = signToken(settings, {
        grants: {
          room: roomOf(callId),
          roomJoin: true,
          canPublish: true,
          canPublishSources: ['microphone', 'camera', 'screen_share'],
          canPublishData: false,
          canSubscribe: true,
        },
        from: seconds,
        seconds: tokenValidity,
        identity: id,
        name: nameOf(userId),
      });
      return { ...mesh.entryFor(participant, seconds), livekit: { url: settings.url, token } };
    },
    entered(callId, participant) {
      const room = rooms.get(callId) ?? { participants: new Set(), deletions: undefined };
      rooms.set(callId, room);
      room.participants.add(participant);
    },
    left(callId, participant) {
      const room = rooms.get(callId);
      if (!room || room.deletions !== undefined) return;
      room.participants.delete(participant);
      void attempt(callId, () => service.remove(roomOf(callId), participant));
    },
    ended(callId) {
      const room = rooms.get(callId) ?? { participants: new Set(), deletions: 0 };
      rooms.set(callId, room);
      void remove(callId, room);
    },
    receive: () => undefined,
  };

  return {
    engine,
    close() {
      stopComparing();
      closing.abort();
    },
  };
}

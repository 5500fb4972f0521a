/** The links of a call whose media go through a LiveKit server. Its client is loaded only for such a call. */
import type { JoinedCall } from '@engawa/protocol/calls';
import { cameraQuality, screenQuality } from './ladder.ts';
import type { LivekitRoom, RoomState } from './livekitRoom.ts';
import { iceServersOf, type CallLinks, type CallLinksOptions } from './links.ts';
import { createServerLinks } from './serverLinks.ts';

/** The first connection also waits for the client to load. */
const openWithinMs = 10_000;
const connectEveryMs = 7500;
/** If the participant was removed from the room, a signal of the server soon says why. */
const reconnectAfterMs = 2000;
/** LiveKit's client tries by itself to keep its connection. */
const patienceMs = 12_000;

interface LivekitOptions extends Omit<CallLinksOptions, 'send'> {
  /** Joins again with the same id, which ends in another `joined` with a new token. */
  readonly rejoin: () => void;
}

export function createLivekitLinks({ clock, sound, tracks, rejoin, onChange, log }: LivekitOptions): CallLinks {
  let room: LivekitRoom | undefined;
  /** The newest entry: a room that has been loaded for an earlier one is not opened. */
  let entry: JoinedCall['livekit'];
  let isClosed = false;

  const links = createServerLinks({
    clock,
    sound,
    onChange,
    connect: rejoin,
    connectEvery: connectEveryMs,
    media: {
      has: (id) => room?.has(id) ?? false,
      streamOf: (id, kind) => room?.streamOf(id, kind),
      levelOf: (id) => room?.levelOf(id) ?? 0,
      refresh: () => room?.refresh(),
      close() {
        isClosed = true;
        room?.close();
      },
    },
  });

  async function enter(joined: JoinedCall): Promise<void> {
    const mine = joined.livekit;
    if (!mine || room?.isOpen()) return;
    entry = mine;
    links.connecting(openWithinMs);
    try {
      const { openRoom } = await import('./livekitRoom.ts');
      if (isClosed || entry !== mine) return;
      room?.close();
      room = openRoom({
        ...mine,
        ice: iceServersOf(joined),
        tracks,
        quality: (kind) => (kind === 'camera' ? cameraQuality(links.count(), 'livekit') : screenQuality(links.count())),
        onState: stateChanged,
        onMedia: links.changed,
        log,
      });
    } catch (error) {
      // It is tried again, and in the end the others are shown as without a path.
      log('call_engine_failed', error);
    }
  }

  function stateChanged(state: RoomState): void {
    if (state === 'connected') links.connected();
    else links.lost(state === 'reconnecting' ? patienceMs : reconnectAfterMs);
  }

  return {
    ...links,
    joined(joined) {
      links.joined(joined);
      void enter(joined);
    },
  };
}

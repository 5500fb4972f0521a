/** The connection to a room of a LiveKit server. Its own file, because the client of LiveKit is as large as the first screen. */
import type { MediaKind } from '@engawa/protocol/sfu';
import {
  ConnectionState,
  getEmptyAudioStreamTrack,
  getLogger,
  LoggerNames,
  LogLevel,
  releaseEmptyAudioStreamTrack,
  type LocalTrack,
  Room,
  RoomEvent,
  Track,
} from 'livekit-client';
import { applyQuality, type Quality } from './ladder.ts';
import type { Tracks } from './peer.ts';

/** Milliseconds. LiveKit's client tries to keep its connection for so long; after that a new one is made. */
const keepForMs = 10_000;
const keepEveryMs = 1000;
const connectWithinMs = 7000;

/** `lost`: this room does not connect any more. */
export type RoomState = 'connected' | 'reconnecting' | 'lost';

export interface LivekitRoomOptions {
  readonly url: string;
  readonly token: string;
  readonly ice: readonly RTCIceServer[];
  readonly tracks: () => Tracks;
  readonly quality: (kind: 'camera' | 'screen') => Quality | undefined;
  readonly onState: (state: RoomState) => void;
  readonly onMedia: () => void;
  readonly log: (message: string, error: unknown) => void;
}

export interface LivekitRoom {
  /** Whether it is connected, or its client tries to connect it again. */
  isOpen(): boolean;
  has(participant: string): boolean;
  streamOf(participant: string, kind: MediaKind): MediaStream | undefined;
  /** 0 to 1. */
  levelOf(participant: string): number;
  /** Sends the tracks of `tracks()` and applies `quality`. */
  refresh(): void;
  close(): void;
}

const sources = { voice: Track.Source.Microphone, camera: Track.Source.Camera, screen: Track.Source.ScreenShare } as const;

// Not stored, unlike a level of `setLogLevel`.
for (const name of Object.values(LoggerNames)) getLogger(name).setLevel(LogLevel.silent, false);

export function openRoom(options: LivekitRoomOptions): LivekitRoom {
  const { url, token, ice, tracks, quality, onState, onMedia, log } = options;
  const streams = new WeakMap<MediaStreamTrack, MediaStream>();
  let isClosed = false;
  let silence: MediaStreamTrack | undefined;
  let queue = Promise.resolve();
  const room = new Room({
    adaptiveStream: false,
    dynacast: false,
    stopLocalTrackOnUnpublish: false,
    // A download also begins with `beforeunload`. A closed page leaves by its own beacon.
    disconnectOnPageLeave: false,
    reconnectPolicy: { nextRetryDelayInMs: ({ elapsedMs }) => (elapsedMs < keepForMs ? keepEveryMs : null) },
  });
  const { localParticipant } = room;

  async function run(act: () => Promise<unknown>): Promise<void> {
    if (isClosed || room.state !== ConnectionState.Connected) return;
    try {
      await act();
    } catch (error) {
      // A connection that was lost meanwhile is replaced, and the tracks are sent again.
      if (!isClosed) log('call_publishing_failed', error);
    }
  }
  const inTurn = (act: () => Promise<unknown>): void => {
    queue = queue.then(() => run(act));
  };

  async function applyTracks(): Promise<void> {
    const own = tracks();
    await applyVoice(own.voice);
    await applyPicture('camera', own.camera);
    await applyPicture('screen', own.screen);
  }

  const sent = (kind: MediaKind): LocalTrack | undefined => localParticipant.getTrackPublication(sources[kind])?.track;

  /**
   * LiveKit's client switches each track that it publishes on. So it gets a silent one, and its place is taken by the microphone,
   * which nobody but the member switches on.
   */
  async function applyVoice(track: MediaStreamTrack | null): Promise<void> {
    if (track && !sent('voice')) {
      silence ??= getEmptyAudioStreamTrack();
      await localParticipant.publishTrack(silence, { source: sources.voice });
    }
    const { sender } = sent('voice') ?? {};
    if (sender && sender.track !== track) await sender.replaceTrack(track);
  }

  async function applyPicture(kind: 'camera' | 'screen', track: MediaStreamTrack | null): Promise<void> {
    const before = sent(kind);
    if (before && before.mediaStreamTrack !== track) await localParticipant.unpublishTrack(before, false);
    if (track && !sent(kind)) await localParticipant.publishTrack(track, { source: sources[kind], simulcast: false });
    await applyQuality(sent(kind)?.sender, track, quality(kind));
  }

  const received = (participant: string, kind: MediaKind) =>
    room.remoteParticipants.get(participant)?.getTrackPublication(sources[kind])?.track;

  async function connect(): Promise<void> {
    try {
      await room.connect(url, token, {
        // Without a list, LiveKit names STUN servers of the internet.
        rtcConfig: { iceServers: [...ice] },
        maxRetries: 0,
        websocketTimeout: connectWithinMs,
        peerConnectionTimeout: connectWithinMs,
      });
    } catch (error) {
      // `Disconnected` has been reported.
      if (!isClosed) log('call_connection_failed', error);
    }
  }

  async function leave(): Promise<void> {
    try {
      await room.disconnect(false);
      if (silence) await releaseEmptyAudioStreamTrack(silence);
    } catch (error) {
      log('call_leaving_failed', error);
    }
  }

  room
    .on(RoomEvent.ConnectionStateChanged, (state) => {
      if (isClosed) return;
      if (state === ConnectionState.Connected) {
        inTurn(applyTracks);
        onState('connected');
      } else if (state === ConnectionState.Reconnecting) {
        onState('reconnecting');
      } else if (state === ConnectionState.Disconnected) {
        onState('lost');
      }
    })
    // After a reconnection, the client publishes the silent track again.
    .on(RoomEvent.LocalTrackPublished, () => inTurn(applyTracks));
  for (const event of [
    RoomEvent.TrackSubscribed,
    RoomEvent.TrackUnsubscribed,
    RoomEvent.ParticipantConnected,
    RoomEvent.ParticipantDisconnected,
  ] as const) {
    room.on(event, onMedia);
  }
  void connect();

  return {
    isOpen: () => !isClosed && room.state !== ConnectionState.Disconnected && room.state !== ConnectionState.Connecting,
    has: (participant) => room.remoteParticipants.has(participant),
    streamOf(participant, kind) {
      const track = received(participant, kind)?.mediaStreamTrack;
      const stream = track && (streams.get(track) ?? new MediaStream([track]));
      if (track && stream) streams.set(track, stream);
      return stream;
    },
    levelOf: (participant) => received(participant, 'voice')?.receiver?.getSynchronizationSources()[0]?.audioLevel ?? 0,
    refresh: () => inTurn(applyTracks),
    close() {
      isClosed = true;
      void leave();
    },
  };
}

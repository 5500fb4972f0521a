/** The one connection of a browser to the forwarding unit. A lost connection is replaced by a new one, never renegotiated. */
import { mediaKinds, type MediaKind, type SfuAnswer, type SfuOffer, type SfuReachable } from '@engawa/protocol/sfu';
import { applyQuality, type Quality } from './ladder.ts';
import type { Tracks } from './peer.ts';
import { answerIn, describeOffer, lineOf, ownLine } from './sfuDescription.ts';

export interface SfuConnectionOptions {
  readonly offer: SfuOffer;
  readonly ice: readonly RTCIceServer[];
  readonly tracks: () => Tracks;
  readonly quality: (kind: 'camera' | 'screen') => Quality | undefined;
  readonly sendAnswer: (answer: SfuAnswer) => void;
  readonly onState: (state: RTCPeerConnectionState) => void;
  readonly log: (message: string, error: unknown) => void;
}

export interface SfuConnection {
  readonly round: number;
  reach(reachable: SfuReachable): void;
  /** The media from the participant in a slot; undefined before the offer is applied. */
  streamOf(slot: number, kind: MediaKind): MediaStream | undefined;
  /** 0 to 1. */
  levelOf(slot: number): number;
  /** Sends the tracks of `tracks()` and applies `quality`. */
  refresh(): void;
  close(): void;
}

export function connectToSfu(options: SfuConnectionOptions): SfuConnection {
  const { offer, ice, tracks, quality, sendAnswer, onState, log } = options;
  const { round } = offer;
  const connection = new RTCPeerConnection({ iceServers: [...ice], bundlePolicy: 'max-bundle' });
  const streams = new Map<string, MediaStream>();
  let isClosed = false;
  let queue = Promise.resolve();

  const transceiverOf = (mid: string) => connection.getTransceivers().find((transceiver) => transceiver.mid === mid);

  async function run(act: () => Promise<unknown>): Promise<void> {
    if (isClosed) return;
    try {
      await act();
    } catch (error) {
      // A connection that fails here never opens, which ends in `noPath`.
      if (!isClosed) log('call_negotiation_failed', error);
    }
  }
  const inTurn = (act: () => Promise<unknown>): void => {
    queue = queue.then(() => run(act));
  };

  async function applyTracks(): Promise<void> {
    const own = tracks();
    await Promise.all(mediaKinds.map((kind) => transceiverOf(ownLine(kind))?.sender.replaceTrack(own[kind])));
    await Promise.all(
      (['camera', 'screen'] as const).map((kind) => applyQuality(transceiverOf(ownLine(kind))?.sender, own[kind], quality(kind))),
    );
  }

  async function answer(): Promise<void> {
    await connection.setRemoteDescription({ type: 'offer', sdp: describeOffer(offer) });
    for (const kind of mediaKinds) {
      const transceiver = transceiverOf(ownLine(kind));
      if (transceiver) transceiver.direction = 'sendonly';
    }
    await applyTracks();
    await connection.setLocalDescription();
    sendAnswer({ round, ...answerIn(connection.localDescription?.sdp ?? '') });
  }

  connection.addEventListener('connectionstatechange', () => {
    if (isClosed) return;
    if (connection.connectionState === 'connected') inTurn(applyTracks);
    onState(connection.connectionState);
  });
  inTurn(answer);

  return {
    round,
    reach({ candidates }) {
      for (const candidate of candidates) inTurn(() => connection.addIceCandidate({ candidate, sdpMid: ownLine('voice') }));
    },
    streamOf(slot, kind) {
      const mid = lineOf(slot, kind);
      const track = transceiverOf(mid)?.receiver.track;
      const stream = streams.get(mid) ?? (track && new MediaStream([track]));
      if (stream) streams.set(mid, stream);
      return stream;
    },
    levelOf: (slot) => transceiverOf(lineOf(slot, 'voice'))?.receiver.getSynchronizationSources()[0]?.audioLevel ?? 0,
    refresh: () => inTurn(applyTracks),
    close() {
      isClosed = true;
      connection.close();
    },
  };
}

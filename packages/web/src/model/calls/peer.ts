/**
 * The connection to one other participant. Both sides have three lines from the start: voice, camera and screen. Tracks are
 * replaced without a negotiation. Only one side makes offers, so two offers never meet.
 */
import type { Clock } from '@engawa/client';
import type { OutgoingSignal, ReceivedSignal } from '@engawa/protocol/calls';
import type { Link } from './ownCall.ts';
import { applyQuality, type Quality } from './ladder.ts';
import { createReconnection } from './reconnection.ts';

const lines = ['voice', 'camera', 'screen'] as const;
type Line = (typeof lines)[number];
export type Tracks = Readonly<Record<Line, MediaStreamTrack | null>>;

const restartAfterMs = 2000;
const restartEveryMs = 4000;
const connectWithinMs = 15_000;

export interface PeerOptions {
  readonly id: string;
  readonly ice: readonly RTCIceServer[];
  readonly makesOffers: boolean;
  readonly tracks: () => Tracks;
  readonly quality: (line: 'camera' | 'screen') => Quality | undefined;
  /** Numbers all offers of a call, so that an answer belongs to one of them. */
  readonly nextRound: () => number;
  readonly clock: Clock;
  readonly send: (signal: OutgoingSignal) => void;
  readonly onLink: () => void;
  readonly log: (message: string, error: unknown) => void;
}

export interface Peer {
  readonly link: () => Link;
  /** Whether media can flow at this moment. */
  readonly isConnected: () => boolean;
  /** The media from the participant; a stream without media while they send none. */
  readonly streams: Readonly<Record<Line, MediaStream>>;
  /** 0 to 1. */
  readonly level: () => number;
  /** False for the description of another connection: the other side has made a new connection, and this side must do the same. */
  continues(signal: ReceivedSignal): boolean;
  receive(signal: ReceivedSignal): void;
  /** Sends the tracks of `tracks()` and applies `quality`. */
  refresh(): void;
  /** Tries again after `noPath`. Only for the side that makes the offers. */
  restart(): void;
  close(): void;
}

export function createPeer(options: PeerOptions): Peer {
  const { id, ice, makesOffers, tracks, quality, nextRound, clock, send, onLink, log } = options;
  const connection = new RTCPeerConnection({ iceServers: [...ice], bundlePolicy: 'max-bundle' });
  const closing = new AbortController();
  const { signal: closed } = closing;
  const streams = { voice: new MediaStream(), camera: new MediaStream(), screen: new MediaStream() };
  let link: Link = 'connecting';
  let round = 0;
  /** The session of the other side's connection, which its descriptions name. */
  let session: string | undefined;
  let wasConnected = false;
  /** Received signals are handled one after the other. */
  let queue = Promise.resolve();

  const setLink = (next: Link) => {
    if (link === next || closed.aborted) return;
    link = next;
    onLink();
  };

  async function run(act: () => Promise<void>): Promise<void> {
    if (closed.aborted) return;
    try {
      await act();
    } catch (error) {
      // A description that the browser refuses ends in `noPath`, which the member sees.
      if (!closed.aborted) log('call_negotiation_failed', error);
    }
  }
  const inTurn = (act: () => Promise<void>) => {
    queue = queue.then(() => run(act));
  };

  const transceiverOf = (line: Line) => connection.getTransceivers()[lines.indexOf(line)];

  async function applyTracks(): Promise<void> {
    const own = tracks();
    await Promise.all(lines.map((line) => transceiverOf(line)?.sender.replaceTrack(own[line])));
    await Promise.all(
      (['camera', 'screen'] as const).map((line) => applyQuality(transceiverOf(line)?.sender, own[line], quality(line))),
    );
  }

  function collectStreams(): void {
    for (const line of lines) {
      const track = transceiverOf(line)?.receiver.track;
      if (track && streams[line].getTracks().length === 0) streams[line].addTrack(track);
    }
  }

  const describe = (description: RTCSessionDescription | null) => ({ sdp: withPauses(description?.sdp ?? ''), round });

  async function offer(iceRestart: boolean): Promise<void> {
    round = nextRound();
    await connection.setLocalDescription(await connection.createOffer({ iceRestart }));
    send({ kind: 'offer', to: id, data: describe(connection.localDescription) });
  }

  /** Whether an answer belongs to an offer that a newer one has replaced. */
  const isLate = (answer: { readonly round?: number | undefined }) => (answer.round ?? round) !== round;

  async function handle(signal: ReceivedSignal): Promise<void> {
    if (signal.kind === 'offer') {
      round = signal.data.round ?? round;
      await connection.setRemoteDescription({ type: 'offer', sdp: signal.data.sdp });
      for (const transceiver of connection.getTransceivers()) transceiver.direction = 'sendrecv';
      await applyTracks();
      await connection.setLocalDescription();
      send({ kind: 'answer', to: id, data: describe(connection.localDescription) });
      collectStreams();
    } else if (signal.kind === 'answer') {
      if (connection.signalingState !== 'have-local-offer' || isLate(signal.data)) return;
      await connection.setRemoteDescription({ type: 'answer', sdp: signal.data.sdp });
      collectStreams();
      await applyTracks();
    } else if (signal.kind === 'candidate') {
      const { candidate, sdpMid = null, sdpMLineIndex = null, usernameFragment: fragment } = signal.data;
      const isCurrent = !fragment || connection.remoteDescription?.sdp.includes(`ice-ufrag:${fragment}`);
      if (isCurrent) await connection.addIceCandidate({ candidate, sdpMid, sdpMLineIndex, usernameFragment: fragment ?? null });
    }
  }

  const reconnection = createReconnection({
    clock,
    closed,
    every: restartEveryMs,
    attempt: () => makesOffers && inTurn(() => offer(true)),
    onGivenUp: () => setLink('noPath'),
  });

  function lost(restartAfter: number): void {
    if (link !== 'noPath') setLink(wasConnected ? 'reconnecting' : 'connecting');
    reconnection.begin(restartAfter);
  }

  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (!candidate || closed.aborted) return;
    const { candidate: line, sdpMid, sdpMLineIndex, usernameFragment } = candidate;
    send({ kind: 'candidate', to: id, data: { candidate: line, sdpMid, sdpMLineIndex, usernameFragment } });
  });
  connection.addEventListener('connectionstatechange', () => {
    const { connectionState } = connection;
    if (connectionState === 'connected') {
      reconnection.connected();
      wasConnected = true;
      setLink('connected');
      inTurn(applyTracks);
    } else if (connectionState === 'failed') {
      lost(0);
    } else if (connectionState === 'disconnected') {
      lost(restartAfterMs);
    }
  });
  clock.after(connectWithinMs, () => {
    if (link === 'connecting') setLink('noPath');
  });

  if (makesOffers) {
    connection.addTransceiver('audio', { direction: 'sendrecv' });
    connection.addTransceiver('video', { direction: 'sendrecv' });
    connection.addTransceiver('video', { direction: 'sendrecv' });
    inTurn(async () => {
      await applyTracks();
      await offer(false);
    });
  }

  return {
    link: () => link,
    isConnected: () => connection.connectionState === 'connected',
    streams,
    level: () => transceiverOf('voice')?.receiver.getSynchronizationSources()[0]?.audioLevel ?? 0,
    continues(signal) {
      if (signal.kind !== 'offer' && signal.kind !== 'answer') return true;
      if (signal.kind === 'answer' && isLate(signal.data)) return true;
      const named = sessionOf(signal.data.sdp);
      session ??= named;
      return session === named;
    },
    receive: (signal) => inTurn(() => handle(signal)),
    refresh: () => inTurn(applyTracks),
    restart: reconnection.beginAgain,
    close() {
      closing.abort();
      connection.close();
    },
  };
}

/** The session id of the origin, which stays the same for all descriptions of a connection (RFC 8829, 5.2.1). */
export function sessionOf(sdp: string): string | undefined {
  return /^o=\S+ (\d+) /m.exec(sdp)?.[1];
}

/**
 * Asks the other side to send almost nothing while its member is silent or muted (`usedtx`, RFC 7587, 7). With silence sent as
 * sound, each link costs the same whether somebody speaks or not.
 */
export function withPauses(sdp: string): string {
  return sdp.replaceAll(/^(a=fmtp:\d+ .*useinbandfec=1)(?!.*usedtx)/gm, '$1;usedtx=1');
}

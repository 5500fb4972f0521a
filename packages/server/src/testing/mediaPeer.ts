import { Audio, PeerConnection } from 'node-datachannel';
import { type MediaKind, payloadTypes, type SfuAnswer, type SfuOffer, type SfuReachable } from '@engawa/protocol/sfu';
import { connectionIn, describeOffer } from '../calls/sfu/description.ts';

/** A participant without a browser: answers an offer of the forwarding unit, and sends and receives packets. */
export interface MediaPeer {
  readonly received: Buffer[];
  /** Resolves with the answer to the offer. */
  readonly answer: Promise<SfuAnswer>;
  readonly connected: Promise<void>;
  reach(reachable: SfuReachable): void;
  onPacket(listener: (packet: Buffer) => void): void;
  send(packet: Buffer): void;
  close(): void;
}

export function createMediaPeer(offer: SfuOffer): MediaPeer {
  const connection = new PeerConnection('', { iceServers: [], disableAutoNegotiation: true });
  const line = new Audio('0', 'SendRecv');
  line.addOpusCodec(payloadTypes.voice);
  const track = connection.addTrack(line);
  const received: Buffer[] = [];
  let listener = (packet: Buffer): void => void received.push(packet);
  track.onMessage((packet) => listener(packet));
  const connected = new Promise<void>((resolve) => track.onOpen(resolve));
  const answer = new Promise<SfuAnswer>((resolve) => {
    connection.onLocalDescription((sdp) => {
      const { ufrag, pwd, fingerprint } = connectionIn(sdp);
      resolve({ ufrag, pwd, fingerprint, round: offer.round });
    });
  });
  connection.setRemoteDescription(describeOffer(offer), 'offer');
  connection.setLocalDescription('answer');
  return {
    received,
    answer,
    connected,
    reach({ candidates }) {
      for (const candidate of candidates) connection.addRemoteCandidate(candidate, '0');
    },
    onPacket: (next) => {
      listener = next;
    },
    send: (packet) => void track.sendMessageBinary(packet),
    close: () => connection.close(),
  };
}

export interface PacketFields {
  readonly kind: MediaKind;
  readonly ssrc: number;
  readonly sequence: number;
  readonly timestamp?: number;
  readonly payload?: Buffer;
}

/** Without a payload: 80 bytes, as Opus at 32 kbit/s. */
export function rtpPacket({
  kind,
  ssrc,
  sequence,
  timestamp = sequence * 960,
  payload = Buffer.alloc(80),
}: PacketFields): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(0x80, 0);
  header.writeUInt8(payloadTypes[kind], 1);
  header.writeUInt16BE(sequence & 0xffff, 2);
  header.writeUInt32BE(timestamp >>> 0, 4);
  header.writeUInt32BE(ssrc, 8);
  return Buffer.concat([header, payload]);
}

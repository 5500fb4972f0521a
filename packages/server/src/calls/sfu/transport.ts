import type * as datachannel from 'node-datachannel';
import type { SfuAnswer } from '@engawa/protocol/sfu';
import { type Connection, connectionIn, describeAnswer } from './description.ts';

/** Imported by the worker alone, because it is optional and native. */
type Library = Pick<typeof datachannel, 'Audio' | 'PeerConnection'>;

export interface TransportOptions {
  readonly library: Library;
  /** The UDP port that all connections of the process share. */
  readonly port: number;
  /** The address that browsers reach, if the machine does not have it itself (address translation, containers). */
  readonly address: string | undefined;
}

export interface TransportEvents {
  onOffer(offer: Connection): void;
  onOpen(): void;
  /** The packet belongs to the receiver, who may change it. */
  onPacket(packet: Buffer): void;
  /** The connection failed. `close` must still be called; the client asks for a new one. @param error what the library threw */
  onLost(error?: unknown): void;
}

export interface Transport {
  answer(answer: Omit<SfuAnswer, 'round'>): void;
  send(packet: Buffer): void;
  close(): void;
}

/**
 * A connection to one participant: ICE, DTLS and SRTP. Its single line makes the library hand over every packet, RTP or RTCP, of
 * any SSRC; with several lines it would distribute them by the SSRCs of the descriptions.
 */
export function openTransport({ library, port, address }: TransportOptions, events: TransportEvents): Transport {
  const connection = new library.PeerConnection('', {
    iceServers: [],
    enableIceUdpMux: true,
    portRangeBegin: port,
    portRangeEnd: port,
    disableAutoNegotiation: true,
  });
  const line = new library.Audio('0', 'SendRecv');
  line.addOpusCodec(111);
  const track = connection.addTrack(line);
  let isClosed = false;
  /** An error of the library ends this connection, not the process with all other ones. */
  const attempt = (act: () => void): void => {
    if (isClosed) return;
    try {
      act();
    } catch (error) {
      events.onLost(error);
    }
  };
  track.onMessage((packet) => {
    if (!isClosed) events.onPacket(packet);
  });
  track.onOpen(() => {
    if (!isClosed) events.onOpen();
  });
  connection.onGatheringStateChange((state) => {
    const description = isClosed || state !== 'complete' ? null : connection.localDescription();
    if (description) events.onOffer(reachedAt(connectionIn(description.sdp), address, port));
  });
  connection.onStateChange((state) => {
    if (!isClosed && (state === 'failed' || state === 'closed')) events.onLost();
  });
  connection.setLocalDescription('offer');
  return {
    answer: (answer) => attempt(() => connection.setRemoteDescription(describeAnswer(answer), 'answer')),
    // The library closes a track in another thread, and throws from then on, also after `isOpen` was true.
    send: (packet) => attempt(() => track.isOpen() && track.sendMessageBinary(packet)),
    close() {
      isClosed = true;
      connection.close();
    },
  };
}

function reachedAt(connection: Connection, address: string | undefined, port: number): Connection {
  if (address === undefined) return connection;
  return { ...connection, candidates: [`candidate:1 1 UDP 2114977791 ${address} ${port} typ host`] };
}

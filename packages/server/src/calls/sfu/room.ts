import { type MediaKind, mediaKinds, sfuSlots } from '@engawa/protocol/sfu';
import { ForwardedStream } from './forwardedStream.ts';
import { bandwidthLimit, type Feedback, forwardedReport, readFeedback, receiverReport } from './rtcp.ts';
import { isRtcp, isRtp, kindOf } from './rtp.ts';

/** Packets of a participant in a second: a voice, a camera and a screen of 3 Mbit/s have about 400. Each report in a packet counts. */
const mostPackets = 1_200;
/** Lost packets that a participant may ask for in a second. A large picture has about 250. */
const mostRecovered = 500;
/** Milliseconds between the reports to a sender. */
const reportInterval = 500;
/**
 * Bits per second for the video of one sender. The least admits the small pictures of large calls: browsers estimate little more
 * than they receive, so a still picture would otherwise hold back the next movement.
 */
const videoLimits = { least: 200_000, most: 2_500_000 };

/** Sends a packet to a participant. A participant whose connection is not open has none. */
export type Send = (packet: Buffer) => void;

class Participant {
  readonly slot: number;
  send: Send | undefined;
  /** Bits per second that its network carries to it, as its browser estimates. */
  bandwidth: number | undefined;
  readonly sending = new Budget(mostPackets);
  readonly recovery = new Budget(mostRecovered);

  constructor(slot: number) {
    this.slot = slot;
  }
}

class Budget {
  readonly #perSecond: number;
  #left: number;
  #at = 0;

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  spend(now: number): boolean {
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) * this.#perSecond) / 1000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** Forwards the media of a call between its participants. It knows packets, no connections. Times are in milliseconds. */
export class Room {
  readonly #participants = new Map<number, Participant>();
  readonly #streams: readonly (readonly ForwardedStream[])[];
  readonly #bySsrc: ReadonlyMap<number, { readonly stream: ForwardedStream; readonly slot: number }>;
  #reportedAt = 0;

  constructor() {
    this.#streams = Array.from({ length: sfuSlots }, (_, slot) => mediaKinds.map((kind) => new ForwardedStream(slot, kind)));
    this.#bySsrc = new Map(
      this.#streams.flatMap((streams, slot) => streams.map((stream) => [stream.ssrc, { stream, slot }] as const)),
    );
  }

  get isEmpty(): boolean {
    return this.#participants.size === 0;
  }

  /** A participant who joins again, after a new connection, keeps nothing of the old one. */
  join(slot: number): void {
    this.leave(slot);
    this.#participants.set(slot, new Participant(slot));
  }

  open(slot: number, send: Send): void {
    const participant = this.#participants.get(slot);
    if (!participant) return;
    participant.send = send;
    for (const stream of this.#streamsOfOthers(slot)) stream.needKeyframe();
  }

  leave(slot: number): void {
    if (!this.#participants.delete(slot)) return;
    for (const stream of this.#streams[slot] ?? []) stream.release();
  }

  receive(slot: number, packet: Buffer, now: number): void {
    const participant = this.#participants.get(slot);
    if (!participant?.sending.spend(now)) return;
    if (isRtp(packet)) return this.#forward(slot, packet, now);
    if (!isRtcp(packet)) return;
    for (const feedback of readFeedback(packet)) if (participant.sending.spend(now)) this.#apply(participant, feedback, now);
  }

  #forward(slot: number, packet: Buffer, now: number): void {
    const kind = kindOf(packet);
    if (kind && this.#streamOf(slot, kind)?.accept(packet, now)) this.#sendToOthers(slot, packet);
  }

  #sendToOthers(slot: number, packet: Buffer): void {
    for (const other of this.#participants.values()) {
      if (other.slot !== slot) other.send?.(packet);
    }
  }

  #apply(participant: Participant, feedback: Feedback, now: number): void {
    if (feedback.kind === 'bandwidth') {
      participant.bandwidth = feedback.bitsPerSecond;
    } else if (feedback.kind === 'senderReport') {
      this.#forwardReport(participant.slot, feedback, now);
    } else {
      const target = this.#bySsrc.get(feedback.ssrc);
      if (!target || target.slot === participant.slot) return;
      if (feedback.kind === 'keyframe') target.stream.needKeyframe();
      else this.#recover(participant, target, feedback.sequences, now);
    }
  }

  /** Without these reports receivers cannot play voice and picture of a member at the same time. */
  #forwardReport(slot: number, { ssrc, packet }: { readonly ssrc: number; readonly packet: Buffer }, now: number): void {
    const stream = this.#streams[slot]?.find(({ source }) => source === ssrc);
    if (!stream) return;
    stream.recordReport(packet, now);
    const timestamp = stream.outgoingTime(packet.readUInt32BE(16));
    this.#sendToOthers(slot, forwardedReport(packet, { ssrc: stream.ssrc, timestamp }));
  }

  #recover(
    receiver: Participant,
    { stream, slot }: { readonly stream: ForwardedStream; readonly slot: number },
    sequences: readonly number[],
    now: number,
  ): void {
    const allowed = sequences.filter(() => receiver.recovery.spend(now));
    const { kept, request } = stream.recover(allowed, now);
    for (const packet of kept) receiver.send?.(packet);
    if (request) this.#participants.get(slot)?.send?.(request);
  }

  /** To be called several times a second: sends requests for key frames, and reports to the senders. */
  tick(now: number): void {
    for (const { slot, send } of this.#participants.values()) {
      for (const stream of this.#streams[slot] ?? []) {
        const request = stream.dueKeyframeRequest(now);
        if (request) send?.(request);
      }
    }
    if (now - this.#reportedAt < reportInterval) return;
    this.#reportedAt = now;
    for (const { slot, send } of this.#participants.values()) if (send) this.#report(slot, send, now);
  }

  #report(slot: number, send: Send, now: number): void {
    const streams = this.#streams[slot] ?? [];
    const blocks = streams.flatMap((stream) => stream.reportBlock(now) ?? []);
    if (blocks.length === 0) return;
    const videos = streams.flatMap(({ kind, source }) => (kind === 'voice' || source === undefined ? [] : [source]));
    const limit = videos.length === 0 ? [] : [bandwidthLimit(videos, this.#bandwidthFor(slot, now))];
    send(Buffer.concat([receiverReport(blocks), ...limit]));
  }

  /** The bitrate for the slowest receiver of this sender, if all who send pictures to it get an equal share. */
  #bandwidthFor(slot: number, now: number): number {
    const shares = [...this.#participants.values()]
      .filter((other) => other.slot !== slot && other.send)
      .flatMap(({ slot: receiver, bandwidth }) => {
        const videos = this.#streamsOfOthers(receiver).filter((stream) => stream.kind !== 'voice' && stream.isActive(now)).length;
        return bandwidth === undefined ? [] : [bandwidth / Math.max(1, videos)];
      });
    return Math.max(videoLimits.least, Math.min(videoLimits.most, ...shares));
  }

  #streamsOfOthers(slot: number): readonly ForwardedStream[] {
    return [...this.#participants.keys()].filter((other) => other !== slot).flatMap((other) => this.#streams[other] ?? []);
  }

  #streamOf(slot: number, kind: MediaKind): ForwardedStream | undefined {
    return this.#streams[slot]?.find((stream) => stream.kind === kind);
  }
}

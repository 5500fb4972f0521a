import { clockRates, type MediaKind, ssrcOf } from '@engawa/protocol/sfu';
import { Reception } from './reception.ts';
import { keyframeRequest, packetRequest } from './rtcp.ts';
import { rewriteHeader, rewriteSendTime, sequenceDifference, sequenceOf, ssrcIn, timestampOf } from './rtp.ts';

/**
 * Packets of a video stream that can be sent again: more than a second of a large picture. Older packets are never sent: SRTP
 * accepts those of its last 1,024 numbers, and the library throws for others.
 */
const keptPackets = 512;
/** Milliseconds. A key frame is ten times a usual frame, so that receivers that ask together share one. */
const keyframeInterval = 300;
/** Milliseconds in which several receivers miss the same packet. */
const requestInterval = 40;
const mostRequested = 256;
/** Milliseconds after which another SSRC may take over. */
const silence = 1_000;

/**
 * A stream on its way from its sender to all others: one line of a slot. Receivers see one SSRC with continuous sequence
 * numbers, also when the slot gets another sender; a jump would break the decryption of SRTP, which derives its index from them. Times are in
 * milliseconds.
 */
export class ForwardedStream {
  readonly kind: MediaKind;
  readonly ssrc: number;
  readonly #clockRate: number;
  readonly #kept: (Buffer | undefined)[] = [];
  readonly #requested = new Map<number, number>();
  #reception: Reception | undefined;
  #sequenceOffset = 0;
  #timestampOffset = 0;
  #last: { sequence: number; timestamp: number; readonly at: number } | undefined;
  #keyframeAt = -keyframeInterval;
  #needsKeyframe = false;

  constructor(slot: number, kind: MediaKind) {
    this.kind = kind;
    this.ssrc = ssrcOf(slot, kind);
    this.#clockRate = clockRates[kind];
  }

  /** The stream's sender has left; the next one continues the numbers. */
  release(): void {
    this.#reception = undefined;
    this.#kept.length = 0;
    this.#requested.clear();
    this.#needsKeyframe = false;
  }

  /** The SSRC of the sender, while it sends. */
  get source(): number | undefined {
    return this.#reception?.ssrc;
  }

  isActive(now: number): boolean {
    return this.#reception !== undefined && this.#last !== undefined && now - this.#last.at < 2 * silence;
  }

  /** Rewrites the packet for its receivers. @returns whether it may be sent */
  accept(packet: Buffer, now: number): boolean {
    const ssrc = ssrcIn(packet);
    if (this.#reception?.ssrc !== ssrc) {
      if (this.#reception && this.#last && now - this.#last.at < silence) return false;
      this.#begin(packet, now);
    }
    const sequence = (sequenceOf(packet) + this.#sequenceOffset) & 0xffff;
    if (this.#isTooOld(sequence)) return false;
    this.#reception?.record(sequenceOf(packet), timestampOf(packet), now);
    const timestamp = (timestampOf(packet) + this.#timestampOffset) >>> 0;
    rewriteHeader(packet, { sequence, timestamp, ssrc: this.ssrc });
    rewriteSendTime(packet, now);
    const isNewest = !this.#last || sequenceDifference(sequence, this.#last.sequence) > 0;
    if (isNewest) this.#last = { sequence, timestamp, at: now };
    if (this.kind !== 'voice') this.#kept[sequence % keptPackets] = packet;
    return true;
  }

  #begin(packet: Buffer, now: number): void {
    this.release();
    this.#reception = new Reception(ssrcIn(packet), sequenceOf(packet), this.#clockRate);
    if (!this.#last) return;
    const passed = Math.round(((now - this.#last.at) * this.#clockRate) / 1000);
    this.#sequenceOffset = (this.#last.sequence + 1 - sequenceOf(packet)) & 0xffff;
    this.#timestampOffset = (this.#last.timestamp + passed - timestampOf(packet)) >>> 0;
  }

  /** Looks up packets that a receiver lost. @returns those that are kept, and a request to the sender for the others */
  recover(sequences: readonly number[], now: number): { readonly kept: readonly Buffer[]; readonly request: Buffer | undefined } {
    const kept: Buffer[] = [];
    const missing: number[] = [];
    for (const sequence of sequences) {
      const packet = this.#kept[sequence % keptPackets];
      if (packet && sequenceOf(packet) === sequence && !this.#isTooOld(sequence)) {
        rewriteSendTime(packet, now);
        kept.push(packet);
      } else if (this.#mayRequest(sequence, now)) {
        missing.push((sequence - this.#sequenceOffset) & 0xffff);
      }
    }
    return { kept, request: this.source === undefined || missing.length === 0 ? undefined : packetRequest(this.source, missing) };
  }

  #isTooOld(sequence: number): boolean {
    return this.#last !== undefined && sequenceDifference(this.#last.sequence, sequence) >= keptPackets;
  }

  #mayRequest(sequence: number, now: number): boolean {
    const before = this.#requested.get(sequence);
    if (this.kind === 'voice' || (before !== undefined && now - before < requestInterval)) return false;
    if (this.#requested.size >= mostRequested) this.#requested.clear();
    this.#requested.set(sequence, now);
    return true;
  }

  /** The request is sent by `dueKeyframeRequest`. */
  needKeyframe(): void {
    if (this.kind !== 'voice') this.#needsKeyframe = true;
  }

  dueKeyframeRequest(now: number): Buffer | undefined {
    if (!this.#needsKeyframe || this.source === undefined || now - this.#keyframeAt < keyframeInterval) return undefined;
    this.#needsKeyframe = false;
    this.#keyframeAt = now;
    return keyframeRequest(this.source);
  }

  recordReport(report: Buffer, now: number): void {
    this.#reception?.recordReport(report.readUInt32BE(10), now);
  }

  /** The sender's RTP time as receivers see it. */
  outgoingTime(timestamp: number): number {
    return (timestamp + this.#timestampOffset) >>> 0;
  }

  reportBlock(now: number): Buffer | undefined {
    return this.#reception?.reportBlock(now);
  }
}

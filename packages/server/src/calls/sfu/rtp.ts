import { headerExtensions, type MediaKind, mediaKinds, payloadTypes } from '@engawa/protocol/sfu';

/** Fields of RTP packets (RFC 3550, section 5.1; one-byte header extensions: RFC 8285). */

const fixedHeader = 12;

/** Larger packets do not occur: browsers stay below 1,200 bytes. */
const largestPacket = 1_500;

/** The library throws for a packet that ends in its header. */
export function isRtp(packet: Buffer): boolean {
  if (packet.length < fixedHeader || packet.length > largestPacket) return false;
  return packet.readUInt8(0) >> 6 === 2 && !hasRtcpType(packet) && headerLength(packet) <= packet.length;
}

function headerLength(packet: Buffer): number {
  const start = extensionStart(packet);
  if (!hasExtension(packet)) return start;
  const words = packet.length < start + 4 ? 0 : packet.readUInt16BE(start + 2);
  return start + 4 + words * 4;
}

const hasExtension = (packet: Buffer): boolean => (packet.readUInt8(0) & 0x10) !== 0;
const extensionStart = (packet: Buffer): number => fixedHeader + (packet.readUInt8(0) & 0x0f) * 4;

export function isRtcp(packet: Buffer): boolean {
  return packet.length >= 8 && packet.length <= largestPacket && packet.readUInt8(0) >> 6 === 2 && hasRtcpType(packet);
}

/** RFC 5761, section 4. */
function hasRtcpType(packet: Buffer): boolean {
  const type = packet.readUInt8(1);
  return type >= 192 && type <= 223;
}

const kinds: ReadonlyMap<number, MediaKind> = new Map(mediaKinds.map((kind) => [payloadTypes[kind], kind]));

/** Undefined for a payload type that was not offered. */
export function kindOf(packet: Buffer): MediaKind | undefined {
  return kinds.get(packet.readUInt8(1) & 0x7f);
}

export const sequenceOf = (packet: Buffer): number => packet.readUInt16BE(2);
export const timestampOf = (packet: Buffer): number => packet.readUInt32BE(4);
export const ssrcIn = (packet: Buffer): number => packet.readUInt32BE(8);

export interface RewrittenHeader {
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
}

export function rewriteHeader(packet: Buffer, { sequence, timestamp, ssrc }: RewrittenHeader): void {
  packet.writeUInt16BE(sequence, 2);
  packet.writeUInt32BE(timestamp, 4);
  packet.writeUInt32BE(ssrc, 8);
}

/**
 * Receivers estimate their bandwidth from this time, and compare it between streams. So it must come from one clock, not from
 * that of each sender.
 */
export function rewriteSendTime(packet: Buffer, now: number): void {
  const offset = extensionOffset(packet, headerExtensions.absoluteSendTime);
  // Seconds with 18 bits after the point, modulo 64 seconds.
  if (offset !== undefined) packet.writeUIntBE(Math.round((now / 1000) * 2 ** 18) % 2 ** 24, offset, 3);
}

/** The offset of three bytes or more of the extension with this id. */
function extensionOffset(packet: Buffer, wanted: number): number | undefined {
  const start = extensionStart(packet);
  if (!hasExtension(packet) || packet.readUInt16BE(start) !== 0xbede) return undefined;
  const end = headerLength(packet);
  let at = start + 4;
  while (at < end) {
    const byte = packet.readUInt8(at);
    const id = byte >> 4;
    const length = (byte & 0x0f) + 1;
    if (id === 0) {
      at += 1;
      continue;
    }
    if (id === 15) return undefined;
    if (id === wanted) return length >= 3 && at + 1 + length <= end ? at + 1 : undefined;
    at += 1 + length;
  }
  return undefined;
}

/** How far a sequence number is ahead of another one, from -32,768 to 32,767. */
export function sequenceDifference(one: number, other: number): number {
  return ((one - other) << 16) >> 16;
}

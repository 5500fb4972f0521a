/** RTCP packets that the forwarding unit reads and writes (RFC 3550, RFC 4585, RFC 5104, draft-alvestrand-rmcat-remb). */

const packetTypes = { senderReport: 200, receiverReport: 201, transportFeedback: 205, payloadFeedback: 206 } as const;

/** The SSRC of the forwarding unit in its own reports. */
const ownSsrc = 1;

export type Feedback =
  | { readonly kind: 'senderReport'; readonly ssrc: number; readonly packet: Buffer }
  | { readonly kind: 'lost'; readonly ssrc: number; readonly sequences: readonly number[] }
  | { readonly kind: 'keyframe'; readonly ssrc: number }
  | { readonly kind: 'bandwidth'; readonly bitsPerSecond: number };

/** Sequence numbers in one request for packets. Browsers ask for fewer. */
const mostLost = 128;

/** Reads a compound packet. A malformed rest is ignored. */
export function readFeedback(compound: Buffer): Feedback[] {
  const found: Feedback[] = [];
  let at = 0;
  while (at + 8 <= compound.length) {
    const length = (compound.readUInt16BE(at + 2) + 1) * 4;
    if (at + length > compound.length) break;
    found.push(...readOne(compound.subarray(at, at + length)));
    at += length;
  }
  return found;
}

function readOne(packet: Buffer): Feedback[] {
  const format = packet.readUInt8(0) & 0x1f;
  const type = packet.readUInt8(1);
  if (type === packetTypes.senderReport) return readSenderReport(packet);
  if (packet.length < 12) return [];
  const ssrc = packet.readUInt32BE(8);
  if (type === packetTypes.transportFeedback && format === 1) return [{ kind: 'lost', ssrc, sequences: lostIn(packet) }];
  if (type !== packetTypes.payloadFeedback) return [];
  if (format === 1) return [{ kind: 'keyframe', ssrc }];
  if (format === 4) return fullIntraRequests(packet);
  return format === 15 ? readBandwidth(packet) : [];
}

function readSenderReport(packet: Buffer): Feedback[] {
  return packet.length < 28 ? [] : [{ kind: 'senderReport', ssrc: packet.readUInt32BE(4), packet }];
}

function lostIn(packet: Buffer): number[] {
  const sequences: number[] = [];
  for (let at = 12; at + 4 <= packet.length && sequences.length < mostLost; at += 4) {
    const first = packet.readUInt16BE(at);
    const following = packet.readUInt16BE(at + 2);
    sequences.push(first);
    for (let bit = 0; bit < 16; bit += 1) if (following & (1 << bit)) sequences.push((first + bit + 1) & 0xffff);
  }
  return sequences.slice(0, mostLost);
}

function fullIntraRequests(packet: Buffer): Feedback[] {
  const found: Feedback[] = [];
  for (let at = 12; at + 8 <= packet.length; at += 8) found.push({ kind: 'keyframe', ssrc: packet.readUInt32BE(at) });
  return found;
}

function readBandwidth(packet: Buffer): Feedback[] {
  if (packet.length < 20 || packet.toString('latin1', 12, 16) !== 'REMB') return [];
  const value = packet.readUIntBE(17, 3);
  return [{ kind: 'bandwidth', bitsPerSecond: (value & 0x3_ffff) * 2 ** (value >> 18) }];
}

export function keyframeRequest(ssrc: number): Buffer {
  return feedbackPacket(packetTypes.payloadFeedback, 1, ssrc, 0);
}

export function packetRequest(ssrc: number, sequences: readonly number[]): Buffer {
  const packet = feedbackPacket(packetTypes.transportFeedback, 1, ssrc, sequences.length * 4);
  for (const [index, sequence] of sequences.entries()) packet.writeUInt16BE(sequence, 12 + index * 4);
  return packet;
}

export function bandwidthLimit(ssrcs: readonly number[], bitsPerSecond: number): Buffer {
  const packet = feedbackPacket(packetTypes.payloadFeedback, 15, 0, 8 + ssrcs.length * 4);
  packet.write('REMB', 12, 'latin1');
  packet.writeUInt8(ssrcs.length, 16);
  const exponent = Math.max(0, Math.ceil(Math.log2((bitsPerSecond + 1) / 2 ** 18)));
  packet.writeUIntBE(exponent * 2 ** 18 + Math.floor(bitsPerSecond / 2 ** exponent), 17, 3);
  for (const [index, ssrc] of ssrcs.entries()) packet.writeUInt32BE(ssrc, 20 + index * 4);
  return packet;
}

function feedbackPacket(type: number, format: number, ssrc: number, rest: number): Buffer {
  const packet = Buffer.alloc(12 + rest);
  writeHeader(packet, format, type);
  packet.writeUInt32BE(ownSsrc, 4);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

/** @param blocks the report blocks, 24 bytes each */
export function receiverReport(blocks: readonly Buffer[]): Buffer {
  const packet = Buffer.concat([Buffer.alloc(8), ...blocks]);
  writeHeader(packet, blocks.length, packetTypes.receiverReport);
  packet.writeUInt32BE(ownSsrc, 4);
  return packet;
}

/** The report that receivers get: without the sender's report blocks, which are about other streams. */
export function forwardedReport(
  report: Buffer,
  { ssrc, timestamp }: { readonly ssrc: number; readonly timestamp: number },
): Buffer {
  const packet = Buffer.from(report.subarray(0, 28));
  writeHeader(packet, 0, packetTypes.senderReport);
  packet.writeUInt32BE(ssrc, 4);
  packet.writeUInt32BE(timestamp, 16);
  return packet;
}

function writeHeader(packet: Buffer, count: number, type: number): void {
  packet.writeUInt8(0x80 | count, 0);
  packet.writeUInt8(type, 1);
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
}

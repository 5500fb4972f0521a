import { beforeEach, describe, expect, it } from 'vitest';
import { headerExtensions, payloadTypes, ssrcOf } from '@engawa/protocol/sfu';
import { type PacketFields, rtpPacket } from '../../testing/mediaPeer.ts';
import { Room } from './room.ts';
import { bandwidthLimit, keyframeRequest, packetRequest, readFeedback } from './rtcp.ts';
import { sequenceOf, ssrcIn, timestampOf } from './rtp.ts';

/** The packets that each slot gets. */
let received: Buffer[][];
let room: Room;
let now: number;

beforeEach(() => {
  received = [];
  room = new Room();
  now = 10_000;
});

function join(slot: number): void {
  const packets: Buffer[] = [];
  received[slot] = packets;
  room.join(slot);
  // A copy, because the connection encrypts at once and the room may change the packet later.
  room.open(slot, (packet) => packets.push(Buffer.from(packet)));
}

const send = (slot: number, fields: Partial<PacketFields>): void =>
  room.receive(slot, rtpPacket({ kind: 'camera', ssrc: 77, sequence: 1, ...fields }), now);
const packetsOf = (slot: number): readonly Buffer[] => received[slot] ?? [];
const takeFrom = (slot: number): Buffer[] => received[slot]?.splice(0) ?? [];
const feedbackOf = (slot: number) => takeFrom(slot).flatMap(readFeedback);

describe('A room', () => {
  it('forwards a packet to all others with the SSRC of the slot and of the kind', () => {
    for (const slot of [0, 1, 2]) join(slot);
    send(1, { kind: 'voice' });
    send(1, { kind: 'screen' });
    expect(packetsOf(0).map(ssrcIn)).toEqual([ssrcOf(1, 'voice'), ssrcOf(1, 'screen')]);
    expect(packetsOf(2)).toEqual(packetsOf(0));
    expect(packetsOf(1)).toEqual([]);
  });

  it('drops packets of an unknown payload type, too short ones and those of a stranger', () => {
    for (const slot of [0, 1]) join(slot);
    const unknown = rtpPacket({ kind: 'voice', ssrc: 1, sequence: 1 });
    unknown.writeUInt8(5, 1);
    for (const packet of [unknown, Buffer.alloc(11, 0x80), Buffer.alloc(0)]) room.receive(0, packet, now);
    send(9, {});
    expect(packetsOf(1)).toEqual([]);
  });

  it('forwards at most 1,200 packets a second of a participant', () => {
    for (const slot of [0, 1]) join(slot);
    for (let sequence = 0; sequence < 5_000; sequence += 1) send(0, { sequence });
    expect(takeFrom(1)).toHaveLength(1_200);
    now += 500;
    for (let sequence = 0; sequence < 5_000; sequence += 1) send(0, { sequence: 5_000 + sequence });
    expect(takeFrom(1)).toHaveLength(600);
  });

  it('drops packets that end in their header, because the library throws for them', () => {
    for (const slot of [0, 1]) join(slot);
    const [sources, extension, long] = [0x8f, 0x90, 0x90].map((first) => {
      const packet = rtpPacket({ kind: 'voice', ssrc: 1, sequence: 1, payload: Buffer.alloc(8) });
      packet.writeUInt8(first, 0);
      return packet;
    });
    long?.writeUInt16BE(2, 14);
    for (const packet of [sources, extension?.subarray(0, 14), long]) if (packet) room.receive(0, packet, now);
    expect(packetsOf(1)).toEqual([]);
    long?.writeUInt16BE(1, 14);
    if (long) room.receive(0, long, now);
    expect(packetsOf(1)).toHaveLength(1);
  });

  it('drops packets that are far behind the newest one, because the library throws for them', () => {
    for (const slot of [0, 1]) join(slot);
    for (const sequence of [0, 511, 65_535, 0, 1]) send(0, { sequence });
    expect(packetsOf(1).map(sequenceOf)).toEqual([0, 511, 0, 1]);
    takeFrom(1);
    send(0, { sequence: 20_000 });
    room.receive(1, packetRequest(ssrcOf(0, 'camera'), [511]), now);
    expect(packetsOf(1).map(sequenceOf)).toEqual([20_000]);
  });

  it('continues sequence numbers and times when another participant gets the slot', () => {
    for (const slot of [0, 1]) join(slot);
    send(0, { ssrc: 5, sequence: 65_535, timestamp: 4_294_967_295 });
    send(0, { ssrc: 5, sequence: 0, timestamp: 899 });
    room.leave(0);
    now += 100;
    join(0);
    send(0, { ssrc: 6, sequence: 30_000, timestamp: 123 });
    send(0, { ssrc: 6, sequence: 30_001, timestamp: 1_023 });
    expect(packetsOf(1).map(sequenceOf)).toEqual([65_535, 0, 1, 2]);
    expect(packetsOf(1).map(timestampOf)).toEqual([4_294_967_295, 899, 899 + 9_000, 899 + 9_900]);
  });

  it('ignores a second source of a line while the first one sends', () => {
    for (const slot of [0, 1]) join(slot);
    send(0, { ssrc: 5 });
    send(0, { ssrc: 6 });
    expect(takeFrom(1)).toHaveLength(1);
    now += 1_001;
    send(0, { ssrc: 6 });
    expect(takeFrom(1)).toHaveLength(1);
  });

  it('replaces the send time in the header extension by its own clock', () => {
    for (const slot of [0, 1]) join(slot);
    const packet = rtpPacket({ kind: 'camera', ssrc: 5, sequence: 1 });
    const extension = Buffer.from([0xbe, 0xde, 0, 2, (headerExtensions.absoluteSendTime << 4) | 2, 1, 2, 3, 0, 0, 0, 0]);
    packet.writeUInt8(0x90, 0);
    now = 1_500;
    room.receive(0, Buffer.concat([packet.subarray(0, 12), extension, packet.subarray(12)]), now);
    expect(takeFrom(1).map((sent) => sent.readUIntBE(17, 3))).toEqual([1.5 * 2 ** 18]);
  });
});

describe('Feedback of receivers', () => {
  it('A lost packet is sent again from memory to the receiver who asks', () => {
    for (const slot of [0, 1, 2]) join(slot);
    for (const sequence of [10, 11]) send(0, { sequence });
    const [, second] = takeFrom(1);
    takeFrom(2);
    room.receive(1, packetRequest(ssrcOf(0, 'camera'), [11]), now);
    expect(packetsOf(1)).toEqual([second]);
    expect(packetsOf(2)).toEqual([]);
  });

  it('A receiver gets at most 500 lost packets a second again', () => {
    for (const slot of [0, 1]) join(slot);
    const sequences = Array.from({ length: 128 }, (_, sequence) => sequence);
    for (const sequence of sequences) send(0, { sequence });
    takeFrom(1);
    const ask = (): void => room.receive(1, packetRequest(ssrcOf(0, 'camera'), [...sequences, 128]), now);
    ask();
    expect(takeFrom(1).map(sequenceOf)).toEqual(sequences);
    for (let times = 0; times < 10; times += 1) ask();
    expect(takeFrom(1)).toHaveLength(500 - 128);
    now += 200;
    ask();
    expect(takeFrom(1)).toHaveLength(100);
  });

  it('Each report of a packet counts as one of the 1,200 packets a second', () => {
    for (const slot of [0, 1]) join(slot);
    send(0, { ssrc: 5 });
    takeFrom(1);
    const report = Buffer.alloc(28);
    report.writeUInt32BE(0x80c8_0006, 0);
    report.writeUInt32BE(5, 4);
    const compound = Buffer.concat(Array.from({ length: 50 }, () => report));
    for (let times = 0; times < 100; times += 1) room.receive(0, compound, now);
    expect(takeFrom(1).length).toBeLessThanOrEqual(1_200);
  });

  it('A packet that never arrived is requested once from its sender, with the number that the sender gave it', () => {
    for (const slot of [0, 1, 2]) join(slot);
    send(0, { ssrc: 5, sequence: 100 });
    room.leave(0);
    join(0);
    send(0, { ssrc: 6, sequence: 7_000 });
    send(0, { ssrc: 6, sequence: 7_002 });
    takeFrom(0);
    for (const slot of [1, 2]) room.receive(slot, packetRequest(ssrcOf(0, 'camera'), [102]), now);
    expect(feedbackOf(0)).toEqual([{ kind: 'lost', ssrc: 6, sequences: [7_001] }]);
  });

  it('Key frames are requested from the sender at most every 300 ms, and for each participant who joins', () => {
    for (const slot of [0, 1]) join(slot);
    send(0, { ssrc: 5 });
    room.tick(now);
    takeFrom(0);
    for (let times = 0; times < 5; times += 1) room.receive(1, keyframeRequest(ssrcOf(0, 'camera')), now);
    room.tick(now);
    expect(feedbackOf(0)).toEqual([{ kind: 'keyframe', ssrc: 5 }]);
    join(2);
    room.tick(now + 100);
    expect(feedbackOf(0)).toEqual([]);
    room.tick(now + 300);
    expect(feedbackOf(0)).toEqual([{ kind: 'keyframe', ssrc: 5 }]);
  });

  it('A sender gets the bandwidth of its slowest receiver, divided by the pictures that this receiver gets', () => {
    for (const slot of [0, 1, 2]) join(slot);
    for (const slot of [0, 1]) send(slot, { ssrc: 5 + slot });
    room.receive(1, bandwidthLimit([], 5_000_000), now);
    room.receive(2, bandwidthLimit([], 800_000), now);
    room.tick(now);
    const limits = feedbackOf(0).filter(({ kind }) => kind === 'bandwidth');
    expect(limits).toEqual([{ kind: 'bandwidth', bitsPerSecond: 400_000 }]);
  });

  it('A report of a sender reaches receivers with the SSRC and the time that they know', () => {
    for (const slot of [0, 1]) join(slot);
    send(0, { ssrc: 5, sequence: 1, timestamp: 1_000 });
    takeFrom(1);
    const report = Buffer.alloc(28);
    report.writeUInt32BE(0x80c8_0006, 0);
    report.writeUInt32BE(5, 4);
    report.writeUInt32BE(1_900, 16);
    room.receive(0, report, now);
    const [forwarded] = takeFrom(1);
    expect([forwarded?.readUInt32BE(4), forwarded?.readUInt32BE(16)]).toEqual([ssrcOf(0, 'camera'), 1_900]);
  });

  it('A sender gets the share of its packets that was lost', () => {
    for (const slot of [0, 1]) join(slot);
    for (const sequence of [65_534, 65_535, 1, 2]) send(0, { kind: 'voice', ssrc: 5, sequence });
    room.tick(now);
    const [report] = takeFrom(0);
    expect(report?.readUInt32BE(8)).toBe(5);
    // One of five packets, in 256ths; then the total, and the highest number with its cycles.
    expect(report?.readUInt8(12)).toBe(51);
    expect(report?.readUIntBE(13, 3)).toBe(1);
    expect(report?.readUInt32BE(16)).toBe(0x1_0002);
  });

  it('Malformed feedback is ignored', () => {
    join(0);
    for (const first of [0x81, 0x8f, 0x84]) {
      for (const type of [200, 205, 206]) {
        for (const length of [8, 12, 20]) {
          const packet = Buffer.alloc(length, 0xff);
          packet.writeUInt8(first, 0);
          packet.writeUInt8(type, 1);
          expect(() => room.receive(0, packet, now)).not.toThrow();
          packet.writeUInt16BE(length / 4 - 1, 2);
          expect(() => room.receive(0, packet, now)).not.toThrow();
        }
      }
    }
  });

  it('Payload types of voice, camera and screen differ, because they tell the kind of a packet', () => {
    expect(new Set(Object.values(payloadTypes)).size).toBe(3);
  });
});

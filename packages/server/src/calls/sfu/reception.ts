import { sequenceDifference } from './rtp.ts';

/** Statistics of an incoming stream for its sender (RFC 3550, sections 6.4.1, A.3 and A.8). Times are in milliseconds. */
export class Reception {
  readonly ssrc: number;
  readonly #clockRate: number;
  #base: number;
  #highest: number;
  #cycles = 0;
  #received = 0;
  #expectedBefore = 0;
  #receivedBefore = 0;
  #jitter = 0;
  #transit: number | undefined;
  #report: { readonly middle: number; readonly at: number } | undefined;

  constructor(ssrc: number, firstSequence: number, clockRate: number) {
    this.ssrc = ssrc;
    this.#clockRate = clockRate;
    this.#base = firstSequence;
    this.#highest = firstSequence;
  }

  record(sequence: number, timestamp: number, now: number): void {
    this.#received += 1;
    if (sequenceDifference(sequence, this.#highest) > 0) {
      if (sequence < this.#highest) this.#cycles += 0x1_0000;
      this.#highest = sequence;
    }
    const transit = Math.round((now * this.#clockRate) / 1000) - timestamp;
    const difference = this.#transit === undefined ? 0 : Math.abs((transit - this.#transit) | 0);
    this.#jitter += (difference - this.#jitter) / 16;
    this.#transit = transit;
  }

  /** @param ntp the middle 32 bits of the report's NTP time */
  recordReport(ntp: number, now: number): void {
    this.#report = { middle: ntp, at: now };
  }

  reportBlock(now: number): Buffer {
    const highest = this.#cycles + this.#highest;
    const expected = highest - this.#base + 1;
    const lost = expected - this.#received;
    const expectedNow = expected - this.#expectedBefore;
    const lostNow = expectedNow - (this.#received - this.#receivedBefore);
    this.#expectedBefore = expected;
    this.#receivedBefore = this.#received;
    const block = Buffer.alloc(24);
    block.writeUInt32BE(this.ssrc, 0);
    block.writeUInt8(expectedNow > 0 && lostNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0, 4);
    block.writeIntBE(Math.max(-0x80_0000, Math.min(0x7f_ffff, lost)), 5, 3);
    block.writeUInt32BE(highest % 2 ** 32, 8);
    block.writeUInt32BE(Math.min(0xffff_ffff, Math.round(this.#jitter)), 12);
    if (this.#report) {
      block.writeUInt32BE(this.#report.middle, 16);
      block.writeUInt32BE(Math.min(0xffff_ffff, Math.round(((now - this.#report.at) * 0x1_0000) / 1000)), 20);
    }
    return block;
  }
}

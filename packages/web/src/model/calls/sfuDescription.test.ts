import { describe, expect, it } from 'vitest';
import { ssrcOf } from '@engawa/protocol/sfu';
import { answerIn, describeOffer } from './sfuDescription.ts';

const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const offer = { round: 1, slot: 3, ufrag: 'abcd', pwd: 'efghijklmnopqrstuvwxyz', fingerprint };
const valuesOf = (sdp: string, name: string) =>
  sdp
    .split('\r\n')
    .filter((line) => line.startsWith(`a=${name}`))
    .map((line) => line.slice(`a=${name}`.length));

describe('The description of the forwarding unit', () => {
  const sdp = describeOffer(offer);

  it('[R2.10] has three lines to send, and three for each slot but the own one', () => {
    const mids = valuesOf(sdp, 'mid:');
    expect(mids).toHaveLength(48);
    expect(mids.slice(0, 4)).toEqual(['voice', 'camera', 'screen', 'voice0']);
    expect(mids).not.toContain('voice3');
    expect(valuesOf(sdp, 'recvonly')).toHaveLength(3);
    expect(valuesOf(sdp, 'group:BUNDLE ')).toEqual([mids.join(' ')]);
  });

  it('[R2.10] names a different SSRC for each receiving line', () => {
    const ssrcs = valuesOf(sdp, 'ssrc:').map((line) => Number(line.split(' ')[0]));
    expect(new Set(ssrcs).size).toBe(45);
    expect(ssrcs).toContain(ssrcOf(15, 'screen'));
  });
});

describe('The answer of a browser', () => {
  it('[R2.10] is read from its description, with the fingerprint in capital letters', () => {
    const sdp = `v=0\r\na=ice-ufrag:u/+1\r\na=ice-pwd:secret\r\na=fingerprint:sha-256 ${fingerprint.toLowerCase()}\r\n`;
    expect(answerIn(sdp)).toEqual({ ufrag: 'u/+1', pwd: 'secret', fingerprint });
  });

  it('[R2.10] is an error without the parameters of a connection', () => {
    expect(() => answerIn('v=0\r\n')).toThrow('ice-ufrag');
  });
});

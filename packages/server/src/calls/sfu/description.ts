import { type SfuAnswer, sfuCandidate, type SfuOffer } from '@engawa/protocol/sfu';

/**
 * The session descriptions of the library. It gets only one line: it carries packets of all kinds without looking at them, and the
 * lines of the browser are none of its business. No text of a client reaches its parser unchecked.
 */

export interface Connection extends Omit<SfuOffer, 'round' | 'slot'> {
  readonly candidates: readonly string[];
}

/** A machine with many container networks has many addresses. */
const mostCandidates = 32;

/** @throws Error for a description of another form, which no version of the library has written */
export function connectionIn(sdp: string): Connection {
  const lines = sdp.split(/\r?\n/);
  const valueOf = (name: string): string => {
    const value = lines.find((line) => line.startsWith(`a=${name}`))?.slice(`a=${name}`.length);
    if (value === undefined) throw new Error(`The description has no ${name}`);
    return value;
  };
  return {
    ufrag: valueOf('ice-ufrag:'),
    pwd: valueOf('ice-pwd:'),
    fingerprint: valueOf('fingerprint:sha-256 '),
    candidates: lines
      .map((line) => line.slice('a='.length))
      .filter((line) => sfuCandidate.safeParse(line).success)
      .slice(0, mostCandidates),
  };
}

export function describeAnswer(answer: Omit<SfuAnswer, 'round'>): string {
  return describe(answer, 'active');
}

/** For peers that use the library as clients. */
export function describeOffer(offer: Omit<SfuOffer, 'round' | 'slot'>): string {
  return describe(offer, 'actpass');
}

function describe({ ufrag, pwd, fingerprint }: Omit<SfuAnswer, 'round'>, setup: 'active' | 'actpass'): string {
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    `a=setup:${setup}`,
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}

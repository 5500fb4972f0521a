/**
 * The session descriptions between a browser and the forwarding unit. The unit's offer is written here from its few parameters:
 * its lines never change, so nothing is negotiated when participants come and go.
 */
import {
  headerExtensions,
  mediaKinds,
  payloadTypes,
  sfuSlots,
  ssrcOf,
  type MediaKind,
  type SfuAnswer,
  type SfuOffer,
} from '@engawa/protocol/sfu';

/** The id of the line with which this browser sends. */
export const ownLine = (kind: MediaKind): string => kind;
/** The id of the line with which this browser receives from a slot. */
export const lineOf = (slot: number, kind: MediaKind): string => `${kind}${slot}`;

export function describeOffer(offer: SfuOffer): string {
  const others = Array.from({ length: sfuSlots }, (_, slot) => slot).filter((slot) => slot !== offer.slot);
  const lines = [
    ...mediaKinds.map((kind) => ({ mid: ownLine(kind), kind, about: ['a=recvonly'] })),
    ...others.flatMap((slot) =>
      mediaKinds.map((kind) => ({ mid: lineOf(slot, kind), kind, about: ['a=sendonly', ...source(slot, kind)] })),
    ),
  ];
  const session = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    `a=group:BUNDLE ${lines.map(({ mid }) => mid).join(' ')}`,
    'a=msid-semantic:WMS *',
  ];
  const described = [
    ...session,
    ...lines.flatMap(({ mid, kind, about }) => [...media(kind), ...transport(offer, mid), ...about]),
  ];
  return `${described.join('\r\n')}\r\n`;
}

/** Voice and camera of a slot are one stream, so that the browser plays them at the same time. */
function source(slot: number, kind: MediaKind): readonly string[] {
  const stream = kind === 'screen' ? `screen${slot}` : `person${slot}`;
  return [`a=msid:${stream} ${lineOf(slot, kind)}`, `a=ssrc:${ssrcOf(slot, kind)} cname:${stream}`];
}

function media(kind: MediaKind): readonly string[] {
  const type = payloadTypes[kind];
  const line = (name: string) => [`m=${name} 9 UDP/TLS/RTP/SAVPF ${type}`, 'c=IN IP4 0.0.0.0'];
  if (kind === 'voice') {
    return [
      ...line('audio'),
      `a=rtpmap:${type} opus/48000/2`,
      // Silence is not sent, which saves most of the work of the unit.
      `a=fmtp:${type} minptime=10;useinbandfec=1;usedtx=1`,
      `a=extmap:${headerExtensions.audioLevel} urn:ietf:params:rtp-hdrext:ssrc-audio-level`,
    ];
  }
  return [
    ...line('video'),
    `a=rtpmap:${type} VP8/90000`,
    ...['goog-remb', 'ccm fir', 'nack', 'nack pli'].map((feedback) => `a=rtcp-fb:${type} ${feedback}`),
    `a=extmap:${headerExtensions.absoluteSendTime} http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time`,
  ];
}

function transport({ ufrag, pwd, fingerprint }: SfuOffer, mid: string): readonly string[] {
  return [
    `a=mid:${mid}`,
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    'a=ice-options:trickle',
    `a=fingerprint:sha-256 ${fingerprint}`,
    'a=setup:actpass',
    'a=rtcp-mux',
    'a=rtcp-rsize',
  ];
}

/** @throws Error for a description without the parameters of a connection */
export function answerIn(sdp: string): Omit<SfuAnswer, 'round'> {
  const lines = sdp.split(/\r?\n/);
  const valueOf = (name: string): string => {
    const value = lines.find((line) => line.startsWith(`a=${name}`))?.slice(`a=${name}`.length);
    if (value === undefined) throw new Error(`The answer has no ${name}`);
    return value;
  };
  return { ufrag: valueOf('ice-ufrag:'), pwd: valueOf('ice-pwd:'), fingerprint: valueOf('fingerprint:sha-256 ').toUpperCase() };
}

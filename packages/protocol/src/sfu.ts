import { z } from 'zod/mini';

/**
 * The agreement between the forwarding unit of calls and its clients. Both sides write the session descriptions from these constants,
 * so that an offer is about 500 bytes instead of 60 KiB, and all browsers use the same payload types and header extensions:
 * a packet is rewritten once for all receivers. `docs/decisions/035-embedded-sfu.md`.
 */
export const mediaKinds = ['voice', 'camera', 'screen'] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** Participants of a call; each has a slot with a line for each kind of media. */
export const sfuSlots = 16;

/** The payload type of a packet tells its kind: cameras and screens have different ones for the same codec. */
export const payloadTypes: Readonly<Record<MediaKind, number>> = { voice: 111, camera: 96, screen: 98 };

export const clockRates: Readonly<Record<MediaKind, number>> = { voice: 48_000, camera: 90_000, screen: 90_000 };

/**
 * Ids of RTP header extensions. `sdes:mid` is absent on purpose: the sender's line would misdirect the packet at its receivers,
 * who find the line by the SSRC.
 */
export const headerExtensions = { audioLevel: 1, absoluteSendTime: 2 } as const;

/** The SSRC with which receivers get the media of a slot. */
export function ssrcOf(slot: number, kind: MediaKind): number {
  return 0x00ca_1100 + slot * 4 + mediaKinds.indexOf(kind);
}

const iceText = z.string().check(z.regex(/^[A-Za-z0-9+/]{4,256}$/));

const transport = z.object({
  ufrag: iceText,
  pwd: iceText,
  fingerprint: z.string().check(z.regex(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)),
});

/** A new offer replaces the connection before it. It has no addresses; `sfuReachable` brings them. */
export const sfuOffer = z.extend(transport, {
  round: z.int().check(z.gte(0)),
  slot: z.int().check(z.gte(0), z.lte(sfuSlots - 1)),
});
export type SfuOffer = z.output<typeof sfuOffer>;

/**
 * `round` is that of the offer, so that a late answer to an earlier offer is ignored. There are no candidates: the forwarding unit
 * learns the address of a browser from its connectivity checks.
 */
export const sfuAnswer = z.extend(transport, { round: z.int().check(z.gte(0)) });
export type SfuAnswer = z.output<typeof sfuAnswer>;

export const sfuCandidate = z.string().check(z.regex(/^candidate:[A-Za-z0-9 .:+/-]{1,200}$/));

/**
 * The forwarding unit has applied the answer of this round and can be reached at these addresses. A check that came before would
 * begin the encryption before the unit knows the fingerprint of the browser, which it would then refuse.
 */
export const sfuReachable = z.object({
  round: z.int().check(z.gte(0)),
  candidates: z.array(sfuCandidate).check(z.maxLength(32)),
});
export type SfuReachable = z.output<typeof sfuReachable>;

/** The participant in each slot. A participant without a slot is not connected yet. */
export const sfuAssignment = z.object({
  slots: z.array(z.nullable(z.string().check(z.maxLength(64)))).check(z.maxLength(sfuSlots)),
});
export type SfuAssignment = z.output<typeof sfuAssignment>;

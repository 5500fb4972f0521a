/**
 * Audio and video calls: signalling between browsers and server, in bodies and answers as JSON. The server never has the media
 * of a mesh, and passes session descriptions and candidates on without storing or logging them.
 */
import { z } from 'zod/mini';
import { maxDirectParticipants } from './limits.ts';
import { sfuAnswer, sfuAssignment, sfuOffer, sfuReachable, sfuSlots } from './sfu.ts';

/** How media travels. `mesh`: between browsers. `sfu`: through this server. `livekit`: through a LiveKit server. */
export const callEngines = ['mesh', 'sfu', 'livekit'] as const;
export type CallEngine = (typeof callEngines)[number];

export const callKinds = ['audio', 'video'] as const;
/** The caller's choice at the start. Every participant may turn a camera on and off in both kinds. */
export type CallKind = (typeof callKinds)[number];

/** Seconds, unless a name says otherwise. */
export const callLimits = {
  /** The most participants by engine, and the most calls at once. */
  participants: { mesh: 8, sfu: sfuSlots, livekit: 50 },
  calls: { mesh: 100, sfu: 20, livekit: 100 },
  /** The most participants of a mesh with cameras on. */
  cameras: 6,
  /** A stream with more members is never rung; its members see the call in the header. */
  ringMembers: 10,
  ring: 30,
  /** A person is rung at most `calls` times in `seconds` by the calls of a conversation. */
  ringsPerPerson: { calls: 3, seconds: 600 },
  /** A participant that does not poll for so long is removed. */
  lease: 30,
  poll: 20,
  /** A call ends so long after it has only one participant. Without participants it ends at once, but not before the first join. */
  alone: 60,
  firstJoin: 30,
  longest: 12 * 60 * 60,
  /** After a restart of the server, participants have so long to join again before the call is ended. */
  restart: 60,
  /**
   * The most signals in a request, and their characters as JSON unless it has only one: the body is at most 64 KiB, which the seven
   * offers of an eighth participant exceed. The most requests of a participant.
   */
  request: { signals: 32, characters: 48 * 1024 },
  signalRequests: { calls: 30, seconds: 10 },
  /** The most joins of a member. */
  entries: { calls: 30, seconds: 60 },
  /** The most starts of a member, each of which sends a message. */
  starts: { calls: 10, seconds: 600 },
  /** Characters. */
  sdp: 32_768,
  candidate: 2048,
  /** The most waiting signals of a participant, and their characters. Beyond, the participant is removed and joins again. */
  inbox: { signals: 256, characters: 512 * 1024 },
  turnCredentials: 6 * 60 * 60,
  keptDays: 400,
} as const;

/** A stream's id, or the user ids of a direct conversation: in answers all participants, ascending. The caller may be left out. */
export const callConversation = z.union([
  z.int().check(z.positive()),
  z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(maxDirectParticipants)),
]);

export const callId = z.string().check(z.regex(/^[A-Za-z0-9_-]{16}$/));

/** One device of a member in a call. The server makes the id. It contains the member's id, so nobody else can join with it. */
export const participantId = z.string().check(z.regex(/^\d{1,15}-[A-Za-z0-9_-]{12}$/));

/** `joined` stays after leaving. `missed`: was rung and neither joined nor declined. */
export const callAnswers = ['joined', 'declined', 'missed'] as const;
export type CallAnswer = (typeof callAnswers)[number];

/** Why a call ended. `cut`: the server was restarted and nobody joined again. `longest`: after `callLimits.longest`. */
export const callEndReasons = ['left', 'alone', 'unanswered', 'declined', 'longest', 'cut', 'removed'] as const;
export type CallEndReason = (typeof callEndReasons)[number];

/** The most participants, and with how many of them cameras may be on. */
const engineLimits = z.object({ participants: z.int(), cameras: z.int() });

/**
 * A call as one member may see it, in the answers and in the chat event `call`. Each replaces an older state of the same call,
 * and ends an earlier call of the same conversation, which has at most one.
 * Times are unix seconds.
 */
export const callState = z.object({
  id: callId,
  conversation: callConversation,
  kind: z.enum(callKinds),
  state: z.enum(['ongoing', 'ended']),
  started_by: z.int(),
  started: z.int(),
  ended: z.nullable(z.int()),
  reason: z.nullable(z.enum(callEndReasons)),
  /** The message that announces the call. Null only until it is sent. */
  message_id: z.nullable(z.int()),
  /** The user ids of those who are in the call, in the order of joining. Empty when the call has ended. */
  participants: z.array(z.int()),
  /**
   * The user ids of those who are being called. A client rings if and only if its own member is among them. Whether *others*
   * really ring is not disclosed: they may be in a call, or have muted the conversation.
   */
  ringing: z.array(z.int()),
  /** When `ringing` becomes empty by itself, so that a client that loses the server stops ringing. Null: nobody is called. */
  ring_ends: z.nullable(z.int()),
  /** Absent before the first participant has joined. */
  limits: z.optional(engineLimits),
  /** The answers of the members. They are on the server, so an answer on one device stops the ringing of all. */
  answers: z.array(z.object({ user_id: z.int(), answer: z.enum(callAnswers) })),
});
export type CallState = z.output<typeof callState>;

/**
 * GET /api/calls: the ongoing calls of the conversations that the member is in. Clients ask after registering a queue, and after
 * more than 15 seconds without a poll of it, because the chat event `call` is not stored longer.
 */
export const callList = z.object({
  calls: z.array(callState),
  /**
   * How the media of new calls may travel, the smallest engine first. A call takes the first that has room for all members of its
   * conversation, or else the last.
   */
  engines: z.array(z.extend(engineLimits, { engine: z.enum(callEngines) })).check(z.minLength(1)),
  ring_members: z.int(),
});
export type CallList = z.output<typeof callList>;

/**
 * POST /api/calls: starts a call and sends its message. Answers `startedCall`; the caller then joins. 409 CALL_EXISTS with
 * `call_id`: the conversation has a call, which may be joined. 404: the member may not write there. `ring`: false calls nobody.
 */
export const callStart = z.object({
  conversation: callConversation,
  kind: z.enum(callKinds),
  ring: z._default(z.boolean(), true),
});
export type CallStart = z.input<typeof callStart>;
export type CallStarting = z.output<typeof callStart>;
export const startedCall = z.object({ call: callState });

/**
 * GET /api/calls/{id}, also after the end, for those who may read the conversation: what the card of the message shows. `people`:
 * who joined, declined or missed it, with the seconds of the first joining and the last leaving. 404 after `callLimits.keptDays`.
 */
export const callDetails = z.object({
  call: callState,
  people: z.array(
    z.object({
      user_id: z.int(),
      answer: z.enum(callAnswers),
      first_joined: z.nullable(z.int()),
      last_left: z.nullable(z.int()),
    }),
  ),
});
export type CallDetails = z.output<typeof callDetails>;

/** The media that a participant sends to the others. A listener has no microphone. */
export const participantState = z.object({
  muted: z.boolean(),
  camera: z.boolean(),
  screen: z.boolean(),
  listen_only: z.boolean(),
});
export type ParticipantState = z.output<typeof participantState>;

/** `seq` rises with each participant: of a pair, the one with the higher `seq` makes the offers. It survives a rejoin. */
export const callParticipant = z.object({
  participant: participantId,
  user_id: z.int(),
  seq: z.int(),
  state: participantState,
});
export type CallParticipant = z.output<typeof callParticipant>;

/**
 * POST /api/calls/{id}/join. `participant`: the id from an earlier join, to continue after the server was away; the answer may
 * have another one. Joining again while the participant is still known changes nothing for the others. `move`: leave the call
 * that the member is in on another device, instead of 409 IN_ANOTHER_CALL (with `call_id`, which may be this call).
 * 409 CALL_FULL; 410 CALL_ENDED; 404: no such call for this member.
 */
export const callJoin = z.object({
  participant: z.optional(participantId),
  state: participantState,
  move: z._default(z.boolean(), false),
});
export type CallJoin = z.input<typeof callJoin>;
export type CallJoining = z.output<typeof callJoin>;

/** As `RTCIceServer`. */
export const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});

/** `epoch` names the inbox: with another epoch than before, polling starts again with `after=0`. `lease`: seconds. */
export const joinedCall = z.object({
  call: callState,
  participant: participantId,
  seq: z.int(),
  epoch: z.string(),
  others: z.array(callParticipant),
  ice: z.array(iceServer),
  lease: z.int(),
  engine: z.enum(callEngines),
  /** Only with the engine `livekit`. */
  livekit: z.optional(z.object({ url: z.string(), token: z.string() })),
});
export type JoinedCall = z.output<typeof joinedCall>;

const sdp = z.string().check(z.maxLength(callLimits.sdp));
/** `round`: an answer repeats the one of its offer, so that a late answer to an earlier offer can be ignored. */
const description = z.object({ sdp, round: z.optional(z.int().check(z.gte(0))) });
/** As `RTCIceCandidate.toJSON()` writes it. An empty candidate ends the list. */
export const iceCandidate = z.object({
  candidate: z.string().check(z.maxLength(callLimits.candidate)),
  sdpMid: z.optional(z.nullable(z.string().check(z.maxLength(64)))),
  sdpMLineIndex: z.optional(z.nullable(z.int().check(z.gte(0), z.lte(65_535)))),
  usernameFragment: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
});
export type IceCandidate = z.output<typeof iceCandidate>;

const to = participantId;
/**
 * A signal as a client sends it: to one participant, or its own new state, which goes to all others. Those that begin with `sfu`
 * are for the forwarding unit. `sfu_restart`: the connection failed, send a new offer.
 */
export const outgoingSignal = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('offer'), to, data: description }),
  z.object({ kind: z.literal('answer'), to, data: description }),
  z.object({ kind: z.literal('candidate'), to, data: iceCandidate }),
  z.object({ kind: z.literal('state'), data: participantState }),
  z.object({ kind: z.literal('sfu_answer'), data: sfuAnswer }),
  z.object({ kind: z.literal('sfu_restart') }),
]);
export type OutgoingSignal = z.output<typeof outgoingSignal>;

/**
 * POST /api/calls/{id}/signals: answers `{}`. Signals to those who have left are dropped. 410 NOT_IN_CALL: join again.
 * 429 RATE_LIMIT_HIT with `retry-after`: send later, nothing of the request was passed on.
 */
export const sentSignals = z.object({
  participant: participantId,
  signals: z.array(outgoingSignal).check(z.minLength(1), z.maxLength(callLimits.request.signals)),
});
export type SentSignals = z.output<typeof sentSignals>;

/**
 * `left`: the participant left. `lease`: no poll for `callLimits.lease`; ignore it while media flows, until `removed` or
 * `moved` follows for the same participant. `removed`: may no longer read the conversation, or has signed out. `ended`: the call
 * is over. `moved`: the member is in a call on another device.
 */
export const leaveReasons = ['left', 'lease', 'removed', 'ended', 'moved'] as const;
export type LeaveReason = (typeof leaveReasons)[number];

const from = participantId;
const sfu = z.literal('sfu');
const n = z.int();
/** A signal as a client receives it. `n` rises by one within an epoch. `left` with the own id is the last one. */
export const receivedSignal = z.discriminatedUnion('kind', [
  z.object({ n, kind: z.literal('offer'), from, data: description }),
  z.object({ n, kind: z.literal('answer'), from, data: description }),
  z.object({ n, kind: z.literal('candidate'), from, data: iceCandidate }),
  z.object({ n, kind: z.literal('state'), from, data: participantState }),
  z.object({ n, kind: z.literal('joined'), from, data: z.omit(callParticipant, { participant: true }) }),
  z.object({ n, kind: z.literal('sfu_offer'), from: sfu, data: sfuOffer }),
  z.object({ n, kind: z.literal('sfu_reachable'), from: sfu, data: sfuReachable }),
  z.object({ n, kind: z.literal('sfu_slots'), from: sfu, data: sfuAssignment }),
  z.object({ n, kind: z.literal('left'), from, data: z.object({ reason: z.enum(leaveReasons) }) }),
]);
export type ReceivedSignal = z.output<typeof receivedSignal>;

/**
 * GET /api/calls/{id}/signals?participant=&after=: waits up to `callLimits.poll` for signals with an `n` above `after`, which
 * confirms the earlier ones, and renews the lease. A second poll ends the first. 410 NOT_IN_CALL: join again; 410 CALL_ENDED.
 */
export const signalsQuery = z.object({ participant: participantId, after: z.coerce.number().check(z.int(), z.gte(0)) });
export const receivedSignals = z.object({ epoch: z.string(), signals: z.array(receivedSignal) });
export type ReceivedSignals = z.output<typeof receivedSignals>;

// POST /api/calls/{id}/decline, without a body: the member does not come. Their devices stop ringing. Answers `{}`.
/**
 * POST /api/calls/{id}/leave?participant=, without a body, so that `navigator.sendBeacon(url)` can send it from `pagehide`.
 * Answers `{}`, also if the participant has already left.
 */
export const callLeave = z.object({ participant: participantId });
/**
 * POST /api/calls/{id}/ring, by a participant: rings again those of `user_ids` who are not in the call; without it all of them.
 * One request rings them all. It replaces an earlier ring, whose unanswered members have then missed the call. Answers
 * `startedCall`. 429 RATE_LIMIT_HIT: everybody was rung too often. 400 in streams of more than `callLimits.ringMembers`, and if
 * nobody of `user_ids` can be rung because they are in the call already, or not in the conversation.
 */
export const callRing = z.object({
  participant: participantId,
  user_ids: z.optional(z.array(z.int()).check(z.minLength(1), z.maxLength(100))),
});
export type CallRing = z.output<typeof callRing>;

export const callPaths = {
  calls: '/api/calls',
  call: (id: string) => `/api/calls/${id}`,
  join: (id: string) => `/api/calls/${id}/join`,
  signals: (id: string) => `/api/calls/${id}/signals`,
  decline: (id: string) => `/api/calls/${id}/decline`,
  leave: (id: string) => `/api/calls/${id}/leave`,
  ring: (id: string) => `/api/calls/${id}/ring`,
} as const;

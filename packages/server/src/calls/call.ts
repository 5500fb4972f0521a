import { randomBytes } from 'node:crypto';
import type { CallConversation } from '@engawa/protocol';
import {
  callConversation,
  callLimits,
  type CallAnswer,
  type CallEndReason,
  type CallKind,
  type CallState,
  type ParticipantState,
} from '@engawa/protocol/calls';
import type { Asker } from '../chat/backend.ts';
import type { Engine } from './engine.ts';
import type { Inbox } from './inbox.ts';
import type { CallMemberRow, CallRow } from './store.ts';

/** The session of a browser. */
interface CallSession {
  readonly isOver: boolean;
}

/** A member who asks. Clients that use an API key have no session. */
export interface Caller {
  readonly asker: Asker;
  readonly session: CallSession | undefined;
}

/** Times are milliseconds since 1970; those of `people` and of the database are seconds. */
export interface Participant {
  readonly id: string;
  readonly userId: number;
  readonly seq: number;
  readonly inbox: Inbox;
  state: ParticipantState;
  /** That of the last poll: the browser may sign in again. */
  session: CallSession | undefined;
  leaseEnds: number;
}

interface Person {
  readonly answer: CallAnswer;
  readonly firstJoined: number | null;
  readonly lastLeft: number | null;
}

export interface Ring {
  readonly ends: number;
  /** Everybody who is called, except those who have answered. */
  readonly called: Set<number>;
  /** Those of `called` whose devices ring: neither busy, nor in another call, nor with the conversation muted. */
  readonly rung: ReadonlySet<number>;
}

export interface Call {
  readonly id: string;
  readonly conversation: CallConversation;
  readonly kind: CallKind;
  readonly startedBy: number;
  readonly started: number;
  messageId: number | null;
  /** Resolves when the message that announces the call is sent, or could not be sent. */
  ready: Promise<unknown>;
  /** How its media travels: chosen when the first participant enters, and again if the engine fails. */
  engine: Engine | undefined;
  readonly participants: Map<string, Participant>;
  /** Those whose lease has ended. In a mesh, the others may still be connected to them. */
  readonly absent: Map<string, Participant>;
  readonly people: Map<number, Person>;
  ring: Ring | undefined;
  /** Nobody may ever have joined before this time. After a restart of the server it is extended. */
  joinBy: number;
  /** False for a call from before a restart that nobody has joined again. */
  isShown: boolean;
  /** When the call got its only participant, or was last rung. */
  aloneSince: number;
  end: { readonly at: number; readonly reason: CallEndReason } | undefined;
}

export const secondsOf = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** The participants of a direct conversation, ascending, so that all participants have the same key. */
export function conversationWith(conversation: CallConversation, memberId: number): CallConversation {
  if (typeof conversation === 'number') return conversation;
  return [...new Set([memberId, ...conversation])].toSorted((one, other) => one - other);
}

export const keyOf = (conversation: CallConversation): string => JSON.stringify(conversation);
const conversationOfKey = (key: string): CallConversation => callConversation.parse(JSON.parse(key));

const newCallId = (): string => randomBytes(12).toString('base64url');

const timeLength = 8;

/**
 * A participant's id has the user's id, so that nobody else can take it after a restart of the server, and the time of the
 * first join, which is its `seq`: of a pair, the later one makes the offers.
 */
export function newParticipantId(userId: number, seq: number): string {
  const time = seq.toString(36).padStart(timeLength, '0').slice(-timeLength);
  return `${userId}-${time}${randomBytes(3).toString('base64url')}`;
}

export const isIdOf = (participant: string, userId: number): boolean => participant.startsWith(`${userId}-`);

export function seqOf(participant: string): number {
  const seq = Number.parseInt(participant.slice(participant.indexOf('-') + 1).slice(0, timeLength), 36);
  return Number.isNaN(seq) ? 0 : seq;
}

/** The call as a viewer may see it. @param sees returns those of the user ids whom the viewer sees. */
export function stateFor(call: Call, viewerId: number, sees: (userIds: readonly number[]) => ReadonlySet<number>): CallState {
  const { id, conversation, kind, startedBy, started, messageId, participants, people, ring, end, engine } = call;
  const inCall = [...participants.values()].toSorted((one, other) => one.seq - other.seq).map(({ userId }) => userId);
  // Whether the others really ring is not disclosed.
  const ringing = [...(ring?.called ?? [])].filter((userId) => userId !== viewerId || ring?.rung.has(userId));
  const seen = sees([...new Set([...inCall, ...ringing, ...people.keys()])]);
  const visible = (userIds: readonly number[]) => userIds.filter((userId) => seen.has(userId));
  return {
    id,
    conversation: typeof conversation === 'number' ? conversation : [...conversation],
    kind,
    state: end ? 'ended' : 'ongoing',
    started_by: startedBy,
    started: secondsOf(started),
    ended: end ? secondsOf(end.at) : null,
    reason: end?.reason ?? null,
    message_id: messageId,
    participants: visible(inCall),
    ringing: visible(ringing),
    ring_ends: ring && ringing.length > 0 ? secondsOf(ring.ends) : null,
    ...(engine && { limits: { participants: engine.mostParticipants, cameras: engine.mostCameras } }),
    answers: [...people].flatMap(([user_id, { answer }]) => (seen.has(user_id) ? [{ user_id, answer }] : [])),
  };
}

export type Beginning = Pick<Call, 'conversation' | 'kind' | 'startedBy' | 'started'>;

export function newCall(beginning: Beginning): Call {
  const { started } = beginning;
  return {
    ...beginning,
    id: newCallId(),
    messageId: null,
    ready: Promise.resolve(),
    engine: undefined,
    participants: new Map(),
    absent: new Map(),
    people: new Map(),
    ring: undefined,
    joinBy: started + callLimits.firstJoin * 1000,
    isShown: true,
    aloneSince: started,
    end: undefined,
  };
}

/** A stored call, ended or not. */
export function callOf(row: CallRow, members: readonly CallMemberRow[]): Call {
  const started = row.started * 1000;
  return {
    id: row.id,
    conversation: conversationOfKey(row.conversation),
    kind: row.kind,
    startedBy: row.started_by,
    started,
    messageId: row.message_id,
    ready: Promise.resolve(),
    engine: undefined,
    participants: new Map(),
    absent: new Map(),
    people: new Map(
      members.map(({ user_id, answer, first_joined, last_left }) => [
        user_id,
        { answer, firstJoined: first_joined, lastLeft: last_left },
      ]),
    ),
    ring: undefined,
    joinBy: started,
    isShown: false,
    aloneSince: started,
    end: row.ended === null || row.reason === null ? undefined : { at: row.ended * 1000, reason: row.reason },
  };
}

/** The record of a member who is not in the call now. */
export const notJoined = ({ people }: Call, userId: number) => people.get(userId) ?? { firstJoined: null, lastLeft: null };

/** A call that only the caller joined was declined or not answered. */
export function reasonOf({ people, startedBy }: Call, cause: CallEndReason): CallEndReason {
  const others = [...people].flatMap(([userId, { answer }]) => (userId === startedBy ? [] : [answer]));
  if (cause === 'cut' || others.length === 0 || others.includes('joined')) return cause;
  return others.includes('missed') ? 'unanswered' : 'declined';
}

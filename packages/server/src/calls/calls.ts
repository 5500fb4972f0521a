import { setTimeout as sleep } from 'node:timers/promises';
import { CallCounts, type Clock } from '@engawa/chat-server/parts';
import type { Asker, Conversations } from '../chat/backend.ts';
import { type Database, DatabaseClosedError } from '@engawa/chat-server/database';
import type { MessageCall } from '@engawa/protocol';
import {
  callLimits,
  type CallDetails,
  type CallEndReason,
  type CallJoining,
  type CallList,
  type CallStarting,
  type CallState,
  type JoinedCall,
  type LeaveReason,
  type ParticipantState,
  type ReceivedSignals,
  type SentSignals,
} from '@engawa/protocol/calls';
import { refused } from '../http/errors.ts';
import type { Log } from '../log/log.ts';
import { announce } from './announcement.ts';
import {
  type Call,
  type Caller,
  type Participant,
  conversationWith,
  isIdOf,
  newCall,
  newParticipantId,
  notJoined,
  reasonOf,
  secondsOf,
  seqOf,
  stateFor,
} from './call.ts';
import { type Engine, type Engines, isForEngine } from './engine.ts';
import { Inbox, type UnnumberedSignal } from './inbox.ts';
import { OngoingCalls } from './ongoing.ts';
import { CallRecords } from './records.ts';
import { Rings } from './rings.ts';

export interface CallDependencies {
  readonly database: Database;
  readonly conversations: Conversations;
  readonly engines: Engines;
  readonly clock: Clock;
  readonly log: Log;
}

/** Milliseconds. */
const tickEvery = 1000;
const sweepEvery = 60_000;
const longestAnnouncement = 3000;

interface Entry {
  readonly earlier: string | undefined;
  readonly state: ParticipantState;
  /** The participant of the member's other device, whose place this one takes. */
  readonly moved: Participant | undefined;
}

/** The ongoing calls. Participants, inboxes and leases are in memory only; media is not the server's in a mesh. */
export class Calls {
  readonly #dependencies: CallDependencies;
  readonly #records: CallRecords;
  readonly #rings: Rings;
  readonly #joins: CallCounts;
  readonly #starts: CallCounts;
  readonly #signalRequests: CallCounts;
  readonly #ongoing: OngoingCalls;
  /** Participants that have left, until they could have fetched their last signal. */
  readonly #departed = new Map<string, Participant>();
  readonly #stopTimer: () => void;
  #sweepDue: number;
  #isClosed = false;

  constructor(dependencies: CallDependencies) {
    const { database, clock, log, conversations } = dependencies;
    this.#dependencies = dependencies;
    this.#records = new CallRecords(database, log);
    this.#ongoing = new OngoingCalls(this.#records, conversations);
    this.#rings = new Rings({ conversations, clock, isInCall: (userId) => this.#ongoing.placeOf(userId) !== undefined });
    this.#joins = new CallCounts(clock, callLimits.entries);
    this.#starts = new CallCounts(clock, callLimits.starts);
    this.#signalRequests = new CallCounts(clock, callLimits.signalRequests);
    for (const call of this.#records.ongoing()) {
      call.joinBy = clock.now() + callLimits.restart * 1000;
      this.#ongoing.add(call);
    }
    this.#sweepDue = clock.now();
    this.#stopTimer = clock.every(tickEvery, () => this.#tick());
  }

  async list(asker: Asker): Promise<CallList> {
    const { id: userId } = asker;
    const { conversations, engines } = this.#dependencies;
    // Every browser asks for the list when it opens, and usually there is no call.
    if (this.#ongoing.all().some(({ isShown }) => isShown)) await conversations.ask(asker);
    const own = this.#ongoing.all().filter((call) => call.isShown && conversations.isIn(userId, call.conversation));
    return {
      calls: own.map((call) => this.#view(call, userId)),
      engines: engines.available().map(({ name, mostParticipants, mostCameras }) => ({
        engine: name,
        participants: mostParticipants,
        cameras: mostCameras,
      })),
      ring_members: callLimits.ringMembers,
    };
  }

  async details(asker: Asker, id: string): Promise<CallDetails> {
    const { id: userId } = asker;
    await this.#ask(asker, id);
    // The end of a call may not be stored yet.
    await this.#records.settled();
    const call = this.#ongoing.readable(userId, id);
    await call.ready;
    const state = this.#view(call, userId);
    const people = state.answers.map(({ user_id, answer }) => {
      const { firstJoined = null, lastLeft = null } = call.people.get(user_id) ?? {};
      return { user_id, answer, first_joined: firstJoined, last_left: lastLeft };
    });
    return { call: state, people };
  }

  /** The calls that these messages announce. Access is not checked: the caller has the messages. */
  async ofMessages(messageIds: readonly number[]): Promise<ReadonlyMap<number, MessageCall>> {
    const known = this.#ongoing.ofMessages(messageIds);
    if (known.size === messageIds.length) return known;
    // A message may arrive before the chat server has answered its id.
    const sending = this.#ongoing.all().filter(({ messageId }) => messageId === null);
    await Promise.race([Promise.all(sending.map(({ ready }) => ready)), sleep(longestAnnouncement, undefined, { ref: false })]);
    return this.#ongoing.ofMessages(messageIds);
  }

  /** @throws RefusedError 404 where the member may not write; CALL_EXISTS. */
  async start(asker: Asker, { conversation: named, kind, ring }: CallStarting): Promise<CallState> {
    const { id: userId } = asker;
    const { clock, engines, conversations } = this.#dependencies;
    const conversation = conversationWith(named, userId);
    if (typeof conversation !== 'number' && conversation.length < 2) throw refused.nobodyToCall();
    await conversations.ask(asker, conversation);
    if (ring) await conversations.askWhoCanAnswer(asker, conversation);
    if (typeof conversation === 'number' && !conversations.mayJoin(userId, conversation)) throw refused.noSuchConversation();
    const existing = this.#ongoing.in(conversation);
    if (existing) throw refused.callExists(existing.id);
    this.#checkLoad(engines.engineFor(conversation));
    this.#limit(this.#starts, userId);
    const call = newCall({ conversation, kind, startedBy: userId, started: clock.now() });
    // Noted before the message is sent, so that the conversation gets no second call meanwhile.
    this.#ongoing.add(call);
    const announced = announce(asker, call, { conversations, records: this.#records, ongoing: this.#ongoing });
    call.ready = Promise.allSettled([announced]);
    await announced;
    if (ring) call.ring = this.#rings.begin(call);
    this.#publish(call);
    return this.#view(call, userId);
  }

  /** @throws RefusedError 503 */
  #checkLoad(engine: Engine): void {
    const { engines } = this.#dependencies;
    const calls = this.#ongoing.all().filter((call) => (call.engine ?? engines.engineFor(call.conversation)) === engine);
    if (calls.length >= engine.mostCalls) throw refused.tooManyCalls(callLimits.alone);
  }

  /** @throws RefusedError 404, CALL_ENDED, CALL_FULL, IN_ANOTHER_CALL */
  async join(caller: Caller, id: string, { participant: earlier, state, move }: CallJoining): Promise<JoinedCall> {
    const { asker } = caller;
    const { id: userId } = asker;
    await this.#ask(asker, id);
    const call = this.#ongoing.ongoing(userId, id);
    this.#limit(this.#joins, userId);
    // After a restart of the server, a large call must not go on as a mesh because its engine is not ready yet.
    await Promise.all([call.ready, this.#dependencies.engines.ready]);
    if (call.end || !this.#ongoing.has(call)) throw refused.callEnded();
    const known = earlier === undefined ? undefined : call.participants.get(earlier);
    if (known?.userId === userId) return this.#rejoin(call, known, caller, state);
    const elsewhere = this.#ongoing.placeOf(userId);
    if (elsewhere && !move) throw refused.inAnotherCall(elsewhere.call.id);
    const moved = elsewhere?.call === call ? elsewhere.participant : undefined;
    this.#checkRoom(call, userId, moved);
    const others = [...call.participants.values()].filter((other) => other !== moved);
    const participant = this.#enter(call, caller, { earlier, state, moved });
    if (elsewhere && !moved) this.#leave(elsewhere.call, elsewhere.participant, 'moved');
    this.#publish(call);
    return this.#joined(call, participant, others);
  }

  /**
   * Those who were in the call return, also if its engine has failed and the next one admits fewer.
   * @throws RefusedError CALL_FULL
   */
  #checkRoom(call: Call, userId: number, moved: Participant | undefined): void {
    const { mostParticipants } = this.#engineOf(call);
    const person = call.people.get(userId);
    const returns = person?.answer === 'joined' && person.lastLeft === null;
    const most = returns ? Math.max(mostParticipants, callLimits.participants.sfu) : mostParticipants;
    if (call.participants.size - (moved ? 1 : 0) >= most) throw refused.callFull(mostParticipants);
  }

  #enter(call: Call, { asker, session }: Caller, { earlier, state, moved }: Entry): Participant {
    const { id: userId } = asker;
    const now = this.#dependencies.clock.now();
    const newest = Math.max(0, ...[...call.participants.values()].map(({ seq }) => seq));
    const mayKeep = earlier !== undefined && isIdOf(earlier, userId) && seqOf(earlier) <= now;
    const id = mayKeep ? earlier : newParticipantId(userId, Math.max(now, newest + 1));
    const leaseEnds = now + callLimits.lease * 1000;
    const participant = { id, userId, seq: seqOf(id), inbox: new Inbox(), state, session, leaseEnds };
    this.#departed.delete(id);
    const { seq } = participant;
    call.participants.set(id, participant);
    this.#endAbsence(call, participant);
    this.#broadcast(call, id, { kind: 'joined', from: id, data: { user_id: userId, seq, state } });
    // Before the engine gets the newcomer, because a full one has no other place.
    if (moved) this.#remove(call, moved, 'moved');
    call.isShown = true;
    if (call.participants.size === 1) call.aloneSince = now;
    const firstJoined = call.people.get(userId)?.firstJoined ?? secondsOf(now);
    call.people.set(userId, { answer: 'joined', firstJoined, lastLeft: null });
    this.#answered(call, userId);
    this.#records.putPeople(call, [userId]);
    this.#engineOf(call).entered(call.id, id);
    return participant;
  }

  #engineOf(call: Call): Engine {
    call.engine ??= this.#dependencies.engines.engineFor(call.conversation);
    return call.engine;
  }

  /** A signal of the engine. */
  tell(id: string, participantId: string, signal: UnnumberedSignal): void {
    const call = this.#ongoing.get(id);
    if (call) this.#deliver(call, call.participants.get(participantId), signal);
  }

  /** The engine of these calls has failed. Their participants join again, as after a restart of the server. */
  restart(ids: readonly string[]): void {
    for (const call of ids.flatMap((id) => this.#ongoing.get(id) ?? [])) {
      call.engine = undefined;
      call.joinBy = this.#dependencies.clock.now() + callLimits.restart * 1000;
      const forgotten = [...call.participants.values()];
      call.participants.clear();
      for (const { inbox } of forgotten) inbox.answerDue(Infinity);
    }
  }

  #rejoin(call: Call, participant: Participant, { session }: Caller, state: ParticipantState): JoinedCall {
    participant.session = session;
    this.#renew(participant);
    if (JSON.stringify(participant.state) !== JSON.stringify(state)) {
      participant.state = state;
      this.#broadcast(call, participant.id, { kind: 'state', from: participant.id, data: state });
    }
    const others = [...call.participants.values()].filter(({ id }) => id !== participant.id);
    return this.#joined(call, participant, others);
  }

  #joined(call: Call, { id, userId, seq, inbox }: Participant, others: readonly Participant[]): JoinedCall {
    const engine = this.#engineOf(call);
    return {
      call: this.#view(call, userId),
      participant: id,
      seq,
      epoch: inbox.epoch,
      others: others.map((other) => ({ participant: other.id, user_id: other.userId, seq: other.seq, state: other.state })),
      lease: callLimits.lease,
      engine: engine.name,
      ...engine.entryFor({ callId: call.id, id, userId }, secondsOf(this.#dependencies.clock.now())),
    };
  }

  /** @throws RefusedError 404, NOT_IN_CALL, CALL_ENDED */
  async poll(
    { asker, session }: Caller,
    id: string,
    { participant: named, after }: { readonly participant: string; readonly after: number },
    signal: AbortSignal,
  ): Promise<ReceivedSignals> {
    await this.#ask(asker, id);
    if (this.#isClosed) throw new DatabaseClosedError('the server is closing');
    const { id: userId } = asker;
    const { clock } = this.#dependencies;
    const departed = this.#departed.get(named);
    if (departed?.userId === userId) {
      const last = await departed.inbox.poll(after, 0, AbortSignal.abort());
      if (last.signals.length > 0) return last;
    }
    const { participant } = this.#participantOf(userId, id, named);
    participant.session = session;
    this.#renew(participant);
    return participant.inbox.poll(after, clock.now() + callLimits.poll * 1000, signal);
  }

  /** @throws RefusedError 404, NOT_IN_CALL, CALL_ENDED, RATE_LIMIT_HIT */
  async send(asker: Asker, id: string, { participant: named, signals }: SentSignals): Promise<void> {
    await this.#ask(asker, id);
    const { call, participant } = this.#participantOf(asker.id, id, named);
    this.#limit(this.#signalRequests, participant.id);
    for (const signal of signals) {
      if (signal.kind === 'state') {
        participant.state = signal.data;
        this.#broadcast(call, participant.id, { kind: 'state', from: participant.id, data: signal.data });
      } else if (isForEngine(signal)) {
        this.#engineOf(call).receive(call.id, participant.id, signal);
      } else {
        const { to: _, ...passed } = { ...signal, from: participant.id };
        this.#deliver(call, call.participants.get(signal.to), passed);
      }
    }
  }

  async decline(asker: Asker, id: string): Promise<void> {
    const { id: userId } = asker;
    await this.#ask(asker, id);
    const call = this.#ongoing.ongoing(userId, id);
    if (!call.ring?.called.has(userId)) return;
    call.people.set(userId, { ...notJoined(call, userId), answer: 'declined' });
    this.#answered(call, userId);
    this.#records.putPeople(call, [userId]);
    this.#publish(call);
  }

  /** Also for a participant that has already left. */
  leave(userId: number, id: string, named: string): void {
    const place = this.#ongoing.placeIn(id, userId, named);
    if (place) this.#leave(place.call, place.participant, 'left');
  }

  /** @throws RefusedError 400 in a large stream and if nobody can be rung, RATE_LIMIT_HIT */
  async ring(asker: Asker, id: string, named: string, chosen: readonly number[] | undefined): Promise<CallState> {
    const { id: userId } = asker;
    await this.#ask(asker, id);
    const { conversation } = this.#participantOf(userId, id, named).call;
    await this.#dependencies.conversations.askWhoCanAnswer(asker, conversation);
    // The call may have ended meanwhile.
    const { call } = this.#participantOf(userId, id, named);
    const ring = this.#rings.repeat(call, chosen);
    this.#endRing(call);
    call.ring = ring;
    call.aloneSince = this.#dependencies.clock.now();
    this.#publish(call);
    return this.#view(call, userId);
  }

  /** Answers all waiting polls and refuses new ones, so that the server can close. */
  stop(): void {
    this.#isClosed = true;
    this.#stopTimer();
    for (const { participants } of this.#ongoing.all()) {
      for (const { inbox } of participants.values()) inbox.answerDue(Infinity);
    }
  }

  /** Resolves when all changes so far are stored. */
  settled(): Promise<unknown> {
    return this.#records.settled();
  }

  #tick(): void {
    const now = this.#dependencies.clock.now();
    for (const [id, { leaseEnds }] of this.#departed) if (leaseEnds <= now) this.#departed.delete(id);
    for (const call of this.#ongoing.all()) this.#check(call, now);
    if (now < this.#sweepDue) return;
    this.#sweepDue = now + sweepEvery;
    const ongoing = this.#ongoing.all().filter(({ isShown }) => isShown);
    this.#records.sweep(
      ongoing.map(({ id }) => id),
      secondsOf(now),
    );
  }

  #check(call: Call, now: number): void {
    if (call.isShown && now - call.started >= callLimits.longest * 1000) return this.#end(call, 'longest');
    for (const participant of call.participants.values()) {
      if (participant.session?.isOver) this.#leave(call, participant, 'removed');
      else if (participant.leaseEnds <= now) this.#endLease(call, participant);
      else participant.inbox.answerDue(now);
    }
    for (const participant of call.absent.values()) {
      if (!this.#mayReturn(call, participant)) this.#cut(call, participant, 'removed');
    }
    if (call.end) return undefined;
    if (call.ring && call.ring.ends <= now) {
      this.#endRing(call);
      this.#publish(call);
    }
    const { size } = call.participants;
    if (size === 0 && call.joinBy <= now) this.#end(call, call.isShown ? 'left' : 'cut');
    else if (size === 1 && now - call.aloneSince >= callLimits.alone * 1000) this.#end(call, 'alone');
    return undefined;
  }

  /** The others keep their connections to a participant whose lease has ended, but not to one who may not come back. */
  #endLease(call: Call, participant: Participant): void {
    if (!this.#mayReturn(call, participant)) return this.#leave(call, participant, 'removed');
    call.absent.set(participant.id, participant);
    return this.#leave(call, participant, 'lease');
  }

  #mayReturn({ conversation }: Call, { userId, session }: Participant): boolean {
    return !session?.isOver && this.#dependencies.conversations.mayJoin(userId, conversation);
  }

  /** The member is back: with the same id, or on a device that takes the place of the absent one. */
  #endAbsence(call: Call, { id, userId }: Participant): void {
    call.absent.delete(id);
    for (const absent of call.absent.values()) if (absent.userId === userId) this.#cut(call, absent, 'moved');
  }

  /** Makes the others close their connections to an absent participant. */
  #cut(call: Call, { id }: Participant, reason: LeaveReason): void {
    call.absent.delete(id);
    this.#broadcast(call, id, { kind: 'left', from: id, data: { reason } });
  }

  #leave(call: Call, participant: Participant, reason: LeaveReason): void {
    const { userId } = participant;
    const now = this.#dependencies.clock.now();
    this.#remove(call, participant, reason);
    const person = call.people.get(userId);
    if (person) call.people.set(userId, { ...person, lastLeft: secondsOf(now) });
    this.#records.putPeople(call, [userId]);
    if (call.end) return;
    if (call.participants.size === 1) call.aloneSince = now;
    if (call.participants.size === 0) this.#end(call, reason === 'removed' ? 'removed' : 'left');
    else this.#publish(call);
  }

  #remove(call: Call, participant: Participant, reason: LeaveReason): void {
    const { id, inbox } = participant;
    call.participants.delete(id);
    call.engine?.left(call.id, id);
    inbox.push({ kind: 'left', from: id, data: { reason } });
    // A participant whose lease has ended joins again, so it needs no last signal.
    if (reason !== 'lease') {
      this.#renew(participant);
      this.#departed.set(id, participant);
    }
    this.#broadcast(call, id, { kind: 'left', from: id, data: { reason } });
  }

  #end(call: Call, cause: CallEndReason): void {
    const now = this.#dependencies.clock.now();
    const alive = cause === 'cut' ? this.#records.lastAlive(call.id) : undefined;
    this.#endRing(call);
    call.end = { at: alive === undefined ? now : alive * 1000, reason: reasonOf(call, cause) };
    this.#engineOf(call).ended(call.id);
    for (const participant of call.participants.values()) this.#leave(call, participant, 'ended');
    this.#ongoing.remove(call);
    this.#records.end(call);
    this.#publish(call);
  }

  /** Those who have not answered have missed the call. */
  #endRing(call: Call): void {
    const missed = [...(call.ring?.called ?? [])];
    call.ring = undefined;
    for (const userId of missed) {
      if (call.people.get(userId)?.answer !== 'joined') call.people.set(userId, { ...notJoined(call, userId), answer: 'missed' });
    }
    this.#records.putPeople(call, missed);
  }

  #answered(call: Call, userId: number): void {
    call.ring?.called.delete(userId);
    if (call.ring?.called.size === 0) call.ring = undefined;
  }

  #broadcast(call: Call, exceptId: string, signal: UnnumberedSignal): void {
    for (const other of call.participants.values()) if (other.id !== exceptId) this.#deliver(call, other, signal);
  }

  #deliver(call: Call, to: Participant | undefined, signal: UnnumberedSignal): void {
    // A participant that does not poll is as if its lease had ended.
    if (to && !to.inbox.push(signal)) this.#endLease(call, to);
  }

  #renew(participant: Participant): void {
    participant.leaseEnds = this.#dependencies.clock.now() + callLimits.lease * 1000;
  }

  #participantOf(userId: number, id: string, named: string): { readonly call: Call; readonly participant: Participant } {
    const place = this.#ongoing.placeIn(id, userId, named);
    if (!place) {
      this.#ongoing.ongoing(userId, id);
      throw refused.notInCall();
    }
    if (this.#dependencies.conversations.mayJoin(userId, place.call.conversation)) return place;
    this.#leave(place.call, place.participant, 'removed');
    throw refused.noSuchOngoingCall();
  }

  async #ask(asker: Asker, id: string): Promise<void> {
    const call = this.#ongoing.find(id);
    if (call) await this.#dependencies.conversations.ask(asker, call.conversation);
  }

  #view(call: Call, userId: number): CallState {
    return stateFor(call, userId, this.#dependencies.conversations.seenBy(userId));
  }

  #publish(call: Call): void {
    this.#dependencies.conversations.publish(call.conversation, (viewerId, sees) => stateFor(call, viewerId, sees));
  }

  /** @throws RefusedError RATE_LIMIT_HIT */
  #limit(counts: CallCounts, key: number | string): void {
    const { exceeded, reset } = counts.spend(key);
    if (exceeded) throw refused.tooManyAttempts(Math.max(1, reset - this.#dependencies.clock.now() / 1000));
  }
}

import type { Conversations } from '../chat/backend.ts';
import type { CallConversation, MessageCall } from '@engawa/protocol';
import { refused } from '../http/errors.ts';
import { type Call, type Participant, keyOf } from './call.ts';
import type { CallRecords } from './records.ts';

interface Place {
  readonly call: Call;
  readonly participant: Participant;
}

/** The calls that go on, and who may find them. The number of all participants is small, so look-ups examine them all. */
export class OngoingCalls {
  readonly #calls = new Map<string, Call>();
  readonly #records: CallRecords;
  readonly #conversations: Pick<Conversations, 'mayJoin'>;

  constructor(records: CallRecords, conversations: Pick<Conversations, 'mayJoin'>) {
    this.#records = records;
    this.#conversations = conversations;
  }

  all(): Call[] {
    return [...this.#calls.values()];
  }

  add(call: Call): void {
    this.#calls.set(call.id, call);
  }

  remove({ id }: Call): void {
    this.#calls.delete(id);
  }

  has({ id }: Call): boolean {
    return this.#calls.has(id);
  }

  get(id: string): Call | undefined {
    return this.#calls.get(id);
  }

  in(conversation: CallConversation): Call | undefined {
    const key = keyOf(conversation);
    return this.all().find((call) => keyOf(call.conversation) === key);
  }

  placeOf(userId: number): Place | undefined {
    const places = this.all().flatMap((call) => [...call.participants.values()].map((participant) => ({ call, participant })));
    return places.find(({ participant }) => participant.userId === userId);
  }

  placeIn(id: string, userId: number, participantId: string): Place | undefined {
    const call = this.#calls.get(id);
    const participant = call?.participants.get(participantId);
    return call && participant?.userId === userId ? { call, participant } : undefined;
  }

  /** Also calls that have ended, by the id of the message. */
  ofMessages(messageIds: readonly number[]): ReadonlyMap<number, MessageCall> {
    const wanted = new Set(messageIds);
    const stored = this.#records.ofMessages(messageIds);
    // The id of a message is stored a moment later.
    const announced = this.all().flatMap(({ id, kind, messageId }) =>
      messageId !== null && wanted.has(messageId) ? [{ id, kind, messageId }] : [],
    );
    return new Map([...stored, ...announced].map(({ id, kind, messageId }) => [messageId, { id, kind }]));
  }

  /** Also a call that has ended. */
  find(id: string): Call | undefined {
    return this.#calls.get(id) ?? this.#records.find(id);
  }

  /** Also a call that has ended. @throws RefusedError 404, the same for a missing call and one of others. */
  readable(userId: number, id: string): Call {
    const call = this.find(id);
    if (!call || !this.#mayRead(userId, call)) throw refused.noSuchOngoingCall();
    return call;
  }

  /** @throws RefusedError 404; CALL_ENDED */
  ongoing(userId: number, id: string): Call {
    const call = this.readable(userId, id);
    if (call.end) throw refused.callEnded();
    return call;
  }

  /** A direct conversation exists only when its first message is sent, which may be the one of this call. */
  #mayRead(userId: number, { conversation, startedBy, messageId }: Call): boolean {
    return this.#conversations.mayJoin(userId, conversation) || (messageId === null && startedBy === userId);
  }
}

import { CallCounts, type Clock } from '@engawa/chat-server/parts';
import type { Conversations } from '../chat/backend.ts';
import { callLimits } from '@engawa/protocol/calls';
import { refused } from '../http/errors.ts';
import { type Call, type Ring, keyOf } from './call.ts';

export interface RingDependencies {
  readonly conversations: Pick<Conversations, 'members' | 'mayBeRung'>;
  readonly clock: Clock;
  /** Whether the member is in a call, on any device. */
  readonly isInCall: (userId: number) => boolean;
}

/** Decides whose devices ring. The answers of the members are part of the call. */
export class Rings {
  readonly #dependencies: RingDependencies;
  readonly #counts: CallCounts;

  constructor(dependencies: RingDependencies) {
    this.#dependencies = dependencies;
    this.#counts = new CallCounts(dependencies.clock, callLimits.ringsPerPerson);
  }

  /** @returns undefined in a stream with too many members, and if nobody else is in the conversation. */
  begin(call: Call): Ring | undefined {
    const called = this.#ringableIn(call).filter((userId) => userId !== call.startedBy);
    return called.length === 0 ? undefined : this.#ring(call, called);
  }

  /** Rings again. @throws RefusedError 400 in a large stream, and if nobody can be rung; 429 if everybody was rung too often. */
  repeat(call: Call, chosen: readonly number[] | undefined): Ring {
    const members = this.#ringableIn(call);
    if (members.length === 0) throw refused.mayNotRing();
    const inCall = new Set([...call.participants.values()].map(({ userId }) => userId));
    const called = members.filter((userId) => !inCall.has(userId) && (chosen?.includes(userId) ?? true));
    if (called.length === 0) throw refused.nobodyToRing();
    const waits = called.map((userId) => this.#wait(call, userId));
    if (waits.every((wait) => wait > 0)) throw refused.tooManyAttempts(Math.min(...waits));
    return this.#ring(call, called);
  }

  #ring(call: Call, called: readonly number[]): Ring {
    const { conversations, clock, isInCall } = this.#dependencies;
    const rung = called.filter(
      (userId) => !isInCall(userId) && conversations.mayBeRung(userId, call.conversation) && this.#spend(call, userId),
    );
    return { ends: clock.now() + callLimits.ring * 1000, called: new Set(called), rung: new Set(rung) };
  }

  #ringableIn({ conversation }: Call): readonly number[] {
    const members = this.#dependencies.conversations.members(conversation, callLimits.ringMembers + 1);
    const isSmall = typeof conversation !== 'number' || members.length <= callLimits.ringMembers;
    return isSmall ? members : [];
  }

  #spend(call: Call, userId: number): boolean {
    return !this.#counts.spend(keyFor(call, userId)).exceeded;
  }

  /** Seconds until the person may be rung again. */
  #wait(call: Call, userId: number): number {
    const { remaining, reset } = this.#counts.look(keyFor(call, userId));
    return remaining > 0 ? 0 : Math.max(1, reset - this.#dependencies.clock.now() / 1000);
  }
}

const keyFor = ({ conversation }: Call, userId: number): string => `${keyOf(conversation)} ${userId}`;

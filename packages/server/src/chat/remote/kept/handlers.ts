import type { Database } from '@engawa/chat-server/database';
import { CallCounts, type RateLimits, chatRefused } from '@engawa/chat-server/parts';
import { type Endpoint, type ParametersOut, decodeParameters } from '@engawa/protocol';
import type { LiveEvent } from '@engawa/protocol/live';
import type { Log } from '../../../log/log.ts';
import type { ChatCall, ChatReply, RequestChat } from '../../backend.ts';
import { type Fields, successOf } from './answer.ts';
import { type ReceivedCall, receive } from './call.ts';
import { Callers } from './callers.ts';

/** Delivers an event to the open clients of members, because Zulip's queues carry only its own events. */
export type Publish = (userIds: Iterable<number>, event: LiveEvent) => void;

export interface KeptDependencies {
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The limit of a member counts the calls that the product answers itself. */
  readonly rateLimits: RateLimits | 'none';
  readonly publish: Publish;
  readonly log: Log;
}

export interface HandlerDependencies extends KeptDependencies {
  /** Asks Zulip. */
  readonly request: RequestChat;
  readonly callers: Callers;
  /** @throws ChatError RATE_LIMIT_HIT */
  readonly count: (memberId: number) => void;
}

export interface Handler {
  readonly endpoint: Endpoint;
  readonly handle: (call: ChatCall, ids: Readonly<Record<string, number>>) => Promise<ChatReply>;
}

export function handlerDependencies(request: RequestChat, kept: KeptDependencies): HandlerDependencies {
  const { now, rateLimits } = kept;
  const counts = rateLimits === 'none' ? undefined : new CallCounts({ now }, rateLimits.member);
  return {
    ...kept,
    request,
    callers: new Callers(request, now),
    count(memberId) {
      const allowance = counts?.spend(memberId);
      if (allowance?.exceeded) throw chatRefused.rateLimited(allowance.reset - now() / 1000);
    },
  };
}

/** A call that Zulip does not know or does not get. */
export function ownHandler<E extends Endpoint>(
  endpoint: E,
  dependencies: HandlerDependencies,
  answer: (parameters: ParametersOut<E>, memberId: number) => Fields | Promise<Fields | void>,
): Handler {
  return changeHandler(endpoint, dependencies, async (memberId, { parameters }, ids) => {
    dependencies.count(memberId);
    return successOf(memberId, (await answer(decodeParameters(endpoint, parameters.get, ids), memberId)) ?? {});
  });
}

/** A call of which Zulip gets a part or nothing. The caller is known before the body is read. */
export function changeHandler(
  endpoint: Endpoint,
  { callers }: HandlerDependencies,
  change: (memberId: number, received: ReceivedCall, ids: Readonly<Record<string, number>>) => Promise<ChatReply>,
): Handler {
  return {
    endpoint,
    async handle(call, ids) {
      const caller = await callers.identify(call);
      return typeof caller === 'number' ? change(caller, await receive(call), ids) : caller;
    },
  };
}

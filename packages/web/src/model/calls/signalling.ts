/** Exchanges signals with the other participants of a call through the server. */
import { ApiError, backoff, NetworkError, RateLimitedError, ServerError, sleep } from '@engawa/client';
import {
  callLimits,
  callPaths,
  joinedCall,
  receivedSignals,
  type JoinedCall,
  type OutgoingSignal,
  type ParticipantState,
  type ReceivedSignal,
} from '@engawa/protocol/calls';
import { z } from 'zod/mini';
import { askProduct } from '../connection/productCall.ts';
import type { ModelContext } from '../context.ts';
import type { Environment } from '../environment.ts';

/** Candidates of a few milliseconds go together. */
const gatheringMs = 5;
/** The longest wait before a poll is repeated, so that a call continues soon after the server is back. */
const longestWaitMs = 4000;

const pollTimeoutMs = (callLimits.poll + 10) * 1000;
const nothing = z.object({});

interface CallContext extends Pick<ModelContext<unknown>, 'connection' | 'clock' | 'stop'> {
  readonly environment: Pick<Environment, 'site' | 'fetch' | 'clock' | 'random' | 'log'>;
}

export interface SignallingOptions {
  readonly callId: string;
  readonly joined: JoinedCall;
  /** The own state, for joining again. */
  readonly state: () => ParticipantState;
  readonly onSignal: (signal: ReceivedSignal) => void;
  /** The participant has joined again: the server had forgotten it, or `rejoin` was called. */
  readonly onJoined: (joined: JoinedCall) => void;
  readonly onServerAway: (away: boolean) => void;
  /** The call is over, or the member may no longer see it. */
  readonly onOver: (status: number) => void;
}

export interface Signalling {
  send(signal: OutgoingSignal): void;
  /** Joins again with the same id, for a new entry to the engine of the call. */
  rejoin(): void;
  readonly leaveAddress: string;
  stop(): void;
}

export function askCall<Answer>(
  { connection, environment, stop }: CallContext,
  method: 'GET' | 'POST',
  path: string,
  answer: z.ZodMiniType<Answer>,
  body?: object,
): Promise<{ readonly answer: Answer }> {
  const call = { method, path, answer, timeoutMilliseconds: pollTimeoutMs, ...(body && { body }) };
  return askProduct({ connection, environment, stop }, call);
}

export async function join(
  context: CallContext,
  callId: string,
  body: { readonly participant?: string; readonly state: ParticipantState; readonly move?: boolean },
): Promise<JoinedCall> {
  return (await askCall(context, 'POST', callPaths.join(callId), joinedCall, body)).answer;
}

function leaveAddress(callId: string, participant: string): string {
  return `${callPaths.leave(callId)}?participant=${participant}`;
}

export function startSignalling(context: CallContext, options: SignallingOptions): Signalling {
  const { clock, environment } = context;
  const { callId, state, onSignal, onJoined, onServerAway, onOver } = options;
  const stopping = new AbortController();
  const stop = AbortSignal.any([context.stop, stopping.signal]);
  const within = { ...context, stop };
  let { participant, epoch } = options.joined;
  let after = 0;
  let unsent: readonly OutgoingSignal[] = [];
  let isSending = false;

  const wait = (failures: number, error: unknown) => {
    const least = error instanceof RateLimitedError ? error.retryAfterSeconds * 1000 : 0;
    return sleep(clock, Math.max(least, Math.min(longestWaitMs, backoff(failures, environment.random))), stop);
  };

  const end = (error: unknown) => {
    stopping.abort();
    if (!(error instanceof ApiError)) environment.log('call_signalling_failed', error);
    onOver(error instanceof ApiError ? error.status : 0);
  };

  async function rejoin(): Promise<void> {
    const joined = await join(within, callId, { participant, state: state() });
    if (joined.epoch !== epoch) after = 0;
    ({ participant, epoch } = joined);
    onJoined(joined);
  }

  async function poll(): Promise<void> {
    const query = new URLSearchParams({ participant, after: String(after) });
    const { answer } = await askCall(within, 'GET', `${callPaths.signals(callId)}?${query.toString()}`, receivedSignals);
    if (answer.epoch !== epoch) {
      ({ epoch } = answer);
      after = 0;
    }
    for (const signal of answer.signals) {
      if (signal.n <= after || stop.aborted) continue;
      after = signal.n;
      onSignal(signal);
    }
  }

  async function receive(): Promise<void> {
    let isForgotten = false;
    for (let failures = 0; !stop.aborted;) {
      try {
        await (isForgotten ? rejoin() : poll());
        isForgotten = false;
        failures = 0;
        onServerAway(false);
      } catch (error) {
        if (stop.aborted) return;
        const isNews: boolean = isNotInCall(error) && !isForgotten;
        isForgotten ||= isNews;
        if (isNews) continue;
        if (!isTemporary(error) && !isNotInCall(error)) return end(error);
        failures += 1;
        onServerAway(!(error instanceof ApiError));
        await wait(failures, error);
      }
    }
  }

  async function flush(): Promise<void> {
    isSending = true;
    await sleep(clock, gatheringMs, stop);
    for (let failures = 0; unsent.length > 0 && !stop.aborted;) {
      const signals = nextRequest(unsent);
      try {
        await askCall(within, 'POST', callPaths.signals(callId), nothing, { participant, signals });
        unsent = unsent.filter((signal) => !signals.includes(signal));
        failures = 0;
        onServerAway(false);
      } catch (error) {
        if (stop.aborted) return;
        // A participant that the server has forgotten joins again by its poll meanwhile.
        if (!isTemporary(error) && !isNotInCall(error)) return end(error);
        failures += 1;
        // A waiting poll notices a lost network only after its time.
        onServerAway(!(error instanceof ApiError));
        await wait(failures, error);
      }
    }
    isSending = false;
  }

  void receive();

  return {
    send(signal) {
      unsent = [...unsent.filter((earlier) => !isReplaced(earlier, signal)), signal].slice(-callLimits.inbox.signals);
      if (!isSending) void flush();
    },
    rejoin() {
      rejoin().catch((error: unknown) => {
        // The poll tells the member if they may not join.
        if (!stop.aborted) environment.log('call_rejoin_failed', error);
      });
    },
    get leaveAddress() {
      return leaveAddress(callId, participant);
    },
    stop: () => stopping.abort(),
  };
}

/** The oldest signals, as many as a request may have. */
function nextRequest(unsent: readonly OutgoingSignal[]): readonly OutgoingSignal[] {
  const { signals, characters } = callLimits.request;
  let length = 0;
  const end = unsent.findIndex((signal, index) => {
    length += JSON.stringify(signal).length;
    return index === signals || (index > 0 && length > characters);
  });
  return end === -1 ? unsent : unsent.slice(0, end);
}

/** Only the newest own state matters, and an offer makes earlier ones to the same participant useless, with their candidates. */
export function isReplaced(earlier: OutgoingSignal, signal: OutgoingSignal): boolean {
  if (signal.kind === 'state') return earlier.kind === 'state';
  return signal.kind === 'offer' && 'to' in earlier && earlier.to === signal.to;
}

const isNotInCall = (error: unknown) => error instanceof ApiError && error.code === 'NOT_IN_CALL';
const isTemporary = (error: unknown) =>
  error instanceof NetworkError || error instanceof ServerError || error instanceof RateLimitedError;

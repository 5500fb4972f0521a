import { ChatError, noBody } from '@engawa/chat-server/parts';
import { fetchApiKey, getEvents, getServerSettings, longPollTimeoutSeconds, regenerateApiKey } from '@engawa/protocol';
import { maxImageBytes } from '@engawa/protocol/product';
import { type Log, nameOfCall } from '../../log/log.ts';
import type { ChatCall, ChatReply, RequestChat } from '../backend.ts';
import { allowedCall } from './allowedCalls.ts';
import { isAboutKeyOfBot, isOwnBot, ownerCall, withoutKeys } from './botKeys.ts';
import type { Refusals } from './refusals.ts';
import { noSuchCall, refusal, replyOf, replyWithoutUpstream } from './replies.ts';
import { type Upstream, UpstreamError } from './upstream.ts';

/** Milliseconds; less than the time-out of the client library, so that its caller gets words. */
const callPatience = 28_000;
/** Milliseconds; more than Zulip's heartbeat needs. */
const pollPatience = (longPollTimeoutSeconds + 10) * 1000;
/** Bytes; the embedded server has the same limit. */
const mostBodyBytes = 1024 * 1024;
/** Milliseconds. The first screen of everybody asks for the settings of the server, and Zulip limits calls without a member. */
const settingsLife = 60_000;

/** A name that contains `desktop app` is a program of a person for Zulip, so that their own messages are read at once. */
export const userAgent = 'Engawa desktop app/1';

export interface RemoteDependencies {
  readonly upstream: Upstream;
  /** Answers the waiting polls when it is aborted. */
  readonly stopped: AbortSignal;
  readonly log: Log;
}

interface Limits {
  /** Milliseconds. */
  readonly patience: number;
  readonly mostBodyBytes: number;
}

const ofCalls: Limits = { patience: callPatience, mostBodyBytes };
const ofPolls: Limits = { patience: pollPatience, mostBodyBytes };
/** The form has some bytes besides the picture. */
export const ofPictures: Limits = { patience: callPatience, mostBodyBytes: maxImageBytes + 16 * 1024 };

/** Changes that may be made twice: a second queue expires, and the key is the same. */
const repeatable = /^\/api\/v1\/(?:register|fetch_api_key)$/;

/** Calls Zulip. A failure becomes a reply, and is logged. @param target the path and query at Zulip. */
export function askZulip({ upstream, stopped, log }: RemoteDependencies) {
  return async (call: ChatCall, target: string, limits = ofCalls): Promise<ChatReply> => {
    const body = await bodyOf(call, limits.mostBodyBytes);
    if (!body) {
      return refusal(413, 'PAYLOAD_TOO_LARGE', `The request is larger than the allowed limit of ${limits.mostBodyBytes} bytes.`);
    }
    const { method, signal: left } = call;
    const signal = limits === ofPolls ? AbortSignal.any([left, stopped]) : left;
    try {
      return replyOf(
        await upstream.exchange({
          method,
          path: target,
          headers: headersOf(call),
          body,
          isRepeatable: method === 'GET' || repeatable.test(target),
          patience: limits.patience,
          signal,
        }),
      );
    } catch (error) {
      if (left.aborted) return replyToAborted(left);
      // The client polls again, and then finds that the product is being stopped.
      if (signal.aborted) return noEvents;
      if (!(error instanceof UpstreamError)) throw error;
      const { fault, cause } = error;
      const reason = cause instanceof Error ? cause.message : undefined;
      log({ level: 'warn', event: 'chat_server_failed', fault, call: nameOfCall(call), reason });
      return replyWithoutUpstream(fault);
    }
  };
}

export interface RemoteCallDependencies {
  readonly ask: ReturnType<typeof askZulip>;
  readonly refusals: Refusals;
  readonly now: () => number;
}

/** Calls of clients: only those that `protocol` describes, and not too many that Zulip refuses. */
export function requestAtZulip({ ask, refusals, now }: RemoteCallDependencies): RequestChat {
  const settings = rememberedFor(settingsLife, now, (target: string) => ask(ownCall('GET', target), target));
  return async (call) => {
    const allowed = allowedCall(call.method, call.url);
    if (!allowed) return noSuchCall();
    const { endpoint, target } = allowed;
    if (endpoint === getServerSettings) return settings(target);
    const { address, memberId } = call;
    // A browser would lose its session with the key. `keys.renew` replaces both.
    if (endpoint === regenerateApiKey && memberId !== undefined) return noSuchCall();
    // A member's session was accepted by Zulip, and the product's own calls have no address.
    if (address === undefined || memberId !== undefined) {
      if (
        memberId !== undefined &&
        isAboutKeyOfBot(endpoint) &&
        !isOwnBot(await ask(asMember(call), ownerCall(target)), memberId)
      ) {
        return refusal(400, 'BAD_REQUEST', 'No such bot');
      }
      const reply = await ask(call, target, endpoint === getEvents ? ofPolls : ofCalls);
      return { ...(memberId === undefined ? reply : withoutKeys(endpoint, reply)), memberId };
    }
    const kind = endpoint === fetchApiKey ? 'password' : 'key';
    const wait = refusals.waitOf(kind, address);
    if (wait !== undefined) return rateLimited(wait);
    const reply = await ask(call, target, endpoint === getEvents ? ofPolls : ofCalls);
    if (reply.status === 401) refusals.note(kind, address);
    return reply;
  };
}

/** A question with the rights of the member who makes a call. */
function asMember({ headers, address, memberId, signal }: ChatCall): ChatCall {
  return { ...ownCall('GET', ''), headers, address, memberId, signal };
}

/** A call that the product makes itself. */
function ownCall(method: string, url: string): ChatCall {
  return {
    method,
    url,
    headers: {},
    body: noBody,
    address: undefined,
    signal: new AbortController().signal,
  };
}

/** Concurrent callers share one call, and a success is used for some time. */
function rememberedFor(
  milliseconds: number,
  now: () => number,
  make: (target: string) => Promise<ChatReply>,
): (target: string) => Promise<ChatReply> {
  let made: { readonly until: number; readonly reply: Promise<ChatReply> } | undefined;
  return async (target) => {
    if (!made || made.until < now()) made = { until: now() + milliseconds, reply: make(target) };
    const current = made;
    const reply = await current.reply;
    if (reply.status !== 200 && made === current) made = undefined;
    return reply;
  };
}

const noEvents: ChatReply = {
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: Buffer.from('{"result":"success","msg":"","events":[]}\n'),
};

/** Undefined if it is too large. The call is made only when its body has ended. */
async function bodyOf({ method, body }: ChatCall, mostBytes: number): Promise<Uint8Array | undefined> {
  const read = await body(mostBytes);
  return read && method === 'GET' ? new Uint8Array() : read;
}

/** Only these reach Zulip: no cookie, and nothing about the browser. */
function headersOf({ headers, address, memberId }: ChatCall): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of ['authorization', 'content-type', 'accept-language']) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  const program = headers['user-agent'];
  const isProgram = memberId === undefined && address !== undefined && typeof program === 'string';
  return {
    ...passed,
    accept: 'application/json',
    'user-agent': isProgram ? program : userAgent,
    // Counts only if the administrator of Zulip names this server as a proxy.
    ...(address !== undefined && { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' }),
  };
}

/** A session that ends gives the reason; otherwise nobody waits for the reply. */
function replyToAborted({ reason }: AbortSignal): ChatReply {
  return reason instanceof ChatError
    ? refusal(reason.status, reason.code, reason.message)
    : refusal(400, 'BAD_REQUEST', 'The call was cancelled.');
}

function rateLimited(seconds: number): ChatReply {
  const data = { 'retry-after': seconds };
  const headers = { 'Retry-After': String(Math.ceil(seconds)) };
  return refusal(429, 'RATE_LIMIT_HIT', 'API usage exceeded rate limit', { data, headers });
}

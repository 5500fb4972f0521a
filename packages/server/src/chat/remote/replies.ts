import type { ErrorCode } from '@engawa/protocol';
import type { ChatReply } from '../backend.ts';
import { withoutAddresses } from './addresses.ts';
import type { UpstreamFault, UpstreamReply } from './upstream.ts';

const json = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

interface BufferedReply extends ChatReply {
  readonly body: Uint8Array;
}

export function refusal(
  status: number,
  code: ErrorCode,
  msg: string,
  {
    data = {},
    headers = {},
  }: { readonly data?: Readonly<Record<string, unknown>>; readonly headers?: ChatReply['headers'] } = {},
): BufferedReply {
  const body = Buffer.from(`${JSON.stringify({ result: 'error', msg, code, ...data })}\n`);
  return { status, headers: { ...json, ...headers }, body };
}

export const noSuchCall = (): ChatReply => refusal(404, 'NOT_FOUND', 'There is no such call in this API.');

const wordsOfFault: Readonly<Record<UpstreamFault, string>> = {
  unreachable: 'The chat server of this organisation cannot be reached.',
  certificate: 'The certificate of the chat server of this organisation is not valid.',
  slow: 'The chat server of this organisation does not answer in time.',
  'cut-off': 'The chat server of this organisation has stopped in the middle of its answer.',
  'too-large': 'The answer of the chat server of this organisation is too large.',
};

export function replyWithoutUpstream(fault: UpstreamFault): BufferedReply {
  return refusal(fault === 'slow' ? 504 : 502, 'CHAT_SERVER_UNAVAILABLE', wordsOfFault[fault]);
}

/** The headers of Zulip that a client may need. */
const passedOn = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'www-authenticate', 'allow'];

/** The reply in the form of the chat API, whatever Zulip or a proxy before it has answered. */
export function replyOf(upstream: UpstreamReply): ChatReply {
  const { status, body } = upstream;
  if (status >= 500) return failureOf(status);
  if (!isJson(upstream)) return replyForPage(status);
  return { status, headers: headersOf(upstream), body: withoutAddresses(body) };
}

function isJson({ headers }: UpstreamReply): boolean {
  return /^application\/json\b/i.test(headers['content-type'] ?? '');
}

/** The body is dropped: it may be a page, and the details of a failure are for Zulip's own log. */
export function failureOf(status: number): BufferedReply {
  const kept = status === 503 || status === 504 ? status : 502;
  return refusal(kept, 'CHAT_SERVER_UNAVAILABLE', `The chat server of this organisation has failed (status ${status}).`);
}

/** Web servers and Django answer pages for what their API does not know. */
function replyForPage(status: number): ChatReply {
  if (status === 404) return noSuchCall();
  if (status === 405) return refusal(405, 'BAD_REQUEST', 'Method Not Allowed');
  if (status === 413) return refusal(413, 'PAYLOAD_TOO_LARGE', 'The request is larger than the chat server allows.');
  if (status === 429) return refusal(429, 'RATE_LIMIT_HIT', 'API usage exceeded rate limit', { headers: { 'Retry-After': '5' } });
  return refusal(502, 'CHAT_SERVER_UNAVAILABLE', `The address in ZULIP_SITE answers with a page (status ${status}).`);
}

function headersOf({ headers }: UpstreamReply): ChatReply['headers'] {
  const shown: Record<string, string> = { ...json };
  for (const name of passedOn) {
    const value = headers[name];
    if (typeof value === 'string') shown[name] = value;
  }
  // Zulip's has decimals, which RFC 9110 does not allow.
  const wait = Number(headers['retry-after']);
  if (wait >= 0) shown['Retry-After'] = String(Math.ceil(wait));
  return shown;
}

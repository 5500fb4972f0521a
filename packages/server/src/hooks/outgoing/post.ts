import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { type LookupFunction, isIP } from 'node:net';
import type { PostError } from '@engawa/protocol/outgoing-hooks';
import { type AllowedAddress, isReceiver } from './origins.ts';

/** Bytes. */
const longestAnswer = 64 * 1024;

/** A post to which the receiver gave no answer. */
export class PostFailedError extends Error {
  override readonly name = 'PostFailedError';
  readonly code: PostError;

  constructor(code: PostError, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Asks the DNS without a thread of the process, of which there are few: a name server that does not answer must not delay others.
 * So names in /etc/hosts are not found.
 */
export const resolveByName: Resolve = async (hostname) => {
  if (hostname === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
};

interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface PostOptions {
  readonly resolve: Resolve;
  /** Milliseconds until the whole answer is there. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** The header Retry-After. */
  readonly retryAfter: string | undefined;
  readonly type: string;
  /** Of an answer with success. Undefined if it is too long or is not in UTF-8. */
  readonly body: string | undefined;
}

/**
 * Posts once, on a new connection and without following redirects. The connection goes to an IP address that was checked, so a
 * name cannot lead elsewhere in between. @throws PostFailedError; the reason of `signal` if that ended it
 */
export async function post({ url, isPrivate }: AllowedAddress, { headers, body }: Post, options: PostOptions): Promise<Answer> {
  const late = AbortSignal.timeout(options.timeout);
  const signal = AbortSignal.any([options.signal, late]);
  try {
    const receivers = await orAborted(receiversOf(url, isPrivate, options.resolve), signal);
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: lookupIn(receivers),
      signal,
    });
    try {
      return await answerOf(await responseTo(request, body));
    } finally {
      request.destroy();
    }
  } catch (error) {
    options.signal.throwIfAborted();
    throw error instanceof PostFailedError ? error : new PostFailedError(codeOf(error, late), { cause: error });
  }
}

/** The IP addresses to which a post may go. */
async function receiversOf(
  { hostname }: URL,
  isPrivate: boolean,
  resolve: Resolve,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const host = hostname.replaceAll(/[[\]]/g, '');
  const family = isIP(host);
  const found = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (found.length === 0) throw new PostFailedError('unreachable');
  const [first, ...others] = found.filter(({ address }) => isReceiver(address, isPrivate));
  if (!first) throw new PostFailedError('private_address');
  return [first, ...others];
}

function lookupIn(receivers: [LookupAddress, ...LookupAddress[]]): LookupFunction {
  return (_, { all }, done) => {
    if (all) done(null, receivers);
    else done(null, receivers[0].address, receivers[0].family);
  };
}

function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response;
  const isSuccess = status >= 200 && status < 300;
  const body = isSuccess ? await textOf(response) : undefined;
  return { status, retryAfter: headers['retry-after'], type: headers['content-type'] ?? '', body };
}

function responseTo(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // Also called after the response, when the connection ends early.
    request.on('error', reject);
    request.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    const buffer = Buffer.from(part);
    bytes += buffer.length;
    if (bytes > longestAnswer) return undefined;
    parts.push(buffer);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function codeOf(error: unknown, late: AbortSignal): PostError {
  if (late.aborted) return 'timeout';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) ? 'certificate' : 'unreachable';
}

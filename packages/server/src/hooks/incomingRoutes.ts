import { externalAddress, hookAddress, maxHookPayload } from '@engawa/protocol/hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RefusedError, refused } from '../http/errors.ts';
import { formats } from './incoming/formats.ts';
import type { HookMessage } from './incoming/message.ts';
import { slackMessage } from './incoming/slack.ts';
import { payloadIn } from './payload.ts';
import { HookRefusedError, type HookPosts, type HookTarget } from './posts.ts';

const slackStatus: Readonly<Record<HookRefusedError['code'], number>> = {
  invalid_payload: 400,
  no_text: 400,
  invalid_topic: 400,
  no_service: 404,
  channel_not_found: 404,
  channel_is_archived: 410,
  payload_too_large: 413,
  rate_limited: 429,
};

interface HookCall {
  readonly target: HookTarget;
  /** @throws PayloadError */
  readonly read: (payload: unknown) => HookMessage;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request to an address of a hook. */
    hookCall: HookCall | undefined;
  }
}

/**
 * POST /hooks/{token}, which answers as Slack does, and POST /api/v1/external/{format}, which answers as Zulip does. The hook and
 * its rate are checked before the body is read.
 */
export function incomingHookRoutes(app: FastifyInstance, posts: HookPosts | undefined): void {
  if (!posts) {
    app.post(`${hookAddress}:token`, async () => {
      throw refused.noHooks();
    });
    return;
  }
  void app.register(async (scope) => {
    scope.decorateRequest('hookCall', undefined);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxHookPayload }, (_request, body, done) => done(null, body));

    scope.register(async (slack) => {
      slack.setErrorHandler(async (error, request, reply) => {
        const refusal = await refusalOf(error, request, posts);
        if (!refusal) throw error;
        const { code, retryAfter } = refusal;
        if (retryAfter !== undefined) void reply.header('Retry-After', retryAfter);
        return reply.code(slackStatus[code]).type(plain).send(code);
      });
      slack.post(
        `${hookAddress}:token`,
        { onRequest: async (request) => aim(request, posts, callWithToken(request, posts)) },
        async (request, reply) => {
          await post(request, posts);
          return reply.type(plain).send('ok');
        },
      );
    });

    scope.register(async (external) => {
      external.setErrorHandler(async (error, request) => {
        const refusal = await refusalOf(error, request, posts);
        throw refusal ? zulipError(refusal) : error;
      });
      external.post(
        `${externalAddress}:format`,
        { onRequest: async (request) => aim(request, posts, callWithKey(request, posts)) },
        async (request) => {
          await post(request, posts);
          return { result: 'success', msg: '' };
        },
      );
    });
  });
}

const plain = 'text/plain; charset=utf-8';

async function aim(request: FastifyRequest, posts: HookPosts, call: HookCall): Promise<void> {
  request.hookCall = call;
  await posts.count(call.target);
}

function callWithToken({ params }: FastifyRequest, posts: HookPosts): HookCall {
  const { data } = z.object({ token: z.string() }).safeParse(params);
  const target = data && posts.ofToken(data.token);
  if (!target) throw new HookRefusedError('no_service');
  return { target, read: slackMessage };
}

const parameters = z.object({
  api_key: z.string().optional(),
  stream: z.string().optional(),
  topic: z.string().optional(),
  space: z.string().optional(),
});

/** The parameters are those of Zulip's incoming webhooks. @throws RefusedError */
function callWithKey({ params, query }: FastifyRequest, posts: HookPosts): HookCall {
  const named = z.object({ format: z.string() }).safeParse(params).data;
  const format = named && formats.get(named.format);
  if (!format) throw refused.noSuchCall();
  const { api_key, stream, topic, space } = parameters.safeParse(query).data ?? {};
  const botId = api_key === undefined ? undefined : posts.ofKey(api_key);
  if (botId === undefined) throw refused.noHookKey();
  const target = { botId, stream: stream !== undefined && /^\d{1,15}$/.test(stream) ? Number(stream) : stream, topic };
  return { target, read: (payload) => format(payload, space) };
}

async function post({ hookCall, body }: FastifyRequest, posts: HookPosts): Promise<void> {
  if (!hookCall) throw new Error('the hook of this request was not looked up');
  await posts.post(hookCall.target, () => hookCall.read(payloadIn(typeof body === 'string' ? body : '')));
}

/** A body that is too long is refused by Fastify, so its hook learns of it here. */
async function refusalOf(error: unknown, { hookCall }: FastifyRequest, posts: HookPosts): Promise<HookRefusedError | undefined> {
  if (error instanceof HookRefusedError) return error;
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return undefined;
  if (hookCall) await posts.note(hookCall.target.botId, 'payload_too_large');
  return new HookRefusedError('payload_too_large');
}

function zulipError({ code, retryAfter }: HookRefusedError): RefusedError {
  switch (code) {
    case 'rate_limited':
      return new RefusedError(429, 'RATE_LIMIT_HIT', 'API usage exceeded rate limit', {
        ...(retryAfter !== undefined && { retryAfter }),
      });
    case 'payload_too_large':
      return new RefusedError(
        413,
        'PAYLOAD_TOO_LARGE',
        `The payload is larger than the allowed limit of ${maxHookPayload} bytes.`,
      );
    case 'channel_not_found':
      return new RefusedError(
        400,
        'STREAM_DOES_NOT_EXIST',
        'The stream does not exist, or the owner of the bot cannot write in it.',
      );
    case 'channel_is_archived':
      return new RefusedError(400, 'STREAM_DOES_NOT_EXIST', 'The stream is archived.');
    case 'no_service':
      return new RefusedError(401, 'INVALID_API_KEY', 'The bot or its owner is deactivated.');
    case 'invalid_topic':
      return new RefusedError(400, 'BAD_REQUEST', 'The topic is invalid.');
    case 'invalid_payload':
    case 'no_text':
      return new RefusedError(400, 'BAD_REQUEST', `The payload has another form than this address expects (${code}).`);
  }
}

import { externalAddress, hookAddress, maxHookPayload } from '@engawa/protocol/hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { RefusedError, refused } from '../http/errors.ts';
import { formats } from './incoming/formats.ts';
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

declare module 'fastify' {
  interface FastifyRequest {
    /** The hook that a request to an address of a hook is for. */
    hookTarget: HookTarget | undefined;
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
    scope.decorateRequest('hookTarget', undefined);
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
        { onRequest: async (request) => aim(request, posts, ofToken(request, posts)) },
        (request, reply) =>
          answer(
            request,
            posts,
            () => slackMessage(payloadIn(bodyOf(request))),
            () => reply.type(plain).send('ok'),
          ),
      );
    });

    scope.register(async (external) => {
      external.setErrorHandler(async (error, request) => {
        const refusal = await refusalOf(error, request, posts);
        throw refusal ? zulipError(refusal) : error;
      });
      external.post(
        `${externalAddress}:format`,
        { onRequest: async (request) => aim(request, posts, ofKey(request, posts)) },
        (request, reply) => {
          const { format, space } = externalRequest(request);
          return answer(
            request,
            posts,
            () => format(payloadIn(bodyOf(request)), space),
            () => reply.send({ result: 'success', msg: '' }),
          );
        },
      );
    });
  });
}

const plain = 'text/plain; charset=utf-8';

async function aim(request: FastifyRequest, posts: HookPosts, target: HookTarget): Promise<void> {
  request.hookTarget = target;
  await posts.count(target);
}

function ofToken({ params }: FastifyRequest, posts: HookPosts): HookTarget {
  const { data } = z.object({ token: z.string() }).safeParse(params);
  const target = data && posts.ofToken(data.token);
  if (!target) throw new HookRefusedError('no_service');
  return target;
}

const parameters = z.object({
  api_key: z.string().optional(),
  stream: z.string().optional(),
  topic: z.string().optional(),
  space: z.string().optional(),
});

/** The parameters are those of Zulip's incoming webhooks. @throws RefusedError */
function ofKey(request: FastifyRequest, posts: HookPosts): HookTarget {
  externalRequest(request);
  const { data } = parameters.safeParse(request.query);
  const botId = data?.api_key === undefined ? undefined : posts.ofKey(data.api_key);
  if (data === undefined || botId === undefined) throw refused.noHookKey();
  const { stream, topic } = data;
  return { botId, stream: stream !== undefined && /^\d{1,15}$/.test(stream) ? Number(stream) : stream, topic };
}

function externalRequest({ params, query }: FastifyRequest) {
  const { data } = z.object({ format: z.string() }).safeParse(params);
  const format = data && formats.get(data.format);
  if (!format) throw refused.noSuchCall();
  return { format, space: parameters.safeParse(query).data?.space };
}

const bodyOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '');

async function answer(
  { hookTarget }: FastifyRequest,
  posts: HookPosts,
  read: Parameters<HookPosts['post']>[1],
  reply: () => FastifyReply,
): Promise<FastifyReply> {
  if (!hookTarget) throw new Error('the hook of this request was not looked up');
  await posts.post(hookTarget, read);
  return reply();
}

/** A body that is too long is refused by Fastify, so its hook learns of it here. */
async function refusalOf(
  error: unknown,
  { hookTarget }: FastifyRequest,
  posts: HookPosts,
): Promise<HookRefusedError | undefined> {
  if (error instanceof HookRefusedError) return error;
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return undefined;
  if (hookTarget) await posts.note(hookTarget.botId, 'payload_too_large');
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ChatBackend } from '../chat/backend.ts';
import { uploadPolicy } from '../http/headers.ts';
import { refused } from '../http/errors.ts';
import type { Gate } from '../sessions/member.ts';

export interface ChatFileDependencies {
  readonly openFile: NonNullable<ChatBackend['openFile']>;
  readonly gate: Pick<Gate, 'viewer'>;
}

/** Segments of letters, digits and punctuation; `security/guard.ts` has refused dot segments and encoded slashes. */
const plainPath = /^(?:\/[\w.~!$&'()*+,;=:@%-]{1,600}){2,8}$/;
/** Types that a browser may show or play. All others are only saved. */
const shownTypes = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+)$/i;

/**
 * GET and HEAD /user_avatars/* and /user_uploads/*: files of the chat server through the product's own origin, because the content
 * security policy allows no other. The chat server decides by the reader's key who may read an upload.
 */
export function chatFileRoutes(app: FastifyInstance, dependencies: ChatFileDependencies): void {
  const serve = (url: string, cacheControl: string) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => sendFile(request, reply, { ...dependencies, cacheControl }),
    });
  // The path of a picture changes with the picture.
  serve('/user_avatars/*', 'private, max-age=86400');
  serve('/user_uploads/*', 'private, no-cache');
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { openFile, gate, cacheControl }: ChatFileDependencies & { readonly cacheControl: string },
): Promise<FastifyReply> {
  const { authorization } = await gate.viewer(request, { bots: true });
  const path = request.url.split('?', 1).join('');
  if (!plainPath.test(path)) throw refused.noSuchFile();
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  const { status, headers, body } = await openFile({
    method,
    path,
    authorization,
    headers: request.headers,
    signal: left.signal,
  });
  void reply.code(status).headers(headers);
  if (body instanceof Uint8Array) return reply.send(body);
  const { 'content-type': type = '' } = headers;
  return reply
    .headers({
      'Cache-Control': cacheControl,
      'Content-Disposition': 'attachment',
      'Content-Security-Policy': uploadPolicy,
    })
    .type(shownTypes.test(type) ? type : 'application/octet-stream')
    .send(body);
}

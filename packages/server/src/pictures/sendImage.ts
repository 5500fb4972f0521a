import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Storage } from '../storage/storage.ts';
import { uploadPolicy } from '../http/headers.ts';

export interface StoredImage {
  readonly version: string;
  readonly type: string;
  readonly size: number;
}

/** Sends an image that browsers must revalidate each time, because the right to see it may change. */
export function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { version, type, size }: StoredImage,
  storage: Storage,
): FastifyReply {
  const etag = `"${version}"`;
  void reply.headers({ 'Cache-Control': 'private, no-cache', ETag: etag });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  void reply.type(type).headers({ 'Content-Length': size, 'Content-Security-Policy': uploadPolicy });
  return request.method === 'HEAD' ? reply.send() : reply.send(storage.read(version));
}

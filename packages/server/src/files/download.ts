import { parameterError, sanitizeFileName, withoutPictureSize } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import { idParameter } from '../http/parameters.ts';
import { uploadPolicy } from '../http/headers.ts';
import { pictureSize } from './showable.ts';
import { mayDownload } from './access.ts';
import { rangeOf } from '../storage/range.ts';
import type { FileDependencies } from './routes.ts';
import type { Storage } from '../storage/storage.ts';
import { type FileRow, files } from './store.ts';

const parameters = z.object({ storedName: z.string() });
const query = z.object({ message: idParameter.optional(), as: z.literal('picture').optional() });

/**
 * GET and HEAD /api/storage/temp/{file} (R7.3): `?message=` names the message that the file was opened from. With `as=picture`
 * files are refused that a browser should not show.
 */
export function downloadRoute(app: FastifyInstance, dependencies: Omit<FileDependencies, 'now' | 'maxFileSize'>): void {
  const { database, storage, gate } = dependencies;
  app.route({
    method: ['GET', 'HEAD'],
    url: `${paths.storage}:storedName`,
    async handler(request, reply) {
      // The reader's own key fetches the message, so an answer about the member that is some seconds old gives no access.
      const member = await gate.viewer(request, { bots: true });
      const { message: hint, as } = queryOf(request);
      const file = files.find(database.reader, withoutPictureSize(parameters.parse(request.params).storedName));
      if (!file || !(await mayDownload(member, file, hint, dependencies))) throw refused.noSuchFile();
      const etag = etagOf(file, as);
      // Only a browser whose picture has been checked has its tag, so the file is not read again.
      if (as === 'picture' && request.headers['if-none-match'] !== etag) await checkPicture(file, storage);
      return answer(request, reply, { ...file, etag }, storage);
    },
  });
}

function queryOf(request: FastifyRequest): z.output<typeof query> {
  const parsed = query.safeParse(request.query);
  if (!parsed.success) throw parameterError.unfit(String(parsed.error.issues[0]?.path[0] ?? 'query'), undefined);
  return parsed.data;
}

/** Stored files never change, so the generated name on the disk identifies the bytes. */
function etagOf({ place }: FileRow, as: 'picture' | undefined): string {
  return as === undefined ? `"${place}"` : `"${place}-${as}"`;
}

async function checkPicture(file: FileRow, storage: Storage): Promise<void> {
  const size = await pictureSize(file, storage);
  if (size === 'too-large') throw refused.pictureTooLarge();
  if (size === 'unreadable') throw refused.pictureUnreadable();
}

type TaggedFile = FileRow & { readonly etag: string };

export function answer(request: FastifyRequest, reply: FastifyReply, file: TaggedFile, storage: Storage): FastifyReply {
  const { etag } = file;
  void reply.headers({
    'Accept-Ranges': 'bytes',
    // Access can change, so browsers must revalidate.
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': attachment(sanitizeFileName(file.name)),
    'Content-Security-Policy': uploadPolicy,
    ETag: etag,
  });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();

  const ifRange = request.headers['if-range'];
  const requested = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = rangeOf(requested, file.size);
  if (range === 'unsatisfiable') return reply.code(416).header('Content-Range', `bytes */${file.size}`).send();

  void reply.type(file.type);
  if (range === 'whole') {
    return send(reply.header('Content-Length', file.size), request, () => storage.read(file.place));
  }
  const { first, last } = range;
  void reply.code(206).headers({
    'Content-Length': last - first + 1,
    'Content-Range': `bytes ${first}-${last}/${file.size}`,
  });
  return send(reply, request, () => storage.read(file.place, range));
}

function send(reply: FastifyReply, { method }: FastifyRequest, read: () => NodeJS.ReadableStream): FastifyReply {
  return method === 'HEAD' ? reply.send() : reply.send(read());
}

/** RFC 6266: `filename*`, and an ASCII fallback for old clients. No character of the name reaches the header unescaped. */
function attachment(name: string): string {
  const likeness = name.replace(/[^\w.() -]/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, inPerCent);
  return `attachment; filename="${likeness}"; filename*=UTF-8''${encoded}`;
}

function inPerCent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

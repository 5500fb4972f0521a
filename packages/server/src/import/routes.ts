import { type Steps, inTurns, jsonParts } from '@engawa/chat-server/parts';
import { administrationPaths as paths, importEncodings, maxImportBytes } from '@engawa/protocol/administration';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parse } from '../http/parameters.ts';
import { Turns } from '../http/turns.ts';
import type { Gate } from '../sessions/member.ts';
import { exportOf } from './export.ts';
import { type ImporterDependencies, createImporter } from './importer.ts';
import { sentTable } from './table.ts';

/** The table returns as JSON, in which a Japanese character takes three bytes instead of two, and each cell quotes. */
const maxTableBytes = 4 * maxImportBytes;

const reading = z.object({ encoding: z.enum(importEncodings).optional() });
const application = z.object({ fingerprint: z.string() });

/** /api/administration/import/… and the export. Imports run one at a time, because a large table needs much of the process. */
export function importRoutes(app: FastifyInstance, dependencies: ImporterDependencies & { readonly gate: Gate }): void {
  const { gate } = dependencies;
  const importer = createImporter(dependencies);
  const turns = new Turns();
  /** Answers with what `act` returns. A large table and its differences are written in turns. */
  const answer = async (reply: FastifyReply, act: () => Promise<unknown>) => {
    const body = await turns.take(0, async () => inTurns(bodyOf(await act())));
    return reply.type('application/json; charset=utf-8').send(body);
  };
  // The role is checked before the body is read, so that other members cannot fill the memory.
  const onRequest = async (request: FastifyRequest) => {
    await gate.administrator(request);
  };

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    scope.post(paths.importRead, { onRequest, bodyLimit: maxImportBytes }, async (request, reply) => {
      const { encoding } = parse(reading, request.query);
      return answer(reply, () => importer.read(bytesOf(request), encoding));
    });

    scope.post(paths.importPreview, { onRequest, bodyLimit: maxTableBytes }, async (request, reply) => {
      const member = await gate.administrator(request);
      return answer(reply, async () => importer.preview(await inTurns(sentTable(bytesOf(request))), member));
    });

    scope.post(paths.importApply, { onRequest, bodyLimit: maxTableBytes }, async (request, reply) => {
      const member = await gate.administrator(request);
      const { fingerprint } = parse(application, request.query);
      return answer(reply, async () => importer.apply(await inTurns(sentTable(bytesOf(request))), fingerprint, member));
    });
  });

  app.get(paths.export, async (request, reply) => {
    const member = await gate.administrator(request);
    const file = await exportOf(dependencies.database, await dependencies.chat.directoryAs(member));
    return reply
      .header('Cache-Control', 'private, no-store')
      .header('Content-Disposition', 'attachment; filename="engawa-members.csv"')
      .type('text/csv; charset=utf-8')
      .send(file);
  });
}

const bytesOf = ({ body }: FastifyRequest): Uint8Array => (body instanceof Uint8Array ? body : new Uint8Array());

/** Encodes each part in its own step, because the text of a large table takes long to encode. */
function* bodyOf(answer: unknown): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const part of jsonParts(answer)) {
    parts.push(Buffer.from(part));
    yield;
  }
  return Buffer.concat(parts);
}

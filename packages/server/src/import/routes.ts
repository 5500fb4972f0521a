import { setImmediate } from 'node:timers/promises';
import { type Steps, inTurns, jsonParts } from '@engawa/chat-server/parts';
import {
  administrationPaths as paths,
  importApplication,
  importRequest,
  importEncodings,
  maxImportBytes,
} from '@engawa/protocol/administration';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { parse } from '../http/parameters.ts';
import { refused } from '../http/errors.ts';
import { Turns } from '../http/turns.ts';
import type { Gate } from '../sessions/member.ts';
import { exportOf } from './export.ts';
import { type ImporterDependencies, createImporter } from './importer.ts';

/** The table returns as JSON, in which a Japanese character takes three bytes instead of two, and each cell quotes. */
const maxTableBytes = 4 * maxImportBytes;

const query = z.object({ encoding: z.enum(importEncodings).optional() });

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
      const { encoding } = parse(query, request.query);
      const { body } = request;
      if (!(body instanceof Uint8Array)) throw refused.fileNotReadable();
      return answer(reply, () => importer.read(body, encoding));
    });
  });

  app.post(paths.importPreview, { onRequest, bodyLimit: maxTableBytes }, async (request, reply) => {
    const member = await gate.administrator(request);
    // The table is checked in another turn than that which parsed it.
    await setImmediate();
    const table = parse(importRequest, request.body);
    return answer(reply, () => importer.preview(table, member));
  });

  app.post(paths.importApply, { onRequest, bodyLimit: maxTableBytes }, async (request, reply) => {
    const member = await gate.administrator(request);
    await setImmediate();
    const { fingerprint, ...table } = parse(importApplication, request.body);
    return answer(reply, () => importer.apply(table, fingerprint, member));
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

/** Encodes each part in its own step, because the text of a large table takes long to encode. */
function* bodyOf(answer: unknown): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const part of jsonParts(answer)) {
    parts.push(Buffer.from(part));
    yield;
  }
  return Buffer.concat(parts);
}

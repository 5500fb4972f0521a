import {
  administrationPaths as paths,
  importApplication,
  importRequest,
  importEncodings,
  maxImportBytes,
} from '@engawa/protocol/administration';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
  const inTurn = <Result>(act: () => Promise<Result>) => turns.take(0, act);
  // The role is checked before the body is read, so that other members cannot fill the memory.
  const onRequest = async (request: FastifyRequest) => {
    await gate.administrator(request);
  };

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(paths.importRead, { onRequest, bodyLimit: maxImportBytes }, async (request) => {
      const { encoding } = parse(query, request.query);
      const { body } = request;
      if (!(body instanceof Uint8Array)) throw refused.fileNotReadable();
      return inTurn(() => importer.read(body, encoding));
    });
  });

  app.post(paths.importPreview, { onRequest, bodyLimit: maxTableBytes }, async (request) => {
    const member = await gate.administrator(request);
    const table = parse(importRequest, request.body);
    return inTurn(() => importer.preview(table, member));
  });

  app.post(paths.importApply, { onRequest, bodyLimit: maxTableBytes }, async (request) => {
    const member = await gate.administrator(request);
    const { fingerprint, ...table } = parse(importApplication, request.body);
    return inTurn(() => importer.apply(table, fingerprint, member));
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

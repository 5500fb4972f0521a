import type { Directory } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import { type AdministeredStreams, administrationPaths } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { departments } from '../departments/store.ts';
import { idParameter } from '../http/parameters.ts';
import type { Gate } from '../sessions/member.ts';
import { searchFor } from './search.ts';

export interface StreamListDependencies {
  readonly database: Database;
  readonly chat: Pick<Directory, 'allStreams' | 'subscriberCounts'>;
  readonly gate: Pick<Gate, 'administrator'>;
}

const mostOnPage = 100;

const streamQuery = z.object({
  search: z.string().catch(''),
  after: idParameter.optional().catch(undefined),
});

export function streamListRoute(app: FastifyInstance, { database, chat, gate }: StreamListDependencies): void {
  app.get(administrationPaths.streams, async (request, reply) => {
    await gate.administrator(request);
    const { search, after } = streamQuery.parse(request.query);
    const isFound = searchFor(search);
    const matching = chat.allStreams().filter(({ name, description }) => isFound([name, description]));
    const rest = matching.slice(after === undefined ? 0 : matching.findIndex(({ streamId }) => streamId === after) + 1);
    const shown = rest.slice(0, mostOnPage);
    const members = chat.subscriberCounts(shown.map(({ streamId }) => streamId));
    const bound = new Map(departments.all(database.reader).map(({ stream_id, department_cd }) => [stream_id, department_cd]));
    const answer: AdministeredStreams = {
      streams: shown.map(({ streamId, name, description, isArchived, isPublic, creatorId, created }) => ({
        stream_id: streamId,
        name,
        description,
        is_archived: isArchived,
        is_public: isPublic,
        members: members.get(streamId) ?? 0,
        departmentCd: bound.get(streamId) ?? null,
        creator_id: creatorId,
        created,
      })),
      next: rest.length > mostOnPage ? String(shown.at(-1)?.streamId) : null,
    };
    return reply.header('Cache-Control', 'private, no-store').send(answer);
  });
}

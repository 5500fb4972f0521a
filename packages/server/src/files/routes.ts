import type { ChatServer } from '@engawa/chat-server';
import type { Database } from '@engawa/chat-server/database';
import type { FastifyInstance } from 'fastify';
import type { ConnectAs } from '../chat/connections.ts';
import type { Gate } from '../sessions/member.ts';
import type { Storage } from '../storage/storage.ts';
import { createFileAccess } from './access.ts';
import { downloadRoute } from './download.ts';
import { uploadRoute } from './upload.ts';

export interface FileDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly chat: Pick<ChatServer, 'messagesOfFile'>;
  readonly connectAs: ConnectAs;
  readonly gate: Gate;
  readonly maxFileSize: number;
  readonly now: () => number;
}

export function fileRoutes(app: FastifyInstance, dependencies: FileDependencies): void {
  uploadRoute(app, dependencies);
  downloadRoute(app, { ...dependencies, access: createFileAccess(dependencies.chat, dependencies.connectAs) });
}

import type { Database } from '@engawa/chat-server/database';
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../sessions/member.ts';
import type { Storage } from '../storage/storage.ts';
import type { FileAccessDependencies } from './access.ts';
import { downloadRoute } from './download.ts';
import { uploadRoute } from './upload.ts';

export interface FileDependencies extends FileAccessDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly gate: Gate;
  readonly maxFileSize: number;
  readonly now: () => number;
}

export function fileRoutes(app: FastifyInstance, dependencies: FileDependencies): void {
  uploadRoute(app, dependencies);
  downloadRoute(app, dependencies);
}

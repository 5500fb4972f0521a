import type { Database } from '@engawa/chat-server/database';
import type { FastifyInstance } from 'fastify';
import type { Gate } from '../sessions/member.ts';
import type { Storage } from '../storage/storage.ts';
import type { FileAccessDependencies } from './access.ts';
import { downloadRoute } from './download.ts';
import { createQuota } from './quota.ts';
import { uploadRoute } from './upload.ts';
import { userUploadRoutes } from './userUploads.ts';

export interface FileDependencies extends FileAccessDependencies {
  readonly database: Database;
  readonly storage: Storage;
  readonly gate: Gate;
  readonly maxFileSize: number;
  readonly now: () => number;
  /** Whether the product serves the uploads of the chat API, and not a chat server elsewhere. */
  readonly servesUploads: boolean;
}

export function fileRoutes(app: FastifyInstance, dependencies: FileDependencies): void {
  const reserve = createQuota(dependencies.database, dependencies.maxFileSize);
  uploadRoute(app, { ...dependencies, reserve });
  if (dependencies.servesUploads) userUploadRoutes(app, { ...dependencies, reserve });
  downloadRoute(app, dependencies);
}

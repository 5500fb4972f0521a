import { sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * The built web client, compressed as the build left it. What the build names by its content never changes; all else
 * is asked about each time.
 */
export function screenRoutes(app: FastifyInstance, directory: string): void {
  void app.register(fastifyStatic, {
    root: directory,
    cacheControl: false,
    preCompressed: true,
    setHeaders(response, path) {
      const hashed = path.startsWith(`${directory}${sep}assets${sep}`);
      void response.header('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

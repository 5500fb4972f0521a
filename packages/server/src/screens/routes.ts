import { relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** What the build names by its content never changes, and a ready-made picture may be yesterday's; all else is asked about each time. */
const cacheControl = new Map([
  ['assets', 'public, max-age=31536000, immutable'],
  ['avatars', 'public, max-age=86400'],
]);

/** The built web client, compressed as the build left it. */
export function screenRoutes(app: FastifyInstance, directory: string): void {
  void app.register(fastifyStatic, {
    root: directory,
    cacheControl: false,
    preCompressed: true,
    setHeaders(response, path) {
      const [folder = ''] = relative(directory, path).split(sep);
      void response.header('Cache-Control', cacheControl.get(folder) ?? 'no-cache');
    },
  });
}

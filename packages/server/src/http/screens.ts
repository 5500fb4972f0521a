import { relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Files in /assets never change, because their names contain a hash; avatars are cached for a day; the rest is revalidated. */
const cacheControl = new Map([
  ['assets', 'public, max-age=31536000, immutable'],
  ['avatars', 'public, max-age=86400'],
]);

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

import { sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** In seconds: who has looked at a ready-made picture sees one that was drawn anew within a day. */
const pictureAge = 24 * 60 * 60;

/** What the build names by its content never changes; all that could not stay behind the rest is asked about each time. */
const cachedFor: readonly (readonly [folder: string, directive: string])[] = [
  ['assets', 'public, max-age=31536000, immutable'],
  ['avatars', `public, max-age=${pictureAge}`],
];

/** The built web client, compressed as the build left it. */
export function screenRoutes(app: FastifyInstance, directory: string): void {
  void app.register(fastifyStatic, {
    root: directory,
    cacheControl: false,
    preCompressed: true,
    setHeaders(response, path) {
      const cached = cachedFor.find(([folder]) => path.startsWith(`${directory}${sep}${folder}${sep}`));
      void response.header('Cache-Control', cached?.[1] ?? 'no-cache');
    },
  });
}

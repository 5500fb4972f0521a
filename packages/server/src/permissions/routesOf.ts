import type { FastifyInstance } from 'fastify';

/** `GET /api/session`: each call that the product answers, but for the screens, HEAD, and what is the chat server's. */
export function routesOf(app: FastifyInstance): string[] {
  /** The tree has one line for each part of an address, which stands behind what it is added to. */
  const above: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const {
        indent = '',
        part = '',
        of = '',
      } = /^(?<indent>[│ ]*)[├└]── (?<part>\S+) \((?<of>[A-Z, ]+)\)$/.exec(line)?.groups ?? {};
      const depth = indent.length / 4;
      above.splice(depth, above.length, (above[depth - 1] ?? '') + part);
      const path = above[depth] ?? '';
      if (!path.startsWith('/') || path.startsWith('/api/v1/')) return [];
      return of
        .split(', ')
        .filter((method) => method !== 'HEAD')
        .map((method) => `${method} ${path}`);
    });
}

import type { FastifyInstance } from 'fastify';

/**
 * Lists the product's calls, for example `GET /api/session`, without screens, HEAD, the calls that go on to the chat server, and those
 * of hooks by their key, which `hooks/hooks.test.ts` makes.
 */
export function routesOf(app: FastifyInstance): string[] {
  /** The parts of the address above the current line of Fastify's printed tree, by level of indentation. */
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
      if (!path.startsWith('/') || path === '/api/v1/*' || path.startsWith('/api/v1/external/')) return [];
      return of
        .split(', ')
        .filter((method) => method !== 'HEAD')
        .map((method) => `${method} ${path}`);
    });
}

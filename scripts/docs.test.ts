import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** The files and folders that a page names in code marks: `web/src/model/` is below `packages/`, `docs/…` below the root. */
function pathsIn(page: string): string[] {
  const text = readFileSync(resolve(root, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = '']) => path);
  return quoted.filter((path) =>
    /^(packages|protocol|markup|folding|client|chat-server|server|web|e2e|bench|scripts|docs)\/[\w./-]+$/.test(path),
  );
}

it.each(['docs/architecture.md', 'docs/development.md'])('Every file path that %s mentions exists', (page) => {
  const paths = pathsIn(page);
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(resolve(root, path)) && !existsSync(resolve(root, 'packages', path)))).toEqual([]);
});

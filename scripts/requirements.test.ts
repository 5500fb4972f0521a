import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

const clauses = [...read('docs/requirements.md').matchAll(/^\| ([RI]\d+(?:\.\d+)*) \|/gm)].map(([, clause = '']) => clause);
const isListed = (cited: string) => clauses.some((clause) => clause === cited || clause.startsWith(`${cited}.`));

it('docs/requirements.md lists every clause that a test title cites', () => {
  const tests = globSync(['packages/*/{src,test}/**/*.test.{ts,tsx}', 'scripts/*.test.ts', 'e2e/**/*.ts'], { cwd: root });
  const cited = tests.flatMap((path) =>
    [...read(path).matchAll(/['"`]\[([RI]\d[RI\d., ]*)\]/g)]
      .flatMap(([, list = '']) => list.split(/, ?/))
      .map((clause) => ({ path, clause })),
  );
  expect(cited.length).toBeGreaterThan(500);
  expect(cited.filter(({ clause }) => !isListed(clause))).toEqual([]);
});

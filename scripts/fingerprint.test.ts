import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf, isFresh, writeFingerprint, root } from './fingerprint.mjs';

describe('A build', () => {
  let directory = '';
  const path = (name: string) => relative(root, join(directory, name));
  const isBuilt = () => isFresh(path('dist/fingerprint'), [path('src'), path('lock')], path('dist/made'));

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'engawa-'));
    for (const name of ['dist', 'src/deep', 'src/node_modules']) mkdirSync(join(directory, name), { recursive: true });
    for (const name of ['dist/made', 'src/a.ts', 'src/deep/b.ts']) writeFileSync(join(directory, name), '');
    writeFingerprint(path('dist/fingerprint'), fingerprintOf([path('src'), path('lock')]));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('A build counts as up to date while its sources are unchanged', () => expect(isBuilt()).toBe(true));

  it.each<[string, (at: (name: string) => string) => void]>([
    ['its result is missing', (at) => rmSync(at('dist/made'))],
    ['its fingerprint is missing', (at) => rmSync(at('dist/fingerprint'))],
    ['a source was edited', (at) => writeFileSync(at('src/deep/b.ts'), 'x')],
    ['the time of a source changed', (at) => utimesSync(at('src/a.ts'), 1, 1)],
    ['a source is new', (at) => writeFileSync(at('src/c.ts'), '')],
    ['a source was removed', (at) => rmSync(at('src/a.ts'))],
    ['a missing source was added', (at) => writeFileSync(at('lock'), '')],
  ])('A build counts as out of date when %s', (_, change) => {
    change((name) => join(directory, name));
    expect(isBuilt()).toBe(false);
  });

  it('A build stays up to date when a file in node_modules changes', () => {
    writeFileSync(join(directory, 'src/node_modules/x'), '');
    expect(isBuilt()).toBe(true);
  });
});

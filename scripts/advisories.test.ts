import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { affected } from './advisories.mjs';
import { root } from './fingerprint.mjs';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const advisory = { package: 'fast-uri', from: '3.0.0', fixed: '3.1.2', id: 'GHSA-0', about: 'host confusion' };
const lock = (version: string) => ({
  packages: { '': { version: '0.1.0' }, 'packages/fast-uri': { version }, 'node_modules/ajv/node_modules/fast-uri': { version } },
});

it.each(['3.0.0', '3.1.1', '3.1.2-rc.1'])('The check of dependencies fails for a listed version: %s', (version) => {
  expect(affected(lock(version), [advisory])).toEqual([`fast-uri ${version}: host confusion (GHSA-0, fixed in 3.1.2)`]);
});

it.each(['2.9.9', '3.1.2', '3.2.0', '10.0.0'])(
  'The check of dependencies accepts a version that is not listed: %s',
  (version) => {
    expect(affected(lock(version), [advisory])).toEqual([]);
  },
);

it('package-lock.json has each package of the list of advisories, so that a renamed one is noticed', () => {
  const { advisories } = JSON.parse(read('scripts/advisories.json'));
  for (const { package: name } of advisories) expect(read('package-lock.json')).toContain(`node_modules/${name}"`);
});

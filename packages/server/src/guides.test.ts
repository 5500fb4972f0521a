import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from './commands/run.ts';
import { settingNames } from './configuration.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const guides = ['docs/operations.ja.md', 'docs/operations.en.md'];

it.each([...guides, 'README.md'])('[issue 7] every setting has its place in %s', (path) => {
  const text = read(path);
  expect(settingNames.options.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

it.each(guides)('[issue 7] every command is told of in %s', (path) => {
  const text = read(path);
  expect(commands.filter(({ name }) => !text.includes(name)).map(({ name }) => name)).toEqual([]);
});

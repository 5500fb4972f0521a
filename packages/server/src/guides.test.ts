import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from './commands/run.ts';
import { settingNames } from './configuration.ts';

const root = join(import.meta.dirname, '../../..');

describe.each(['docs/operations.ja.md', 'docs/operations.en.md'])('%s', (path) => {
  const text = readFileSync(join(root, path), 'utf8');

  it(`The guide ${path} lists every setting in its table`, () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    expect(settingNames.options.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
  });

  it(`The guide ${path} mentions every command of the operator`, () => {
    expect(commands.filter(({ name }) => !text.includes(name)).map(({ name }) => name)).toEqual([]);
  });
});

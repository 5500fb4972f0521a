import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { runProductForFile } from './testing/product.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);
const product = await runProductForFile();

/** A folder outside the repository with the library installed. */
const folder = mkdtempSync(join(tmpdir(), 'engawa-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
const program = join(folder, 'readme.mts');
writeFileSync(program, examples.join('\n').replaceAll('http://127.0.0.1:8080', product.address));

describe('Examples in the README of the client library', () => {
  it('The examples in the README of the client library pass the type check', async () => {
    const configuration = {
      extends: join(root, 'tsconfig.base.json'),
      compilerOptions: { types: ['node'] },
      files: [program],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    // Rejects with the compiler's output if they do not.
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]);
  });

  it('[R7.6] The examples in the README of the client library run in their order against a running product', async () => {
    const { stdout, stderr } = await run(process.execPath, [program]);
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual([
      '鈴木 健太 おはようございます',
      'Error: the page was closed',
      'no such stream: 知らない部署',
      'received: お手すきのときで大丈夫です',
      'queue 1 with unread messages',
      'failure: refused: BAD_EVENT_QUEUE_ID',
      'queue 2 with unread messages',
    ]);
  });
});

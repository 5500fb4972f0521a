import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type TarEntry, tarOf } from './tar.ts';

const modified = Date.UTC(2026, 3, 1) / 1000;

async function* inOrder(entries: readonly TarEntry[]): AsyncGenerator<TarEntry, void> {
  yield* entries;
}

const entry = (path: string, content: string): TarEntry => {
  const bytes = Buffer.from(content);
  return { path, size: bytes.length, content: [bytes] };
};

async function extracted(entries: readonly TarEntry[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-tar-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const parts = [];
  for await (const part of tarOf(inOrder(entries), modified)) parts.push(part);
  writeFileSync(join(directory, 'archive.tar'), Buffer.concat(parts));
  execFileSync('tar', ['-xf', 'archive.tar'], { cwd: directory });
  return directory;
}

it.each([
  ['a short path', 'a/b.txt'],
  ['a Japanese path', '縁側/見積書.pdf'],
  ['a path of 98 bytes, whose record needs three digits', `${'x'.repeat(85)}/b.txt`],
  ['a path above 255 bytes', `${'長'.repeat(60)}/${'い'.repeat(80)}.txt`],
])('tar extracts a file with %s', async (_, path) => {
  const directory = await extracted([entry(path, '中身'), entry('other.txt', '')]);
  expect(readFileSync(join(directory, path), 'utf8')).toBe('中身');
  expect(readFileSync(join(directory, 'other.txt'), 'utf8')).toBe('');
  const { mode, mtimeMs } = statSync(join(directory, path));
  expect([(mode & 0o777).toString(8), mtimeMs / 1000]).toEqual(['600', modified]);
});

it.each([511, 512, 513])('tar extracts a file of %s bytes and the file after it', async (size) => {
  const directory = await extracted([entry('one', 'x'.repeat(size)), entry('two', '後')]);
  expect(readFileSync(join(directory, 'one')).length).toBe(size);
  expect(readFileSync(join(directory, 'two'), 'utf8')).toBe('後');
});

it('tarOf refuses a file that is longer or shorter than its entry says, or above 8 GB', async () => {
  const content = [Buffer.from('four')];
  for (const size of [3, 5]) await expect(extracted([{ path: 'a', size, content }])).rejects.toThrow('a has 4 bytes');
  await expect(extracted([{ path: 'a', size: 8 ** 11, content }])).rejects.toThrow('too large');
});

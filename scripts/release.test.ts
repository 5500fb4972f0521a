import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { list } from 'tar';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './fingerprint.mjs';
import { writeArchive } from './release/archive.mjs';

function folderOf(names: readonly string[], time: Date): string {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'engawa/lib'), { recursive: true });
  for (const name of names) {
    const path = join(folder, 'engawa', name);
    writeFileSync(path, `the content of ${name}`);
    chmodSync(path, name === 'engawa' ? 0o755 : 0o600);
    utimesSync(path, time, time);
  }
  return folder;
}

it('Archives of the same files have the same bytes, whenever and in whatever order the files were written', async () => {
  const names = ['engawa', 'release.json', 'lib/node'];
  const committed = new Date('2026-11-01T09:00:00Z');
  const folders = [folderOf(names, new Date('2026-11-02')), folderOf(names.toReversed(), new Date('2026-11-03'))];
  const files = folders.map((folder) => `${folder}.tar.gz`);
  onTestFinished(() => files.forEach((file) => rmSync(file)));
  for (const [index, folder] of folders.entries()) await writeArchive(folder, files[index], committed);
  const [one, other] = files.map((file) => readFileSync(file));
  expect(other?.equals(one ?? Buffer.of())).toBe(true);
  const entries: unknown[] = [];
  await list({ file: files[0] ?? '', onReadEntry: ({ path, mtime, mode }) => entries.push([path, mtime, mode && mode & 0o111]) });
  expect(entries).toEqual([
    ['engawa/engawa', committed, 0o111],
    ['engawa/lib/node', committed, 0],
    ['engawa/release.json', committed, 0],
  ]);
});

it.each(['package.json', 'scripts/release/engawa.sh', 'bench/product.mjs', 'docs/operations.en.md', 'docs/operations.ja.md'])(
  'This start of the server gives young objects at most 64 MB of memory: %s',
  (file) => {
    expect(readFileSync(join(root, file), 'utf8').match(/--max-semi-space-size=\d+/g)).toEqual(['--max-semi-space-size=32']);
  },
);

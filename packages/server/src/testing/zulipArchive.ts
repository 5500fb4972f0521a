import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ZulipOrganisation, importZulip } from '@engawa/chat-server/testing/zulipFormat';
import { onTestFinished } from 'vitest';

export interface UnpackedArchive {
  readonly organisation: ZulipOrganisation;
  /** All files, sorted. */
  readonly paths: readonly string[];
  read(path: string): Buffer;
}

/** Unpacks an export by the machine's `tar` and reads it as Zulip's import does. */
export function unpacked(archive: string): UnpackedArchive {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-unpacked-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  execFileSync('tar', ['-xf', archive, '-C', directory]);
  const [top = ''] = globSync('*', { cwd: directory });
  const read = (path: string) => readFileSync(join(directory, top, path));
  const json = (path: string): unknown => JSON.parse(read(path).toString());
  const paths = globSync('**/*', { cwd: join(directory, top), withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(join(directory, top).length + 1))
    .toSorted();
  const organisation = importZulip({
    realm: json('realm.json'),
    messages: paths.filter((path) => /^messages-\d{6}\.json$/.test(path)).map(json),
    attachments: json('attachment.json'),
    uploads: json('uploads/records.json'),
    avatars: json('avatars/records.json'),
  });
  return { organisation, paths, read };
}

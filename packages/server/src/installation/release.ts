import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../log/failure.ts';
import { parseJson } from '../parseJson.ts';

const release = z.object({
  version: z.string().regex(/^\w[\w.-]*$/),
  commit: z.string().regex(/^[\da-f]{12,}$/),
  platform: z.string(),
});
type Release = z.output<typeof release>;

/** @param folder an unpacked archive. @throws Failure */
export function releaseIn(folder: string): Release {
  const file = join(folder, 'release.json');
  const parsed = release.safeParse(existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined);
  if (parsed.success) return parsed.data;
  throw new Failure(
    'このコマンドは、配布アーカイブを展開した縁側で使います。',
    `This command needs an Engawa from a release archive: ${folder} has no release.json.`,
  );
}

/** The folder of an installed release: one version may have several builds. */
export function folderNameOf({ version, commit }: Release): string {
  return `${version}-${commit.slice(0, 12)}`;
}

import { rename, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure, hasCode } from '../log/failure.ts';
import { databaseFiles, fileDirectories, placePattern } from '../storage/layout.ts';
import { syncDirectory } from '../storage/storage.ts';
import { writeWhole } from './copyFile.ts';
import { parseJson } from '../parseJson.ts';

/** The product's version, equal to the one in package.json. */
export const productVersion = '0.1.0';

function isPartPath(path: string): boolean {
  const [folder, place = ''] = path.split('/');
  return (
    Object.values(databaseFiles).some((file) => file === path) ||
    (fileDirectories.some((each) => each === folder) && placePattern.test(place) && path === `${folder}/${place}`)
  );
}

const part = z.object({
  path: z.string().refine(isPartPath),
  size: z.int().min(0),
  sha256: z.string().regex(/^[\da-f]{64}$/),
});
export type Part = z.output<typeof part>;

const database = z.object({
  path: z.enum([databaseFiles.chat, databaseFiles.product]),
  version: z.int().min(0),
  rows: z.record(z.string(), z.int()),
});

/** The manifest is written last, so that a directory without it is recognised as an unfinished backup. */
const manifest = z.object({
  format: z.literal(1),
  engawa: z.string(),
  /** The moment of the backup: it contains every change that was acknowledged before. */
  asOf: z.iso.datetime(),
  finished: z.iso.datetime(),
  databases: z.array(database),
  parts: z.array(part),
  lost: z.array(z.string()),
});
export type Manifest = z.output<typeof manifest>;

const fileName = 'manifest.json';

export async function writeManifest(directory: string, content: Manifest): Promise<void> {
  const whole = join(directory, fileName);
  await writeWhole(`${whole}.new`, `${JSON.stringify(content, undefined, 1)}\n`);
  await rename(`${whole}.new`, whole);
  await syncDirectory(directory);
}

/** @throws Failure unless the directory holds a finished backup of a known format. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, fileName), 'utf8').catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error;
    throw new Failure(
      `${directory} に、最後まで作られたバックアップがありません（${fileName} がありません）。`,
      `${directory} holds no finished backup: it has no ${fileName}.`,
    );
  });
  const parsed = manifest.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new Failure(
    `${directory} の ${fileName} を読めません。壊れているか、新しい版のものです。`,
    `The ${fileName} in ${directory} cannot be read: it is damaged or of a newer version.`,
  );
}

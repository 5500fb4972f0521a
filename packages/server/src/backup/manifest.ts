import { rename, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure, hasCode } from '../failure.ts';
import { databaseFiles } from './layout.ts';
import { syncDirectory, writeWhole } from './takeFile.ts';

/** Everything that a backup may hold. A path of anywhere else is none. */
const partPath = /^(?:chat\/chat\.db|engawa\.db|(?:files|avatars|stream-pictures)\/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

const part = z.object({
  /** From the backup's directory. */
  path: z.string().regex(partPath),
  /** Bytes. */
  size: z.int().min(0),
  /** In hex. */
  sha256: z.string().regex(/^[\da-f]{64}$/),
});
export type Part = z.output<typeof part>;

const database = z.object({
  path: z.enum([databaseFiles.chat, databaseFiles.product]),
  /** How many steps of migration it has behind it. */
  version: z.int().min(0),
  /** Rows by table. */
  rows: z.record(z.string(), z.int()),
});

/** What a backup holds. It is written when all else is on the disk: a backup without it is not finished. */
const manifest = z.object({
  format: z.literal(1),
  /** The program that made it. */
  engawa: z.string(),
  /** As of when it is: all that was acknowledged before is in it. ISO 8601. */
  asOf: z.iso.datetime(),
  finished: z.iso.datetime(),
  databases: z.array(database),
  parts: z.array(part),
  /** Files that rows name and that were lost before the backup was made. */
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

/** @throws Failure where the directory holds no finished backup that this program knows how to read. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, fileName), 'utf8').catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error;
    throw new Failure(
      `${directory} に、最後まで作られたバックアップがありません（${fileName} がありません）。`,
      `${directory} holds no finished backup: it has no ${fileName}.`,
    );
  });
  const parsed = manifest.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new Failure(
    `${directory} の ${fileName} を読めません。壊れているか、新しい版のものです。`,
    `The ${fileName} in ${directory} cannot be read: it is damaged, or of a newer version.`,
  );
}

/** Undefined where it is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { hasCode } from '../log/failure.ts';

/** `link` adds a second name to the same bytes, for immutable files on the same disk. */
export type CopyMode = 'copy' | 'link';

export interface CopiedFile {
  readonly size: number;
  readonly sha256: string;
}

export async function copyOrLink(from: string, to: string, mode: CopyMode): Promise<CopiedFile | undefined> {
  try {
    if (mode === 'copy') return await copy(from, to);
    await link(from, to);
    return await sumOf(to);
  } catch (error) {
    if (hasCode(error, 'ENOENT') && errorPath(error) === from) return undefined;
    throw error;
  }
}

export async function sumOf(path: string): Promise<CopiedFile> {
  const sum = createSum();
  for await (const chunk of createReadStream(path)) sum.add(chunk);
  return sum.result();
}

async function copy(from: string, to: string): Promise<CopiedFile> {
  const source = await open(from);
  try {
    const target = await open(to, 'wx', 0o600);
    const sum = createSum();
    await pipeline(
      source.createReadStream(),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          sum.add(chunk);
          yield chunk;
        }
      },
      target.createWriteStream({ flush: true }),
    );
    return sum.result();
  } finally {
    await source.close();
  }
}

function createSum() {
  const hash = createHash('sha256');
  let size = 0;
  return {
    add(chunk: Buffer) {
      hash.update(chunk);
      size += chunk.length;
    },
    result: (): CopiedFile => ({ size, sha256: hash.digest('hex') }),
  };
}

function errorPath(error: unknown): unknown {
  return error instanceof Error && 'path' in error ? error.path : undefined;
}

export async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

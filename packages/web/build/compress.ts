import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const texts = /\.(?:html|js|css|svg|json|webmanifest)$/;
/** Bytes. Compression saves nothing for smaller files. */
const least = 1024;

/** Writes compressed copies of every text of the build, so that the server does not compress on request. */
export function compressed(): Plugin {
  let directory = '';
  let isWritten = false;
  return {
    name: 'engawa-compressed',
    apply: 'build',
    configResolved: ({ root, build }) => {
      directory = resolve(root, build.outDir);
    },
    writeBundle: () => {
      isWritten = true;
    },
    async closeBundle() {
      // Also called for a build that failed before it wrote a file. Its error is the one to report, not the missing directory.
      if (!isWritten) return;
      const names = await readdir(directory, { recursive: true });
      await Promise.all(names.filter((name) => texts.test(name)).map((name) => compress(join(directory, name))));
    },
  };
}

async function compress(file: string): Promise<void> {
  const text = await readFile(file);
  if (text.length < least) return;
  await writeFile(`${file}.br`, await promisify(brotliCompress)(text));
  await writeFile(`${file}.gz`, await promisify(gzip)(text, { level: 9 }));
}

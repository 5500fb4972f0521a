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
  return {
    name: 'engawa-compressed',
    apply: 'build',
    configResolved: ({ root, build }) => {
      directory = resolve(root, build.outDir);
    },
    async closeBundle() {
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

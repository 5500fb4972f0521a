import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import type { Shell } from '../src/serviceWorker/shell.ts';

const script = 'serviceWorker.js';
const source = 'src/serviceWorker/worker.ts';
const placeholder = 'ENGAWA_SHELL';
/** Public files that the page needs, without avatars and installation icons. */
const beside = /^[^/]+\.(?:js|svg|webmanifest)$/;

interface ServiceWorkerOptions {
  /** MiB of all cached files, uncompressed. */
  readonly budget: number;
  /** The file that is loaded from the server when it is needed, because few organisations need it. */
  readonly uncached: RegExp;
}

/** Builds `/serviceWorker.js` with the files to cache and their version. */
export function serviceWorker({ budget, uncached }: ServiceWorkerOptions): Plugin {
  let publicDirectory = '';
  return {
    name: 'engawa-service-worker',
    apply: 'build',
    configResolved: (config) => {
      publicDirectory = config.publicDir;
    },
    buildStart() {
      this.emitFile({ type: 'chunk', id: source, fileName: script });
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const { [script]: worker, 'index.html': page, ...built } = bundle;
        if (worker?.type !== 'chunk' || page?.type !== 'asset') throw new Error(`${script} or index.html is missing`);
        if (worker.imports.length > 0) this.error(`${script} must be one script, but imports ${worker.imports.join(', ')}`);
        const html = page.source.toString();
        const others = await filesBeside(publicDirectory);
        const files = [...Object.values(built).map(fileOf), ...others]
          .filter(({ name }) => !uncached.test(name))
          .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
        if (files.length !== Object.keys(built).length + others.length - 1)
          throw new Error('there is one file that is not cached');
        const size = [html, ...files.map(({ content }) => content)].reduce((sum, each) => sum + each.length, 0) / 2 ** 20;
        if (size > budget) this.error(`${script} would cache ${size.toFixed(1)} MiB, over the budget of ${budget}`);
        const version = versionOf([{ name: 'index.html', content: html }, { name: script, content: worker.code }, ...files]);
        const shell: Shell = { version, files: ['/', ...files.map(({ name }) => `/${name}`)] };
        worker.code = put(worker.code, placeholder, JSON.stringify(shell));
        page.source = put(html, '</title>', `</title>\n    <meta name="engawa-version" content="${version}" />`);
      },
    },
  };
}

interface File {
  readonly name: string;
  readonly content: string | Uint8Array;
}

function fileOf(file: Rolldown.OutputAsset | Rolldown.OutputChunk): File {
  return { name: file.fileName, content: file.type === 'chunk' ? file.code : file.source };
}

async function filesBeside(directory: string): Promise<File[]> {
  const names = (await readdir(directory)).filter((name) => beside.test(name));
  return Promise.all(names.map(async (name) => ({ name, content: await readFile(join(directory, name)) })));
}

function versionOf(files: readonly File[]): string {
  const hash = createHash('sha256');
  for (const { name, content } of files) hash.update(`${name}\0${content.length}\0`).update(content);
  return hash.digest('hex').slice(0, 16);
}

function put(text: string, place: string, replacement: string): string {
  const parts = text.split(place);
  if (parts.length !== 2) throw new Error(`${place} occurs ${parts.length - 1} times`);
  return parts.join(replacement);
}

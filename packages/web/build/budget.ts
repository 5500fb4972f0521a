import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { minify, type Plugin, type Rolldown } from 'vite';

/** kB after gzip. `bench:web` prints the size next to it. */
export const initialJavaScriptBudget = 150;

/** Prints the size of the JavaScript that the first screen loads, and fails the build above the budget. It minifies `theme.js`, which Vite copies. */
export function initialJavaScript(): Plugin {
  let [publicDirectory, directory] = ['', ''];
  return {
    name: 'engawa-budget',
    apply: 'build',
    configResolved: ({ publicDir, root, build }) => {
      publicDirectory = publicDir;
      directory = resolve(root, build.outDir);
    },
    async writeBundle(_options, bundle) {
      const theme = await minify('theme.js', await readFile(join(publicDirectory, 'theme.js'), 'utf8'));
      for (const { message } of theme.errors) this.error(`theme.js: ${message}`);
      await writeFile(join(directory, 'theme.js'), theme.code);
      const bytes = [theme.code, ...eager(bundle).map(({ code }) => code)].map((code) => gzipSync(code, { level: 9 }).length);
      const size = bytes.reduce((sum, each) => sum + each, 0) / 1024;
      if (size > initialJavaScriptBudget)
        this.error(`initial JavaScript: ${size.toFixed(1)} kB gzip, over the budget of ${initialJavaScriptBudget} kB`);
      process.stdout.write(`initial JavaScript: ${size.toFixed(1)} kB gzip (budget ${initialJavaScriptBudget} kB)\n`);
    },
  };
}

function eager(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const page = bundle['index.html'];
  const html = page?.type === 'asset' ? page.source.toString() : '';
  const names = [...html.matchAll(/"\/(assets\/[^"]+\.js)"/g)].map(([, name = '']) => name);
  const scripts = names.map((name) => bundle[name]).filter((file) => file?.type === 'chunk');
  if (scripts.length === 0) throw new Error('index.html names no script');
  return scripts;
}

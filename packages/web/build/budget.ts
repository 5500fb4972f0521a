import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Prints the size of the JavaScript that the first screen loads, and fails the build above the budget. */
export function initialJavaScript({ budget }: { readonly budget: number }): Plugin {
  let publicDirectory = '';
  return {
    name: 'engawa-budget',
    apply: 'build',
    configResolved: (config) => {
      publicDirectory = config.publicDir;
    },
    async writeBundle(_options, bundle) {
      const theme = await readFile(join(publicDirectory, 'theme.js'), 'utf8');
      const bytes = [theme, ...eager(bundle).map(({ code }) => code)].map((code) => gzipSync(code, { level: 9 }).length);
      const size = bytes.reduce((sum, each) => sum + each, 0) / 1024;
      if (size > budget) this.error(`initial JavaScript: ${size.toFixed(1)} kB gzip, over the budget of ${budget} kB`);
      process.stdout.write(`initial JavaScript: ${size.toFixed(1)} kB gzip (budget ${budget} kB)\n`);
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

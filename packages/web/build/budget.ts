import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** Prints how much JavaScript stands between a visitor and the first screen, and fails the build above the budget. */
export function initialJavaScript({ budget }: { readonly budget: number }): Plugin {
  let publicDirectory = '';
  return {
    name: 'engawa-budget',
    apply: 'build',
    configResolved: (config) => {
      publicDirectory = config.publicDir;
    },
    async writeBundle(_options, bundle) {
      const scripts = [...eager(bundle)].map((name) => bundle[name]).filter((file) => file?.type === 'chunk');
      const theme = await readFile(join(publicDirectory, 'theme.js'), 'utf8');
      const bytes = [theme, ...scripts.map((chunk) => chunk.code)].map((code) => gzipSync(code, { level: 9 }).length);
      const size = bytes.reduce((sum, each) => sum + each, 0) / 1024;
      if (size > budget) this.error(`initial JavaScript: ${size.toFixed(1)} kB gzip, over the budget of ${budget} kB`);
      process.stdout.write(`initial JavaScript: ${size.toFixed(1)} kB gzip (budget ${budget} kB)\n`);
    },
  };
}

/** The names of the entry and of everything that it imports without being asked. */
function eager(bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    const file = bundle[name];
    if (file?.type !== 'chunk' || found.has(name)) return;
    found.add(name);
    file.imports.forEach(visit);
  };
  for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) visit(file.fileName);
  return found;
}

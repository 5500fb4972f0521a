/*
 * Counts the rows that React renders. The production build has no counters, so the same sources are built again by the same
 * configuration, with a counter inserted into two functions after all other transformations. The browser gets these files
 * instead of the product's.
 */
import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/fingerprint.mjs';

const countedFunctions = [
  { file: '/MessageRow.tsx', name: 'MessageRow' },
  { file: '/features/streams/Streams.tsx', name: 'ConversationRow' },
];

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export async function buildWithRenderCounts() {
  const web = join(root, 'packages/web');
  const outDir = mkdtempSync(join(tmpdir(), 'engawa-counted-'));
  const vite = createRequire(join(web, 'package.json')).resolve('vite');
  const { build } = await import(pathToFileURL(vite).href);
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'warn',
    plugins: [renderCountPlugin()],
    build: { outDir, emptyOutDir: true },
  });
  return {
    serve: (page) =>
      page.route('**/*', (route) => {
        const { pathname } = new URL(route.request().url());
        const file = join(outDir, pathname === '/' ? 'index.html' : pathname);
        const type = types[extname(file)];
        if (!type || !existsSync(file)) return route.fallback();
        return route.fulfill({ contentType: type, body: readFileSync(file) });
      }),
    remove: () => rmSync(outDir, { recursive: true }),
  };
}

function renderCountPlugin() {
  return {
    name: 'bench-render-counts',
    enforce: 'post',
    transform(code, id) {
      const row = countedFunctions.find(({ file }) => id.endsWith(file));
      if (!row) return undefined;
      const head = new RegExp(`function ${row.name}\\([^)]*\\) \\{`);
      if (!head.test(code)) throw new Error(`${row.name} is no longer a function in ${row.file}.`);
      return code.replace(head, `$&\n(globalThis.benchRenders ??= []).push('${row.name}');`);
    },
  };
}

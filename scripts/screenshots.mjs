// `npm run screenshots`: runs the browser tests, which then take a picture of every screen, wide and narrow, light and dark,
// in each language, into screenshots/. File names in the command choose tests: `-- e2e/2-emoji.spec.ts`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './fingerprint.mjs';

const folder = join(root, 'screenshots');
const chosen = process.argv.slice(2);
if (chosen.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const env = { ...process.env, SCREENSHOTS: folder };
const { status } = spawnSync('node', [join(root, 'scripts/browser-tests.mjs'), ...chosen], { stdio: 'inherit', env });

const files = readdirSync(folder).filter((name) => name.endsWith('.png'));
const rows = Object.entries(Object.groupBy(files.toSorted(), (name) => name.split('.', 1)[0])).map(([screen, names]) => {
  const pictures = names.map((name) => `<a href="${name}"><img loading="lazy" src="${name}" alt="${name}"></a>`);
  return `<h2>${screen}</h2><div>${pictures.join('')}</div>`;
});
const style = 'body{font:14px sans-serif;background:#ddd}div{display:flex;gap:8px;overflow-x:auto}img{height:420px}';
const page = `<!doctype html><meta charset="utf-8"><title>Engawa</title><style>${style}</style>${rows.join('\n')}`;
writeFileSync(join(folder, 'index.html'), page);
console.log(`${files.length} pictures in ${folder}`);
process.exit(status ?? 1);

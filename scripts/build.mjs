// Builds the screens and the server, each when it is missing or older than its sources; `--all` builds both anyway.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fingerprintOf, isFresh, keepFingerprint, root } from './fingerprint.mjs';

const everywhere = ['package-lock.json', 'tsconfig.base.json', 'scripts/build.mjs', 'scripts/fingerprint.mjs'];

const targets = [
  {
    name: '画面 / screens',
    made: 'packages/web/dist/index.html',
    fingerprint: 'dist/web.fingerprint',
    sources: [...everywhere, 'packages/protocol', 'packages/client', 'packages/web'],
    build: buildScreens,
  },
  {
    name: 'サーバー / server',
    made: 'dist/server.mjs',
    fingerprint: 'dist/server.fingerprint',
    sources: [...everywhere, 'packages/protocol', 'packages/client', 'packages/chat-server', 'packages/server'],
    build: buildServer,
  },
];

/** @param {{ all?: boolean }} options */
export async function build({ all = false } = {}) {
  for (const { name, made, fingerprint, sources, build: make } of targets) {
    if (!all && isFresh(fingerprint, sources, made)) continue;
    console.log(`${name} …`);
    // Taken before the build: what is changed during it makes the next start build again.
    const taken = fingerprintOf(sources);
    await make();
    mkdirSync(join(root, 'dist'), { recursive: true });
    keepFingerprint(fingerprint, taken);
  }
}

function buildScreens() {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  const { status } = spawnSync(process.execPath, [vite, 'build'], { cwd: join(root, 'packages/web'), stdio: 'inherit' });
  if (status !== 0) throw new Error('画面をビルドできませんでした。 / The screens could not be built.');
}

async function buildServer() {
  const { build: bundle } = await import('rolldown');
  await bundle({
    input: join(root, 'packages/server/src/main.ts'),
    platform: 'node',
    logLevel: 'warn',
    output: { file: join(root, 'dist/server.mjs'), format: 'esm', sourcemap: true, codeSplitting: false },
  });
}

if (import.meta.main) await build({ all: process.argv.includes('--all') });

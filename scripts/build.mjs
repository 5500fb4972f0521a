// Builds the screens and the server if they are missing or stale; `--all` builds both in any case.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fingerprintOf, isFresh, writeFingerprint, root } from './fingerprint.mjs';

const shared = [
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build.mjs',
  'scripts/fingerprint.mjs',
  'packages/protocol',
  'packages/folding',
  'packages/markup',
  'packages/client',
];

/** Each bundle is complete. */
const programs = [
  { input: 'packages/server/src/main.ts', file: 'dist/server.mjs' },
  { input: 'packages/server/src/commands/main.ts', file: 'dist/engawa.mjs' },
  { input: 'packages/chat-server/src/search/worker.ts', file: 'dist/searchWorker.mjs' },
];

const screens = {
  name: '画面 / screens',
  made: ['packages/web/dist/index.html'],
  fingerprint: 'dist/web.fingerprint',
  sources: [...shared, 'packages/web'],
  make: makeScreens,
};
const server = {
  name: 'サーバー / server',
  made: programs.map(({ file }) => file),
  fingerprint: 'dist/server.fingerprint',
  sources: [...shared, 'packages/chat-server', 'packages/server'],
  make: makeServer,
};

/** @param {{ all?: boolean }} options */
export async function build({ all = false } = {}) {
  for (const target of [screens, server]) if (all || !isMade(target)) await make(target);
}

/** Programs that run from sources also need the bundle of the search thread (see `indexThread.ts`). */
export async function buildServer() {
  if (!isMade(server)) await make(server);
}

function isMade({ made, fingerprint, sources }) {
  return made.every((file) => isFresh(fingerprint, sources, file));
}

async function make(target) {
  console.log(`${target.name} …`);
  // Taken before the build, so that a change during the build makes it stale.
  const fingerprint = fingerprintOf(target.sources);
  mkdirSync(join(root, 'dist'), { recursive: true });
  await target.make();
  writeFingerprint(target.fingerprint, fingerprint);
}

function makeScreens() {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  const cwd = join(root, 'packages/web');
  const { status } = spawnSync(process.execPath, [vite, 'build'], { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error('画面をビルドできませんでした。 / The screens could not be built.');
}

/** Writes nothing before all programs are bundled: a new and an old one may not fit together. */
async function makeServer() {
  const { build: bundle } = await import('rolldown');
  const bundles = await bundle(
    programs.map(({ input, file }) => ({
      input: join(root, input),
      platform: 'node',
      logLevel: 'warn',
      write: false,
      output: { file: join(root, file), format: 'esm', sourcemap: true, codeSplitting: false },
    })),
  );
  for (const part of bundles.flatMap(({ output }) => output)) {
    writeFileSync(join(root, 'dist', part.fileName), part.type === 'chunk' ? part.code : part.source);
  }
}

if (import.meta.main) await build({ all: process.argv.includes('--all') });

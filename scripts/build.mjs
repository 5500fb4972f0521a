// Builds the screens and the server if they are missing or stale; `--all` builds both in any case.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fingerprintOf, isFresh, writeFingerprint, root } from './fingerprint.mjs';
import { isProgram, withNode } from './withNode.mjs';

const shared = [
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/fingerprint.mjs',
  'packages/protocol',
  'packages/folding',
  'packages/markup',
  'packages/client',
];

/** Each bundle is complete. */
export const programs = [
  { input: 'packages/server/src/main.ts', file: 'dist/server.mjs' },
  { input: 'packages/server/src/commands/main.ts', file: 'dist/engawa.mjs' },
  { input: 'packages/chat-server/src/search/worker.ts', file: 'dist/searchWorker.mjs' },
  { input: 'packages/server/src/calls/sfu/worker.ts', file: 'dist/sfuWorker.mjs' },
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
export function build({ all = false } = {}) {
  for (const target of [screens, server]) if (all || !isMade(target)) make(target);
}

/** Programs that run from sources also need the bundle of the search thread (see `indexThread.ts`). */
export function buildServer() {
  if (!isMade(server)) make(server);
}

function isMade({ made, fingerprint, sources }) {
  return made.every((file) => isFresh(fingerprint, sources, file));
}

function make(target) {
  console.log(`${target.name} …`);
  // Taken before the build, so that a change during the build makes it stale.
  const fingerprint = fingerprintOf(target.sources);
  mkdirSync(join(root, 'dist'), { recursive: true });
  target.make();
  writeFingerprint(target.fingerprint, fingerprint);
}

function makeScreens() {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  run([vite, 'build'], join(root, 'packages/web'), '画面をビルドできませんでした。 / The screens could not be built.');
}

function makeServer() {
  run([join(root, 'scripts/bundle.mjs')], root, 'サーバーをビルドできませんでした。 / The server could not be built.');
}

/** Runs a program in a separate process, because the caller may serve afterwards: a build takes 900 MB, which a process keeps. */
function run(program, cwd, failure) {
  const { status } = spawnSync(process.execPath, program, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(failure);
}

if (isProgram(import.meta.filename)) {
  await withNode(import.meta.filename, async () => build({ all: process.argv.includes('--all') }));
}

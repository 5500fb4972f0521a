// `npm start`: builds what is missing or stale and starts the product. Written for every Node from 20.19 on, because
// it is what finds out that the Node it runs on is too old for the rest.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const neededMajor = 24;
const root = join(import.meta.dirname, '..');
const ownNode = join(root, 'node_modules/.bin/node');

const majorOf = (version) => Number(version.replace(/^v/, '').split('.')[0]);

if (!existsSync(join(root, 'node_modules'))) {
  fail('先に npm ci を実行してください。', 'Run npm ci first.');
} else if (majorOf(process.versions.node) >= neededMajor) {
  await start();
} else if (existsSync(ownNode) && majorOf(spawnSync(ownNode, ['--version'], { encoding: 'utf8' }).stdout) >= neededMajor) {
  startWith(ownNode);
} else {
  fail(
    `Node ${neededMajor} 以上が必要です（今は ${process.version}）。npm ci をやり直すか、https://nodejs.org/ から入れてください。`,
    `Node ${neededMajor} or newer is needed (this is ${process.version}). Run npm ci again, or install it from https://nodejs.org/.`,
  );
}

async function start() {
  const { build } = await import('./build.mjs');
  try {
    await build();
  } catch (error) {
    console.error(error);
    fail('ビルドに失敗しました。', 'The build failed.');
    return;
  }
  await import(pathToFileURL(join(root, 'dist/server.mjs')).href);
}

/** Starts this again with another Node, and ends as that ends. */
function startWith(node) {
  const child = spawn(node, [import.meta.filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal) process.removeAllListeners(signal).kill(process.pid, signal);
    else process.exit(code ?? 1);
  });
}

function fail(ja, en) {
  console.error(`${ja}\n${en}`);
  process.exitCode = 1;
}

// Continues with a Node that is new enough. This file itself must run on Node 20.19.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const needed = [24, 6];
const root = join(import.meta.dirname, '..');
const ownNode = join(root, 'node_modules/.bin/node');

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

/**
 * Whether Node was started with this file. `import.meta.main` is undefined on Node 20.
 * @param {string} file
 */
export function isProgram(file) {
  return process.argv[1] !== undefined && existsSync(process.argv[1]) && realpathSync(process.argv[1]) === file;
}

/**
 * @param {string} program The path of the caller, which is started again if another Node is needed.
 * @param {() => Promise<void>} run
 */
export async function withNode(program, run) {
  if (!existsSync(join(root, 'node_modules'))) {
    fail('先に npm ci を実行してください。', 'Run npm ci first.');
  } else if (isNewEnough(process.versions.node)) {
    await run();
  } else if (existsSync(ownNode) && isNewEnough(spawnSync(ownNode, ['--version'], { encoding: 'utf8' }).stdout)) {
    startWith(ownNode, program);
  } else {
    fail(
      `Node ${needed.join('.')} 以上が必要です（今は ${process.version}）。npm ci をやり直すか、https://nodejs.org/ から入れてください。`,
      `Node ${needed.join('.')} or newer is needed (this is ${process.version}). Run npm ci again, or install it from https://nodejs.org/.`,
    );
  }
}

/**
 * Builds in other processes, and runs a bundle in this one.
 * @param {string} program
 * @param {(scripts: typeof import('./build.mjs')) => void} build
 * @param {string} bundle its file name in dist/
 */
export async function runBuilt(program, build, bundle) {
  await withNode(program, async () => {
    try {
      build(await import('./build.mjs'));
    } catch (error) {
      console.error(error);
      fail('ビルドに失敗しました。', 'The build failed.');
      return;
    }
    await import(pathToFileURL(join(root, 'dist', bundle)).href);
  });
}

function startWith(node, program) {
  const child = spawn(node, [...process.execArgv, program, ...process.argv.slice(2)], { stdio: 'inherit' });
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

// Continues with a Node that is new enough. This file itself must run on Node 20.19.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const neededMajor = 24;
const root = join(import.meta.dirname, '..');
const ownNode = join(root, 'node_modules/.bin/node');

const majorOf = (version) => Number(version.replace(/^v/, '').split('.')[0]);

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
  } else if (majorOf(process.versions.node) >= neededMajor) {
    await run();
  } else if (existsSync(ownNode) && majorOf(spawnSync(ownNode, ['--version'], { encoding: 'utf8' }).stdout) >= neededMajor) {
    startWith(ownNode, program);
  } else {
    fail(
      `Node ${neededMajor} 以上が必要です（今は ${process.version}）。npm ci をやり直すか、https://nodejs.org/ から入れてください。`,
      `Node ${neededMajor} or newer is needed (this is ${process.version}). Run npm ci again, or install it from https://nodejs.org/.`,
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
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
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

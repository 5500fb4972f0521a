// The built product as a process of its own, on a folder that is there already.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/fingerprint.mjs';
import { addressOf } from '../product.mjs';

/** Runs within the server, so that its delays are its own. */
const watcher = join(import.meta.dirname, 'eventLoopDelay.mjs');

/**
 * @param {string} directory DATA_DIR
 * @param {{ isWatched?: boolean, nodeOptions?: readonly string[] }} [how] watched: `loop` may be asked.
 * @returns {Promise<{ url: string, pid: number, readyAfter: number, loop(): Promise<LoopDelay>, stop(): Promise<void> }>}
 *   readyAfter: milliseconds from the start of the process to the answer of /healthz.
 */
export async function startServer(directory, { isWatched = false, nodeOptions = [] } = {}) {
  const begun = performance.now();
  const child = fork(join(root, 'dist/server.mjs'), {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: directory,
      AUTH_MODE: 'password',
      RATE_LIMIT: 'none',
      LOG_LEVEL: 'error',
    },
    execArgv: [...nodeOptions, ...(isWatched ? ['--import', watcher] : [])],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!isWatched) child.disconnect();
  const url = await addressOf(child);
  await answerOf(`${url}/healthz`);
  const readyAfter = performance.now() - begun;
  return {
    url,
    pid: child.pid,
    readyAfter,
    async loop() {
      child.send('tell');
      const [delay] = await once(child, 'message');
      return delay;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** @typedef {{ p50: number, p99: number, max: number }} LoopDelay milliseconds by which the event loop came late, since it was last asked. */

/** @param {import('node:http').RequestOptions} [options] @returns {Promise<Buffer>} the body. @throws where it is not 200. */
export function answerOf(url, options = {}, body = '') {
  return new Promise((resolve, reject) => {
    const asking = request(url, options, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const answer = Buffer.concat(parts);
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${url}: ${response.statusCode} ${answer}`));
      });
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** @returns {{ now: number, most: number }} MB of memory that a process has, and had at most. Linux tells. */
export function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}

/** The memory of a process that has had nothing to do for so many milliseconds. */
export async function memoryAfter(pid, milliseconds) {
  await pause(milliseconds);
  return memoryOf(pid).now;
}

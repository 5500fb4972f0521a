// The built product as a process on an existing data folder.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../scripts/fingerprint.mjs';
import { memoryOf } from '../load/processes.mjs';
import { addressOf, youngMemory } from '../product.mjs';

const delayMonitor = join(import.meta.dirname, 'eventLoopDelay.mjs');

/**
 * `readyAfter`: milliseconds from the start of the process to the answer of /healthz. `isWatched` enables `loop`.
 * @param rateLimit the value of RATE_LIMIT; `undefined` for the default limits
 */
export async function startServer(directory, { isWatched = false, authMode = 'password', rateLimit = 'none' } = {}) {
  const start = performance.now();
  const child = fork(join(root, 'dist/server.mjs'), {
    cwd: root,
    env: {
      ...process.env,
      // For `npm run bench` it names a peer.
      ZULIP_SITE: '',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: directory,
      AUTH_MODE: authMode,
      ...(rateLimit === undefined ? {} : { RATE_LIMIT: rateLimit }),
      LOG_LEVEL: 'error',
    },
    execArgv: [youngMemory, ...(isWatched ? ['--import', delayMonitor] : [])],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!isWatched) child.disconnect();
  const url = await addressOf(child);
  await answerOf(`${url}/healthz`);
  const readyAfter = performance.now() - start;
  return {
    url,
    pid: child.pid,
    readyAfter,
    async loop() {
      child.send('report');
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

export async function withBareServer(bytes, callback) {
  const env = { ...process.env, BYTES: String(bytes) };
  const bare = fork(join(import.meta.dirname, 'bareServer.mjs'), { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  try {
    return await callback(await addressOf(bare), bare.pid);
  } finally {
    bare.kill();
  }
}

/** @throws when the status is not 200. */
export function answerOf(url, options = {}, body = '') {
  return new Promise((resolve, reject) => {
    const pending = request(url, options, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const answer = Buffer.concat(parts);
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${url}: ${response.statusCode} ${answer}`));
      });
      response.on('error', reject);
    });
    pending.on('error', reject);
    pending.end(body);
  });
}

/** Milliseconds. @param server a watched one */
export async function longestStall(server, run) {
  await server.loop();
  await run();
  return (await server.loop()).max;
}

/** MB. */
export async function memoryAfter(pid, milliseconds) {
  await pause(milliseconds);
  return memoryOf(pid).now / 2 ** 20;
}

/** The built product as a process of its own, on a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

export interface Product {
  readonly url: string;
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
}

export interface StartedProduct extends Product {
  stop(): Promise<void>;
}

/** A product with the demo organisation at a port that is free; `stop` takes its data with it. */
export async function startProduct(): Promise<StartedProduct> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engawa-'));
  const start = (port: string) => startServer(dataDir, port);
  const started = await start('0');
  const { url } = started;
  let { child } = started;
  return {
    url,
    kill: () => ended(child, 'SIGKILL'),
    start: async () => {
      ({ child } = await start(new URL(url).port));
    },
    stop: async () => {
      await ended(child, 'SIGTERM');
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function startServer(dataDir: string, port: string): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, ['dist/server.mjs'], {
    cwd: root,
    // No member makes as many calls in a minute as the tests make in their name.
    env: { ...process.env, PORT: port, HOST: '127.0.0.1', DATA_DIR: dataDir, AUTH_MODE: 'fake', RATE_LIMIT: 'none' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((found, failed) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url) found({ child, url });
    });
    child.on('exit', () => failed(new Error(`the server ended: ${said}`)));
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolved) => child.once('exit', resolved));
  child.kill(signal);
  await exit;
}

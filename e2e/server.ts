/** The built product as a process of its own, on a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const builtServer = 'dist/server.mjs';

export interface Product {
  readonly url: string;
  /** All that it has printed since it was started last. */
  log(): string;
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
}

export interface StartedProduct extends Product {
  /** Where its data lies. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;

/**
 * A product with the demo organisation, at a port that is free, unless the environment says otherwise; `stop` takes its
 * data with it.
 * @param program Another server than the one that was built.
 */
export async function startProduct({ PORT, ...environment }: Environment = {}, program = builtServer): Promise<StartedProduct> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engawa-'));
  const port = PORT ?? (await freePort());
  const start = () => startServer({ ...ofTests, DATA_DIR: dataDir, PORT: port, ...environment }, program);
  let started = await start();
  const { url } = started;
  return {
    url,
    dataDir,
    log: () => started.log(),
    kill: () => ended(started.child, 'SIGKILL'),
    start: async () => {
      started = await start();
    },
    stop: async () => {
      await ended(started.child, 'SIGTERM');
      rmSync(dataDir, { recursive: true });
    },
  };
}

/**
 * Below those that systems give to whoever does not ask for a certain one, and where no other worker looks: a product that
 * was stopped finds its own free again.
 */
async function freePort(): Promise<string> {
  const port = 12_000 + 1000 * Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) + randomInt(1000);
  const probe = createServer();
  const isFree = await new Promise<boolean>((tried) => {
    probe.once('error', () => tried(false)).listen(port, '127.0.0.1', () => probe.close(() => tried(true)));
  });
  return isFree ? String(port) : freePort();
}

/** No member makes as many calls in a minute as the tests make in their name. */
const ofTests: Environment = { HOST: '127.0.0.1', AUTH_MODE: 'fake', RATE_LIMIT: 'none', LOG_LEVEL: 'warn' };

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  log(): string;
}

async function startServer(environment: Environment, program: string): Promise<Started> {
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((found, failed) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url) found({ child, url, log: () => said });
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

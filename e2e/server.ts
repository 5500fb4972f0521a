import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const builtServer = 'dist/server.mjs';

export interface Product {
  readonly url: string;
  /** Output since the last start. */
  log(): string;
  /** Ends the process at once, like a power cut. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
}

export interface StartedProduct extends Product {
  readonly dataDir: string;
  stop(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;

/**
 * A product with the demo organisation on a free port; `stop` removes its data.
 * @param program A server other than the built one.
 */
export async function startProduct({ PORT, ...environment }: Environment = {}, program = builtServer): Promise<StartedProduct> {
  const dataDir = mkdtempSync(join(tmpdir(), 'engawa-'));
  const port = PORT ?? (await freePort());
  const start = () => startServer({ ...testEnvironment, DATA_DIR: dataDir, PORT: port, ...environment }, program);
  let started = await start();
  const { url } = started;
  return {
    url,
    dataDir,
    log: () => started.log(),
    kill: () => end(started.child, 'SIGKILL'),
    start: async () => {
      started = await start();
    },
    stop: async () => {
      await end(started.child, 'SIGTERM');
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** A port that neither the system nor another worker hands out, so that it is still free when the product restarts. */
export async function freePort(): Promise<string> {
  const port = 12_000 + 1000 * Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) + randomInt(1000);
  const probe = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  return isFree ? String(port) : freePort();
}

/** The address of this machine, for servers of media: browsers use no loopback for them. */
export function networkAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const address = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (address === undefined) throw new Error('this machine has no network');
  return address;
}

const testEnvironment: Environment = { HOST: '127.0.0.1', AUTH_MODE: 'fake', RATE_LIMIT: 'none', LOG_LEVEL: 'warn' };

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
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /(?:http:\/\/127\.0\.0\.1:\d+|https:\/\/[\w.]+)/.exec(output)?.[0];
      if (url) resolve({ child, url, log: () => output });
    });
    child.on('exit', () => reject(new Error(`the server ended: ${output}`)));
  });
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

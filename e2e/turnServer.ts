/** Debian's TURN server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, freePort, networkAddress } from './server.ts';

const program = '/usr/bin/turnserver';
export const hasTurnServer = existsSync(program);

export interface TurnServer {
  readonly url: string;
  readonly secret: string;
  start(): Promise<void>;
  /** Ends it at once. What it has relayed for anybody is void. */
  kill(): Promise<void>;
  /** Also removes its data. */
  stop(): Promise<void>;
}

export async function startTurnServer(): Promise<TurnServer> {
  const address = networkAddress();
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'engawa-turn-'));
  const secret = 'turn-secret';
  const options = [
    '-n',
    '--no-tls',
    '--no-dtls',
    '--no-cli',
    '--log-file=stdout',
    '--simple-log',
    '--realm=engawa',
    `--listening-ip=${address}`,
    `--relay-ip=${address}`,
    `--listening-port=${port}`,
    '--use-auth-secret',
    `--static-auth-secret=${secret}`,
    `--userdb=${join(folder, 'turndb')}`,
    `--pidfile=${join(folder, 'pid')}`,
  ];
  let running: ChildProcess = await startServer(options);
  return {
    url: `turn:${address}:${port}`,
    secret,
    async start() {
      running = await startServer(options);
    },
    kill: () => end(running, 'SIGKILL'),
    async stop() {
      await end(running, 'SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}

function startServer(options: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Total General servers')) resolve(child);
    });
    child.on('exit', () => reject(new Error(`the TURN server ended: ${output}`)));
  });
}

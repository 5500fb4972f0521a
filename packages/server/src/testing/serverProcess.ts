import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface BegunProcess {
  readonly child: ChildProcess;
  /** Its address once it listens. Rejects if it ends before. */
  readonly ready: Promise<string>;
  /** Its stderr. */
  said(): string;
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ProcessOptions {
  /** 0 or undefined picks a free port. */
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeArguments?: readonly string[];
  readonly withChannel?: boolean;
  readonly uid?: number;
  /** A file descriptor that receives the server's stderr; `said` then omits it. */
  readonly errorFile?: number;
}

/** The bundle of `scripts/build.mjs` starts twice as fast. */
export const builtProgram = join(import.meta.dirname, '../../../../dist/server.mjs');

export function beginProcess(
  program: string,
  dataDirectory: string,
  { port = 0, environment = {}, nodeArguments = [], withChannel = false, uid, errorFile }: ProcessOptions = {},
): BegunProcess {
  const child = spawn(process.execPath, [...nodeArguments, program], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDirectory,
      AUTH_MODE: 'fake',
      ...environment,
    },
    stdio: ['ignore', 'pipe', errorFile ?? 'pipe', ...(withChannel ? (['ipc'] as const) : [])],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const gone = once(child, 'exit');
  const ready = addressSaid(child, () => said);
  // Prevents an unhandled rejection if a test kills the process before it has an address.
  ready.catch(() => undefined);
  return {
    child,
    ready,
    said: () => said,
    async end(signal) {
      child.kill(signal);
      await gone;
    },
  };
}

function addressSaid(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (address) resolve(address);
    });
    // `exit` may precede the last output.
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${said}${log()}`)));
  });
}

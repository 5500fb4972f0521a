import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process that may still be on its way. */
export interface BegunProcess {
  readonly child: ChildProcess;
  /** Its address, once it listens. Rejects where it ends before. */
  readonly ready: Promise<string>;
  /** What it said on its error stream so far: its log. */
  said(): string;
  /** Resolves when it is gone; at once where it is. */
  end(signal: NodeJS.Signals): Promise<void>;
}

export interface ProcessOptions {
  /** 0, as without one, takes any that is free. */
  readonly port?: number;
  /** Settings beside the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What Node itself is told. */
  readonly nodeArguments?: readonly string[];
  /** With a channel for messages to and from it. */
  readonly withChannel?: boolean;
  /** As whom it runs. */
  readonly uid?: number;
  /** Of an open file that takes its error stream, of which nothing is `said` then. */
  readonly errorFile?: number;
}

/** As `scripts/build.mjs` makes it, which starts in less than half the time. */
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
  // Whoever kills it on its way does not wait for its address.
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
    // `exit` may come before the last of what it said.
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${said}${log()}`)));
  });
}

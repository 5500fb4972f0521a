import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type FromWorker, fromWorker, type ToWorker } from './messages.ts';

const built = import.meta.url.endsWith('.ts') ? '../../../../../dist/sfuWorker.mjs' : './sfuWorker.mjs';
export const workerProgram = fileURLToPath(new URL(built, import.meta.url));

/** Milliseconds for the process to load the library and to claim its port. */
const startLimit = 15_000;
/** Milliseconds for the process to end. */
const endLimit = 2_000;
/** Milliseconds between the questions whether the process answers, and how many in a row it may leave unanswered. */
const pingInterval = 1_000;
const mostUnanswered = 5;

export interface WorkerOptions {
  readonly program: string;
  readonly port: number;
  /** See `TransportOptions`. */
  readonly address: string | undefined;
}

export interface WorkerExit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the server killed it: it was not ready in time, answered no more, or sent a message of another form. */
  readonly fault?: 'not_started' | 'unresponsive' | 'malformed_message' | undefined;
}

export type WorkerMessage = Exclude<FromWorker, { kind: 'pong' }>;

export interface Worker {
  readonly pid: number | undefined;
  /** The process has ended, by `end` or by itself. */
  readonly exited: Promise<WorkerExit>;
  /** Messages wait until the process is ready. */
  send(message: ToWorker): void;
  end(): void;
}

/** Starts the process of the forwarding unit. Of the environment it gets only where Node’s libraries are, and so no secrets. */
export function startWorker({ program, port, address }: WorkerOptions, onMessage: (message: WorkerMessage) => void): Worker {
  const libraries = process.env['LD_LIBRARY_PATH'];
  const child = fork(program, [String(port), ...(address === undefined ? [] : [address])], {
    env: libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const waiting: ToWorker[] = [];
  let isReady = false;
  let unanswered = 0;
  let pinging: NodeJS.Timeout | undefined;
  let fault: WorkerExit['fault'];
  const kill = (why: typeof fault): void => {
    fault ??= why;
    child.kill('SIGKILL');
  };
  const starting = setTimeout(() => kill('not_started'), startLimit);
  const ping = (): void => {
    if (unanswered >= mostUnanswered) return kill('unresponsive');
    unanswered += 1;
    pass(child, { kind: 'ping' });
  };
  child.on('message', (raw) => {
    const { data: message } = fromWorker.safeParse(raw);
    if (!message) return kill('malformed_message');
    if (message.kind === 'pong') {
      unanswered = 0;
      return undefined;
    }
    if (message.kind === 'ready') {
      isReady = true;
      clearTimeout(starting);
      pinging = setInterval(ping, pingInterval);
      for (const earlier of waiting.splice(0)) pass(child, earlier);
    }
    return onMessage(message);
  });
  const exited = new Promise<WorkerExit>((resolve) => {
    const exit = (end: WorkerExit): void => {
      clearTimeout(starting);
      clearInterval(pinging);
      resolve(end);
    };
    child.once('exit', (code, signal) => exit({ code, signal, fault }));
    // A process that could not be started has no exit. A failure to send to a dying process is followed by its exit.
    child.on('error', () => {
      if (child.pid === undefined) exit({ code: null, signal: null });
    });
  });
  return {
    pid: child.pid,
    exited,
    send(message) {
      if (isReady) pass(child, message);
      else waiting.push(message);
    },
    end() {
      if (child.connected) child.disconnect();
      // A process that hangs in native code does not see the end of its channel.
      const forced = setTimeout(() => child.kill('SIGKILL'), endLimit);
      child.once('exit', () => clearTimeout(forced));
    },
  };
}

function pass(child: ChildProcess, message: ToWorker): void {
  if (child.connected) child.send(message);
}

/** Only this thread writes `search.db`. It reports its progress after each batch. */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../database/index.ts';
import { Indexer } from './indexer.ts';
import type { Order, Work } from './indexThread.ts';

// The members' calls come first. Outside Linux this would set the priority of the whole process. It is never raised, because only
// root may do that.
const { PRIORITY_BELOW_NORMAL: low } = constants.priority;
if (process.platform === 'linux' && getPriority() < low) setPriority(low);

if (!parentPort) throw new Error('this module must run in a worker thread');
const port = parentPort;
const { chat, search, rebuild }: Work = workerData;

/** Events are collected for this many milliseconds into one batch, unless a search waits. */
const pause = 50;

const { reader, close } = openReader(chat);
const indexer = new Indexer(reader, search, rebuild);
let next: NodeJS.Timeout | undefined;

function advance(): void {
  const hasMore = indexer.advance();
  next = hasMore ? setTimeout(advance, 0) : undefined;
  port.postMessage(indexer.progress);
}

function obey(order: Order): void {
  if (order === 'soon') {
    next ??= setTimeout(advance, pause);
    return;
  }
  if (order === 'probe') {
    indexer.probe();
    port.postMessage('writable');
    return;
  }
  clearTimeout(next);
  if (order === 'now') advance();
  else end();
}

function end(): void {
  // Orders that arrive after the end must be ignored.
  port.off('message', obey);
  indexer.close();
  close();
  port.close();
}

port.on('message', obey);
advance();

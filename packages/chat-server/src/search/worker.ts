/** The thread that alone writes `search.db`. It does what `Order` says and tells after each batch how far it is. */
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../database/index.ts';
import { Indexer } from './indexer.ts';
import type { Order, Work } from './indexThread.ts';

if (!parentPort) throw new Error('this is the part of a server that runs in a thread of its own');
const port = parentPort;
const { chat, search, anew }: Work = workerData;

/** Milliseconds in which events come together into one batch, while nobody searches. */
const pause = 50;

const { reader, close } = openReader(chat);
const indexer = new Indexer(reader, search, anew);
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
  clearTimeout(next);
  if (order === 'now') advance();
  else end();
}

function end(): void {
  // Orders that came after this one are still on their way.
  port.off('message', obey);
  indexer.close();
  close();
  port.close();
}

port.on('message', obey);
advance();

/** The thread that alone writes `search.db`. It reports its progress after each batch. */
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../database/index.ts';
import { Indexer } from './indexer.ts';
import type { Order, Work } from './indexThread.ts';

if (!parentPort) throw new Error('this module must run in a worker thread');
const port = parentPort;
const { chat, search, rebuild }: Work = workerData;

/** Milliseconds in which events are collected into one batch, unless a search is waiting. */
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
  clearTimeout(next);
  if (order === 'now') advance();
  else end();
}

function end(): void {
  // Later orders may still arrive.
  port.off('message', obey);
  indexer.close();
  close();
  port.close();
}

port.on('message', obey);
advance();

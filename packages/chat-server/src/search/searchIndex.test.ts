import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { getMessages, sendMessage, updateMessageFlags } from '@engawa/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf, waits } from '../testing/queue.ts';

const searchFor = (word: string) => {
  return { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['search', word] satisfies [string, string]] };
};

async function setup() {
  const server = await eg.server();
  const client = eg.signIn(server, 'tanaka');
  const send = (content: string) => client.ok(sendMessage, { type: 'stream', to: eg.general, topic: 'stream events', content });
  const count = async (word: string) => (await client.ok(getMessages, searchFor(word))).messages.length;
  const refused = (word: string) => client.refused(getMessages, searchFor(word));
  const search = join(server.directory, 'search.db');
  /** Changes the index file through another connection. */
  const alterIndex = (sql: string) => {
    const connection = new DatabaseSync(search);
    connection.exec(sql);
    connection.close();
  };
  /** Locks the index file, so that new messages are not indexed until the lock is closed. */
  const lockIndex = () => {
    const lock = new DatabaseSync(search);
    lock.exec('BEGIN IMMEDIATE');
    return lock;
  };
  return { server, send, count, refused, search, alterIndex, lockIndex };
}

/** A search index that cannot take the second of two messages until the lock is closed. */
async function setupLocked() {
  const { send, count, lockIndex, ...rest } = await setup();
  await send('会議');
  expect(await count('会議')).toBe(1);
  const lock = lockIndex();
  await send('会議');
  return { ...rest, count, lock };
}

/** SQLite keeps this file while a writer has the database open. */
const isOpen = (search: string): boolean => existsSync(`${search}-wal`);

/** Counts worker threads that start and end from now on. */
function watchThreads() {
  const threads = { begun: 0, ended: 0 };
  const note = (thread: Worker) => {
    threads.begun += 1;
    thread.once('exit', () => void (threads.ended += 1));
  };
  process.on('worker', note);
  onTestFinished(() => void process.off('worker', note));
  return threads;
}

const notReady = { status: 503, code: 'SEARCH_NOT_READY', 'retry-after': 5 };

it('[R2.9.2] After a restart, the server keeps its search index and adds the messages that were not indexed yet', async () => {
  const { server, send, count } = await setup();
  await send('会議 一');
  expect(await count('会議')).toBe(1);
  await send('会議 二');
  await server.restart();
  expect(await count('会議')).toBe(2);
  await send('会議 三');
  expect(await count('会議')).toBe(3);
});

it('The server rebuilds the search index if its file was deleted while the server was down', async () => {
  const { server, send, count, search } = await setup();
  await send('会議');
  expect(await count('会議')).toBe(1);
  await server.close();
  for (const part of ['', '-wal', '-shm']) rmSync(search + part, { force: true });
  await server.restart();
  expect(await count('会議')).toBe(1);
});

it('The server builds the search index after a few seconds, even if nobody searches', async () => {
  const { server, send, search } = await setup();
  await send('会議');
  expect(() => statSync(search)).toThrow('ENOENT');
  await server.clock.jump(10);
  await server.close();
  expect(statSync(search).size).toBeGreaterThan(0);
});

it('After a restart, the server starts no search thread before a message is sent', async () => {
  const { server, send, count, search } = await setup();
  await send('会議');
  expect(await count('会議')).toBe(1);
  await server.restart();
  const threads = watchThreads();
  await server.clock.jump(10);
  expect(threads.begun).toBe(0);
  await send('会議 二');
  await server.clock.jump(10);
  expect(threads.begun).toBe(1);
  await vi.waitFor(() => expect(isOpen(search)).toBe(true));
  expect(await count('会議')).toBe(2);
});

it('The search thread ends after ten minutes without messages and searches, and the next search starts it again', async () => {
  const { server, send, count, search } = await setup();
  const threads = watchThreads();
  await send('会議');
  expect(await count('会議')).toBe(1);
  await server.clock.jump(9 * 60);
  expect(await count('会議')).toBe(1);
  await server.clock.jump(9 * 60);
  expect(isOpen(search)).toBe(true);
  await server.clock.jump(60);
  // A search during the shutdown also succeeds.
  expect(await count('会議')).toBe(1);
  await server.clock.jump(10 * 60);
  await vi.waitFor(() => expect(isOpen(search)).toBe(false));
  await vi.waitFor(() => expect(threads).toEqual({ begun: 2, ended: 2 }));
  await server.clock.jump(10);
  expect(threads.begun).toBe(2);
  expect(await count('会議')).toBe(1);
  expect(threads.begun).toBe(3);
  expect(server.reports()).toEqual([]);
});

it('[R2.9.2] A search gets the error SEARCH_NOT_READY if the search index is not up to date within three seconds', async () => {
  const { server, count, refused, lock } = await setupLocked();
  const late = refused('会議');
  await server.clock.jump(3);
  expect(await late).toMatchObject(notReady);
  lock.close();
  expect(await count('会議')).toBe(2);
});

it('A search gets a Retry-After header if the search index is not up to date within three seconds', async () => {
  const { server, lock } = await setupLocked();
  const query = { anchor: 'newest', num_before: '1', num_after: '0', narrow: JSON.stringify([['search', '会議']]) };
  const late = eg.signIn(server, 'tanaka').raw({ path: '/messages', query });
  await server.clock.jump(3);
  expect(await late).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  lock.close();
});

it('The server rebuilds the search index after the search thread failed because of a damaged file', async () => {
  const { server, send, count, alterIndex } = await setup();
  await send('会議 一');
  expect(await count('会議')).toBe(1);
  alterIndex('DROP TABLE progress');
  await send('会議 二');
  await vi.waitFor(() => expect(server.reports()).toMatchObject([{ event: 'search_index_failed' }]));
  expect(await count('会議')).toBe(2);
});

it('The server keeps the search index file after another kind of failure, and opens it again after a pause', async () => {
  const { server, send, count, refused, alterIndex, lockIndex } = await setup();
  await send('会議 一');
  expect(await count('会議')).toBe(1);
  alterIndex('PRAGMA user_version = 7');
  const lock = lockIndex();
  await send('会議 二');
  expect(await refused('会議')).toMatchObject(notReady);
  await vi.waitFor(() => expect(server.reports()).toMatchObject([{ event: 'search_index_failed' }]));
  lock.exec('ROLLBACK');
  expect(await refused('会議')).toMatchObject(notReady);
  await server.clock.jump(1);
  expect(await count('会議')).toBe(2);
  expect(lock.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
  lock.close();
});

it('A search does not use the search index if another term of its narrow (filter) selects the messages', async () => {
  const { server, send, search } = await setup();
  const { id } = await send('会議');
  const client = eg.signIn(server, 'tanaka');
  await client.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
  const others: readonly (readonly [string, string | number])[] = [
    ['id', id],
    ['is', 'starred'],
  ];
  for (const [operator, operand] of others) {
    const { narrow, ...rest } = searchFor('会議');
    const answer = await client.ok(getMessages, { ...rest, narrow: [...narrow, [operator, operand]] });
    expect(answer.messages).toMatchObject([{ id }]);
  }
  expect(() => statSync(search)).toThrow('ENOENT');
});

it('The server rebuilds the search index if a search cannot read it', async () => {
  const { server, send, count, refused, alterIndex } = await setup();
  await send('会議');
  expect(await count('会議')).toBe(1);
  alterIndex('DROP TABLE message_tokens');
  expect(await refused('会議')).toMatchObject(notReady);
  expect(server.reports()).toMatchObject([{ event: 'search_failed' }]);
  expect(await count('会議')).toBe(1);
});

it('A search that waits for the search index ends when its client disconnects', async () => {
  const { server, lock } = await setupLocked();
  const query = { anchor: 'newest', num_before: '1', num_after: '0', narrow: JSON.stringify([['search', '会議']]) };
  const controller = new AbortController();
  const searching = eg.signIn(server, 'tanaka').raw({ path: '/messages', query, signal: controller.signal });
  expect(await waits(searching)).toBe(true);
  controller.abort();
  expect(await waits(searching)).toBe(false);
  lock.close();
});

it('When the server closes, a search that waits for the search index gets SEARCH_NOT_READY at once', async () => {
  const { server, send, count, refused, lockIndex } = await setup();
  await send('会議');
  expect(await count('会議')).toBe(1);
  const queue = await queueOf(eg.signIn(server, 'sato'));
  const lock = lockIndex();
  await send('会議');
  await queue.take();
  const answers: string[] = [];
  const searching = refused('会議').then((refusal) => answers.push(`${refusal.status} ${refusal.code}`));
  const poll = queue.wait().then(() => answers.push('poll'));
  await settled();
  const closed = server.close().then(() => answers.push('closed'));
  await settled();
  expect(answers.toSorted()).toEqual(['503 SEARCH_NOT_READY', 'poll']);
  lock.close();
  await Promise.all([searching, poll, closed]);
});

it('The health check fails while the search index cannot be written by its thread, and passes after the thread rests', async () => {
  const { server, send, count, lockIndex } = await setup();
  await send('会議');
  expect(await count('会議')).toBe(1);
  await server.running().probe();
  const lock = lockIndex();
  await server.clock.jump(1);
  await expect(server.running().probe()).rejects.toThrow('search index');
  expect(server.reports()).toMatchObject([{ event: 'search_index_failed' }]);
  lock.close();
  await server.clock.jump(1);
  await server.running().probe();
});

it('The health check fails while the search index cannot be written and no thread runs', async () => {
  const { server, send, count, lockIndex } = await setup();
  const threads = watchThreads();
  await send('会議');
  expect(await count('会議')).toBe(1);
  await server.clock.jump(10 * 60);
  await vi.waitFor(() => expect(threads).toEqual({ begun: 1, ended: 1 }));
  const lock = lockIndex();
  await expect(server.running().probe()).rejects.toThrow('locked');
  lock.close();
  await server.clock.jump(1);
  await server.running().probe();
  expect(threads.begun).toBe(1);
});

it('Health checks within a second write the search index once', async () => {
  const { server, lockIndex } = await setup();
  await server.clock.jump(10);
  await server.running().probe();
  const lock = lockIndex();
  await server.running().probe();
  await server.clock.jump(1);
  await expect(server.running().probe()).rejects.toThrow('search index');
  expect(server.reports()).toMatchObject([{ event: 'search_index_failed' }]);
  lock.close();
});

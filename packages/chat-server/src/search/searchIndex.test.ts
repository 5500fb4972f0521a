import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { getMessages, sendMessage, updateMessageFlags } from '@engawa/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf, waits } from '../testing/queue.ts';

const asked = (word: string) => {
  return { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['search', word] satisfies [string, string]] };
};

async function story() {
  const server = await eg.server();
  const client = eg.signIn(server, 'tanaka');
  const say = (content: string) => client.ok(sendMessage, { type: 'stream', to: eg.general, topic: 'stream events', content });
  const count = async (word: string) => (await client.ok(getMessages, asked(word))).messages.length;
  const refused = (word: string) => client.refused(getMessages, asked(word));
  const search = join(server.directory, 'search.db');
  /** Something done to the index from outside. */
  const change = (sql: string) => {
    const connection = new DatabaseSync(search);
    connection.exec(sql);
    connection.close();
  };
  /** Keeps the index from taking in what is said from now on; its end lets it go on. */
  const hold = () => {
    const lock = new DatabaseSync(search);
    lock.exec('BEGIN IMMEDIATE');
    return lock;
  };
  return { server, say, count, refused, search, change, hold };
}

/** While somebody has it open that writes, SQLite keeps a file beside it. */
const isOpen = (search: string): boolean => existsSync(`${search}-wal`);

/** The threads of this process that are begun from now on. */
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

describe('the index of a server', () => {
  it('[R2.9.2] outlives a restart, and follows what was said in between', async () => {
    const { server, say, count } = await story();
    await say('会議 一');
    expect(await count('会議')).toBe(1);
    await say('会議 二');
    await server.restart();
    expect(await count('会議')).toBe(2);
    await say('会議 三');
    expect(await count('会議')).toBe(3);
  });

  it('begins anew where its file is gone after a restart', async () => {
    const { server, say, count, search } = await story();
    await say('会議');
    expect(await count('会議')).toBe(1);
    await server.close();
    for (const part of ['', '-wal', '-shm']) rmSync(search + part, { force: true });
    await server.restart();
    expect(await count('会議')).toBe(1);
  });

  it('is begun by time, where nobody searches', async () => {
    const { server, say, search } = await story();
    await say('会議');
    expect(() => statSync(search)).toThrow('ENOENT');
    await server.clock.jump(10);
    await server.close();
    expect(statSync(search).size).toBeGreaterThan(0);
  });

  it('is left alone by a server on which nothing was said since', async () => {
    const { server, say, count, search } = await story();
    await say('会議');
    expect(await count('会議')).toBe(1);
    await server.restart();
    const threads = watchThreads();
    await server.clock.jump(10);
    expect(threads.begun).toBe(0);
    await say('会議 二');
    await server.clock.jump(10);
    expect(threads.begun).toBe(1);
    await vi.waitFor(() => expect(isOpen(search)).toBe(true));
    expect(await count('会議')).toBe(2);
  });

  it('is let go of when nothing was said or sought for ten minutes, and is there again for whoever searches', async () => {
    const { server, say, count, search } = await story();
    const threads = watchThreads();
    await say('会議');
    expect(await count('会議')).toBe(1);
    await server.clock.jump(9 * 60);
    expect(await count('会議')).toBe(1);
    await server.clock.jump(9 * 60);
    expect(isOpen(search)).toBe(true);
    await server.clock.jump(60);
    // Also by who comes while it ends.
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

  it('[R2.9.2] that is not there in time is said to be late, in words of its own', async () => {
    const { server, say, count, refused, hold } = await story();
    await say('会議');
    expect(await count('会議')).toBe(1);
    const lock = hold();
    await say('会議');
    const late = refused('会議');
    await server.clock.jump(3);
    expect(await late).toMatchObject(notReady);
    lock.close();
    expect(await count('会議')).toBe(2);
  });

  it('tells by a header when to come again', async () => {
    const { server, say, count, hold } = await story();
    await say('会議');
    expect(await count('会議')).toBe(1);
    const lock = hold();
    await say('会議');
    const narrow = JSON.stringify([['search', '会議']]);
    const query = { anchor: 'newest', num_before: '1', num_after: '0', narrow };
    const late = eg.signIn(server, 'tanaka').raw({ path: '/messages', query });
    await server.clock.jump(3);
    expect(await late).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
    lock.close();
  });

  it('is made anew after its thread has failed at a damaged file', async () => {
    const { server, say, count, change } = await story();
    await say('会議 一');
    expect(await count('会議')).toBe(1);
    change('DROP TABLE progress');
    await say('会議 二');
    await vi.waitFor(() => expect(server.reports()).toMatchObject([{ event: 'search_index_failed' }]));
    expect(await count('会議')).toBe(2);
  });

  it('keeps its file where it fails for another reason, and opens it again after a pause', async () => {
    const { server, say, count, refused, change, hold } = await story();
    await say('会議 一');
    expect(await count('会議')).toBe(1);
    change('PRAGMA user_version = 7');
    const lock = hold();
    await say('会議 二');
    expect(await refused('会議')).toMatchObject(notReady);
    await vi.waitFor(() => expect(server.reports()).toMatchObject([{ event: 'search_index_failed' }]));
    lock.exec('ROLLBACK');
    expect(await refused('会議')).toMatchObject(notReady);
    await server.clock.jump(1);
    expect(await count('会議')).toBe(2);
    expect(lock.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
    lock.close();
  });

  it('is not asked, and not waited for, where a narrow names its messages otherwise', async () => {
    const { server, say, search } = await story();
    const { id } = await say('会議');
    const client = eg.signIn(server, 'tanaka');
    await client.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
    const others: readonly (readonly [string, string | number])[] = [
      ['id', id],
      ['is', 'starred'],
    ];
    for (const [operator, operand] of others) {
      const { narrow, ...rest } = asked('会議');
      const answer = await client.ok(getMessages, { ...rest, narrow: [...narrow, [operator, operand]] });
      expect(answer.messages).toMatchObject([{ id }]);
    }
    expect(() => statSync(search)).toThrow('ENOENT');
  });

  it('is made anew where it cannot be read', async () => {
    const { server, say, count, refused, change } = await story();
    await say('会議');
    expect(await count('会議')).toBe(1);
    change('DROP TABLE message_tokens');
    expect(await refused('会議')).toMatchObject(notReady);
    expect(server.reports()).toMatchObject([{ event: 'search_failed' }]);
    expect(await count('会議')).toBe(1);
  });

  it('does not go on for who has hung up', async () => {
    const { server, say, count, hold } = await story();
    await say('会議');
    expect(await count('会議')).toBe(1);
    const lock = hold();
    await say('会議');
    const query = { anchor: 'newest', num_before: '1', num_after: '0', narrow: JSON.stringify([['search', '会議']]) };
    const hangUp = new AbortController();
    const searching = eg.signIn(server, 'tanaka').raw({ path: '/messages', query, signal: hangUp.signal });
    expect(await waits(searching)).toBe(true);
    hangUp.abort();
    expect(await waits(searching)).toBe(false);
    lock.close();
  });

  it('lets a server close that somebody waits for, and keeps nobody else waiting', async () => {
    const { server, say, count, refused, hold } = await story();
    await say('会議');
    expect(await count('会議')).toBe(1);
    const queue = await queueOf(eg.signIn(server, 'sato'));
    const lock = hold();
    await say('会議');
    await queue.take();
    const told: string[] = [];
    const searching = refused('会議').then((refusal) => told.push(`${refusal.status} ${refusal.code}`));
    const poll = queue.wait().then(() => told.push('poll'));
    await settled();
    const closed = server.close().then(() => told.push('closed'));
    await settled();
    expect(told.toSorted()).toEqual(['503 SEARCH_NOT_READY', 'poll']);
    lock.close();
    await Promise.all([searching, poll, closed]);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { editMessage, maxMessageLength, newestAnchor } from '@engawa/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { type Transaction, openReader } from '../database/index.ts';
import { messages } from '../messages/store.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { Indexer } from './indexer.ts';
import { SearchFileReader } from './searchFile.ts';
import { NotIndexedError, indexedIn } from './searchIndex.ts';
import { queryOf } from './tokens.ts';

/** More messages than one batch indexes. */
const many = 2500;

/** A long text, in which few messages have the same characters beside each other. */
const unlikeOthers = (number: number) =>
  String.fromCodePoint(...Array.from({ length: 300 }, (_, index) => 0x4e00 + ((number * index * 7) % 20_000)));

/** Changes a database through another connection. */
function change(file: string, sql: string): void {
  const connection = new DatabaseSync(file);
  connection.exec(sql);
  connection.close();
}

/** An organisation with many messages that are no longer in the event log. */
async function setup(count = many, content = (number: number) => `会議 ${number}号`) {
  const server = await eg.server();
  const { database } = fileOf(server);
  const write = (change: (tx: Transaction) => unknown) => database.write((tx) => void change(tx));
  const target = { conversation_id: server.stream(eg.general), sender_id: server.user('tanaka'), topic: 'x' };
  const row = {
    ...target,
    client: 'Engawa',
    features: 0,
    read_by_sender: 0,
    notice: null,
    timestamp: Math.floor(server.clock.now() / 1000),
  };
  await write((tx) => {
    for (let number = 1; number <= count; number += 1) {
      messages.insert(tx, { ...row, content: content(number) });
    }
  });
  const chat = join(server.directory, 'chat.db');
  const search = join(server.directory, 'search.db');
  const { reader, close } = openReader(chat);
  onTestFinished(close);

  const open = (rebuild = false) => {
    const indexer = new Indexer(reader, search, rebuild);
    const file = new SearchFileReader(search);
    const find = (words: readonly string[], direction: 'up' | 'down', most: number) => {
      const indexed = indexedIn(indexer.progress, { after: 0, upTo: newestAnchor }, direction);
      return file.find(queryOf(words, [target.conversation_id]), indexed, direction, most);
    };
    const end = () => {
      file.close();
      indexer.close();
    };
    return { indexer, find, end };
  };
  const indexAll = () => {
    const { indexer, end } = open();
    while (indexer.advance());
    end();
  };
  return { server, chat, search, open, indexAll };
}

it('[R2.9.1] The search indexer begins with the newest messages, and a search finds them immediately', async () => {
  const { open } = await setup();
  const { indexer, find, end } = open();
  expect(indexer.progress.floor).toBe(many + 1);
  indexer.advance();
  expect(indexer.progress.floor).toBe(1501);
  expect(find(['会議'], 'down', 3)).toEqual([2500, 2499, 2498]);
  expect(find(['会議'], 'down', 1001)).toHaveLength(1000);
  expect(() => find(['会議'], 'up', 1)).toThrow(NotIndexedError);
  while (indexer.advance());
  expect(indexer.progress.floor).toBe(0);
  expect(find(['会議'], 'down', 5000)).toHaveLength(many);
  expect(find(['会議'], 'up', 2)).toEqual([1, 2]);
  expect(find(['鬱蒼'], 'up', 2)).toEqual([]);
  end();
});

it('A new indexer continues an unfinished search index where the former indexer stopped', async () => {
  const { open } = await setup();
  const first = open();
  first.indexer.advance();
  const { progress } = first.indexer;
  first.end();
  const second = open();
  expect(second.indexer.progress).toEqual(progress);
  while (second.indexer.advance());
  expect(second.find(['会議'], 'down', 5000)).toHaveLength(many);
  second.end();
});

it('A search index that was filled with many messages has one segment in the end', async () => {
  const { search, indexAll } = await setup(1500, unlikeOthers);
  indexAll();
  const connection = new DatabaseSync(search);
  onTestFinished(() => connection.close());
  expect(connection.prepare('SELECT count(DISTINCT segid) AS count FROM message_tokens_idx').get()).toEqual({ count: 1 });
});

it('The search index of an organisation without messages is complete at once', async () => {
  const { open } = await setup(0);
  const { indexer, find, end } = open();
  expect(indexer.progress.floor).toBe(0);
  expect(find(['会議'], 'up', 9)).toEqual([]);
  end();
});

it('The search indexer takes fewer messages into a batch if the messages are long', async () => {
  const { open } = await setup(100, () => 'あ'.repeat(maxMessageLength));
  const { indexer, end } = open();
  indexer.advance();
  expect(indexer.progress.floor).toBeGreaterThan(50);
  while (indexer.advance());
  expect(indexer.progress.floor).toBe(0);
  end();
});

it('The search indexer splits an event that moves 1,500 messages into batches, and moves its cursor after the last one', async () => {
  const { server, open, indexAll } = await setup(1500);
  indexAll();
  const before = open();
  const { cursor } = before.indexer.progress;
  before.end();
  const client = eg.signIn(server, 'sato');
  await client.ok(editMessage, { message_id: 1500, topic: '議題', propagate_mode: 'change_all' });
  const { indexer, find, end } = open();
  expect(indexer.advance()).toBe(true);
  expect(indexer.progress.cursor).toBe(cursor);
  expect(find(['議題'], 'up', 5000)).toHaveLength(1000);
  while (indexer.advance());
  expect(indexer.progress.cursor).toBeGreaterThan(cursor);
  expect(find(['議題'], 'up', 5000)).toHaveLength(1500);
  end();
});

const unindexed = { floor: 6 };

it('The search indexer rebuilds an intact index if the caller asks for it', async () => {
  const { open, indexAll } = await setup(5);
  indexAll();
  const existing = open();
  expect(existing.indexer.progress.floor).toBe(0);
  existing.end();
  const rebuild = open(true);
  expect(rebuild.indexer.progress).toMatchObject(unindexed);
  rebuild.end();
});

it.each([
  ['is not a database', (search: string) => writeFileSync(search, 'x'.repeat(10_000))],
  ['is empty', (search: string) => writeFileSync(search, '')],
])('The search index is rebuilt if its file %s', async (_, damage) => {
  const { open, indexAll, search } = await setup(5);
  indexAll();
  damage(search);
  const { indexer, find, end } = open();
  expect(indexer.progress).toMatchObject(unindexed);
  while (indexer.advance());
  expect(find(['会議'], 'up', 9)).toHaveLength(5);
  end();
});

it.each([
  ['lacks a table', 'DROP TABLE message_tokens'],
  ['lacks its state', 'DELETE FROM progress'],
  ['is of another version', 'UPDATE progress SET version = 0'],
  ['is of another organisation', "UPDATE progress SET epoch = 'another'"],
])('The search index is rebuilt if its file %s', async (_, sql) => {
  const { open, indexAll, search } = await setup(5);
  indexAll();
  change(search, sql);
  const { indexer, end } = open();
  expect(indexer.progress).toMatchObject(unindexed);
  end();
});

it.each([
  ['its cursor is beyond the log', 'UPDATE progress SET cursor = 1000000', ''],
  [
    'the log no longer has the events after its cursor',
    '',
    "UPDATE counter SET value = 100 WHERE name = 'pruned'; UPDATE sqlite_sequence SET seq = 101 WHERE name = 'event'",
  ],
])('The search index is rebuilt in the same file if %s', async (_, inIndex, inChat) => {
  const { open, indexAll, chat, search } = await setup(5);
  indexAll();
  change(search, inIndex);
  change(chat, inChat);
  const { indexer, find, end } = open();
  indexer.advance();
  expect(indexer.progress).toMatchObject(unindexed);
  while (indexer.advance());
  expect(indexer.progress.floor).toBe(0);
  expect(find(['会議'], 'up', 9)).toHaveLength(5);
  end();
});

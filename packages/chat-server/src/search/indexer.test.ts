import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { editMessage, maxMessageLength, newestAnchor } from '@engawa/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Transaction, openReader } from '../database/index.ts';
import { messages } from '../messages/store.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { Indexer } from './indexer.ts';
import { SearchFileReader } from './searchFile.ts';
import { NotIndexedError, indexedIn } from './searchIndex.ts';
import { queryOf } from './tokens.ts';

/** More than one batch takes. */
const many = 2500;

/** Something done to a database from outside. */
function change(file: string, sql: string): void {
  const connection = new DatabaseSync(file);
  connection.exec(sql);
  connection.close();
}

/** An organisation in which much was said that the log no longer tells. */
async function spoken(count = many, content = (number: number) => `会議 ${number}号`) {
  const server = await eg.server();
  const { database } = fileOf(server);
  const write = (change: (tx: Transaction) => unknown) => database.write((tx) => void change(tx));
  const place = { conversation_id: server.stream(eg.general), sender_id: server.user('tanaka'), topic: 'x' };
  const said = { ...place, client: 'Engawa', features: 0, timestamp: Math.floor(server.clock.now() / 1000) };
  await write((tx) => {
    for (let number = 1; number <= count; number += 1) {
      messages.insert(tx, { ...said, content: content(number) });
    }
  });
  const chat = join(server.directory, 'chat.db');
  const search = join(server.directory, 'search.db');
  const { reader, close } = openReader(chat);
  onTestFinished(close);

  const open = (anew = false) => {
    const indexer = new Indexer(reader, search, anew);
    const file = new SearchFileReader(search);
    const look = (words: readonly string[], direction: 'up' | 'down', most: number) => {
      const indexed = indexedIn(indexer.progress, { after: 0, upTo: newestAnchor }, direction);
      return file.find(queryOf(words, [place.conversation_id]), indexed, direction, most);
    };
    const end = () => {
      file.close();
      indexer.close();
    };
    return { indexer, look, end };
  };
  const whole = () => {
    const { indexer, end } = open();
    while (indexer.advance());
    end();
  };
  return { server, chat, search, open, whole };
}

describe('an index that begins', () => {
  it('[R2.9.1] takes the newest messages first, and finds among them what is there already', async () => {
    const { open } = await spoken();
    const { indexer, look, end } = open();
    expect(indexer.progress.floor).toBe(many + 1);
    indexer.advance();
    expect(indexer.progress.floor).toBe(1501);
    expect(look(['会議'], 'down', 3)).toEqual([2500, 2499, 2498]);
    expect(look(['会議'], 'down', 1001)).toHaveLength(1000);
    expect(() => look(['会議'], 'up', 1)).toThrow(NotIndexedError);
    while (indexer.advance());
    expect(indexer.progress.floor).toBe(0);
    expect(look(['会議'], 'down', 5000)).toHaveLength(many);
    expect(look(['会議'], 'up', 2)).toEqual([1, 2]);
    expect(look(['鬱蒼'], 'up', 2)).toEqual([]);
    end();
  });

  it('goes on where it was', async () => {
    const { open } = await spoken();
    const first = open();
    first.indexer.advance();
    const { progress } = first.indexer;
    first.end();
    const second = open();
    expect(second.indexer.progress).toEqual(progress);
    while (second.indexer.advance());
    expect(second.look(['会議'], 'down', 5000)).toHaveLength(many);
    second.end();
  });

  it('of nothing is there at once', async () => {
    const { open } = await spoken(0);
    const { indexer, look, end } = open();
    expect(indexer.progress.floor).toBe(0);
    expect(look(['会議'], 'up', 9)).toEqual([]);
    end();
  });
});

describe('a batch', () => {
  it('takes fewer of long messages', async () => {
    const { open } = await spoken(100, () => 'あ'.repeat(maxMessageLength));
    const { indexer, end } = open();
    indexer.advance();
    expect(indexer.progress.floor).toBeGreaterThan(50);
    while (indexer.advance());
    expect(indexer.progress.floor).toBe(0);
    end();
  });

  it('takes a part of an event that names thousands, which is followed when all of them are', async () => {
    const { server, open, whole } = await spoken(1500);
    whole();
    const before = open();
    const { cursor } = before.indexer.progress;
    before.end();
    const client = eg.signIn(server, 'sato');
    await client.ok(editMessage, { message_id: 1500, topic: '議題', propagate_mode: 'change_all' });
    const { indexer, look, end } = open();
    expect(indexer.advance()).toBe(true);
    expect(indexer.progress.cursor).toBe(cursor);
    expect(look(['議題'], 'up', 5000)).toHaveLength(1000);
    while (indexer.advance());
    expect(indexer.progress.cursor).toBeGreaterThan(cursor);
    expect(look(['議題'], 'up', 5000)).toHaveLength(1500);
    end();
  });
});

describe('an index is made anew', () => {
  const begun = { floor: 6 };

  it('where it is not to be trusted', async () => {
    const { open, whole } = await spoken(5);
    whole();
    const kept = open();
    expect(kept.indexer.progress.floor).toBe(0);
    kept.end();
    const anew = open(true);
    expect(anew.indexer.progress).toMatchObject(begun);
    anew.end();
  });

  it.each([
    ['is no database', (search: string) => writeFileSync(search, 'x'.repeat(10_000))],
    ['is empty', (search: string) => writeFileSync(search, '')],
  ])('where its file %s', async (_, damage) => {
    const { open, whole, search } = await spoken(5);
    whole();
    damage(search);
    const { indexer, look, end } = open();
    expect(indexer.progress).toMatchObject(begun);
    while (indexer.advance());
    expect(look(['会議'], 'up', 9)).toHaveLength(5);
    end();
  });

  it.each([
    ['lacks a table', 'DROP TABLE message_tokens'],
    ['lacks its state', 'DELETE FROM progress'],
    ['is of another version', 'UPDATE progress SET version = 0'],
    ['is of another organisation', "UPDATE progress SET epoch = 'another'"],
  ])('where its file %s', async (_, sql) => {
    const { open, whole, search } = await spoken(5);
    whole();
    change(search, sql);
    const { indexer, end } = open();
    expect(indexer.progress).toMatchObject(begun);
    end();
  });

  it.each([
    ['where it knows events that there are not', 'UPDATE progress SET cursor = 1000000', ''],
    ['where the log no longer tells what it has not followed', '', "UPDATE counter SET value = 100 + (name = 'event')"],
  ])('%s, in its place', async (_, inIndex, inChat) => {
    const { open, whole, chat, search } = await spoken(5);
    whole();
    change(search, inIndex);
    change(chat, inChat);
    const { indexer, look, end } = open();
    indexer.advance();
    expect(indexer.progress).toMatchObject(begun);
    while (indexer.advance());
    expect(indexer.progress.floor).toBe(0);
    expect(look(['会議'], 'up', 9)).toHaveLength(5);
    end();
  });
});

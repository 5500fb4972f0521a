/*
 * How fast messages are found among a million, and what that costs: `npm run bench:search`; fewer with MESSAGES=100000.
 * The messages are put straight into a chat.db, so that the index is made of them anew; then it is searched through the
 * server's own calls, and follows what is sent meanwhile.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance, monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { createChatServer } from '../packages/chat-server/src/index.ts';
import { buildServer } from '../scripts/build.mjs';

const count = Number(process.env.MESSAGES ?? 1_000_000);
const streamCount = 500;
const limits = { page: 20, lag: 1000, stall: 50 };
const password = 'bench-password';

const terms = [
  ['frequent, two characters', '会議'],
  ['less frequent', '障害'],
  ['rare', '蒟蒻'],
  ['long', 'プロジェクトの進捗'],
  ['one character', '会'],
  ['one rare character', '蒻'],
  ['absent', '鬱蒼'],
  ['absent, of frequent pairs', '会議議会'],
  ['punctuation', 'jira-123'],
  ['two words', '会議 障害'],
];

/** A member of all streams, of a few, and a narrow to one stream. */
const scopes = [
  ['all streams', 'all@example.com', []],
  ['20 streams', 'few@example.com', []],
  ['one stream', 'all@example.com', [['stream', 'stream 250']]],
];

await buildServer();
const directory = mkdtempSync(join(tmpdir(), 'engawa-search-'));
/** Of each member who has signed in. */
const keys = new Map();
let server;
try {
  await makeOrganisation();
  await step('messages put in', () => insertMessages());
  server = open();
  await measureSending();
  await rebuild();
  await measurePages();
  await measureFollowing();
} finally {
  await server?.close();
  rmSync(directory, { recursive: true });
}

function open() {
  return createChatServer({
    directory,
    realm: { url: 'http://localhost' },
    rateLimits: 'none',
    log: (event) => console.error(event),
  });
}

async function makeOrganisation() {
  const created = 1_700_000_000;
  const person = (email, role) => {
    return { email, full_name: email, role, timezone: 'Asia/Tokyo', avatar_url: null, password, date_joined: created };
  };
  const chat = open();
  await chat.import({
    name: 'bench',
    description: '',
    users: [person('all@example.com', 100), person('few@example.com', 400)],
    streams: Array.from({ length: streamCount }, (_, index) => ({
      name: `stream ${index}`,
      description: '',
      creator: 'all@example.com',
      subscribers: index % 25 === 0 ? ['all@example.com', 'few@example.com'] : ['all@example.com'],
      invite_only: true,
      history_public_to_subscribers: true,
      created,
    })),
    messages: [],
    unread: [],
  });
  await chat.close();
}

/** The same in every run (mulberry32). */
function seeded(seed) {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
}

/** Texts of some 40 characters, of 2,000 words of which some occur often. */
function speaker() {
  const below = seeded(1);
  const kanji = [...'売上資料報告書類予算案件確認連絡担当者部長課題対応完了開始終了変更追加修正検討承認申請来週今日明日午前後時分月火水木金'];
  const words = Array.from({ length: 2000 }, () => kanji[below(kanji.length)] + kanji[below(kanji.length)]);
  const endings = ['を', 'の', 'は', 'が', 'に', 'で', 'です。', 'ください。', 'お願いします。', 'サーバー', 'メール', 'Zoom '];
  return () => {
    let text = '';
    const length = 6 + below(10);
    for (let word = 0; word < length; word += 1) text += words[below(2000)] + endings[below(endings.length)];
    const dice = below(50_000);
    if (dice % 4 === 0) text += '会議室';
    if (dice % 66 === 0) text += '障害です';
    if (dice % 130 === 0) text += 'プロジェクトの進捗';
    if (dice % 150 === 0) text += ' jira-123';
    if (dice === 7) text += '蒟蒻';
    return text;
  };
}

function insertMessages() {
  const database = new DatabaseSync(join(directory, 'chat.db'));
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  const ids = database.prepare('SELECT conversation_id AS id FROM stream ORDER BY conversation_id').all();
  const insert = database.prepare(
    `INSERT INTO message (conversation_id, sender_id, topic, topic_key, content, client, timestamp)
     VALUES (?, 1, 'stream events', 'stream events', ?, 'Engawa', 1700000000)`,
  );
  const [say, below] = [speaker(), seeded(2)];
  database.exec('BEGIN');
  for (let number = 0; number < count; number += 1) insert.run(ids[below(ids.length)].id, say());
  database.exec('COMMIT');
  database.close();
}

async function step(name, does) {
  const begun = performance.now();
  await does();
  console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

async function call(method, path, values, credentials) {
  const query = new URLSearchParams(values).toString();
  const body = method === 'POST' ? [Buffer.from(query)] : [];
  const { status, body: bytes } = await server.fetch({
    method,
    url: `/api/v1${path}${method === 'POST' ? '' : `?${query}`}`,
    headers: {
      'user-agent': 'Engawa/1.0',
      'content-type': 'application/x-www-form-urlencoded',
      ...(credentials ? { authorization: credentials } : {}),
    },
    body,
    address: '192.0.2.1',
    signal: new AbortController().signal,
  });
  return { status, ...JSON.parse(Buffer.from(bytes).toString()) };
}

async function credentialsOf(email) {
  if (!keys.has(email)) {
    const { api_key: key } = await call('POST', '/fetch_api_key', { username: email, password });
    keys.set(email, `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`);
  }
  return keys.get(email);
}

async function search(email, word, others = []) {
  const narrow = JSON.stringify([...others, ['search', word]]);
  const asked = { anchor: 'newest', num_before: '20', num_after: '0', narrow, apply_markdown: 'false' };
  return call('GET', '/messages', asked, await credentialsOf(email));
}

/** Asks for what there is nowhere until the whole index says so. */
async function rebuild() {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  await credentialsOf('all@example.com');
  await credentialsOf('few@example.com');
  delays.enable();
  await step('index made anew', async () => {
    while ((await search('all@example.com', '鬱蒼')).status === 503);
  });
  delays.disable();
  tell('longest stall while it is made', delays.max / 1e6, limits.stall, 'ms');
  console.log(`index: ${(bytesOfIndex() / count).toFixed(0)} bytes per message`);
}

function bytesOfIndex() {
  return statSync(join(directory, 'search.db')).size;
}

async function measurePages() {
  for (const [scope, email, others] of scopes) {
    for (const [name, word] of terms) {
      const times = [];
      let answer;
      for (let round = 0; round < 40; round += 1) {
        const begun = performance.now();
        answer = await search(email, word, others);
        times.push(performance.now() - begun);
      }
      times.sort((one, other) => one - other);
      const [half, most] = [times[20], times[38]];
      const found = `${answer.messages.length}${answer.found_oldest ? ', all' : ''}`;
      tell(`${scope}, ${name} (${found}): p50 ${half.toFixed(1)} ms, p95`, most, limits.page, 'ms');
    }
  }
}

/** What the machine and the sending take by themselves, while there is no index. */
async function measureSending() {
  const { sent, stall } = await sendFor(5);
  console.log(`without an index: sent ${sent} in 5 s, longest stall ${stall.toFixed(1)} ms`);
}

/** 500 messages a second, for so many seconds. */
async function sendFor(seconds, look = () => undefined) {
  const credentials = await credentialsOf('all@example.com');
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const say = speaker();
  let sent = 0;
  delays.enable();
  const begun = performance.now();
  for (let now = begun; now < begun + seconds * 1000; now = performance.now()) {
    const due = Math.floor((now - begun) / 2) - sent;
    await Promise.all(Array.from({ length: due }, () => send(say(), credentials)));
    sent += due;
    look();
    await pause(10);
  }
  delays.disable();
  return { sent, stall: delays.max / 1e6 };
}

function send(content, credentials) {
  const to = { type: 'stream', to: 'stream 25', topic: 'stream events' };
  return call('POST', '/messages', { ...to, content }, credentials);
}

/** How far the index is behind what is sent, and whether what was just sent is found. */
async function measureFollowing() {
  const [chat, index] = ['chat.db', 'search.db'].map((file) => {
    return new DatabaseSync(join(directory, file), { readOnly: true });
  });
  const newest = chat.prepare("SELECT value FROM counter WHERE name = 'event'");
  const followed = index.prepare('SELECT cursor AS value FROM progress');
  const samples = [];
  const { sent, stall } = await sendFor(10, () => {
    samples.push({ at: performance.now(), newest: newest.get().value, followed: followed.get().value });
  });
  for (const each of [chat, index]) each.close();
  console.log(`sent while it is followed: ${sent} in 10 s`);
  tell('index lag', lagIn(samples), limits.lag, 'ms');
  tell('longest stall meanwhile', stall, limits.stall, 'ms');

  const waits = [];
  for (let number = 0; number < 20; number += 1) {
    const word = `unique${number}x`;
    await send(word, await credentialsOf('all@example.com'));
    const asked = performance.now();
    const { messages } = await search('all@example.com', word);
    if (messages.length !== 1) throw new Error('what was just sent is not found');
    waits.push(performance.now() - asked);
  }
  waits.sort((one, other) => one - other);
  tell(`just sent, and searched for: p50 ${waits[10].toFixed(1)} ms, p95`, waits[18], limits.lag, 'ms');
}

/** Milliseconds until the index had what was the newest, at most. */
function lagIn(samples) {
  let [most, later] = [0, 0];
  for (const { at, newest } of samples) {
    while (later < samples.length && samples[later].followed < newest) later += 1;
    if (later === samples.length) break;
    most = Math.max(most, samples[later].at - at);
  }
  return most;
}

function tell(what, value, limit, unit) {
  console.log(`${value <= limit ? 'ok  ' : 'OVER'} ${what} ${value.toFixed(1)} ${unit} (limit ${limit})`);
}

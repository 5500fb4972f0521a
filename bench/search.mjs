/*
 * Measures search among a million messages: `npm run bench:search`; fewer with MESSAGES=100000. The messages are written
 * directly into chat.db, and the index is built from them. Then it is searched through the server's calls while it follows
 * new messages.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance, monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { buildServer } from '../scripts/build.mjs';
import { answerIn, callsOf, untilIndexed } from './history/chatCalls.mjs';
import { all, credentialsOf, few, makeFolder, openChat } from './history/dataFolder.mjs';
import { speaker, terms } from './history/texts.mjs';

const count = Number(process.env.MESSAGES ?? 1_000_000);
const limits = { page: 20, lag: 1000, stall: 50 };

const scopes = [
  ['all streams', all, []],
  ['20 streams', few, []],
  ['one stream', all, [['stream', 'stream 250']]],
];

buildServer();
const directory = mkdtempSync(join(tmpdir(), 'engawa-search-'));
let server;
let call;
try {
  await step('messages inserted', () => makeFolder({ directory, messages: count }));
  server = openChat(directory);
  call = callsOf(server);
  await measureSending();
  await rebuild();
  await measurePages();
  await measureFollowing();
} finally {
  await server?.close();
  rmSync(directory, { recursive: true });
}

async function step(name, run) {
  const start = performance.now();
  await run();
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

async function search(email, word, others = []) {
  const narrow = JSON.stringify([...others, ['search', word]]);
  const parameters = { anchor: 'newest', num_before: '20', num_after: '0', narrow, apply_markdown: 'false' };
  return call('GET', '/messages', parameters, credentialsOf(email));
}

async function rebuild() {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await step('index rebuilt', () => untilIndexed(call));
  delays.disable();
  report('longest stall during the rebuild', delays.max / 1e6, limits.stall, 'ms');
  console.log(`index: ${(bytesOfIndex() / count).toFixed(0)} bytes per message`);
}

function bytesOfIndex() {
  return statSync(join(directory, 'chat', 'search.db')).size;
}

async function measurePages() {
  for (const [scope, email, others] of scopes) {
    for (const [name, word] of terms) {
      const times = [];
      let answer;
      for (let round = 0; round < 40; round += 1) {
        const begun = performance.now();
        answer = answerIn(await search(email, word, others));
        times.push(performance.now() - begun);
      }
      times.sort((one, other) => one - other);
      const [half, most] = [times[20], times[38]];
      const found = `${answer.messages.length}${answer.found_oldest ? ', all' : ''}`;
      report(`${scope}, ${name} (${found}): p50 ${half.toFixed(1)} ms, p95`, most, limits.page, 'ms');
    }
  }
}

/** The floor: sends while there is no index. */
async function measureSending() {
  const { sent, stall } = await sendFor(5);
  console.log(`without an index: sent ${sent} in 5 s, longest stall ${stall.toFixed(1)} ms`);
}

/** Sends 500 messages a second. `sample` is called every 10 ms. */
async function sendFor(seconds, sample = () => undefined) {
  const credentials = credentialsOf(all);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const say = speaker();
  let sent = 0;
  delays.enable();
  const begun = performance.now();
  for (let now = begun; now < begun + seconds * 1000; now = performance.now()) {
    const due = Math.floor((now - begun) / 2) - sent;
    await Promise.all(Array.from({ length: due }, () => send(say(), credentials)));
    sent += due;
    sample();
    await pause(10);
  }
  delays.disable();
  return { sent, stall: delays.max / 1e6 };
}

function send(content, credentials) {
  const to = { type: 'stream', to: 'stream 25', topic: 'stream events' };
  return call('POST', '/messages', { ...to, content }, credentials);
}

async function measureFollowing() {
  const [chat, index] = ['chat.db', 'search.db'].map((file) => {
    return new DatabaseSync(join(directory, 'chat', file), { readOnly: true });
  });
  const newest = chat.prepare("SELECT seq AS value FROM sqlite_sequence WHERE name = 'event'");
  const followed = index.prepare('SELECT cursor AS value FROM progress');
  const samples = [];
  const { sent, stall } = await sendFor(10, () => {
    samples.push({ at: performance.now(), newest: newest.get().value, followed: followed.get().value });
  });
  for (const each of [chat, index]) each.close();
  console.log(`sent while the index follows: ${sent} in 10 s`);
  report('index lag', lagIn(samples), limits.lag, 'ms');
  report('longest stall while the index follows', stall, limits.stall, 'ms');

  const waits = [];
  for (let number = 0; number < 20; number += 1) {
    const word = `unique${number}x`;
    await send(word, credentialsOf(all));
    const start = performance.now();
    const { messages } = answerIn(await search(all, word));
    if (messages.length !== 1) throw new Error('a message that was just sent is not found');
    waits.push(performance.now() - start);
  }
  waits.sort((one, other) => one - other);
  report(`search for a message just sent: p50 ${waits[10].toFixed(1)} ms, p95`, waits[18], limits.lag, 'ms');
}

/** Milliseconds until the index had the newest event of a sample. */
function lagIn(samples) {
  let [most, later] = [0, 0];
  for (const { at, newest } of samples) {
    while (later < samples.length && samples[later].followed < newest) later += 1;
    if (later === samples.length) break;
    most = Math.max(most, samples[later].at - at);
  }
  return most;
}

function report(figure, value, limit, unit) {
  console.log(`${value <= limit ? 'ok  ' : 'OVER'} ${figure} ${value.toFixed(1)} ${unit} (limit ${limit})`);
}

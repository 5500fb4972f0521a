/*
 * Measures the built product as a process on a long history: time from start to ready, memory, and calls over HTTP. The
 * reference is a bare node:http server that answers the same client with as many bytes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timesOf } from './chatCalls.mjs';
import { all, credentialsOf, registrationForm } from './dataFolder.mjs';
import { answerOf, memoryAfter, startServer, withBareServer } from './serverProcess.mjs';
import { percentile } from '../samples.mjs';
import { historyFor, withChat } from './sharedHistory.mjs';

/** Milliseconds; MB; MB; milliseconds. */
const limits = { ready: 500, idle: 120, firstStart: 150, register: 100 };
/** Milliseconds. */
const settled = 12_000;

const limit = (value) => ({ name: 'limit', value, kind: 'limit' });

export async function measure({ long, scale, log }) {
  const history = await historyFor({ long, scale, log });
  // The search index is built before the starts are measured.
  await withChat(history, async () => undefined);
  const of = history.messages.toLocaleString('en');
  return [...(await ofStart(history, of, long ? 9 : 5)), ...(await ofCalls(history, of, long ? 500 : 200))];
}

async function ofStart({ directory }, of, times) {
  const peers = await timesOf(times, () => once(spawn(process.execPath, ['-e', '0']), 'exit'), 1);
  const [onHistory, onNothing] = [await startsOn(directory, times), await startsOnNothing(times)];
  const detail = (starts) => `best ${starts[0].toFixed(0)}, worst ${starts.at(-1).toFixed(0)} ms of ${times}`;
  const peer = { name: 'node -e 0, p50', value: percentile(peers, 50), kind: 'peer' };
  return [
    {
      name: `start to ready with ${of} messages, p50`,
      value: percentile(onHistory, 50),
      unit: 'ms',
      reference: limit(limits.ready),
      detail: detail(onHistory),
    },
    { name: 'the same, compared with an empty Node process', value: percentile(onHistory, 50), unit: 'ms', reference: peer },
    {
      name: 'start to ready with an empty folder, p50',
      value: percentile(onNothing, 50),
      unit: 'ms',
      reference: peer,
      detail: detail(onNothing),
    },
  ];
}

/** Milliseconds, ascending. */
async function startsOn(directory, times) {
  const starts = [];
  for (let number = 0; number < times; number += 1) {
    const server = await startServer(directory);
    starts.push(server.readyAfter);
    await server.stop();
  }
  return starts.toSorted((one, other) => one - other);
}

async function startsOnNothing(times) {
  const starts = [];
  for (let number = 0; number < times; number += 1) {
    const empty = mkdtempSync(join(tmpdir(), 'engawa-empty-'));
    starts.push(...(await startsOn(empty, 1)));
    rmSync(empty, { recursive: true });
  }
  return starts.toSorted((one, other) => one - other);
}

async function ofCalls({ directory, members }, of, rounds) {
  const idle = await idleMemory(directory);
  const first = await firstStartMemory();
  const server = await startServer(directory);
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: credentialsOf(all) };
  const newest = (url) => {
    const narrow = encodeURIComponent(JSON.stringify([['stream', 'stream 250']]));
    return answerOf(`${url}/api/v1/messages?anchor=newest&num_before=20&num_after=0&apply_markdown=false&narrow=${narrow}`, {
      agent,
      headers,
    });
  };
  const form = { agent, method: 'POST', headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' } };
  const register = () => answerOf(`${server.url}/api/v1/register`, form, registrationForm);
  try {
    const [firstCall] = await timesOf(1, register, 0);
    const later = await timesOf(20, register, 2);
    const bytes = (await newest(server.url)).length;
    const pages = await timesOf(rounds, () => newest(server.url), 20);
    const bare = await bareTimes(bytes, rounds, newest);
    const loaded = await memoryAfter(server.pid, 1000);
    const floor = (percent) => ({ name: 'bare node:http', value: percentile(bare, percent), kind: 'floor' });
    return [
      { name: 'register, first after the start', value: firstCall, unit: 'ms', reference: limit(limits.register * 3) },
      {
        name: 'register again, p50',
        value: percentile(later, 50),
        unit: 'ms',
        reference: limit(limits.register),
        detail: `p99 ${percentile(later, 99).toFixed(1)} ms of 20; 500 streams, ${members.toLocaleString('en')} members`,
      },
      {
        name: `newest 20 of a stream over HTTP, p50`,
        value: percentile(pages, 50),
        unit: 'ms',
        reference: floor(50),
        detail: `${bytes} bytes`,
      },
      { name: `newest 20 of a stream over HTTP, p99`, value: percentile(pages, 99), unit: 'ms', reference: floor(99) },
      {
        name: `memory idle with ${of} messages`,
        value: idle,
        unit: 'MB',
        reference: limit(limits.idle),
        detail: `resident, ${settled / 1000} s after its start`,
      },
      {
        name: 'memory after a first start with the demo organisation',
        value: first,
        unit: 'MB',
        reference: limit(limits.firstStart),
        detail: `resident, ${settled / 1000} s after its start, with the search thread that indexes the demo`,
      },
      { name: `memory after these calls`, value: loaded, unit: 'MB', reference: limit(limits.idle * 2) },
    ];
  } finally {
    agent.destroy();
    await server.stop();
  }
}

async function idleMemory(directory) {
  const server = await startServer(directory);
  const memory = await memoryAfter(server.pid, settled);
  await server.stop();
  return memory;
}

async function firstStartMemory() {
  const empty = mkdtempSync(join(tmpdir(), 'engawa-empty-'));
  const server = await startServer(empty, { authMode: 'fake' });
  const memory = await memoryAfter(server.pid, settled);
  await server.stop();
  rmSync(empty, { recursive: true });
  return memory;
}

async function bareTimes(bytes, rounds, ask) {
  return withBareServer(bytes, (url) => timesOf(rounds, () => ask(url), 20));
}

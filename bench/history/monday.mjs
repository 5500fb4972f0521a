/*
 * A Monday morning: members return at once. First those whose queues are still there, so many events behind: each asks
 * for what it was not told until it has all. Then the same members whose queues have expired: each registers anew, as
 * the web client does, and asks for the newest 100 messages. The members are a process of their own.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { credentialsOf, registrationForm, returning } from './dataFolder.mjs';
import { addressOf } from '../product.mjs';
import { memoryOf, startServer } from './serverProcess.mjs';
import { percentile } from '../samples.mjs';
import { historyFor } from './sharedHistory.mjs';

const program = join(import.meta.dirname, 'returningMembers.mjs');

export async function measure({ long, tell }) {
  const history = await historyFor({ long, tell });
  const members = returning(history.returning).map(({ email, queueId }) => ({ authorization: credentialsOf(email), queueId }));
  const many = members.length.toLocaleString('en');
  const behind = history.behind.toLocaleString('en');
  return [
    ...(await comeBack(history, { members, way: 'queue' }, `${many} return, each ${behind} events behind`, tell)),
    ...(await comeBack(history, { members, way: 'register', registrationForm }, `${many} return, their queues gone`, tell)),
  ];
}

async function comeBack({ directory }, task, name, tell) {
  tell(`${name} …`);
  const server = await startServer(directory, { isWatched: true });
  try {
    await server.loop();
    const done = await run({ ...task, url: server.url });
    const loop = await server.loop();
    const { most } = memoryOf(server.pid);
    const bare = await bareRun(task, done);
    const { times } = done;
    const asked = `${done.answers.toLocaleString('en')} answers, ${(done.bytes / 2 ** 20).toFixed(0)} MiB`;
    return [
      {
        name: `${name}: until all are caught up`,
        value: done.total / 1000,
        unit: 's',
        reference: { name: 'bare node:http, as many answers and bytes', value: bare.total / 1000, kind: 'floor' },
        detail: `${asked}; the members' process took ${Math.round(done.cpuShare * 100)} % of a processor`,
      },
      {
        name: `${name}: p99 of a member`,
        value: percentile(times, 99) / 1000,
        unit: 's',
        reference: { name: 'the same', value: percentile(bare.times, 99) / 1000, kind: 'floor' },
        detail: `p50 ${(percentile(times, 50) / 1000).toFixed(2)} s`,
      },
      {
        name: `${name}: longest stall of the server`,
        value: loop.max,
        unit: 'ms',
        reference: { name: 'limit', value: 100, kind: 'limit' },
        detail: `its event loop came late by ${loop.p50.toFixed(0)} ms at p50, ${loop.p99.toFixed(0)} ms at p99`,
      },
      {
        name: `${name}: most memory`,
        value: most,
        unit: 'MB',
        reference: { name: 'limit', value: 512, kind: 'limit' },
        detail: 'resident',
      },
    ];
  } finally {
    await server.stop();
  }
}

/** @returns {Promise<{ times: number[], total: number, answers: number, bytes: number, cpuShare: number }>} times in milliseconds, by member. */
async function run(task) {
  const clients = fork(program, { stdio: 'inherit' });
  clients.send(task);
  const [done] = await Promise.race([
    once(clients, 'message'),
    once(clients, 'exit').then(([code]) => Promise.reject(new Error(`the members ended: ${code}`))),
  ]);
  clients.disconnect();
  return done;
}

/** The same members ask a bare server as often for as many bytes. */
async function bareRun({ members }, { answers, bytes }) {
  const env = { ...process.env, BYTES: String(Math.round(bytes / answers)) };
  const bare = fork(join(import.meta.dirname, 'bareServer.mjs'), { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  try {
    const url = await addressOf(bare);
    return await run({ members, way: 'times', asks: Math.round(answers / members.length), url });
  } finally {
    bare.kill();
  }
}

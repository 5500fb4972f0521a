/*
 * A Monday morning: many members return at once. First with existing queues: each polls until it has caught up. Then without
 * queues: each registers again, as the web client does, and fetches the newest 100 messages. The members run in a separate
 * process.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { credentialsOf, registrationForm, returningMembers } from './dataFolder.mjs';
import { memoryOf, processorOf } from '../load/processes.mjs';
import { startServer, withBareServer } from './serverProcess.mjs';
import { percentile } from '../samples.mjs';
import { historyFor, withChat } from './sharedHistory.mjs';

const program = join(import.meta.dirname, 'returningMembers.mjs');

export async function measure({ long, scale, log }) {
  const history = await historyFor({ long, scale, log });
  // Building the index of all messages is not a part of a Monday.
  await withChat(history, async () => undefined);
  const members = returningMembers(history.returning).map(({ email, queueId }) => ({
    authorization: credentialsOf(email),
    queueId,
  }));
  const many = members.length.toLocaleString('en');
  const behind = history.behind.toLocaleString('en');
  return [
    ...(await measureReturn(history, { members, way: 'queue' }, 4, `${many} return, each ${behind} events behind`, log)),
    ...(await measureReturn(history, { members, way: 'register', registrationForm }, 5, `${many} return, without queues`, log)),
  ];
}

/** @param aim the most times that bare node:http may take. */
async function measureReturn({ directory }, task, aim, name, log) {
  log(`${name} …`);
  const server = await startServer(directory, { isWatched: true });
  try {
    await server.loop();
    const before = processorOf(server.pid);
    const done = await run({ ...task, url: server.url });
    const processor = processorOf(server.pid) - before;
    const loop = await server.loop();
    const most = memoryOf(server.pid).most / 2 ** 20;
    const bare = await bareRun(task, done);
    const { times } = done;
    const volume = `${done.answers.toLocaleString('en')} answers, ${(done.bytes / 2 ** 20).toFixed(0)} MiB`;
    return [
      {
        name: `${name}: until all are caught up`,
        value: done.total / 1000,
        unit: 's',
        reference: { name: 'bare node:http, same answers and bytes', value: bare.total / 1000, kind: 'floor', aim },
        detail: `${volume}; the members' process took ${Math.round(done.cpuShare * 100)} % of a processor`,
      },
      {
        name: `${name}: processor time of the server's main thread`,
        value: processor / 1000,
        unit: 's',
        reference: { name: 'the same', value: bare.processor / 1000, kind: 'floor' },
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
        reference: { name: 'limit', value: 50, kind: 'limit' },
        detail: `event loop delay ${loop.p50.toFixed(0)} ms at p50, ${loop.p99.toFixed(0)} ms at p99`,
      },
      {
        name: `${name}: most memory`,
        value: most,
        unit: 'MB',
        reference: { name: 'limit', value: 400, kind: 'limit' },
        detail: 'resident',
      },
    ];
  } finally {
    await server.stop();
  }
}

/** Times in milliseconds, by member. */
async function run(task) {
  const clients = fork(program, { stdio: 'inherit' });
  clients.send(task);
  const [done] = await Promise.race([
    once(clients, 'message'),
    once(clients, 'exit').then(([code]) => Promise.reject(new Error(`the members' process ended with ${code}`))),
  ]);
  clients.disconnect();
  return done;
}

/** The members make as many calls of a bare server, for as many bytes. */
async function bareRun({ members }, { answers, bytes }) {
  return withBareServer(Math.round(bytes / answers), async (url, pid) => {
    const before = processorOf(pid);
    const done = await run({ members, way: 'times', calls: Math.round(answers / members.length), url });
    return { ...done, processor: processorOf(pid) - before };
  });
}

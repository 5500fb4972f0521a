/*
 * Measures where one machine ends: how many messages a second the server takes while 10,000 members wait for events, each in a
 * team of 200, and receive each message of their team. Each sender sends the next message when the last is acknowledged.
 */
import { rmSync } from 'node:fs';
import { memoryOf, processorOf, startClient } from './load/processes.mjs';
import { makeOrganisation } from './load/organisation.mjs';
import { newDataDirectory, startProduct } from './product.mjs';
import { digits } from './report.mjs';
import { percentile } from './samples.mjs';

const [memberCount, teamSize] = [10_000, 200];
const senderCounts = [1, 16, 64];

export async function measure({ long, log }) {
  const seconds = long ? 20 : 5;
  const dataDirectory = newDataDirectory();
  log(`creating an organisation of ${memberCount.toLocaleString('en')} members …`);
  const { members, teams } = await makeOrganisation(dataDirectory, { memberCount, audiences: [], teamSize });
  const product = await startProduct({ dataDirectory, authMode: 'password' });
  // Connections per address are limited.
  const [waiting, sending] = [startClient('127.0.0.2'), startClient('127.0.0.3')];
  const { host, port } = new URL(product.url);
  const server = { host, port: Number(port) };
  const authorizations = members.map(({ authorization }) => authorization);
  const send = async (senders) => {
    // Each sender is of another team.
    const own = Array.from({ length: senders }, (_, index) => index % teams.length);
    const task = {
      authorizations: own.map((team, index) => authorizations[team * teamSize + Math.floor(index / teams.length)]),
      streams: own.map((team) => teams[team]),
    };
    const [received, processor, start] = [await receivedBy(waiting), processorOf(product.pid), performance.now()];
    const { answer } = await sending.do('sendFor', { ...server, ...task, seconds, mark: 'bench' });
    const passed = performance.now() - start;
    const deliveries = ((await receivedBy(waiting)) - received) / (passed / 1000);
    return { ...answer, deliveries, share: (processorOf(product.pid) - processor) / passed };
  };
  try {
    const alone = await eachCount(send);
    log(`${memberCount.toLocaleString('en')} members wait …`);
    const { answer: queues } = await waiting.do('register', { ...server, authorizations });
    await waiting.do('wait', { ...server, authorizations, queues, keepsPolling: true, counts: true });
    const together = await eachCount(send);
    const most = (memoryOf(product.pid).most / 2 ** 20).toFixed(0);
    return senderCounts.map((senders, index) => ({
      name: `messages of ${senders} senders to ${teamSize} of ${memberCount.toLocaleString('en')} waiting members`,
      value: together[index].rate,
      unit: '/s',
      moreIsBetter: true,
      reference: { name: 'nobody waits', value: alone[index].rate, kind: 'peer' },
      detail: `${detailOf(together[index])}; most memory ${most} MB`,
    }));
  } finally {
    waiting.stop();
    sending.stop();
    await product.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

async function eachCount(send) {
  const runs = [];
  for (const senders of senderCounts) runs.push(await send(senders));
  return runs;
}

const receivedBy = async (client) => (await client.do('received')).answer;

function detailOf({ times, deliveries, share }) {
  const [half, most] = [percentile(times, 50), percentile(times, 99)].map((time) => `${digits(time)} ms`);
  return `a send p50 ${half}, p99 ${most}; ${digits(deliveries)} received /s; server's main thread ${Math.round(100 * share)} %`;
}

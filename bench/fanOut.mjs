// How long it takes until everybody who waits has one message, and what memory their waiting takes.
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf, processorOf, startClient, startFloor, untilIdle } from './load/processes.mjs';
import { makeOrganisation } from './load/organisation.mjs';
import { newDataDirectory, startProduct } from './product.mjs';
import { digits } from './report.mjs';
import { median, percentile } from './samples.mjs';

const crowds = [1000, 10_000];
/** p99 of the crowd of 10,000 beside that of the bare TCP server. */
const aim = 1.3;
/** Not counted: code that has not run often is slow, here and there. */
const warmUps = 2;
/** Milliseconds in which a process lets go of what only the coming of a crowd took. */
const settling = 1000;

/** @returns {Promise<import('./report.mjs').Figure[]>} */
export async function measure({ long, tell }) {
  const dataDirectory = newDataDirectory();
  tell('an organisation of 10,000 …');
  const organisation = await makeOrganisation(dataDirectory, { memberCount: Math.max(...crowds), audiences: crowds });
  try {
    const figures = [];
    for (const crowd of crowds) {
      const rounds = long ? 40 : crowd === 1000 ? 12 : 5;
      figures.push(...(await measureCrowd({ ...organisation, crowd, rounds, dataDirectory, tell })));
    }
    return figures;
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

/** The three servers take turns, so that each has its share of the machine's noise. */
async function measureCrowd({ members, streams, crowd, rounds, dataDirectory, tell }) {
  const authorizations = members.slice(0, crowd).map(({ authorization }) => authorization);
  const product = await startProduct({ dataDirectory, authMode: 'password' });
  // Calls of its own, from another address than the crowd's, of which there may not be more than so many.
  const post = (port) => postTo({ port, authorization: members[0].authorization, stream: streams.get(crowd) });
  const port = Number(new URL(product.url).port);
  const servers = [{ name: 'product', port, pid: product.pid, stop: product.stop }];
  try {
    for (const kind of ['tcp', 'http']) servers.push({ name: kind, ...(await startFloor(kind)) });
    for (const [index, server] of servers.entries()) server.client = startClient(`127.0.0.${index + 2}`);
    const [own, ...floors] = servers;

    tell(`${crowd} members register …`);
    const shared = { host: `127.0.0.1:${port}`, authorizations };
    const { answer: queues } = await own.client.do('register', { ...shared, port });
    const lastEventId = await newestEvent(port, members[0].authorization);
    tell(`${crowd} members wait …`);
    for (const server of servers) await letWait(server, { ...shared, queues, lastEventId });
    const { answer } = await oneRound(own, () => post(own.port));
    for (const floor of floors) await floor.answerWith(answer.first);

    tell('a message …');
    const runs = new Map(servers.map(({ name }) => [name, []]));
    for (let round = -warmUps; round < rounds; round += 1) {
      for (const server of servers) {
        const run = await oneRound(server, () => post(server.port));
        if (round >= 0) runs.get(server.name).push(run);
      }
    }
    return figuresOf({ crowd, runs, servers });
  } finally {
    for (const { client, stop } of servers) {
      client?.stop();
      await stop();
    }
  }
}

/** What a crowd's waiting adds to a process, once it has had time to let go of what only its coming took. */
async function letWait(server, asked) {
  const before = memoryOf(server.pid);
  await server.client.do('wait', { ...asked, port: server.port });
  await untilIdle(server.pid);
  await pause(settling);
  server.bytesEach = (memoryOf(server.pid) - before) / asked.authorizations.length;
}

/** @returns how long each took from the sending of the message, in milliseconds, and when all waited again */
async function oneRound({ pid, client }, post) {
  const ready = client.expecting();
  const going = client.do('round');
  await ready;
  const processor = processorOf(pid);
  const began = Number(process.hrtime.bigint()) / 1e6;
  await post();
  const acknowledged = Number(process.hrtime.bigint()) / 1e6 - began;
  const { answer, share } = await going;
  const took = processorOf(pid) - processor;
  // Until they all wait again.
  await untilIdle(pid);
  return { answer, acknowledged, share, processor: took, times: answer.times.map((time) => time - began) };
}

async function postTo({ port, authorization, stream }) {
  const form = { type: 'stream', to: String(stream), topic: 'stream events', content: '本日の定例会議は 15 時からです。' };
  const request = { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) };
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/messages`, request);
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}

async function newestEvent(port, authorization) {
  const body = new URLSearchParams({ event_types: '[]', fetch_event_types: '[]' });
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/register`, { method: 'POST', headers: { authorization }, body });
  return (await answer.json()).last_event_id;
}

function figuresOf({ crowd, runs, servers }) {
  const most = (name, percent) => median(runs.get(name).map(({ times }) => percentile(times, percent)));
  const middle = (name, what) => median(runs.get(name).map((run) => run[what]));
  const shares = servers.map(({ name }) => `${Math.round(100 * middle(name, 'share'))} %`).join(', ');
  const processors = servers.map(({ name }) => digits((middle(name, 'processor') * 1000) / crowd)).join(', ');
  const among = `of ${crowd.toLocaleString('en')} who wait`;
  const tcp = { name: 'bare TCP', kind: 'floor' };
  const [own, bareTcp, bareHttp] = servers.map(({ bytesEach }) => bytesEach / 1024);
  return [
    {
      name: `a message reaches 99 % ${among}`,
      value: most('product', 99),
      unit: 'ms',
      reference: { ...tcp, value: most('tcp', 99), ...(crowd === 10_000 ? { aim } : {}) },
      detail:
        `bare node:http ${digits(most('http', 99))} ms; the sender is told after ${digits(middle('product', 'acknowledged'))} ms; ` +
        `µs of the server's main thread for each who waits ${processors} (with bare TCP, bare node:http); ` +
        `client's CPU ${shares}; ${runs.get('product').length} messages`,
    },
    {
      name: `half ${among}`,
      value: most('product', 50),
      unit: 'ms',
      reference: { ...tcp, value: most('tcp', 50) },
      detail: `bare node:http ${digits(most('http', 50))} ms`,
    },
    {
      name: `all ${among}`,
      value: most('product', 100),
      unit: 'ms',
      reference: { ...tcp, value: most('tcp', 100) },
      detail: `bare node:http ${digits(most('http', 100))} ms`,
    },
    {
      name: `memory for each ${among}`,
      value: own,
      unit: 'kB',
      reference: { name: 'bare node:http', value: bareHttp, kind: 'floor' },
      detail: `bare TCP ${digits(bareTcp)} kB`,
    },
  ];
}

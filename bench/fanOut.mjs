// Measures the time until all waiting members have received a message, and the memory of their connections.
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf, processorOf, startClient, startFloor, untilIdle } from './load/processes.mjs';
import { pinClient, pinServer } from './load/processors.mjs';
import { makeOrganisation } from './load/organisation.mjs';
import { newDataDirectory, startProduct } from './product.mjs';
import { digits } from './report.mjs';
import { median, percentile } from './samples.mjs';

const audienceSizes = [1000, 10_000];
/** p99 of the members divided by that of the bare server in the same run. */
const aims = { http: 1, tcp: 2 };
/** The main thread's time for each member, divided by that of bare TCP. It is 9 µs where bare TCP takes 5.3 µs. */
const processorAim = 1.7;
/** Deliveries before the first measured message: V8 compiles their code completely only after some 40,000. */
const warmUps = 40_000;
/** Milliseconds. The process frees the memory that only the new connections needed. */
const settling = 1000;

export async function measure({ long, log }) {
  const dataDirectory = newDataDirectory();
  log('creating an organisation of 10,000 members …');
  const organisation = await makeOrganisation(dataDirectory, {
    memberCount: Math.max(...audienceSizes),
    audiences: audienceSizes,
  });
  try {
    const figures = [];
    for (const size of audienceSizes) {
      const rounds = long ? 40 : size === 1000 ? 12 : 5;
      figures.push(...(await measureAudience({ ...organisation, size, rounds, dataDirectory, log })));
    }
    return figures;
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

/** The three servers alternate, so that each has its share of the machine's noise. */
async function measureAudience({ members, streams, size, rounds, dataDirectory, log }) {
  const authorizations = members.slice(0, size).map(({ authorization }) => authorization);
  const product = await startProduct({ dataDirectory, authMode: 'password' });
  // Sent from another address than the waiting members, since connections per address are limited.
  const post = (port) =>
    postTo({ url: `http://127.0.0.1:${port}`, authorization: members[0].authorization, stream: streams.get(size) });
  const port = Number(new URL(product.url).port);
  const servers = [{ name: 'product', port, pid: product.pid, stop: product.stop }];
  try {
    for (const kind of ['tcp', 'http']) servers.push({ name: kind, ...(await startFloor(kind)) });
    for (const [index, server] of servers.entries()) {
      server.client = startClient(`127.0.0.${index + 2}`);
      pinServer(server.pid);
      pinClient(server.client.pid);
    }
    const [own, ...floors] = servers;

    log(`${size} members register …`);
    const shared = { host: `127.0.0.1:${port}`, authorizations };
    const { answer: queues } = await own.client.do('register', { ...shared, port });
    log(`${size} members wait …`);
    for (const server of servers) await waitForEvents(server, { ...shared, queues });
    const { answer } = await oneRound(own, () => post(own.port));
    for (const floor of floors) await floor.answerWith(answer.first);

    log('messages …');
    const runs = new Map(servers.map(({ name }) => [name, []]));
    for (let round = -Math.ceil(warmUps / size); round < rounds; round += 1) {
      for (const server of servers) {
        const run = await oneRound(server, () => post(server.port));
        if (round >= 0) runs.get(server.name).push(run);
      }
    }
    return figuresOf({ size, runs, servers });
  } finally {
    for (const { client, stop } of servers) {
      client?.stop();
      await stop();
    }
  }
}

async function waitForEvents(server, task) {
  const before = memoryOf(server.pid).now;
  await server.client.do('wait', { ...task, port: server.port });
  await untilIdle(server.pid);
  await pause(settling);
  server.bytesEach = (memoryOf(server.pid).now - before) / task.authorizations.length;
}

/** Milliseconds from the send, by member. */
async function oneRound({ pid, client }, post) {
  const ready = client.expecting();
  const round = client.do('round');
  await ready;
  const processor = processorOf(pid);
  const began = Number(process.hrtime.bigint()) / 1e6;
  await post();
  const acknowledged = Number(process.hrtime.bigint()) / 1e6 - began;
  const { answer, share } = await round;
  const used = processorOf(pid) - processor;
  await client.do('poll');
  await untilIdle(pid);
  return { answer, acknowledged, share, processor: used, times: answer.times.map((time) => time - began) };
}

export async function postTo({ url, authorization, stream }) {
  const form = { type: 'stream', to: String(stream), topic: 'stream events', content: '本日の定例会議は 15 時からです。' };
  const request = { method: 'POST', headers: { authorization }, body: new URLSearchParams(form) };
  const answer = await fetch(`${url}/api/v1/messages`, request);
  if (!answer.ok) throw new Error(await answer.text());
  await answer.arrayBuffer();
}

const nameOf = { http: 'bare node:http', tcp: 'bare TCP' };

function figuresOf({ size, runs, servers }) {
  const most = (name, percent) => median(runs.get(name).map(({ times }) => percentile(times, percent)));
  const middle = (name, what) => median(runs.get(name).map((run) => run[what]));
  const shares = servers.map(({ name }) => `${Math.round(100 * middle(name, 'share'))} %`).join(', ');
  const [processor, ofTcp, ofHttp] = servers.map(({ name }) => (middle(name, 'processor') * 1000) / size);
  const among = `of ${size.toLocaleString('en')} waiting members`;
  const floor = (kind, percent) => ({ name: nameOf[kind], kind: 'floor', value: most(kind, percent) });
  const [own, bareTcp, bareHttp] = servers.map(({ bytesEach }) => bytesEach / 1024);
  return [
    {
      name: `a message reaches 99 % ${among}`,
      value: most('product', 99),
      unit: 'ms',
      reference: { ...floor('http', 99), aim: aims.http },
      detail:
        `the sender has the answer after ${digits(middle('product', 'acknowledged'))} ms; ` +
        `client's CPU ${shares}; ${runs.get('product').length} messages`,
    },
    {
      name: `the same, compared with bare TCP, ${among}`,
      value: most('product', 99),
      unit: 'ms',
      reference: { ...floor('tcp', 99), aim: aims.tcp },
    },
    ...[50, 100].map((percent) => ({
      name: `the same, ${percent} % ${among}`,
      value: most('product', percent),
      unit: 'ms',
      reference: floor('http', percent),
      detail: `bare TCP ${digits(most('tcp', percent))} ms`,
    })),
    {
      name: `the server's main thread for each ${among}`,
      value: processor,
      unit: 'µs',
      reference: { name: nameOf.tcp, kind: 'floor', value: ofTcp, aim: processorAim },
      detail: `bare node:http ${digits(ofHttp)} µs`,
    },
    {
      name: `memory for each ${among}`,
      value: own,
      unit: 'kB',
      reference: { name: nameOf.http, value: bareHttp, kind: 'floor' },
      detail: `bare TCP ${digits(bareTcp)} kB`,
    },
  ];
}

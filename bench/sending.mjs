/*
 * Measures acknowledged sends per second for audiences of different sizes, and for one of 1,000 while all its members wait for events
 * and receive each message. There the bare servers have as many waiting clients, which they answer at each send.
 */
import { rmSync } from 'node:fs';
import { postTo } from './fanOut.mjs';
import { processorOf, startClient, startFloor } from './load/processes.mjs';
import { makeOrganisation } from './load/organisation.mjs';
import { newDataDirectory, startProduct } from './product.mjs';
import { digits } from './report.mjs';
import { median, percentile } from './samples.mjs';

const audiences = [10, 1000, 10_000];
const connectionCounts = [1, 16, 64];
/** The least share of the requests of a bare node:http server, at 64 connections. */
const aim = 0.2;
const received = 1000;
/** Seconds of a run while they wait: a send takes longer then, and a run ends with the last answer. */
const receivingSeconds = 3;

export async function measure({ long, log }) {
  const [seconds, rounds] = long ? [5, 5] : [0.7, 2];
  const dataDirectory = newDataDirectory();
  log('creating an organisation of 10,000 members …');
  const { members, streams } = await makeOrganisation(dataDirectory, { memberCount: 10_000, audiences });
  const product = await startProduct({ dataDirectory, authMode: 'password' });
  const [tcp, http] = await Promise.all([startFloor('tcp'), startFloor('http')]);
  // Connections per address are limited.
  const [client, ...waiting] = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'].map(startClient);
  const sendTo = async (port, audience, connections, forSeconds) => {
    const authorizations = Array.from({ length: connections }, (_, index) => members[index % audience].authorization);
    const task = { port, host: `127.0.0.1:${port}`, authorizations, stream: streams.get(audience), seconds: forSeconds };
    mark += 1;
    const before = processorOf(product.pid);
    const { answer, share } = await client.do('sendFor', { ...task, mark: `bench-${mark}` });
    return { ...answer, share, processor: (processorOf(product.pid) - before) / answer.times.length };
  };
  let mark = 0;
  try {
    const port = Number(new URL(product.url).port);
    const servers = [
      ...audiences.map((audience) => ({ name: audience, port, audience })),
      { name: 'http', port: http.port, audience: 10 },
      { name: 'tcp', port: tcp.port, audience: 10 },
    ];
    for (const each of servers) await sendTo(each.port, each.audience, 64, long ? 3 : 1);
    const figures = [];
    for (const connections of connectionCounts) {
      log(`${connections} connections …`);
      const runs = new Map(servers.map(({ name }) => [name, []]));
      for (let round = 0; round < rounds; round += 1) {
        for (const each of servers) runs.get(each.name).push(await sendTo(each.port, each.audience, connections, seconds));
      }
      figures.push(...audiences.map((audience) => figureOf(audience, connections, runs)));
    }
    log(`${received.toLocaleString('en')} members wait …`);
    const receiving = servers.filter(({ audience, name }) => audience === received || name === 'http' || name === 'tcp');
    const host = `127.0.0.1:${port}`;
    const authorizations = members.slice(0, received).map((each) => each.authorization);
    const { answer: queues } = await waiting[0].do('register', { host, port, authorizations });
    await postTo({ url: product.url, authorization: authorizations[0], stream: streams.get(received) });
    const wire = await answerWithMessage(product.url, authorizations[0], queues[0]);
    for (const floor of [http, tcp]) await floor.answerWith(wire);
    for (const [index, { port: to }] of receiving.entries()) {
      await waiting[index].do('wait', { host, port: to, authorizations, queues, keepsPolling: true });
    }
    const runs = new Map(receiving.map(({ name }) => [name, []]));
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, each] of receiving.entries()) {
        const [began, before] = [performance.now(), processorOf(waiting[index].pid)];
        const run = await sendTo(each.port, received, 64, long ? seconds : receivingSeconds);
        const receivers = (processorOf(waiting[index].pid) - before) / (performance.now() - began);
        if (round >= 0) runs.get(each.name).push({ ...run, receivers });
      }
    }
    const figure = figureOf(received, 64, runs);
    const receivers = receiving.map(({ name }) => percentOf(middle(runs.get(name), 'receivers'))).join(', ');
    const detail = `${figure.detail}; CPU of those who wait, with ours and the bare servers, ${receivers}`;
    return [...figures, { ...figure, detail, name: `${figure.name}, while they wait and receive` }];
  } finally {
    for (const each of [client, ...waiting, tcp, http]) each.stop();
    await product.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

/** The bytes that a waiting member receives with one message. */
async function answerWithMessage(url, authorization, { id, lastEventId }) {
  const answer = await fetch(`${url}/api/v1/events?queue_id=${id}&last_event_id=${lastEventId}&dont_block=true`, {
    headers: { authorization },
  });
  const body = await answer.text();
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return Buffer.from(`${head}\r\n\r\n${body}`);
}

const middle = (runs, name) => median(runs.map((run) => run[name]));
const percentOf = (share) => `${Math.round(100 * share)} %`;

function figureOf(audience, connections, runs) {
  const [own, http, tcp] = [runs.get(audience), runs.get('http'), runs.get('tcp')];
  const times = own.flatMap((run) => run.times);
  const [half, most] = [percentile(times, 50), percentile(times, 99)].map((time) => `${digits(time)} ms`);
  const floor = {
    name: 'bare node:http',
    value: middle(http, 'rate'),
    kind: 'floor',
    ...(connections === 64 && { aim }),
  };
  return {
    name: `sends to ${audience.toLocaleString('en')} members, ${connections} at once`,
    value: middle(own, 'rate'),
    unit: '/s',
    moreIsBetter: true,
    reference: floor,
    detail:
      `p50 ${half}, p99 ${most}; each ${digits(middle(own, 'processor') * 1000)} µs of the server's main thread; ` +
      `bare node:http ${digits(floor.value)} /s, bare TCP ${digits(middle(tcp, 'rate'))} /s; ` +
      `client's CPU ${percentOf(middle(own, 'share'))}, with bare TCP ${percentOf(middle(tcp, 'share'))}`,
  };
}

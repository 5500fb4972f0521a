/*
 * Compares with a real Zulip: ZULIP_SITE is its address, ZULIP_KEYS a file with a line `email:key` for each member. The same
 * clients do the same work on both, and on a bare node:http server. The first member creates a public stream, and all join it.
 */
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { postTo } from './fanOut.mjs';
import { registrationForm } from './history/dataFolder.mjs';
import { withBareServer } from './history/serverProcess.mjs';
import { makeOrganisation } from './load/organisation.mjs';
import { startClient, startFloor } from './load/processes.mjs';
import { newDataDirectory, startProduct } from './product.mjs';
import { digits } from './report.mjs';
import { median, percentile } from './samples.mjs';

const { ZULIP_SITE: site, ZULIP_KEYS: keysFile } = process.env;
/** In every message that is sent. */
const word = 'benchmark';
const connectionCounts = [1, 16];
/** Milliseconds until all members poll again. */
const pollAgain = 500;

export async function measure({ long, log }) {
  if (!site || !keysFile) return [];
  const zulipMembers = readFileSync(keysFile, 'utf8').split(/\s+/).filter(Boolean).map(authorizationOf);
  const dataDirectory = newDataDirectory();
  const { members } = await makeOrganisation(dataDirectory, { memberCount: zulipMembers.length, audiences: [] });
  const product = await startProduct({ dataDirectory, authMode: 'password' });
  const floor = await startFloor('http');
  const authorizations = members.map(({ authorization }) => authorization);
  const stream = `bench ${Date.now()}`;
  const servers = [
    { name: 'own', ...placeOf(product.url), authorizations },
    { name: 'zulip', site, host: new URL(site).host, url: site, authorizations: zulipMembers },
    { name: 'bare', ...placeOf(`http://127.0.0.1:${floor.port}`), authorizations },
  ].map((server) => ({ ...server, stream, client: startClient('127.0.0.2') }));
  try {
    for (const server of servers.slice(0, 2)) await join(server, log);
    return [
      ...(await measureSends(servers, { seconds: long ? 5 : 2, rounds: long ? 5 : 2, log })),
      ...(await measureCalls(servers, { repeat: long ? 200 : 40, log })),
      ...(await measureDelivery(servers, { rounds: long ? 40 : 10, floor, log })),
    ];
  } finally {
    for (const { client } of servers) client.stop();
    floor.stop();
    await product.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

const authorizationOf = (line) => `Basic ${Buffer.from(line).toString('base64')}`;

function placeOf(url) {
  const { host, port } = new URL(url);
  return { url, host, port: Number(port) };
}

/** A client's task on a server. */
async function run({ client, ...server }, task, parameters) {
  return (await client.do(task, { ...server, ...parameters })).answer;
}

async function join(server, log) {
  log(`${server.authorizations.length} members join “${server.stream}” of ${server.host} …`);
  const form = new URLSearchParams({ subscriptions: JSON.stringify([{ name: server.stream }]), invite_only: 'false' }).toString();
  const [first, ...others] = server.authorizations;
  const task = { method: 'POST', path: '/users/me/subscriptions', form };
  await run(server, 'call', { ...task, authorizations: [first] });
  await run(server, 'call', { ...task, authorizations: others, connections: 8 });
}

async function measureSends(servers, { seconds, rounds, log }) {
  const figures = [];
  for (const connections of connectionCounts) {
    log(`sends, ${connections} at once …`);
    const runs = await alternate(servers, rounds, (server) => {
      const authorizations = Array.from({ length: connections }, (_, index) => {
        return server.authorizations[index % server.authorizations.length];
      });
      return run(server, 'sendFor', { authorizations, seconds, mark: word });
    });
    const rate = (name) => median(runs.get(name).map((each) => each.rate));
    const slowest = (name) => most(runs.get(name).flatMap(({ times }) => times));
    figures.push({
      name: `sends to ${servers[0].authorizations.length.toLocaleString('en')} members, ${connections} at once`,
      value: rate('own'),
      unit: '/s',
      moreIsBetter: true,
      zulip: rate('zulip'),
      reference: { name: 'bare node:http', value: rate('bare'), kind: 'floor' },
      detail: `p99 ${slowest('own')} ms, Zulip ${slowest('zulip')} ms`,
    });
  }
  return figures;
}

function newest20(operator, operand) {
  const narrow = JSON.stringify([{ operator, operand }]);
  return `/messages?${new URLSearchParams({ anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false, narrow })}`;
}

async function measureCalls(servers, { repeat, log }) {
  const [own, zulip] = servers;
  const calls = [
    { name: 'newest 20 of the stream', method: 'GET', path: newest20('stream', own.stream) },
    { name: 'register', method: 'POST', path: '/register', form: registrationForm },
    { name: 'search for a frequent word, newest 20', method: 'GET', path: newest20('search', word) },
  ];
  const figures = [];
  for (const { name, ...task } of calls) {
    log(`${name} …`);
    const timesOf = async (server) => {
      const authorizations = server.authorizations.slice(-1);
      await run(server, 'call', { ...task, authorizations, repeat: 3 });
      return run(server, 'call', { ...task, authorizations, repeat });
    };
    const measured = { own: await timesOf(own), zulip: await timesOf(zulip) };
    const bare = await withBareServer(measured.own.bytes, (url) => timesOf({ ...servers[2], ...placeOf(url) }));
    figures.push({
      name: `${name}, p50`,
      value: percentile(measured.own.times, 50),
      unit: 'ms',
      zulip: percentile(measured.zulip.times, 50),
      reference: { name: 'bare node:http', value: percentile(bare.times, 50), kind: 'floor' },
      detail: `p99 ${most(measured.own.times)} ms, Zulip ${most(measured.zulip.times)} ms; ${measured.own.bytes} bytes, Zulip ${measured.zulip.bytes}`,
    });
  }
  return figures;
}

const most = (times) => digits(percentile(times, 99));

async function measureDelivery(servers, { rounds, floor, log }) {
  log('members wait …');
  for (const server of servers) {
    if (server.name !== 'bare') server.queues = await run(server, 'register', {});
    await run({ ...server, queues: server.queues ?? servers[0].queues }, 'wait', {});
  }
  const { first } = await oneDelivery(servers[0]);
  await floor.answerWith(first);
  const runs = await alternate(servers, rounds, oneDelivery);
  const reached = (name, percent) => median(runs.get(name).map(({ times }) => percentile(times, percent)));
  const among = `of ${servers[0].authorizations.length.toLocaleString('en')} waiting members`;
  return [50, 99].map((percent) => ({
    name: `a message reaches ${percent} % ${among}`,
    value: reached('own', percent),
    unit: 'ms',
    zulip: reached('zulip', percent),
    reference: { name: 'bare node:http', value: reached('bare', percent), kind: 'floor' },
    detail: `median of ${rounds} messages`,
  }));
}

/** `times`: milliseconds from the send, by member. */
async function oneDelivery({ client, url, authorizations, stream }) {
  await pause(pollAgain);
  const ready = client.expecting();
  const round = client.do('round');
  await ready;
  const began = Number(process.hrtime.bigint()) / 1e6;
  await postTo({ url, authorization: authorizations[0], stream });
  const { answer } = await round;
  await client.do('poll');
  return { first: answer.first, times: answer.times.map((time) => time - began) };
}

/** Runs by the server's name; each has its share of the machine's noise. */
async function alternate(servers, rounds, measureOne) {
  const runs = new Map(servers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const server of servers) runs.get(server.name).push(await measureOne(server));
  }
  return runs;
}

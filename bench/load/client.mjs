/*
 * A process of its own that plays clients: each has a connection, writes requests as bytes and reads whole answers. It does
 * what its parent says (`processes.mjs`), and tells with each answer what share of a processor that took.
 */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

const [deeds, send] = [{ register, sendFor, wait, round }, process.send.bind(process)];
/** Whoever waits, for `round`. */
let waiters = [];

process.on('message', async ({ deed, ...asked }) => {
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  try {
    const answer = await deeds[deed](asked);
    const { user, system } = process.cpuUsage(cpu);
    send({ answer, share: (user + system) / 1000 / (performance.now() - began) });
  } catch (error) {
    send({ error: error.stack });
  }
});
process.once('disconnect', () => process.exit());

/** One for all: an answer is looked at before the next one is read. */
const arrived = Buffer.allocUnsafe(256 * 1024);

/** @param answered is given the bytes of one whole answer, which stay as they are only while it runs. */
function open({ port, from }, answered) {
  return new Promise((opened, failed) => {
    let [begun, missing] = [undefined, 0];
    const take = (bytes) => {
      if (begun) bytes = Buffer.concat([begun, bytes]);
      missing = lengthOf(bytes) - bytes.length;
      if (missing < 0) throw new Error('more came than was asked for');
      begun = missing > 0 ? Buffer.from(bytes) : undefined;
      if (!begun) answered(bytes);
    };
    const socket = connect({
      host: '127.0.0.1',
      port,
      localAddress: from,
      noDelay: true,
      onread: { buffer: arrived, callback: (length, buffer) => take(buffer.subarray(0, length)) ?? true },
    });
    socket.once('connect', () => opened(socket)).once('error', failed);
    socket.once('close', () => failed(new Error('the server has hung up')));
  });
}

const [headEnd, lengthName] = ['\r\n\r\n', 'Content-Length: '];

/** @returns {number} bytes of the whole answer; Infinity where its head is not there yet */
function lengthOf(bytes) {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return Infinity;
  let at = bytes.indexOf(lengthName) + lengthName.length;
  if (at < lengthName.length || at > end) throw new Error(`an answer without a length: ${bytes.toString('latin1', 0, end)}`);
  let length = 0;
  for (; bytes[at] >= 48 && bytes[at] <= 57; at += 1) length = length * 10 + bytes[at] - 48;
  return end + 4 + length;
}

function refuseFailure(bytes) {
  if (bytes.indexOf(' 200 ') !== 8) throw new Error(`an answer is no success: ${bytes}`);
}

/** Connections that ask one after another, each as soon as it is answered, until there is nothing more to ask. */
async function talk({ port, from, connections }, next) {
  const over = Array.from({ length: connections }, async (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    let asking;
    const socket = await open({ port, from }, (bytes) => {
      try {
        refuseFailure(bytes);
        asking.answered(bytes);
        ask();
      } catch (error) {
        reject(error);
      }
    });
    socket.once('close', () => reject(new Error('the server has hung up')));
    const ask = () => {
      asking = next(index);
      if (asking) socket.write(asking.request);
      else resolve();
    };
    ask();
    await promise.finally(() => socket.destroy());
  });
  await Promise.all(over);
}

/** @returns the id of the queue of each of these members, in their order. */
async function register({ port, from, host, authorizations }) {
  const queues = [];
  let asked = 0;
  const form = 'event_types=%5B%22message%22%5D&fetch_event_types=%5B%5D&apply_markdown=false&client_gravatar=false';
  await talk({ port, from, connections: 32 }, () => {
    const index = asked;
    asked += 1;
    if (index >= authorizations.length) return undefined;
    const request = formRequest({ path: '/api/v1/register', host, authorization: authorizations[index], form });
    const answered = (bytes) => {
      queues[index] = /"queue_id":"([^"]+)"/.exec(bytes.toString())[1];
    };
    return { request, answered };
  });
  return queues;
}

function formRequest({ path, host, authorization, form }) {
  return [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'User-Agent: Bench/1.0',
    `Authorization: ${authorization}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(form)}`,
    '',
    form,
  ].join('\r\n');
}

/**
 * Sends messages for some seconds, each connection as a member of its own, the next as soon as one is acknowledged.
 * @returns how many a second, and how long each took, in milliseconds.
 */
async function sendFor({ port, from, host, authorizations, stream, seconds, mark }) {
  const times = [];
  const began = performance.now();
  const end = began + seconds * 1000;
  let number = 0;
  await talk({ port, from, connections: authorizations.length }, (index) => {
    const asked = performance.now();
    if (asked >= end) return undefined;
    number += 1;
    const form = new URLSearchParams({
      type: 'stream',
      to: String(stream),
      topic: 'stream events',
      content: `${mark}-${number} 本日の定例会議の資料を共有フォルダに置きました。ご確認をお願いします。`,
      client_message_id: randomUUID(),
    }).toString();
    const request = formRequest({ path: '/api/v1/messages', host, authorization: authorizations[index], form });
    return { request, answered: () => times.push(performance.now() - asked) };
  });
  return { rate: times.length / ((performance.now() - began) / 1000), times };
}

/** Connects each member and lets them wait for what comes after `lastEventId`. */
async function wait({ port, from, host, authorizations, queues, lastEventId }) {
  waiters = await Promise.all(
    authorizations.map(async (authorization, index) => {
      const head = `GET /api/v1/events?queue_id=${queues[index]}&last_event_id=`;
      const tail = ` HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Bench/1.0\r\nAuthorization: ${authorization}\r\n\r\n`;
      const waiter = { lastEventId, has: true, poll: () => socket.write(`${head}${waiter.lastEventId}${tail}`) };
      const socket = await open({ port, from }, (bytes) => hear(waiter, bytes));
      return waiter;
    }),
  );
  for (const waiter of waiters) waiter.poll();
}

const message = Buffer.from('"type":"message","id":');
let going = { times: [], first: undefined, resolve: () => undefined, reject: () => undefined };

function hear(waiter, bytes) {
  const now = process.hrtime.bigint();
  try {
    refuseFailure(bytes);
    const at = bytes.indexOf(message);
    if (at < 0) {
      waiter.poll();
      return;
    }
    if (waiter.has) throw new Error('nobody expects a message now');
    waiter.has = true;
    waiter.lastEventId = numberAt(bytes, at + message.length);
    going.first ??= Buffer.from(bytes);
    if (going.times.push(now) === waiters.length) going.resolve();
  } catch (error) {
    going.reject(error);
  }
}

function numberAt(bytes, start) {
  let number = 0;
  for (let at = start; bytes[at] >= 48 && bytes[at] <= 57; at += 1) number = number * 10 + bytes[at] - 48;
  return number;
}

/**
 * Resolves when everybody who waits has heard of one message; then all of them wait again.
 * @returns when each had all of it, by the machine's clock in milliseconds, and one of the answers.
 */
async function round() {
  const { promise, resolve, reject } = Promise.withResolvers();
  going = { times: [], first: undefined, resolve, reject };
  for (const waiter of waiters) waiter.has = false;
  send('expecting');
  await promise;
  const { times, first } = going;
  setImmediate(() => {
    for (const waiter of waiters) waiter.poll();
  });
  return { times: times.map((time) => Number(time) / 1e6), first };
}

/*
 * A process that plays clients: each has a connection, writes requests as bytes and reads complete answers. It runs the tasks
 * of its parent (`processes.mjs`) and returns each result with the share of a processor that it used. A task's server is a `port`
 * of this machine, or the `site` of another one.
 */
import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { generateKey } from '../../packages/web/src/model/outbox/generate.ts';

const tasks = { register, sendFor, call, wait, poll, round, received };
const send = process.send.bind(process);
let waiters = [];
/** The messages that all waiting members have received. */
let receivedCount = 0;

process.on('message', async ({ task, ...parameters }) => {
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  try {
    const answer = await tasks[task](parameters);
    const { user, system } = process.cpuUsage(cpu);
    send({ answer, share: (user + system) / 1000 / (performance.now() - start) });
  } catch (error) {
    send({ error: error.stack });
  }
});
process.once('disconnect', () => process.exit());

/** Shared by all connections: an answer is processed before the next one is read. */
const receiveBuffer = Buffer.allocUnsafe(256 * 1024);

/** @param answered receives the bytes of one complete answer, which are valid only during the call. */
function open({ port, from, site }, answered) {
  return new Promise((opened, failed) => {
    let [partial, missing] = [undefined, 0];
    const take = (bytes) => {
      if (partial) bytes = Buffer.concat([partial, bytes]);
      missing = lengthOf(bytes) - bytes.length;
      if (missing < 0) throw new Error('the server sent more than the answer');
      partial = missing > 0 ? Buffer.from(bytes) : undefined;
      if (!partial) answered(bytes);
    };
    const onread = { buffer: receiveBuffer, callback: (length, buffer) => take(buffer.subarray(0, length)) ?? true };
    const [begin, begun, to] = site ? placeOf(site) : [connect, 'connect', { host: '127.0.0.1', port, localAddress: from }];
    const socket = begin({ ...to, noDelay: true, onread });
    socket.once(begun, () => opened(socket)).once('error', failed);
    socket.once('close', () => failed(new Error('the server closed the connection')));
  });
}

function placeOf(site) {
  const { protocol, hostname: host, port } = new URL(site);
  if (protocol === 'http:') return [connect, 'connect', { host, port: port || 80 }];
  return [connectSecurely, 'secureConnect', { host, port: port || 443, ...(isIP(host) === 0 ? { servername: host } : {}) }];
}

const [headEnd, lengthName] = ['\r\n\r\n', 'Content-Length: '];
const [chunkedName, lastChunk] = ['Transfer-Encoding: chunked', '\r\n0\r\n\r\n'];

/** @returns {number} bytes of the complete answer; Infinity while its head is incomplete */
function lengthOf(bytes) {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return Infinity;
  let at = bytes.indexOf(lengthName) + lengthName.length;
  if (at < lengthName.length || at > end) return lengthOfChunked(bytes, end);
  let length = 0;
  for (; bytes[at] >= 48 && bytes[at] <= 57; at += 1) length = length * 10 + bytes[at] - 48;
  return end + 4 + length;
}

function lengthOfChunked(bytes, end) {
  if (!isChunked(bytes, end)) throw new Error(`an answer without a length: ${bytes.toString('latin1', 0, end)}`);
  // JSON has no line breaks, so nothing else looks like the last chunk.
  return bytes.toString('latin1', bytes.length - lastChunk.length) === lastChunk ? bytes.length : Infinity;
}

function isChunked(bytes, end) {
  const at = bytes.indexOf(chunkedName);
  return at >= 0 && at < end;
}

/** The fields of an answer in JSON. */
function fieldsOf(bytes) {
  const end = bytes.indexOf(headEnd);
  const body = bytes.subarray(end + headEnd.length);
  if (!isChunked(bytes, end)) return JSON.parse(body.toString());
  const chunks = [];
  for (let at = 0; ;) {
    const start = body.indexOf('\r\n', at) + 2;
    const length = parseInt(body.toString('latin1', at, start), 16);
    if (length === 0) return JSON.parse(Buffer.concat(chunks).toString());
    chunks.push(body.subarray(start, start + length));
    at = start + length + 2;
  }
}

function assertSuccess(bytes) {
  if (bytes.indexOf(' 200 ') !== 8) throw new Error(`the call failed: ${bytes}`);
}

/** Each connection sends its next request as soon as the last is answered, until `next` returns undefined. */
async function sendRequests({ connections, ...server }, next) {
  const over = Array.from({ length: connections }, async (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    let pending;
    const socket = await open(server, (bytes) => {
      try {
        assertSuccess(bytes);
        pending.answered(bytes);
        sendNext();
      } catch (error) {
        reject(error);
      }
    });
    socket.once('close', () => reject(new Error('the server closed the connection')));
    const sendNext = () => {
      pending = next(index);
      if (pending) socket.write(pending.request);
      else resolve();
    };
    sendNext();
    await promise.finally(() => socket.destroy());
  });
  await Promise.all(over);
}

/** The queue of each member, and the newest event at that moment. */
async function register({ authorizations, ...server }) {
  const queues = [];
  let next = 0;
  const form = 'event_types=%5B%22message%22%5D&fetch_event_types=%5B%5D&apply_markdown=false&client_gravatar=false';
  await sendRequests({ ...server, connections: 32 }, () => {
    const index = next;
    next += 1;
    if (index >= authorizations.length) return undefined;
    const { host } = server;
    const request = requestOf({ method: 'POST', path: '/register', host, authorization: authorizations[index], form });
    const answered = (bytes) => {
      const { queue_id: id, last_event_id: lastEventId } = fieldsOf(bytes);
      queues[index] = { id, lastEventId };
    };
    return { request, answered };
  });
  return queues;
}

/** Makes the same call of each member, several times. `times` in milliseconds; `bytes` of one answer. */
async function call({ method, path, form, authorizations, repeat = 1, connections = 1, ...server }) {
  const times = [];
  let [next, bytes] = [0, 0];
  await sendRequests({ ...server, connections }, () => {
    if (next === authorizations.length * repeat) return undefined;
    const authorization = authorizations[next % authorizations.length];
    next += 1;
    const sentAt = performance.now();
    const answered = (answer) => {
      times.push(performance.now() - sentAt);
      bytes = answer.length;
    };
    return { request: requestOf({ method, path, host: server.host, authorization, form }), answered };
  });
  return { times, bytes };
}

function requestOf({ method, path, host, authorization, form = '' }) {
  return [
    `${method} /api/v1${path} HTTP/1.1`,
    `Host: ${host}`,
    'User-Agent: Bench/1.0',
    `Authorization: ${authorization}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(form)}`,
    '',
    form,
  ].join('\r\n');
}

/** Each connection is another member, who sends when the last message is acknowledged. `times` in milliseconds. */
async function sendFor({ host, authorizations, stream, streams = [stream], seconds, mark, ...server }) {
  const times = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  let number = 0;
  await sendRequests({ ...server, connections: authorizations.length }, (index) => {
    const sentAt = performance.now();
    if (sentAt >= end) return undefined;
    number += 1;
    const form = new URLSearchParams({
      type: 'stream',
      to: String(streams[index % streams.length]),
      topic: 'stream events',
      content: `${mark}-${number} 本日の定例会議の資料を共有フォルダに置きました。ご確認をお願いします。`,
      client_message_id: generateKey(),
    }).toString();
    const request = requestOf({ method: 'POST', path: '/messages', host, authorization: authorizations[index], form });
    return { request, answered: () => times.push(performance.now() - sentAt) };
  });
  return { rate: times.length / ((performance.now() - start) / 1000), times };
}

/**
 * @param keepsPolling for the next message as soon as one is received; otherwise with the next task `poll`
 * @param counts each message that these members receive, which takes a large part of the process's time
 */
async function wait({ host, authorizations, queues, keepsPolling = false, counts = false, ...server }) {
  waiters = await Promise.all(
    authorizations.map(async (authorization, index) => {
      const { id, lastEventId } = queues[index];
      const head = `GET /api/v1/events?queue_id=${id}&last_event_id=`;
      const tail = ` HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Bench/1.0\r\nAuthorization: ${authorization}\r\n\r\n`;
      const waiter = {
        lastEventId,
        keepsPolling,
        counts,
        hasMessage: true,
        poll: () => socket.write(`${head}${waiter.lastEventId}${tail}`),
      };
      const socket = await open(server, (bytes) => receive(waiter, bytes));
      return waiter;
    }),
  );
  poll();
}

function poll() {
  for (const waiter of waiters) waiter.poll();
}

/** As our server begins the event. Other answers are parsed. */
const message = Buffer.from('"type":"message","id":');
let currentRound = { times: [], first: undefined, resolve: () => undefined, reject: () => undefined };

function receive(waiter, bytes) {
  const now = process.hrtime.bigint();
  try {
    assertSuccess(bytes);
    const at = bytes.indexOf(message);
    const isMessage = at >= 0 || takeEvents(waiter, fieldsOf(bytes));
    if (!isMessage) return waiter.poll();
    if (waiter.keepsPolling) return takeAll(waiter, bytes, at);
    if (waiter.hasMessage) throw new Error('unexpected message');
    waiter.hasMessage = true;
    if (at >= 0) waiter.lastEventId = numberAt(bytes, at + message.length);
    currentRound.first ??= Buffer.from(bytes);
    if (currentRound.times.push(now) === waiters.length) currentRound.resolve();
  } catch (error) {
    currentRound.reject(error);
  }
  return undefined;
}

/** Each message of our server begins in the same way. */
function takeAll(waiter, bytes, first) {
  if (first >= 0) waiter.lastEventId = numberAt(bytes, bytes.lastIndexOf(message) + message.length);
  waiter.poll();
  if (!waiter.counts) return;
  for (let at = first; at >= 0; at = bytes.indexOf(message, at + 1)) receivedCount += 1;
}

function received() {
  return receivedCount;
}

/** @returns whether a message is among the events. */
function takeEvents(waiter, { events }) {
  for (const { id } of events) waiter.lastEventId = Math.max(waiter.lastEventId, id);
  return events.some(({ type }) => type === 'message');
}

function numberAt(bytes, start) {
  let number = 0;
  for (let at = start; bytes[at] >= 48 && bytes[at] <= 57; at += 1) number = number * 10 + bytes[at] - 48;
  return number;
}

/** Resolves when all waiting members have received a message. `times` by the machine's clock. */
async function round() {
  const { promise, resolve, reject } = Promise.withResolvers();
  currentRound = { times: [], first: undefined, resolve, reject };
  for (const waiter of waiters) waiter.hasMessage = false;
  send('expecting');
  await promise;
  const { times, first } = currentRound;
  return { times: times.map((time) => Number(time) / 1e6), first };
}

/*
 * A process that plays clients: each has a connection, writes requests as bytes and reads complete answers. It runs the tasks
 * of its parent (`processes.mjs`) and returns each result with the share of a processor that it used.
 */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

const tasks = { register, sendFor, wait, round };
const send = process.send.bind(process);
let waiters = [];

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
function open({ port, from }, answered) {
  return new Promise((opened, failed) => {
    let [partial, missing] = [undefined, 0];
    const take = (bytes) => {
      if (partial) bytes = Buffer.concat([partial, bytes]);
      missing = lengthOf(bytes) - bytes.length;
      if (missing < 0) throw new Error('the server sent more than the answer');
      partial = missing > 0 ? Buffer.from(bytes) : undefined;
      if (!partial) answered(bytes);
    };
    const socket = connect({
      host: '127.0.0.1',
      port,
      localAddress: from,
      noDelay: true,
      onread: { buffer: receiveBuffer, callback: (length, buffer) => take(buffer.subarray(0, length)) ?? true },
    });
    socket.once('connect', () => opened(socket)).once('error', failed);
    socket.once('close', () => failed(new Error('the server closed the connection')));
  });
}

const [headEnd, lengthName] = ['\r\n\r\n', 'Content-Length: '];

/** @returns {number} bytes of the complete answer; Infinity while its head is incomplete */
function lengthOf(bytes) {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return Infinity;
  let at = bytes.indexOf(lengthName) + lengthName.length;
  if (at < lengthName.length || at > end) throw new Error(`an answer without a length: ${bytes.toString('latin1', 0, end)}`);
  let length = 0;
  for (; bytes[at] >= 48 && bytes[at] <= 57; at += 1) length = length * 10 + bytes[at] - 48;
  return end + 4 + length;
}

function assertSuccess(bytes) {
  if (bytes.indexOf(' 200 ') !== 8) throw new Error(`the call failed: ${bytes}`);
}

/** Each connection sends its next request as soon as the last is answered, until `next` returns undefined. */
async function sendRequests({ port, from, connections }, next) {
  const over = Array.from({ length: connections }, async (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    let pending;
    const socket = await open({ port, from }, (bytes) => {
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

async function register({ port, from, host, authorizations }) {
  const queues = [];
  let next = 0;
  const form = 'event_types=%5B%22message%22%5D&fetch_event_types=%5B%5D&apply_markdown=false&client_gravatar=false';
  await sendRequests({ port, from, connections: 32 }, () => {
    const index = next;
    next += 1;
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

/** Each connection is another member, who sends when the last message is acknowledged. `times` in milliseconds. */
async function sendFor({ port, from, host, authorizations, stream, seconds, mark }) {
  const times = [];
  const start = performance.now();
  const end = start + seconds * 1000;
  let number = 0;
  await sendRequests({ port, from, connections: authorizations.length }, (index) => {
    const sentAt = performance.now();
    if (sentAt >= end) return undefined;
    number += 1;
    const form = new URLSearchParams({
      type: 'stream',
      to: String(stream),
      topic: 'stream events',
      content: `${mark}-${number} 本日の定例会議の資料を共有フォルダに置きました。ご確認をお願いします。`,
      client_message_id: randomUUID(),
    }).toString();
    const request = formRequest({ path: '/api/v1/messages', host, authorization: authorizations[index], form });
    return { request, answered: () => times.push(performance.now() - sentAt) };
  });
  return { rate: times.length / ((performance.now() - start) / 1000), times };
}

async function wait({ port, from, host, authorizations, queues, lastEventId }) {
  waiters = await Promise.all(
    authorizations.map(async (authorization, index) => {
      const head = `GET /api/v1/events?queue_id=${queues[index]}&last_event_id=`;
      const tail = ` HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: Bench/1.0\r\nAuthorization: ${authorization}\r\n\r\n`;
      const waiter = { lastEventId, hasMessage: true, poll: () => socket.write(`${head}${waiter.lastEventId}${tail}`) };
      const socket = await open({ port, from }, (bytes) => receive(waiter, bytes));
      return waiter;
    }),
  );
  for (const waiter of waiters) waiter.poll();
}

const message = Buffer.from('"type":"message","id":');
let currentRound = { times: [], first: undefined, resolve: () => undefined, reject: () => undefined };

function receive(waiter, bytes) {
  const now = process.hrtime.bigint();
  try {
    assertSuccess(bytes);
    const at = bytes.indexOf(message);
    if (at < 0) {
      waiter.poll();
      return;
    }
    if (waiter.hasMessage) throw new Error('unexpected message');
    waiter.hasMessage = true;
    waiter.lastEventId = numberAt(bytes, at + message.length);
    currentRound.first ??= Buffer.from(bytes);
    if (currentRound.times.push(now) === waiters.length) currentRound.resolve();
  } catch (error) {
    currentRound.reject(error);
  }
}

function numberAt(bytes, start) {
  let number = 0;
  for (let at = start; bytes[at] >= 48 && bytes[at] <= 57; at += 1) number = number * 10 + bytes[at] - 48;
  return number;
}

/** Resolves when all waiting members have received a message; then all poll again. `times` by the machine's clock. */
async function round() {
  const { promise, resolve, reject } = Promise.withResolvers();
  currentRound = { times: [], first: undefined, resolve, reject };
  for (const waiter of waiters) waiter.hasMessage = false;
  send('expecting');
  await promise;
  const { times, first } = currentRound;
  setImmediate(() => {
    for (const waiter of waiters) waiter.poll();
  });
  return { times: times.map((time) => Number(time) / 1e6), first };
}

/** Sends slow requests to a listener with short timeouts. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type Socket, connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createListener } from './listener.ts';

const pace = { grace: 300, minimum: 62.5 };
const times = { headers: 300, body: pace, request: 600_000, checkInterval: 50 };

/** Answers with the number of received bytes. */
const reading: RequestListener = (request, response) => {
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.byteLength;
  });
  request.on('end', () => response.end(`got ${length}`));
};

/** Milliseconds; for requests whose headers may be late on a busy machine but must not time out. */
const patient = 60_000;

/** @returns a connection to a listener with short timeouts. */
async function connected(handler: RequestListener = reading, headers = times.headers): Promise<Socket> {
  const server = createListener(handler, { tls: undefined, trusts: () => false, limits: { ...times, headers } });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return connect({ host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 });
}

/** The answer on a connection while bytes are sent one by one until the server ends it. */
async function answerTo(socket: Socket, head: string, drip: string): Promise<string> {
  let said = '';
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  // The server may reset the connection.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.write(head);
  const dripping = setInterval(() => socket.write(drip), 20);
  await closed;
  clearInterval(dripping);
  return said;
}

const head = (...lines: readonly string[]) => ['POST /api/session HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n');

describe('slow request', () => {
  it('The server ends a request with 408 when its headers arrive too slowly', async () => {
    const said = await answerTo(await connected(), 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ', 'x');
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(said).toContain("Content-Security-Policy: default-src 'none'");
  });

  it.each([
    ['with a Content-Length', head('Content-Type: application/json', 'Content-Length: 60000'), ' '],
    ['with the largest Content-Length', head('Content-Length: 104857600'), 'x'],
    ['in chunks', head('Transfer-Encoding: chunked'), '1\r\nx\r\n'],
  ])('The server ends a request with 408 when its body arrives too slowly: %s', async (_, first, drip) => {
    const said = await answerTo(await connected(), first, drip);
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    // There is one answer per request.
    expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

it('A body that arrives fast enough is accepted even if it needs longer than the grace time', async () => {
  const socket = await connected(reading, patient);
  const part = Buffer.alloc(1_000_000, 120);
  socket.write(head(`Content-Length: ${part.length * 3}`, 'Connection: close'));
  let said = '';
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  const closed = once(socket, 'close');
  for (let count = 0; count < 3; count += 1) {
    socket.write(part);
    // Longer than the grace time, which the earlier bytes have extended.
    await new Promise((resolve) => {
      setTimeout(resolve, pace.grace);
    });
  }
  await closed;
  expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(said).toContain('got 3000000');
});

it('The server does not close a connection whose answer takes longer than the grace time', async () => {
  const socket = await connected((_, response) => {
    setTimeout(() => response.end('waited'), pace.grace * 3);
  }, patient);
  const body = head('Content-Length: 2', 'Connection: close');
  expect(await answerTo(socket, `${body}{}`, '')).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*waited/);
});

it('A request that is refused before its body arrives gets no second answer when the body is too slow', async () => {
  const socket = await connected((_, response) => response.writeHead(401).end(), patient);
  const said = await answerTo(socket, head('Content-Length: 60000'), 'x');
  expect(said).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type RequestListener, type Server, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Socket, connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { handleInTurns, latestResponses } from './requestTurns.ts';

const file = (name: string) => readFileSync(join(import.meta.dirname, '../testing/tls', name));

const kinds = {
  http: { create: createServer, connect },
  https: {
    create: () => createTlsServer({ cert: file('first.pem'), key: file('first-key.pem') }),
    connect: (port: number) => connectSecurely({ port, ca: file('first.pem'), servername: 'localhost' }),
  },
};

/** Clients with open connections to a server. Each sends the number of its client with each request. */
async function setup(count: number, handle: RequestListener, kind: keyof typeof kinds = 'http') {
  const { create, connect: connectTo } = kinds[kind];
  const server: Server = create();
  handleInTurns(server, handle, latestResponses(server));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const connected = kind === 'http' ? 'connect' : 'secureConnect';
  const clients: Socket[] = [];
  for (let each = 0; each < count; each += 1) {
    const client = connectTo(port);
    await once(client, connected);
    clients.push(client);
  }
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  const ask = (client: number) => clients[client]?.write(`GET /${client} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return { server, port, clients, ask };
}

function blockFor(milliseconds: number): void {
  for (const began = performance.now(); performance.now() - began < milliseconds;);
}

const clientOf = ({ url = '' }: IncomingMessage) => Number(url.slice(1));

/** Counts the calls of `note` in each turn of the event loop. `turns`: the number of the turn of each call. */
function countPerTurn() {
  let [turn, isOver] = [0, false];
  const turns: number[] = [];
  const next = () => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  onTestFinished(() => {
    isOver = true;
  });
  return {
    note: () => void turns.push(turn),
    turns,
    perTurn: () => [...Map.groupBy(turns, (each) => each).values()].map(({ length }) => length),
  };
}

it.each(['http', 'https'] as const)(
  'If 600 clients send a request at once by %s, at most 300 are read and 50 begin in one turn of the event loop, and all are answered',
  async (kind) => {
    const [read, begun] = [countPerTurn(), countPerTurn()];
    const { server, clients, ask } = await setup(
      600,
      (_, response) => {
        begun.note();
        response.end('done');
      },
      kind,
    );
    server.prependListener('request', read.note);
    const answers = clients.map((client) => once(client, 'data'));
    for (const client of clients.keys()) ask(client);
    for (const [answer] of await Promise.all(answers)) expect(String(answer)).toContain('done');
    expect(Math.max(...read.perTurn())).toBeLessThanOrEqual(300);
    expect(Math.max(...begun.perTurn())).toBeLessThanOrEqual(50);
  },
);

it('If 40 clients each send one request after another, a turn of the event loop begins about half of these requests', async () => {
  const begun = countPerTurn();
  const { clients, ask } = await setup(40, (_, response) => {
    begun.note();
    response.end('done');
  });
  const all = clients.map(async (client, number) => {
    for (let time = 0; time < 10; time += 1) {
      const answer = once(client, 'data');
      ask(number);
      await answer;
    }
  });
  await Promise.all(all);
  const turns = begun.perTurn().toSorted((one, other) => one - other);
  expect(turns.at(-1)).toBeLessThanOrEqual(30);
  expect(turns[Math.floor(turns.length / 2)]).toBeGreaterThanOrEqual(15);
});

it.each([
  ['at once', () => undefined],
  ['after a promise', () => Promise.resolve()],
])('At most four requests begin in one turn of the event loop if each works for 2 ms %s', async (_, first) => {
  const begun = countPerTurn();
  const { clients, ask } = await setup(30, async (_, response) => {
    begun.note();
    await first();
    blockFor(2);
    response.end('done');
  });
  const answers = clients.map((client) => once(client, 'data'));
  for (const client of clients.keys()) ask(client);
  await Promise.all(answers);
  expect(Math.max(...begun.perTurn())).toBeLessThanOrEqual(4);
});

it.each([
  [50, 5, 13],
  [1000, 9, 13],
])(
  'After a request that takes %s ms to begin, the next one begins at least %s and at most %s turns of the event loop later',
  async (length, least, most) => {
    const begun = countPerTurn();
    const { clients, ask } = await setup(2, (_, response) => {
      begun.note();
      blockFor(length);
      response.end('done');
    });
    const answers = clients.map((client) => once(client, 'data'));
    for (const client of clients.keys()) ask(client);
    await Promise.all(answers);
    const [first = 0, second = 0] = begun.turns;
    expect(second - first).toBeGreaterThanOrEqual(least);
    expect(second - first).toBeLessThanOrEqual(most);
  },
);

it('Clients that send requests without rest do not raise the number of requests that are read in one turn', async () => {
  const read = countPerTurn();
  const { server, clients, ask } = await setup(1200, (_, response) => response.end('done'));
  server.prependListener('request', read.note);
  const busy = clients.slice(0, 400);
  for (const [number, client] of busy.entries()) {
    client.on('data', () => ask(number));
    ask(number);
  }
  const others = clients.slice(400);
  while (busy.some((client) => client.bytesRead < 2000)) await nextTurn();
  const answers = others.map((client) => once(client, 'data'));
  for (const number of others.keys()) ask(400 + number);
  await Promise.all(answers);
  expect(Math.max(...read.perTurn())).toBeLessThanOrEqual(300);
});

it('The server holds no more of a body that nobody reads while other connections are paused and resumed', async () => {
  const uploads: IncomingMessage[] = [];
  const { clients, ask } = await setup(301, (request, response) => {
    if (request.method === 'POST') uploads.push(request);
    else response.end('done');
  });
  clients[300]?.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000000\r\n\r\n');
  clients[300]?.write(Buffer.alloc(20_000_000));
  const unread = () => uploads[0]?.readableLength ?? 0;
  while (unread() === 0) await nextTurn();
  const returnAtOnce = async () => {
    const answers = clients.slice(0, 300).map((client) => once(client, 'data'));
    for (const number of answers.keys()) ask(number);
    await Promise.all(answers);
  };
  await returnAtOnce();
  const before = unread();
  for (let time = 0; time < 20; time += 1) await returnAtOnce();
  expect(unread()).toBeLessThanOrEqual(before + 100_000);
});

it.each([0, 0.3])(
  'If 600 clients send three requests each, and each takes %s ms to begin, no third one begins before all first ones',
  async (length) => {
    const begun: string[] = [];
    const { clients, ask } = await setup(600, ({ url = '' }, response) => {
      begun.push(url);
      blockFor(length);
      response.end('done');
    });
    const all = clients.map(async (client, number) => {
      for (let time = 0; time < 3; time += 1) {
        ask(number);
        await once(client, 'data');
      }
    });
    await Promise.all(all);
    const times = new Map<string, number>();
    for (const client of begun) {
      const time = (times.get(client) ?? 0) + 1;
      times.set(client, time);
      if (time === 3) break;
    }
    expect(times.size).toBe(600);
  },
);

it('Each client gets its own answer while other connections open and close, and some are paused', async () => {
  const { port, clients, ask } = await setup(400, ({ url }, response) => response.end(url));
  const answers = clients.map((client) => once(client, 'data'));
  for (const client of clients.keys()) ask(client);
  while (!clients.some((client) => client.bytesRead > 0)) await nextTurn();
  const [last] = clients.slice(-1);
  last?.destroy();
  const late = connect(port);
  late.write('GET /late HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const [lateAnswer] = await once(late, 'data');
  expect(String(lateAnswer)).toContain('/late');
  const answered = await Promise.all(answers.slice(0, -1));
  expect(answered.every(([answer], client) => String(answer).endsWith(`/${client}`))).toBe(true);
});

it('The server notices when clients leave while their requests wait, and does not handle these requests', async () => {
  const [read, begun] = [new Set<number>(), new Set<number>()];
  const { server, clients, ask } = await setup(600, (request, response) => {
    begun.add(clientOf(request));
    response.end('done');
  });
  server.prependListener('request', (request) => read.add(clientOf(request)));
  for (const client of clients.keys()) ask(client);
  while (begun.size === 0) await nextTurn();
  const left = [...read].filter((number) => !begun.has(number));
  for (const number of left) clients[number]?.destroy();
  while (begun.size < 600 - left.length) await nextTurn();
  const handled = left.filter((number) => begun.has(number));
  expect(left).toHaveLength(200);
  // It takes two turns until the server notices.
  expect(handled.length).toBeLessThanOrEqual(150);
});

it('An upload arrives whole while other connections are paused and resumed', async () => {
  let received = 0;
  const { clients, ask } = await setup(301, (request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => response.end('done'));
  });
  const [upload, others] = [clients[300] ?? new Socket(), clients.slice(0, 300)];
  const answer = once(upload, 'data');
  upload.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n');
  for (let piece = 0; piece < 20; piece += 1) {
    const answers = others.map((client) => once(client, 'data'));
    for (const number of others.keys()) ask(number);
    upload.write(Buffer.alloc(100_000));
    await Promise.all(answers);
  }
  await answer;
  expect(received).toBe(2_000_000);
});

import { createServer, type RequestListener } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { WholeResponse } from './wholeResponse.ts';

async function listening(answer: (request: Parameters<RequestListener>[0], response: WholeResponse) => void) {
  const server = createServer({ ServerResponse: WholeResponse }, answer);
  onTestFinished(() => void server.close());
  await new Promise<void>((began) => {
    server.listen(0, '127.0.0.1', began);
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : undefined}`;
}

it('A connection that is busy sends its own bytes, although the next recipient of the same events has been answered', async () => {
  const waiting: WholeResponse[] = [];
  const url = await listening((_, response) => waiting.push(response));
  const paths = ['/first', '/other'];
  const bodies = paths.map(async (path) => (await fetch(`${url}${path}`)).text());
  await expect.poll(() => waiting.length).toBe(2);
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n';
  const shared = Buffer.from(' shared');
  waiting[0]?.socket?.cork();
  for (const response of waiting) response.writeWhole(head, { before: 'of', own: response.req.url ?? '', shared });
  for (const response of waiting) response.end();
  expect(await Promise.all(bodies)).toEqual(['of/first shared', 'of/other shared']);
});

it('Answers with the same shared bytes have their own text before these bytes, whichever part of it differs', async () => {
  const waiting: WholeResponse[] = [];
  const url = await listening((_, response) => waiting.push(response));
  const bodies = [1, 2, 3].map(async (each) => (await fetch(`${url}/${each}`)).text());
  await expect.poll(() => waiting.length).toBe(3);
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n';
  const shared = Buffer.from(' shared');
  const ofPath = new Map([
    ['/1', { before: 'a', own: 'bc', shared }],
    ['/2', { before: 'd', own: 'ef', shared }],
    ['/3', { before: 'gh', own: 'i', shared }],
  ]);
  for (const response of waiting) {
    const body = ofPath.get(response.req.url ?? '');
    if (body) response.writeWhole(head, body);
    response.end();
  }
  expect(await Promise.all(bodies)).toEqual(['abc shared', 'def shared', 'ghi shared']);
});

it('A connection that is busy sends its own short parts, although the next answer has been written', async () => {
  const waiting: WholeResponse[] = [];
  const url = await listening((_, response) => waiting.push(response));
  const paths = ['/first', '/other'];
  const bodies = paths.map(async (path) => (await fetch(`${url}${path}`)).text());
  await expect.poll(() => waiting.length).toBe(2);
  waiting[0]?.socket?.cork();
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n';
  const end = Buffer.from('部.');
  for (const response of waiting) response.writeParts(head, [Buffer.from(response.req.url ?? ''), end]);
  for (const response of waiting) response.end();
  expect(await Promise.all(bodies)).toEqual(['/first部.', '/other部.']);
});

it.each<readonly [sizes: string, parts: readonly Buffer[]]>([
  ['only short ones', [Buffer.from('a'), Buffer.from('b')]],
  ['long ones between short ones', ['a', 'b'.repeat(2 ** 20), 'c', 'd', 'e'.repeat(20_000)].map((text) => Buffer.from(text))],
  ['more short ones than fit in the shared memory', Array.from({ length: 1000 }, (_, number) => Buffer.alloc(1000, number))],
  ['none', []],
])('A body in parts arrives complete and in order, again and again: %s', async (_, parts) => {
  const written: boolean[] = [];
  const url = await listening((_request, response) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    written.push(response.writeParts(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`, parts));
    response.end();
  });
  for (let time = 0; time < 3; time += 1) {
    const received = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(received.equals(Buffer.concat(parts))).toBe(true);
  }
  expect(written).toEqual([true, true, true]);
});

it.each<readonly [way: string, end: (response: WholeResponse) => void]>([
  ['by writeHead with headers', (response) => response.writeHead(200, { 'X-Own': 'own' }).end()],
  ['by writeHead with a message and headers', (response) => response.writeHead(200, 'Fine', { 'X-Own': 'own' }).end()],
  ['by setHeader and end', (response) => response.setHeader('X-Own', 'own').end()],
  [
    'by setHeader, write and end',
    (response) => {
      response.setHeader('x-own', 'own').write('a');
      response.end();
    },
  ],
])('An answer whose head is written %s has the usual headers, except those that it has itself', async (_, end) => {
  const url = await listening((_request, response) => {
    response.usual = { 'X-Own': 'usual', 'X-Usual': 'usual' };
    end(response);
  });
  const { headers } = await fetch(url);
  expect([headers.get('x-own'), headers.get('x-usual')]).toEqual(['own', 'usual']);
});

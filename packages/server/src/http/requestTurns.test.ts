import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { inTurns } from './requestTurns.ts';

it('inTurns() begins at most 50 requests in one turn of the event loop, and all of them in the order of their arrival', async () => {
  const begun: number[] = [];
  let turn = 0;
  const turns: number[] = [];
  const server = createServer();
  const handle = inTurns((request, response) => {
    begun.push(Number(request.url?.slice(1)));
    turns.push(turn);
    response.end();
  });
  const arrived: Parameters<typeof handle>[] = [];
  server.on('request', (request, response) => arrived.push([request, response]));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const answers = Array.from({ length: 120 }, (_, index) => once(get({ port, path: `/${index}` }), 'response'));
  while (arrived.length < 120) await nextTurn();

  const count = () => {
    turn += 1;
    if (begun.length < 120) setImmediate(count);
  };
  setImmediate(count);
  for (const [request, response] of arrived) handle(request, response);
  await Promise.all(answers);
  expect(begun).toEqual(arrived.map(([request]) => Number(request.url?.slice(1))));
  const perTurn = [...Map.groupBy(turns, (each) => each).values()].map(({ length }) => length);
  expect(perTurn).toEqual([50, 50, 20]);
});

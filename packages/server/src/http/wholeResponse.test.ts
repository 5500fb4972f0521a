import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { WholeResponse } from './wholeResponse.ts';

it('A connection that is busy sends its own bytes, although the next recipient of the same events has been answered', async () => {
  const waiting: WholeResponse[] = [];
  const server = createServer({ ServerResponse: WholeResponse }, (_, response) => waiting.push(response));
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const paths = ['/first', '/other'];
  const bodies = paths.map(async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).text());
  await expect.poll(() => waiting.length).toBe(2);
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n';
  const shared = Buffer.from('shared');
  waiting[0]?.socket?.cork();
  for (const response of waiting) response.writeWhole(head, response.req.url ?? '', shared);
  for (const response of waiting) response.end();
  expect(await Promise.all(bodies)).toEqual(['/firstshared', '/othershared']);
});

// A bare node:http server as a floor. It answers every request with BYTES bytes and prints its address.
import { createServer } from 'node:http';

const body = Buffer.alloc(Number(process.env.BYTES), 'x');
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
});
// Longer than any run: a connection that ends while a member asks again would fail the run.
server.keepAliveTimeout = 600_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});

// A bare node:http server: what Node itself takes to answer every request with so many bytes. BYTES, and says where it is.
import { createServer } from 'node:http';

const body = Buffer.alloc(Number(process.env.BYTES), 'x');
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});

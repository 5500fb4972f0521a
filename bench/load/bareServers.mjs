/*
 * What there is without us: `node bareServers.mjs tcp` or `http`. A server that reads a request, keeps whoever waits (GET), and
 * gives everyone who waits the same bytes when somebody posts; the post itself is answered with a few. It knows nobody, keeps
 * nothing, and is told by its parent what to answer. Its port is the first thing that it says.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';

const post = 'P'.codePointAt(0);
/** The whole answer, as it goes over the wire, and its parts. */
let answer = { wire: Buffer.alloc(0), headers: {}, body: Buffer.alloc(0) };
const short = Buffer.from('{"result":"success","msg":"","id":1}\n');
const shortOnWire = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${short.length}\r\n\r\n${short}`,
);
let waiting = [];

process.on('message', (wire) => {
  const bytes = Buffer.from(wire);
  const end = bytes.indexOf('\r\n\r\n');
  const lines = bytes.toString('latin1', 0, end).split('\r\n').slice(1);
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2)));
  answer = { wire: bytes, headers, body: bytes.subarray(end + 4) };
  process.send('ready');
});
process.once('disconnect', () => process.exit());

const server = process.argv[2] === 'tcp' ? tcp() : http();
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => process.send(server.address().port));

/** A request comes in one piece here. */
function tcp() {
  return createTcpServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      if (chunk[0] !== post) {
        waiting.push(socket);
        return;
      }
      socket.write(shortOnWire);
      for (const each of taken()) each.write(answer.wire);
    });
  });
}

function http() {
  const server = createHttpServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 }, (request, response) => {
    if (request.method === 'GET') {
      waiting.push(response);
      return;
    }
    request.resume().once('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': short.length }).end(short);
      for (const each of taken()) each.writeHead(200, answer.headers).end(answer.body);
    });
  });
  return server;
}

function taken() {
  const all = waiting;
  waiting = [];
  return all;
}

/*
 * The floors: `node bareServers.mjs tcp` or `http`. The server holds each GET. A POST gets a short answer, and every held GET gets
 * the same bytes, which the parent process sets. It has no users and stores nothing. Its first message to the parent is its port.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';

const post = 'P'.codePointAt(0);
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

/** Each request arrives in one chunk. */
function tcp() {
  return createTcpServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      if (chunk[0] !== post) {
        waiting.push(socket);
        return;
      }
      socket.write(shortOnWire);
      for (const each of takeWaiting()) each.write(answer.wire);
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
      for (const each of takeWaiting()) each.writeHead(200, answer.headers).end(answer.body);
    });
  });
  return server;
}

function takeWaiting() {
  const all = waiting;
  waiting = [];
  return all;
}

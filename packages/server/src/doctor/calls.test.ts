import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { configurationOf } from '../configuration.ts';
import { runLivekitServer } from '../testing/livekitServer.ts';
import { checkCalls } from './calls.ts';

const check = (environment: Readonly<Record<string, string>>, hasProxy = false) =>
  checkCalls({ ...configurationOf({ AUTH_MODE: 'password', INSECURE_HTTP: 'yes', ...environment }), hasProxy });

it.each([
  ['at all addresses without TLS', { HOST: '0.0.0.0' }],
  ['at an address of the network without TLS', { HOST: '192.0.2.1' }],
  ['under a public address with http', { PUBLIC_URL: 'http://chat.example.com' }],
])('[R2.10] The doctor warns that calls need https when members open Engawa %s', async (_, environment) => {
  expect(await check(environment)).toMatchObject([{ check: 'calls', level: 'warning', en: expect.stringContaining('https') }]);
});

it.each([
  ['on this machine only', {}, false],
  ['with its own certificate', { HOST: '0.0.0.0', TLS_CERT: '/etc/cert.pem', TLS_KEY: '/etc/key.pem' }, false],
  ['behind a proxy', { HOST: '0.0.0.0', TRUSTED_PROXY: '10.0.0.1' }, true],
  ['under a public address with https', { PUBLIC_URL: 'https://chat.example.com', TRUSTED_PROXY: '::1' }, true],
])('[R2.10] The doctor does not warn about https for calls when members open Engawa %s', async (_, environment, hasProxy) => {
  expect(await check(environment, hasProxy)).toEqual([]);
});

it('[R2.10] The doctor says that calls are turned off', async () => {
  expect(await check({ CALLS: 'off', HOST: '0.0.0.0' })).toMatchObject([{ check: 'calls', level: 'ok' }]);
});

const withTurn = (TURN_URL: string) => check({ TURN_URL, TURN_SECRET: 'turn-secret' });

it('[R2.10] The doctor finds a TURN server that answers a binding request by UDP', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  // A success response repeats the magic cookie and the transaction id.
  server.on('message', (request, { port, address }) => {
    server.send(Buffer.concat([Buffer.from([1, 1, 0, 0]), request.subarray(4, 20)]), port, address);
  });
  await once(server, 'listening');
  expect(await withTurn(`turn:127.0.0.1:${server.address().port}`)).toMatchObject([{ check: 'turn', level: 'ok' }]);
});

it('[R2.10] The doctor finds a TURN server that accepts a connection by TCP, and reports one that does not', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  expect(await withTurn(`turn:127.0.0.1:${port}?transport=tcp`)).toMatchObject([{ check: 'turn', level: 'ok' }]);
  server.close();
  await once(server, 'close');
  expect(await withTurn(`turns:127.0.0.1:${port}`)).toMatchObject([{ check: 'turn', level: 'problem' }]);
});

it('[R2.10] The doctor warns that the port of forwarded calls is taken, and finds it free otherwise', async () => {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const environment = { CALLS_UDP_PORT: String(socket.address().port) };
  expect(await check(environment)).toMatchObject([{ check: 'forwarding', level: 'warning' }]);
  socket.close();
  await once(socket, 'close');
  expect(await check(environment)).toMatchObject([{ check: 'forwarding', level: 'ok' }]);
});

it('[R2.10] The doctor finds a LiveKit server that accepts the key, and reports another secret', async () => {
  const { environment } = await runLivekitServer();
  expect(await check(environment)).toMatchObject([{ check: 'livekit', level: 'ok' }]);
  const other = { ...environment, LIVEKIT_SECRET: 'another-secret-of-32-characters-' };
  expect(await check(other)).toMatchObject([{ check: 'livekit', level: 'problem', en: expect.stringContaining('http_401') }]);
});

it('[R2.10] The doctor reports a LiveKit server that cannot be reached', async () => {
  const unused = createServer().listen(0, '127.0.0.1');
  await once(unused, 'listening');
  const address = unused.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  unused.close();
  await once(unused, 'close');
  const { environment } = await runLivekitServer();
  expect(await check({ ...environment, LIVEKIT_URL: `ws://127.0.0.1:${port}` })).toMatchObject([
    { check: 'livekit', level: 'problem', en: expect.stringContaining('ECONNREFUSED') },
  ]);
});

it('[R2.10] The doctor reports an unencrypted LiveKit server to which no page that was opened by https can connect', async () => {
  const { environment } = await runLivekitServer();
  const https = { PUBLIC_URL: 'https://chat.example.com', TRUSTED_PROXY: '::1' };
  expect(await check({ ...environment, ...https }, true)).toMatchObject([
    { check: 'livekit', level: 'problem', en: expect.stringContaining('wss://') },
  ]);
});

import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, isIPv6 } from 'node:net';
import { LivekitRefusal, createRoomService } from '../calls/livekit/roomService.ts';
import { type Configuration, type LivekitSettings, addressOf, isEveryAddress } from '../configuration.ts';
import { isLoopback } from '../security/hosts.ts';
import { reasonOf } from '../log/failure.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Milliseconds. */
const patience = 3000;

export async function checkCalls({ calls, host, publicUrl, tls, hasProxy }: Configuration): Promise<Finding[]> {
  if (!calls) return [ok('calls', '通話は使わない設定です（CALLS=off）。', 'Calls are turned off (CALLS=off).')];
  const address = new URL(publicUrl ?? (tls || hasProxy ? 'https://engawa.invalid' : addressOf(host, 0)));
  // A product that listens at all addresses is opened from other machines.
  const isOpen = !isLoopback(address.hostname) || (publicUrl === undefined && isEveryAddress(host));
  const findings = address.protocol === 'http:' && isOpen ? [noSecureOrigin] : [];
  for (const url of calls.turn?.urls ?? []) findings.push(await checkTurn(url));
  if (calls.forwarding) findings.push(await checkForwardingPort(calls.forwarding.port));
  if (calls.livekit) findings.push(await checkLivekit(calls.livekit, address.protocol));
  return findings;
}

const noSecureOrigin = warning(
  'calls',
  'ほかの機械からは http で開くため、ブラウザーがマイクとカメラを使わせません。通話には https が必要です。',
  'Other machines open Engawa by http, where browsers give no microphone and no camera. Calls require https.',
);

/** The server takes the port only while it forwards a call. */
async function checkForwardingPort(port: number): Promise<Finding> {
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, exclusive: true });
    await once(socket, 'listening');
    return ok(
      'forwarding',
      `UDP ポート ${port} は空いています（CALLS_UDP_PORT）。`,
      `The UDP port ${port} is free (CALLS_UDP_PORT).`,
    );
  } catch (error) {
    return warning(
      'forwarding',
      `UDP ポート ${port} は使われています（CALLS_UDP_PORT）。縁側がいま通話を中継しているのでなければ、別の番号にしてください。`,
      `The UDP port ${port} cannot be used (CALLS_UDP_PORT, ${reasonOf(error)}). Unless Engawa forwards a call now, choose another one.`,
    );
  } finally {
    socket.close();
  }
}

/** @param protocol of the address at which members open Engawa. */
async function checkLivekit({ url, ...keys }: LivekitSettings, protocol: string): Promise<Finding> {
  if (protocol === 'https:' && url.startsWith('ws:')) return notSecure(url);
  try {
    await createRoomService({ url, ...keys }, Date.now).check();
    return ok(
      'livekit',
      `LiveKit サーバー ${url} が応答し、LIVEKIT_KEY を受け付けます。`,
      `The LiveKit server ${url} answers and accepts LIVEKIT_KEY.`,
    );
  } catch (error) {
    return error instanceof LivekitRefusal
      ? problem(
          'livekit',
          `LiveKit サーバー ${url} に断られました（${error.code}）。LIVEKIT_KEY と LIVEKIT_SECRET、両方の時計を確かめてください。`,
          `The LiveKit server ${url} refuses (${error.code}). Check LIVEKIT_KEY and LIVEKIT_SECRET, and the clocks of both machines.`,
        )
      : problem(
          'livekit',
          `LiveKit サーバー ${url} につながりません（LIVEKIT_URL）。`,
          `The LiveKit server ${url} cannot be reached (LIVEKIT_URL, ${reasonOf(error)}).`,
        );
  }
}

const notSecure = (url: string): Finding =>
  problem(
    'livekit',
    `https で開いたページから ${url} にはつながりません。LIVEKIT_URL は wss:// にしてください。`,
    `A page that was opened by https cannot connect to ${url}. LIVEKIT_URL must begin with wss://.`,
  );

async function checkTurn(url: string): Promise<Finding> {
  const { scheme = '', host = '', port, transport } = turnParts.exec(url)?.groups ?? {};
  const isSecure = scheme.toLowerCase() === 'turns';
  const target = { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? (isSecure ? 5349 : 3478)) };
  try {
    await (isSecure || transport === 'tcp' ? connects(target) : answersBinding(target));
    return ok('turn', `TURN サーバー ${url} が応答します。`, `The TURN server ${url} answers.`);
  } catch (error) {
    return problem(
      'turn',
      `TURN サーバー ${url} が応答しません。`,
      `The TURN server ${url} does not answer (${reasonOf(error)}).`,
    );
  }
}

const turnParts = /^(?<scheme>turns?):(?<host>\[[^\]]+\]|[^:?]+)(?::(?<port>\d+))?(?:\?transport=(?<transport>\w+))?$/i;

interface Target {
  readonly host: string;
  readonly port: number;
}

function connects(target: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(target);
    socket.setTimeout(patience, () => socket.destroy(new Error('timeout')));
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}

/** Sends a binding request (RFC 8489), which every TURN server answers without credentials. It may be lost, so it is repeated. */
function answersBinding({ host, port }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    const request = Buffer.concat([Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), randomBytes(12)]);
    let isOver = false;
    const finish = (error?: Error) => {
      if (isOver) return;
      isOver = true;
      clearInterval(repeat);
      clearTimeout(end);
      socket.close();
      if (error) reject(error);
      else resolve();
    };
    const send = () =>
      socket.send(request, port, host, (error) => {
        if (error) finish(error);
      });
    const repeat = setInterval(send, patience / 6);
    const end = setTimeout(() => finish(new Error('timeout')), patience);
    // The answer repeats the transaction id of the request.
    socket.on('message', (answer) => {
      if (answer.subarray(4, 20).equals(request.subarray(4))) finish();
    });
    socket.once('error', finish);
    send();
  });
}

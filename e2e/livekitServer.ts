/** A LiveKit server of one's own, which is no part of this project: `LIVEKIT_SERVER` names its program. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRoomService } from '../packages/server/src/calls/livekit/roomService.ts';
import { end, type Environment, freePort, networkAddress } from './server.ts';

export const livekitProgram = process.env['LIVEKIT_SERVER'];

export interface LivekitServer {
  /** The settings of the product. */
  readonly environment: Environment;
  /** The identities of those who are connected to a room. */
  present(room: string): Promise<readonly string[]>;
  start(): Promise<void>;
  /** Ends it at once. Its rooms are void. */
  kill(): Promise<void>;
}

export async function startLivekitServer(program: string): Promise<LivekitServer> {
  const [port, tcpPort, udpPort] = [await freePort(), await freePort(), await freePort()];
  const [key, secret] = ['APIengawa', 'a-secret-of-thirty-two-characters'];
  const url = `ws://127.0.0.1:${port}`;
  const service = createRoomService({ url, key, secret }, Date.now);
  const configuration = {
    port: Number(port),
    bind_addresses: ['127.0.0.1'],
    keys: { [key]: secret },
    rtc: { node_ip: networkAddress(), tcp_port: Number(tcpPort), udp_port: Number(udpPort) },
    logging: { level: 'error' },
  };
  const start = async () => {
    const child = spawn(program, ['--config-body', JSON.stringify(configuration)], { stdio: ['ignore', 'ignore', 'inherit'] });
    await untilItAnswers(url.replace(/^ws/, 'http'), child);
    return child;
  };
  let running = await start();
  return {
    environment: { LIVEKIT_URL: url, LIVEKIT_KEY: key, LIVEKIT_SECRET: secret },
    present: (room) => service.participants(room),
    async start() {
      running = await start();
    },
    kill: () => end(running, 'SIGKILL'),
  };
}

async function untilItAnswers(address: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('the LiveKit server ended');
    const answer = await fetch(address).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

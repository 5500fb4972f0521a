import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ssrcOf } from '@engawa/protocol/sfu';
import { createMediaPeer, type MediaPeer, rtpPacket } from '../../testing/mediaPeer.ts';
import { freeUdpPort } from '../../testing/ports.ts';
import { createSfu, type Sfu, type SfuSignal } from './sfu.ts';
import { workerProgram } from './workerProcess.ts';

interface World {
  readonly sfu: Sfu;
  readonly peers: Map<string, MediaPeer>;
  readonly slots: Map<string, readonly (string | null)[]>;
  readonly events: string[];
  /** Why the server ended processes. */
  readonly faults: string[];
  readonly processes: number[];
  readonly lost: string[];
  readonly port: number;
  pass(milliseconds: number): void;
}

const cleanUp: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

/** Participants that answer every offer, as browsers do. */
async function createWorld(options: { readonly program?: string; readonly port?: number } = {}): Promise<World> {
  const port = options.port ?? (await freeUdpPort());
  const [peers, slots] = [new Map<string, MediaPeer>(), new Map<string, readonly (string | null)[]>()];
  const [events, faults, lost]: [string[], string[], string[]] = [[], [], []];
  const processes: number[] = [];
  let time = 0;
  const sfu = createSfu({
    ...options,
    port,
    address: undefined,
    now: () => time,
    log({ event, pid, fault }) {
      events.push(String(event));
      if (typeof pid === 'number') processes.push(pid);
      if (typeof fault === 'string') faults.push(fault);
    },
    signal: (call, participant, signal) => void receive(call, participant, signal),
    onLost: (calls) => lost.push(...calls),
  });
  async function receive(call: string, participant: string, { kind, data }: SfuSignal): Promise<void> {
    if (kind === 'sfu_slots') slots.set(participant, data.slots);
    else if (kind === 'sfu_reachable') peers.get(participant)?.reach(data);
    else {
      peers.get(participant)?.close();
      const peer = createMediaPeer(data);
      peers.set(participant, peer);
      sfu.answer(call, participant, await peer.answer);
    }
  }
  cleanUp.push(async () => {
    await sfu.close();
    for (const peer of peers.values()) peer.close();
  });
  const pass = (milliseconds: number): void => {
    time += milliseconds;
  };
  return { sfu, peers, slots, events, faults, processes, lost, port, pass };
}

async function connect({ sfu, peers }: World, call: string, participants: readonly string[]): Promise<MediaPeer[]> {
  for (const participant of participants) sfu.join(call, participant);
  await expect.poll(() => participants.every((participant) => peers.has(participant))).toBe(true);
  const connected = participants.flatMap((participant) => peers.get(participant) ?? []);
  await Promise.all(connected.map((peer) => peer.connected));
  return connected;
}

const ssrcsOf = (peer: MediaPeer | undefined): number[] =>
  [...new Set(peer?.received.filter((packet) => packet.readUInt8(1) === 111).map((packet) => packet.readUInt32BE(8)))].toSorted();

/** The speaker sends until a packet arrives: the process may open its side of a connection later than a client does. */
async function expectHeard(speaker: MediaPeer | undefined, listener: MediaPeer | undefined, slot: number): Promise<void> {
  let sequence = 0;
  const speak = (): number[] => {
    sequence += 1;
    speaker?.send(rtpPacket({ kind: 'voice', ssrc: 9, sequence }));
    return ssrcsOf(listener);
  };
  await expect.poll(speak).toEqual([ssrcOf(slot, 'voice')]);
}

describe('The forwarding unit', () => {
  it(
    'carries the voices of three participants through one port, and not those of another call',
    { timeout: 30_000 },
    async () => {
      const world = await createWorld();
      const [first, second, third] = await connect(world, 'one', ['a', 'b', 'c']);
      const [, stranger] = await connect(world, 'two', ['d', 'e']);
      expect(world.slots.get('a')).toEqual(['a', 'b', 'c']);
      for (const [index, peer] of [first, second, third].entries()) {
        for (let sequence = 0; sequence < 20; sequence += 1)
          peer?.send(rtpPacket({ kind: 'voice', ssrc: 500 + index, sequence }));
      }
      await expect.poll(() => ssrcsOf(first)).toEqual([ssrcOf(1, 'voice'), ssrcOf(2, 'voice')]);
      await expect.poll(() => ssrcsOf(second)).toEqual([ssrcOf(0, 'voice'), ssrcOf(2, 'voice')]);
      await expect.poll(() => ssrcsOf(third)).toEqual([ssrcOf(0, 'voice'), ssrcOf(1, 'voice')]);
      expect(ssrcsOf(stranger)).toEqual([]);
      world.sfu.leave('one', 'b');
      expect(world.slots.get('a')).toEqual(['a', null, 'c']);
    },
  );

  it('connects a participant who joins again, in the same slot', { timeout: 30_000 }, async () => {
    const world = await createWorld();
    const [, old] = await connect(world, 'one', ['a', 'b']);
    const told = world.slots.get('a');
    // A client that asks repeatedly gets one connection a second. All participants are notified of each.
    world.sfu.restart('one', 'b');
    expect(world.slots.get('a')).toBe(told);
    world.pass(1_000);
    world.sfu.restart('one', 'b');
    await expect.poll(() => world.peers.get('b') !== old).toBe(true);
    await world.peers.get('b')?.connected;
    expect(world.slots.get('a')).toEqual(['a', 'b']);
    await expectHeard(world.peers.get('b'), world.peers.get('a'), 1);
  });

  it('ignores a second answer to an offer', { timeout: 30_000 }, async () => {
    const world = await createWorld();
    const [first, second] = await connect(world, 'one', ['a', 'b']);
    const answer = await first?.answer;
    if (answer) world.sfu.answer('one', 'a', answer);
    // The process handles messages in order, so it has read the second answer when the third participant is connected.
    await connect(world, 'one', ['c']);
    await expectHeard(first, second, 0);
    expect(world.events).toEqual(['sfu_ready']);
  });

  it('ends its process with the last call, and starts it again for the next one', { timeout: 30_000 }, async () => {
    const world = await createWorld();
    await connect(world, 'one', ['a', 'b']);
    for (const participant of ['a', 'b']) world.sfu.leave('one', participant);
    world.peers.clear();
    await connect(world, 'two', ['a', 'b']);
    expect(world.events).toEqual(['sfu_ready', 'sfu_ready']);
    expect(world.lost).toEqual([]);
  });
});

/** A worker that runs a statement when a second participant arrives. */
function faultyWorker(statement: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sfu-'));
  cleanUp.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'worker.mjs');
  writeFileSync(
    file,
    `process.on('message', ({ slot }) => {
       if (slot === 1) ${statement};
     });
     process.on('disconnect', () => process.exit(0));
     // The server may have closed the channel.
     process.send({ kind: 'ready' }, (error) => error && process.exit(0));`,
  );
  return file;
}

describe('A failure of the forwarding unit', () => {
  it('After a crash all participants get new connections in a new process', { timeout: 30_000 }, async () => {
    const world = await createWorld();
    const old = new Set(await connect(world, 'one', ['a', 'b']));
    for (const pid of world.processes) process.kill(pid, 'SIGKILL');
    await expect.poll(() => [...world.peers.values()].every((peer) => !old.has(peer))).toBe(true);
    await Promise.all([...world.peers.values()].map((peer) => peer.connected));
    await expectHeard(world.peers.get('b'), world.peers.get('a'), 1);
    expect(world.events).toEqual(['sfu_ready', 'sfu_crashed', 'sfu_ready']);
    expect(world.lost).toEqual([]);
  });

  it('The third crash within a minute gives its calls up, and none begins with it for a minute', async () => {
    const world = await createWorld({ program: faultyWorker(`process.kill(process.pid, 'SIGSEGV')`) });
    world.sfu.join('one', 'a');
    await expect.poll(() => world.sfu.isAvailable()).toBe(true);
    world.sfu.join('one', 'b');
    await expect.poll(() => world.lost).toEqual(['one']);
    expect(world.sfu.isAvailable()).toBe(false);
    expect(world.events.filter((event) => event === 'sfu_crashed')).toHaveLength(3);
    world.pass(60_001);
    expect(world.sfu.isAvailable()).toBe(true);
    world.sfu.join('one', 'a');
    await expect.poll(() => world.events.at(-1)).toBe('sfu_ready');
  });

  it('A process that sends a malformed message is ended, which counts as a crash', async () => {
    const world = await createWorld({ program: faultyWorker(`process.send({ kind: 'offer' })`) });
    for (const participant of ['a', 'b']) world.sfu.join('one', participant);
    await expect.poll(() => world.lost).toEqual(['one']);
    expect(world.faults).toEqual(['malformed_message', 'malformed_message', 'malformed_message']);
  });

  it('A process that does not answer any more is ended, and all participants get new connections', async () => {
    const world = await createWorld();
    const old = new Set(await connect(world, 'one', ['a', 'b']));
    for (const pid of world.processes) process.kill(pid, 'SIGSTOP');
    await expect.poll(() => [...world.peers.values()].every((peer) => !old.has(peer))).toBe(true);
    await Promise.all([...world.peers.values()].map((peer) => peer.connected));
    expect(world.faults).toEqual(['unresponsive']);
  });

  it('It is not available if its library is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sfu-'));
    cleanUp.push(() => rmSync(folder, { recursive: true }));
    const program = join(folder, 'sfuWorker.mjs');
    copyFileSync(workerProgram, program);
    const world = await createWorld({ program });
    world.sfu.probe();
    await expect.poll(() => world.events).toEqual(['sfu_unavailable']);
    expect(world.sfu.isAvailable()).toBe(false);
  });

  it('It is not available if another program has its port', async () => {
    const socket = createSocket('udp4').bind(0);
    await once(socket, 'listening');
    cleanUp.push(() => void socket.close());
    const world = await createWorld({ port: socket.address().port });
    world.sfu.join('one', 'a');
    await expect.poll(() => world.lost).toEqual(['one']);
    expect(world.events).toEqual(['sfu_unavailable']);
    expect(world.sfu.isAvailable()).toBe(false);
  });

  it('A probe makes it available and leaves no process behind', async () => {
    const world = await createWorld();
    expect(world.sfu.isAvailable()).toBe(false);
    world.sfu.probe();
    await expect.poll(() => world.sfu.isAvailable()).toBe(true);
    await world.sfu.close();
    const socket = createSocket('udp4').bind(world.port);
    await once(socket, 'listening');
    socket.close();
  });
});

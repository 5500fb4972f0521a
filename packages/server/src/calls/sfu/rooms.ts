import { reasonOf } from '../../log/failure.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { Room } from './room.ts';
import { openTransport, type Transport, type TransportOptions } from './transport.ts';

/** Milliseconds between the checks of a room for what is due. */
const tickInterval = 100;

interface OpenConnection {
  readonly round: number;
  candidates: readonly string[];
  isAnswered: boolean;
  readonly transport: Transport;
}

interface Call {
  readonly room: Room;
  /** By slot. */
  readonly connections: Map<number, OpenConnection>;
}

export interface Rooms {
  apply(message: Exclude<ToWorker, { kind: 'ping' }>): void;
  close(): void;
}

/** The calls of this process: connects the rooms to the connections. */
export function createRooms(options: TransportOptions, tell: (message: FromWorker) => void): Rooms {
  const calls = new Map<string, Call>();
  const ticking = setInterval(() => {
    const now = performance.now();
    for (const { room } of calls.values()) room.tick(now);
  }, tickInterval);

  function callOf(id: string): Call {
    const call = calls.get(id) ?? { room: new Room(), connections: new Map() };
    calls.set(id, call);
    return call;
  }

  const isOpen = (id: string, slot: number, connection: OpenConnection): boolean =>
    calls.get(id)?.connections.get(slot) === connection;

  function close(id: string, slot: number): void {
    const call = calls.get(id);
    const connection = call?.connections.get(slot);
    if (!call || !connection) return;
    call.connections.delete(slot);
    call.room.leave(slot);
    connection.transport.close();
    if (call.room.isEmpty) calls.delete(id);
  }

  function open(id: string, slot: number, round: number): void {
    close(id, slot);
    const { room, connections } = callOf(id);
    room.join(slot);
    const transport = openTransport(options, {
      onOffer({ candidates, ...offer }) {
        connection.candidates = candidates;
        tell({ kind: 'offer', call: id, offer: { ...offer, slot, round } });
      },
      onOpen: () => room.open(slot, transport.send),
      onPacket: (packet) => room.receive(slot, packet, performance.now()),
      onLost(error) {
        if (!isOpen(id, slot, connection)) return;
        close(id, slot);
        if (error !== undefined) tell({ kind: 'failed', reason: reasonOf(error) });
      },
    });
    const connection: OpenConnection = { round, transport, candidates: [], isAnswered: false };
    connections.set(slot, connection);
  }

  return {
    apply(message) {
      const { call, slot, kind } = message;
      if (kind === 'open') return open(call, slot, message.round);
      if (kind === 'close') return close(call, slot);
      const connection = calls.get(call)?.connections.get(slot);
      // A browser that gets no answer to its request repeats it.
      if (connection?.round !== message.answer.round || connection.isAnswered) return undefined;
      connection.isAnswered = true;
      connection.transport.answer(message.answer);
      if (!isOpen(call, slot, connection)) return undefined;
      const { round, candidates } = connection;
      return tell({ kind: 'reachable', call, slot, reachable: { round, candidates: [...candidates] } });
    },
    close() {
      clearInterval(ticking);
      for (const [id, { connections }] of calls) for (const slot of connections.keys()) close(id, slot);
    },
  };
}

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { reasonOf } from '../../log/failure.ts';
import { type FromWorker, type ToWorker, toWorker } from './messages.ts';
import { createRooms, type Rooms } from './rooms.ts';

/** The process of the forwarding unit: `sfu.ts` starts it with the port and the address as arguments, and talks to it by messages. */

const [port = '', address] = process.argv.slice(2);

function tell(message: FromWorker): void {
  process.send?.(message, undefined, undefined, (error) => {
    // The server has ended while this process started.
    if (error) end();
  });
}

/** The threads of the library would keep the process alive. */
function end(): never {
  process.exit(0);
}

/** The library shares a taken port with its owner instead of reporting it. */
async function claimPort(): Promise<void> {
  const socket = createSocket('udp4');
  socket.bind({ port: Number(port), exclusive: true });
  await once(socket, 'listening');
  socket.close();
  await once(socket, 'close');
}

function apply(message: ToWorker, rooms: Rooms): void {
  if (message.kind === 'ping') tell({ kind: 'pong' });
  else rooms.apply(message);
}

// The server is gone. It ends this process with its last call, too.
process.on('disconnect', end);

try {
  await claimPort();
  const library = await import('node-datachannel');
  const rooms = createRooms({ library, port: Number(port), address }, tell);
  process.on('message', (message) => apply(toWorker.parse(message), rooms));
  tell({ kind: 'ready' });
} catch (error) {
  process.send?.({ kind: 'refused', reason: reasonOf(error) } satisfies FromWorker, end);
}

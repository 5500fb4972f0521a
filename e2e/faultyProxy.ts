/** A proxy between a browser and the product, which breaks the connection at a chosen byte. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * `request`: nothing of the request arrives. `body`: part of its body arrives. `answer`: the request is carried out,
 * and nothing of the answer returns. `half`: part of the answer returns.
 */
export type CutPoint = 'request' | 'body' | 'answer' | 'half';

export interface FaultyProxy {
  readonly url: string;
  /**
   * Cuts the next call of this name (`POST /api/v1/messages`). Later calls of that name fail, and so do events that
   * report its message, until `mend`. Resolves when the connection is cut.
   */
  cut(call: string, where: CutPoint): Promise<void>;
  mend(): void;
  close(): Promise<void>;
}

/** Bytes of the request body that arrive before a cut of kind `body`. */
const part = 50_000;

interface Fault {
  readonly call: string;
  readonly where: CutPoint;
  readonly happened: PromiseWithResolvers<void>;
  isOver: boolean;
  /** The server has the message and may send its event. */
  isKnown: boolean;
}

const events = 'GET /api/v1/events';

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  let fault: Fault | undefined;

  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    let call = '';
    let asked = 0;

    const cutOff = ({ happened }: Fault) => {
      near.resetAndDestroy();
      far.destroy();
      if (fault) fault.isOver = true;
      happened.resolve();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }

    near.on('data', (chunk: Buffer) => {
      const line = /^([A-Z]{3,7}) ([^ ?]+)/.exec(chunk.subarray(0, 300).toString('latin1'));
      if (line) {
        call = `${line[1]} ${line[2]}`;
        asked = 0;
      }
      asked += chunk.length;
      if (fault?.call === call) {
        if (fault.isOver || fault.where === 'request') return cutOff(fault);
        fault.isKnown = true;
        if (fault.where === 'body' && asked > part) {
          far.write(chunk.subarray(0, part - asked));
          return cutOff(fault);
        }
      }
      far.write(chunk);
      return undefined;
    });

    far.on('data', (chunk: Buffer) => {
      const broken = fault?.call === call && !fault.isOver ? fault : undefined;
      if (broken?.where === 'answer') cutOff(broken);
      else if (broken?.where === 'half') near.write(chunk.subarray(0, -4), () => cutOff(broken));
      else if (fault?.isKnown && call === events) near.resetAndDestroy();
      else near.write(chunk);
    });
  });

  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  return {
    url: `http://127.0.0.1:${address.port}`,
    cut(call, where) {
      const happened = Promise.withResolvers<void>();
      fault = { call, where, happened, isOver: false, isKnown: false };
      return happened.promise;
    },
    mend() {
      fault = undefined;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

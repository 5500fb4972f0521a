import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { type Order, type ReceivedCall, type ZulipOptions, done } from './orders.ts';
import type { Zulip } from './zulip.ts';

/** A `Zulip` in a separate process, as browser tests need it. */
export interface ZulipProcess extends Pick<Zulip, 'url' | 'fail' | 'close'> {
  restart(): Promise<void>;
  say(event: Parameters<Zulip['say']>[0]): Promise<void>;
  /** The calls since the start. */
  received(): Promise<readonly ReceivedCall[]>;
}

export async function startZulipProcess(options: ZulipOptions = {}): Promise<ZulipProcess> {
  const child = fork(join(import.meta.dirname, 'main.ts'), [JSON.stringify(options)], { execArgv: [] });
  const exit = once(child, 'exit');
  const [url]: unknown[] = await Promise.race([once(child, 'message'), exit]);
  let number = 0;
  const carryOut = async (order: Order) => {
    number += 1;
    const own = number;
    child.send({ number: own, ...order });
    for (;;) {
      const [message]: unknown[] = await once(child, 'message');
      const answer = done.parse(message);
      if (answer.number === own) return answer.received;
    }
  };
  return {
    url: z.url().parse(url),
    fail: async (fail = {}) => void (await carryOut({ fail })),
    say: async (event) => void (await carryOut({ say: event })),
    restart: async () => void (await carryOut({ isRestart: true })),
    received: () => carryOut({}),
    async close() {
      child.disconnect();
      await exit;
    },
  };
}

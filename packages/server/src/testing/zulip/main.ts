/** `startZulip` as a program. `zulipProcess.ts` starts it and sends it orders. */
import { order, zulipOptions } from './orders.ts';
import { startZulip } from './zulip.ts';

const zulip = await startZulip(zulipOptions.parse(JSON.parse(process.argv[2] ?? '{}')));
process.on('message', (message) => void carryOut(message));
process.on('disconnect', () => void zulip.close());
process.send?.(zulip.url);

async function carryOut(message: unknown): Promise<void> {
  const { number, fail, say, isRestart } = order.parse(message);
  if (fail) await zulip.fail(fail);
  if (say) zulip.say(say);
  if (isRestart) zulip.restart();
  process.send?.({ number, received: zulip.received });
}

/** Calls whose media go through the forwarding unit of the server. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from '@playwright/test';
import { ja } from '../packages/web/src/i18n/calls.ja.ts';
import { received } from './callProbe.ts';
import { button, expectAllHeard, expectReceived, meetingIn } from './meeting.ts';
import { expect, type Product, test } from './product.ts';
import { freePort, startProduct } from './server.ts';

/** The process of the forwarding unit, whose UDP port is its first argument. */
function forwardingProcesses(port: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [, program = '', first] = commandOf(pid);
      return program.endsWith('sfuWorker.mjs') && first === port;
    });
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

test('[R2.10] Three members hear each other through one UDP port of the server, and again after its process was killed', async ({
  browser,
}) => {
  const port = await freePort();
  const product = await startProduct({ CALLS_UDP_PORT: port, CALLS_THROUGH_SERVER: 'yes' });
  try {
    await callThrough(browser, product, port);
  } finally {
    await product.stop();
  }
});

async function callThrough(browser: Browser, product: Product, port: string): Promise<void> {
  const meeting = await meetingIn({ browser, product, stream: '大人数の通話', callers: ['tanaka', 'sato', 'suzuki'] });
  const [first, second, third] = [await meeting.join(), await meeting.join(), await meeting.join()];
  const present = [first, second, third];
  await expectAllHeard(present);
  // A mesh would have two.
  for (const { page } of present) expect((await received(page)).links).toHaveLength(1);
  await button(first, ja.controls.cameraOn).click();
  await expectReceived([second], 'cameraFrames');

  const [killed] = forwardingProcesses(port);
  if (killed === undefined) throw new Error('no process forwards media');
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => forwardingProcesses(port).filter((pid) => pid !== killed)).toHaveLength(1);
  await expectAllHeard(present);
  await expectReceived([second], 'cameraFrames');

  for (const { page } of present) await page.close();
  await expect.poll(() => forwardingProcesses(port)).toEqual([]);
}

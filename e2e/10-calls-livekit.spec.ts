/** Calls whose media go through a LiveKit server. */
import type { Browser, BrowserContext } from '@playwright/test';
import { callList, type CallState } from '../packages/protocol/src/calls.ts';
import { ja } from '../packages/web/src/i18n/calls.ja.ts';
import { authorOf } from './author.ts';
import { received } from './callProbe.ts';
import { type LivekitServer, livekitProgram, startLivekitServer } from './livekitServer.ts';
import { addressOf, button, type Caller, expectAllHeard, heardBy, meetingIn } from './meeting.ts';
import { expect, type Product, test } from './product.ts';
import { startProduct } from './server.ts';

const [first, second, third] = ['tanaka', 'sato', 'suzuki'];
const stream = '大人数の通話';

test('[R2.10] Three members talk through a LiveKit server, which loses and regains them', async ({ browser }, testInfo) => {
  if (livekitProgram === undefined) {
    console.log('LIVEKIT_SERVER names no program, so calls through LiveKit are not tried.');
    testInfo.skip();
    return;
  }
  const livekit = await startLivekitServer(livekitProgram);
  const product = await startProduct({ CALLS_THROUGH_SERVER: 'yes', ...livekit.environment });
  try {
    await callThrough(browser, product, livekit);
  } finally {
    await product.stop();
    await livekit.kill();
  }
});

async function callThrough(browser: Browser, product: Product, livekit: LivekitServer): Promise<void> {
  const asked: string[] = [];
  const faults: string[] = [];
  const onContext = (context: BrowserContext) => {
    context.on('request', (request) => asked.push(request.url()));
    context.on('page', (page) => page.on('websocket', (socket) => asked.push(socket.url())));
    context.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
  };
  const meeting = await meetingIn({ browser, product, stream, callers: [first, second, third], onContext });
  const arrived = await meeting.arrive();
  expect(asked.filter((address) => address.includes('livekit'))).toEqual([]);
  const tanaka = await arrived.join();
  const sato = await meeting.join();
  await expectAllHeard([tanaka, sato]);
  const suzuki = await meeting.join();
  const present = [tanaka, sato, suzuki];
  await expectAllHeard(present);
  await expect(sato.page.getByText(ja.tile.speaking).first()).toBeVisible();
  for (const { page } of present) expect((await received(page)).servers).toEqual([]);

  await button(tanaka, ja.controls.cameraOn).click();
  await expectMoreFrames(sato);
  await expectMoreFrames(suzuki);
  await button(tanaka, ja.controls.cameraOff).click();
  await button(sato, ja.controls.screenOn).click();
  await expectMoreFrames(tanaka);
  await button(sato, ja.controls.screenOff).click();
  await button(tanaka, ja.controls.cameraOn).click();
  await expectMoreFrames(suzuki);
  expect(faults).toEqual([]);

  await button(sato, ja.controls.mute).click();
  await expectHeard(tanaka, [suzuki]);
  await expectHeard(suzuki, [tanaka]);

  await livekit.kill();
  await expect(tanaka.page.getByText(ja.tile.links.reconnecting).first()).toBeVisible();
  await livekit.start();
  await expectHeard(suzuki, [tanaka]);
  await expectHeard(tanaka, [suzuki]);
  await expectHeard(sato, [tanaka, suzuki]);
  await expectMoreFrames(sato);
  await button(sato, ja.controls.unmute).click();
  await expectAllHeard(present);

  // Media do not need the product, and its restart leaves everybody in the room.
  await product.kill();
  await expectAllHeard(present);
  await product.start();
  await expect.poll(() => participantsIn(tanaka)).toHaveLength(3);
  await expectAllHeard(present);

  const room = await roomOf(tanaka);
  expect(await livekit.present(room)).toHaveLength(3);
  const author = await authorOf(product, addressOf(first));
  await author.removeFromStream(stream, addressOf(third));
  // Whether a member may still be in the call is examined with their next poll, which may wait for 20 seconds.
  await expect.poll(() => livekit.present(room), { timeout: 40_000 }).toHaveLength(2);
  await expectAllHeard([tanaka, sato]);

  await sato.page.close({ runBeforeUnload: true });
  await expect.poll(() => livekit.present(room)).toHaveLength(1);
  await button(tanaka, ja.controls.leave).click();
  await expect.poll(() => livekit.present(room)).toHaveLength(0);

  const origins = new Set(asked.map((address) => new URL(address).origin).filter((origin) => origin !== 'null'));
  const { LIVEKIT_URL: url = '' } = livekit.environment;
  // After a failure LiveKit's client also asks by http, which the content security policy does not allow.
  expect(origins.difference(new Set([product.url, url, url.replace(/^ws/, 'http')]))).toEqual(new Set());
}

/** The voices that the caller hears are those of the others, and of nobody else. */
const expectHeard = (caller: Caller, others: readonly Caller[]): Promise<void> =>
  expect(async () => expect(await heardBy(caller)).toEqual(others.map(({ member }) => member))).toPass({
    timeout: 40_000,
    intervals: [100],
  });

async function framesOf({ page }: Caller): Promise<number> {
  const { links } = await received(page);
  return links.reduce((sum, { cameraFrames, screenFrames }) => sum + cameraFrames + screenFrames, 0);
}

async function expectMoreFrames(caller: Caller): Promise<void> {
  const before = await framesOf(caller);
  await expect.poll(() => framesOf(caller), { intervals: [100] }).toBeGreaterThan(before);
}

/** After a restart of the product, a call is shown when somebody has joined it again. */
async function callOf({ page }: Caller): Promise<CallState | undefined> {
  return callList.parse(await page.evaluate(async () => (await fetch('/api/calls')).json())).calls[0];
}

const roomOf = async (caller: Caller): Promise<string> => `engawa-${(await callOf(caller))?.id}`;
const participantsIn = async (caller: Caller): Promise<readonly number[]> => (await callOf(caller))?.participants ?? [];

/** Calls of members whose browsers reach each other only through a TURN server. */
import { execFile } from 'node:child_process';
import { iceServersFor } from '../packages/server/src/calls/turn.ts';
import { ja } from '../packages/web/src/i18n/calls.ja.ts';
import { received } from './callProbe.ts';
import { button, type Caller, expectAllHeard, meetingIn, tiles } from './meeting.ts';
import { expect, test as base } from './product.ts';
import { type StartedProduct, startProduct } from './server.ts';
import { hasTurnServer, startTurnServer, type TurnServer } from './turnServer.ts';

/** A product whose calls can use a TURN server. */
interface Relay {
  readonly turn: TurnServer;
  readonly product: StartedProduct;
  /** Two members join a call in which nothing but the TURN server connects them. */
  two(ice?: RTCConfiguration): Promise<readonly [Caller, Caller]>;
}

const test = base.extend<{ relay: Relay }>({
  relay: async ({ browser }, provide, testInfo) => {
    if (!hasTurnServer) {
      console.log('There is no turnserver, so no call goes through one.');
      testInfo.skip();
    }
    const turn = await startTurnServer();
    const product = await startProduct({ TURN_URL: turn.url, TURN_SECRET: turn.secret });
    const two = async (ice: RTCConfiguration = {}) => {
      const meeting = await meetingIn({
        browser,
        product,
        stream: '中継の通話',
        callers: ['tanaka', 'sato'],
        ice: { iceTransportPolicy: 'relay', ...ice },
      });
      return [await meeting.join(), await meeting.join()] as const;
    };
    await provide({ turn, product, two });
    await product.stop();
    await turn.stop();
  },
});

/** The findings of `doctor` about the TURN server. */
function examined({ product: { dataDir }, turn: { url, secret } }: Relay): Promise<readonly unknown[]> {
  const environment = { ...process.env, DATA_DIR: dataDir, AUTH_MODE: 'fake', TURN_URL: url, TURN_SECRET: secret };
  return new Promise((resolve) => {
    // The exit code is 1 for a problem.
    execFile(process.execPath, ['dist/engawa.mjs', 'doctor', '--json'], { env: environment }, (_, output) => {
      const { findings } = JSON.parse(output);
      resolve(findings.filter(({ check }: { readonly check: string }) => check === 'turn'));
    });
  });
}

const linkOf = (caller: Caller, name: string) => tiles(caller).filter({ hasText: name });

test('[R2.10] Members hear each other through the TURN server, again after it was away, and by a button after it was away for long', async ({
  relay,
}) => {
  // The browsers notice a cut after seconds, and the product tries for 30 seconds.
  test.slow();
  const { turn } = relay;
  const [first, second] = await relay.two();
  const sides = [
    [first, '佐藤'],
    [second, '田中'],
  ] as const;
  const expectHeardAgain = async () => {
    for (const [caller, other] of sides)
      await expect(linkOf(caller, other)).toHaveAttribute('data-link', 'connected', { timeout: 60_000 });
    await expectAllHeard([first, second]);
    for (const { page } of [first, second]) expect((await received(page)).links).toHaveLength(1);
  };
  await expectAllHeard([first, second]);
  for (const { page } of [first, second]) expect((await received(page)).servers).toEqual([turn.url]);
  expect(await examined(relay)).toMatchObject([{ level: 'ok' }]);

  await turn.kill();
  for (const [caller, other] of sides) await expect(linkOf(caller, other)).toContainText(ja.tile.links.reconnecting);
  await turn.start();
  await expectHeardAgain();

  await turn.kill();
  expect(await examined(relay)).toMatchObject([{ level: 'problem' }]);
  for (const [caller, other] of sides) {
    await expect(linkOf(caller, other)).toContainText(ja.tile.links.noPath, { timeout: 60_000 });
    await expect(button(caller, ja.tile.reconnect)).toBeVisible();
  }
  await turn.start();
  // The newcomer makes the offers, so this side asks for one.
  await button(first, ja.tile.reconnect).click();
  await expectHeardAgain();
});

test('[R2.10] With expired credentials the TURN server relays nothing, and the tile of each member says that there is no path', async ({
  relay,
}) => {
  const { turn } = relay;
  const dayAgo = Date.now() / 1000 - 24 * 60 * 60;
  const [expired] = iceServersFor({ urls: [turn.url], secret: turn.secret }, 1, Math.floor(dayAgo));
  const { username = '', credential = '' } = expired ?? {};
  const iceServers = [{ urls: turn.url, username, credential }];
  const [first, second] = await relay.two({ iceServers });
  await expect(linkOf(first, '佐藤')).toContainText(ja.tile.links.noPath);
  await expect(linkOf(second, '田中')).toContainText(ja.tile.links.noPath);
  for (const { page } of [first, second])
    expect((await received(page)).links.map(({ isConnected }) => isConnected)).toEqual([false]);
});

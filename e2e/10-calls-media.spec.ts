/** Whether sound and pictures flow. The screens are the subject of `10-calls-screens.spec.ts`. */
import type { Browser, BrowserContext } from '@playwright/test';
import { ja } from '../packages/web/src/i18n/calls.ja.ts';
import { received } from './callProbe.ts';
import { addressOf, button, type Caller, expectAllHeard, expectHeard, expectReceived, meetingIn, tiles } from './meeting.ts';
import { expect, type Product, signedInContext, test } from './product.ts';

/** Joins the only call of the product without a browser. @returns leaves it. */
async function joinWithoutMedia(browser: Browser, product: Product, who: string): Promise<() => Promise<void>> {
  const { request } = await signedInContext(browser, product, addressOf(who));
  const headers = { Origin: product.url };
  const [{ id }] = (await (await request.get('/api/calls')).json()).calls;
  const state = { muted: true, camera: false, screen: false, listen_only: true };
  const joined = await request.post(`/api/calls/${id}/join`, { data: { state }, headers });
  const { participant } = await joined.json();
  return async () => {
    expect((await request.post(`/api/calls/${id}/leave?participant=${participant}`, { headers })).status()).toBe(200);
  };
}

const expectCameraBitrate = ({ page }: Caller, bitrate: number) =>
  expect.poll(async () => (await received(page)).cameraBitrate).toBe(bitrate);

/** So many connections of each caller send their voice. */
const expectVoicesSent = (present: readonly Caller[], expected: (caller: Caller) => number) =>
  expect
    .poll(() => Promise.all(present.map(async ({ page }) => (await received(page)).voicesSent)))
    .toEqual(present.map(expected));

const negotiationsOf = (present: readonly Caller[]) =>
  Promise.all(present.map(async ({ page }) => (await received(page)).negotiations));

/** Media goes on, and no connection is made or negotiated again. */
async function expectUnbroken(present: readonly Caller[], during: () => Promise<void>): Promise<void> {
  const connections = () => Promise.all(present.map(async ({ page }) => (await received(page)).links.length));
  const before = [await connections(), await negotiationsOf(present)];
  await during();
  await expectReceived(present, 'packets');
  expect([await connections(), await negotiationsOf(present)]).toEqual(before);
}

/** The members learn only by a signal that the server is away, such as the one of a muted microphone. */
async function expectServerAway(present: readonly Caller[]): Promise<void> {
  for (const caller of present) {
    await button(caller, ja.controls.mute).click();
    await expect(caller.page.getByText(ja.state.serverAway).first()).toBeVisible();
    await button(caller, ja.controls.unmute).click();
  }
}

const expectServerBack = async ({ page }: Caller) => expect(page.getByText(ja.state.serverAway)).toHaveCount(0);

test('[R2.10] Four members hear and see each other and share screens, with smaller pictures in larger calls, and ask only the server', async ({
  browser,
  product,
}) => {
  const requests = new Set<string>();
  const onContext = (context: BrowserContext) =>
    void context.on('request', (request) => requests.add(new URL(request.url()).origin));
  const callers = ['tanaka', 'sato', 'suzuki', 'ito'];
  const meeting = await meetingIn({ browser, product, stream: '通話の映像', callers, onContext });
  const [first, second] = [await meeting.join(), await meeting.join()];
  await expectAllHeard([first, second]);
  await button(first, ja.controls.cameraOn).click();
  await expectReceived([second], 'cameraFrames');
  await expectCameraBitrate(first, 1_200_000);

  const arrived = await meeting.arrive();
  const leave: (() => Promise<void>)[] = [];
  const fill = async (...names: readonly string[]) => {
    for (const who of names) leave.push(await joinWithoutMedia(browser, product, who));
  };
  await fill('kato', 'yamamoto');
  await expectCameraBitrate(first, 500_000);
  await expect(arrived.before).toContainText(ja.join.mutedAtFirst);
  const third = await arrived.join();
  await expectCameraBitrate(first, 150_000);
  await button(third, ja.controls.unmute).click();
  await expectAllHeard([first, second, third]);
  await fill('shimizu', 'yamaguchi');
  await expect(first.page.getByText(ja.state.camerasOff(7)).first()).toBeVisible();
  for (const each of leave) await each();

  const present = [first, second, third];
  const fourth = await meeting.join();
  await expectAllHeard([...present, fourth]);
  await test.step('A closed tab leaves the call by itself, not when its lease ends', async () => {
    const left = first.page.waitForResponse(
      async (answer) => answer.url().includes('/signals?') && (await answer.text()).includes('"reason":"left"'),
    );
    await fourth.page.close({ runBeforeUnload: true });
    await left;
    for (const caller of present) await expect(tiles(caller)).toHaveCount(3);
  });

  await test.step('Cameras and a screen are shown without another negotiation', async () => {
    const before = await negotiationsOf(present);
    for (const caller of present) await button(caller, ja.controls.cameraOn).click();
    await expectReceived(present, 'cameraFrames', 2);
    await button(second, ja.controls.cameraOff).click();
    await expect(tiles(third).getByLabel(ja.tile.camera('佐藤 美咲'))).toBeHidden();
    await button(first, ja.controls.screenOn).click();
    await expectReceived([second, third], 'screenFrames');
    await button(second, ja.controls.cameraOn).click();
    await expect(tiles(third).getByLabel(ja.tile.camera('佐藤 美咲'))).toBeVisible();
    await expectReceived([first, third], 'cameraFrames', 2);
    await button(third, ja.controls.screenOn).click();
    await expect(button(first, ja.controls.screenOn)).toBeVisible();
    await expectReceived([first, second], 'screenFrames');
    expect(await negotiationsOf(present)).toEqual(before);
  });

  expect([...requests]).toEqual([product.url]);
  for (const { page } of present) expect((await received(page)).servers).toEqual([]);
});

test('[R2.10] Each of eight members hears the seven others, as many as a call between browsers may have', async ({
  browser,
  product,
}) => {
  test.slow();
  const callers = ['kondo', 'inoue', 'matsumoto', 'yoshida', 'hayashi', 'aoki', 'ito', 'sato'];
  const meeting = await meetingIn({ browser, product, stream: '八人の通話', callers });
  const present: Caller[] = [];
  while (present.length < callers.length) {
    const caller = await meeting.join();
    // The fifth and later members join muted. They speak one after the other, because eight voices at once fill two processors.
    if (present.push(caller) <= 4) await button(caller, ja.controls.mute).click();
  }
  // The first was muted before the second joined.
  await expectVoicesSent(present, ({ member }) => ([1, 2, 3].includes(member) ? 7 : 0));
  for (const speaker of present) {
    await button(speaker, ja.controls.unmute).click();
    for (const listener of present) await expectHeard(listener, listener === speaker ? [] : [speaker]);
    await button(speaker, ja.controls.mute).click();
  }
});

test('[R2.10] A call goes on while the server is away or killed, and members leave it by a crash or by losing the stream', async ({
  browser,
  product,
}) => {
  // A lease is 30 seconds.
  test.slow();
  const stream = '通話と網';
  const meeting = await meetingIn({ browser, product, stream, callers: ['kato', 'yamamoto', 'shimizu', 'yamaguchi'] });
  const [first, second, crashed] = [await meeting.join(), await meeting.join(), await meeting.join()];
  const present = [first, second];
  await expectAllHeard([...present, crashed]);
  const participants = async () => (await (await second.page.request.get('/api/calls')).json()).calls[0].participants.length;

  await test.step('A crashed participant leaves with their lease, and one who only lost the server stays', async () => {
    const browserOfCrashed = await crashed.page.context().newCDPSession(crashed.page);
    const crash = crashed.page.waitForEvent('crash');
    // Is never answered, because the page is gone.
    void browserOfCrashed.send('Page.crash').catch(() => undefined);
    await crash;
    await expectUnbroken(present, async () => {
      await first.page.context().setOffline(true);
      await expectServerAway([first]);
      await expect.poll(participants, { timeout: 90_000 }).toBe(1);
      await expect(tiles(second)).toHaveCount(2);
      await expectReceived(present, 'packets');
    });
    await expectUnbroken(present, async () => {
      await first.page.context().setOffline(false);
      await expectServerBack(first);
      await expect.poll(participants).toBe(2);
    });
    await expectAllHeard(present);
    for (const caller of present) await expect(tiles(caller)).toHaveCount(2);
  });

  await test.step('A newcomer hears everybody after a restart of the server', async () => {
    await expectUnbroken(present, async () => {
      await product.kill();
      await expectServerAway(present);
      await expectReceived(present, 'packets');
      await product.start();
      for (const caller of present) await expectServerBack(caller);
    });
    const newcomer = await meeting.join();
    await expectAllHeard([...present, newcomer]);
    await newcomer.page.close({ runBeforeUnload: true });
    for (const caller of present) await expect(tiles(caller)).toHaveCount(2);
  });

  await test.step('A member who is removed from the stream loses its call', async () => {
    const parameters = new URLSearchParams({
      subscriptions: JSON.stringify([stream]),
      principals: JSON.stringify([addressOf('yamamoto')]),
    });
    const path = `/api/v1/users/me/subscriptions?${parameters.toString()}`;
    const removed = await first.page.request.delete(path, { headers: { Origin: product.url } });
    expect(removed.status()).toBe(200);
    // The server looks at the membership with every signal and poll, of which this is the next one.
    await button(second, ja.controls.mute).click();
    await expect(second.page.getByText(ja.ended.removed)).toBeVisible();
    await expect.poll(async () => (await received(second.page)).links.filter(({ isConnected }) => isConnected)).toEqual([]);
    await expect(tiles(first)).toHaveCount(1);
  });
});

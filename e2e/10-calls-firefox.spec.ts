/** Calls between Firefox and Chromium. The member who comes later makes the offers, so each browser comes later once. */
import type { Page } from 'puppeteer-core';
import { ja } from '../packages/web/src/i18n/calls.ja.ts';
import { heard, isTone, probeScript, received } from './callProbe.ts';
import { button as inFirefox, openFirefox } from './firefox.ts';
import { addressOf, button, type Caller, expectReceived, meetingIn, type Participant, tiles } from './meeting.ts';
import { expect, type Product, test as base } from './product.ts';

/** The sound of Firefox's fake microphone, in hertz. */
const beep = 1000;

const test = base.extend<{ firefox: Page }>({
  firefox: async ({ product }, provide, testInfo) => {
    const firefox = await openFirefox(testInfo, {
      'media.navigator.streams.fake': true,
      'media.navigator.permission.disabled': true,
    });
    const page = await firefox.newPage();
    page.setDefaultTimeout(20_000);
    await page.evaluateOnNewDocument(probeScript);
    await signIn(page, product);
    await provide(page);
    await firefox.close();
  },
});

async function signIn(page: Page, { url }: Product): Promise<void> {
  await page.goto(`${url}/logout`);
  await page.evaluate(async (email) => {
    const headers = { 'Content-Type': 'application/json' };
    await fetch('/api/session', { method: 'POST', body: JSON.stringify({ email }), headers });
  }, addressOf('kato'));
  await page.reload();
}

/** Both hear and see each other. Firefox has no sound output here, so only the energy of what it receives is known. */
async function expectBothWays(caller: Caller, other: Participant): Promise<void> {
  await expect.poll(async () => (await heard(caller.page)).some(isTone(beep)), { intervals: [100] }).toBe(true);
  await expect.poll(async () => (await received(other.page)).links.at(-1)?.energy).toBeGreaterThan(0.1);
  await expectReceived([caller, other], 'cameraFrames');
}

const press = (page: Page, name: string) => page.locator(inFirefox(name)).click();

test('[R2.10] Members in Firefox and Chromium hear and see each other and their screens, in either order of joining', async ({
  browser,
  product,
  firefox,
}) => {
  const errors: unknown[] = [];
  firefox.on('pageerror', (error) => errors.push(error));
  const meeting = await meetingIn({ browser, product, stream: 'Firefox との通話', callers: ['tanaka', 'sato'] });
  const first = await meeting.join('video');
  const inCall: Participant = {
    member: 2,
    page: { evaluate: async <Answer>(expression: string) => firefox.evaluate<[], () => Promise<Answer>>(expression) },
  };
  await firefox.goto(product.url + meeting.address);
  await firefox.locator(`main ${inFirefox(ja.ongoing.join)}`).click();
  await firefox.locator(`dialog ${inFirefox(ja.join.join)}`).click();
  await expectBothWays(first, inCall);
  await button(first, ja.controls.screenOn).click();
  await expectReceived([inCall], 'screenFrames');
  await press(firefox, ja.controls.screenOn);
  await expectReceived([first], 'screenFrames');
  await press(firefox, ja.controls.screenOff);

  await button(first, ja.controls.leave).click();
  const second = await meeting.join('video');
  await expect(tiles(second)).toHaveCount(2);
  await expectBothWays(second, inCall);
  await button(second, ja.controls.screenOn).click();
  await expectReceived([inCall], 'screenFrames');
  expect(errors).toEqual([]);
});

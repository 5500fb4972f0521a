/** A call in front of Zulip, which is another process. Rings arrive through the live channel of the product. */
import type { Browser, Locator, Page } from '@playwright/test';
import { ja } from '../packages/web/src/i18n/calls.ja.ts';
import { startZulipProcess, type ZulipProcess } from '../packages/server/src/testing/zulip/zulipProcess.ts';
import { installProbe } from './callProbe.ts';
import { expectAllHeard } from './meeting.ts';
import { expect, type Product, signedInContext, test } from './product.ts';
import { field, messages } from './screen.ts';
import { startProduct } from './server.ts';

const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });
const ring = (page: Page): Locator => page.getByRole('alertdialog');
const card = (page: Page): Locator => messages(page).last();

/** The direct conversation of two members, in the page of the first. Each member sends a different tone. */
async function directPage(browser: Browser, product: Product, [own, other]: readonly [string, string], member: number) {
  const credentials = { email: `${own}@engawa.example`, password: 'demo' };
  const context = await signedInContext(browser, product, credentials);
  await installProbe(context, member);
  const page = await context.newPage();
  const { members } = await (await context.request.get('/api/v1/users')).json();
  const idOf = (name: string) => members.find((each: { readonly full_name: string }) => each.full_name === name).user_id;
  await page.goto(
    `/#/direct/${[names[own], names[other]]
      .map((name) => idOf(name ?? ''))
      .toSorted((a, b) => a - b)
      .join()}`,
  );
  await expect(field(page)).toBeVisible();
  return { member, page };
}

const names: Readonly<Record<string, string>> = { tanaka: '田中 翔', sato: '佐藤 美咲' };

async function start(page: Page): Promise<void> {
  await button(page.getByRole('main'), ja.kinds.audio).click();
  await button(page.getByRole('dialog', { name: ja.kinds.audio }), ja.join.start).click();
}

async function leave(page: Page): Promise<void> {
  const left = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/leave'));
  await button(page, '退出').first().click();
  await left;
}

test('[R2.10] [R7.8] In front of Zulip a call rings, both members hear each other, and it leaves a card that a reload keeps', async ({
  browser,
}) => {
  const zulip = await startZulipProcess({ callsPerMinute: 1000 });
  const product = await startProduct({ AUTH_MODE: 'password', ZULIP_SITE: zulip.url });
  try {
    await callInFrontOfZulip(browser, product, zulip);
  } finally {
    await product.stop();
    await zulip.close();
  }
});

async function callInFrontOfZulip(browser: Browser, product: Product, zulip: ZulipProcess): Promise<void> {
  const caller = await directPage(browser, product, ['tanaka', 'sato'], 0);
  const callee = await directPage(browser, product, ['sato', 'tanaka'], 1);

  await test.step('A call that is not answered is missed', async () => {
    await start(caller.page);
    await expect(ring(callee.page)).toContainText('田中 翔');
    await leave(caller.page);
    await expect(ring(callee.page)).toBeHidden();
    await expect(callee.page.getByRole('region', { name: '不在着信' })).toContainText(/田中 翔/);
    await expect(card(callee.page)).toContainText('音声通話・応答なし');
  });

  await test.step('A call that is answered is heard on both sides', async () => {
    await start(caller.page);
    await button(ring(callee.page), '音声で出る').click();
    await expectAllHeard([caller, callee]);
    await expect(card(caller.page)).toContainText('音声通話・通話中・2 人');
  });

  await test.step('The call goes on while Zulip is away, and after a restart of the product', async () => {
    await zulip.fail({ down: true });
    await button(caller.page, 'マイクを切る').click();
    const other = callee.page
      .getByRole('list', { name: /^参加者/ })
      .getByRole('listitem')
      .filter({ hasText: '田中 翔' });
    await expect(other).toContainText('マイクはオフ');
    await button(caller.page, ja.controls.unmute).click();
    await expect(other).not.toContainText('マイクはオフ');
    await zulip.fail({});
    await product.kill();
    await product.start();
    await expectAllHeard([caller, callee]);
  });

  await test.step('The card of the call has its participants, also after a reload', async () => {
    await leave(callee.page);
    await leave(caller.page);
    for (const { page } of [caller, callee]) {
      await expect(card(page)).toContainText(/音声通話・(1 分未満|[1-4] 分)・2 人/);
      await page.reload();
      await expect(card(page)).toContainText(/音声通話・(1 分未満|[1-4] 分)・2 人/);
    }
  });
}

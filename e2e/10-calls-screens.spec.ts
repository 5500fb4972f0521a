/** The screens of calls. Whether sound and pictures really flow is the subject of `10-calls-media.spec.ts`. */
import type { Browser, Locator, Page } from '@playwright/test';
import { ja } from '../packages/web/src/i18n/calls.ja.ts';
import type { CallShortcutId } from '../packages/web/src/features/help/shortcuts.ts';
import { checkScreen } from './checkScreen.ts';
import { open } from './messageList.ts';
import { expect, type Product, signedInPage, signIn, test, visitorPage } from './product.ts';
import { field, header, messages, rail } from './screen.ts';
import { freePort, startProduct } from './server.ts';

const [tanaka, sato, suzuki, ito] = [
  'tanaka@engawa.example',
  'sato@engawa.example',
  'suzuki@engawa.example',
  'ito@engawa.example',
];
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const ring = (page: Page): Locator => page.getByRole('alertdialog');
const panel = (page: Page): Locator => page.getByRole('region', { name: ja.panel, exact: true });
const banner = (page: Page): Locator => page.getByRole('region', { name: ja.ongoing.label });
const tiles = (page: Page): Locator => page.getByRole('list', { name: /^参加者/ }).getByRole('listitem');
const card = (page: Page): Locator => messages(page).last();

async function openDirect(page: Page, email: string): Promise<void> {
  const [{ members }, me] = await Promise.all(
    ['/api/v1/users', '/api/v1/users/me'].map(async (path) => (await page.request.get(path)).json()),
  );
  const { user_id: other } = members.find((member: { readonly email: string }) => member.email === email);
  await page.goto(`/#/direct/${[me.user_id, other].toSorted((one, two) => one - two).join()}`);
  await expect(field(page)).toBeVisible();
}

/** Opens the dialog of a call and starts it. */
async function start(page: Page, kind: 'audio' | 'video' = 'audio'): Promise<void> {
  await button(page.getByRole('main'), ja.kinds[kind]).click();
  await button(dialog(page, ja.kinds[kind]), ja.join.start).click();
}

/** Leaves the call, and waits until the server knows it, because the next test begins another one. */
async function leave(page: Page): Promise<void> {
  const left = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/leave'));
  await button(page, '退出').first().click();
  await left;
}

/**
 * A member who has opened the direct conversation with the other one, who is on the main screen. The calls of a conversation ring
 * a member at most three times in ten minutes.
 */
async function two(browser: Browser, product: Product, one: string, other: string): Promise<readonly [Page, Page]> {
  const [caller, callee] = await Promise.all([signIn(browser, product, one), signIn(browser, product, other)]);
  await openDirect(caller, other);
  return [caller, callee];
}

test('[R2.8, R2.10] A caller without a microphone is told so; with one, the call rings, both members see each other, and it leaves a card', async ({
  browser,
  product,
}) => {
  const [caller, callee] = await two(browser, product, tanaka, sato);
  await caller.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException('', 'NotAllowedError');
    };
  });
  await button(caller.getByRole('main'), 'ビデオ通話').click();
  const refused = dialog(caller, 'ビデオ通話');
  await expect(refused.getByRole('alert').first()).toContainText(ja.problems.refused);
  await expect(button(refused, ja.join.listen)).toBeFocused();
  await checkScreen(caller, '76i call, without a microphone');
  await caller.keyboard.press('Escape');
  await expect(refused).toBeHidden();
  await caller.evaluate(() => Reflect.deleteProperty(navigator.mediaDevices, 'getUserMedia'));

  await button(caller.getByRole('main'), '音声通話').click();
  const before = dialog(caller, '音声通話');
  await expect(before).toContainText('佐藤 美咲');
  await expect(before).toContainText('8 人まで参加できます。');
  await expect(before.getByRole('combobox', { name: 'マイク' })).toBeVisible();
  await expect(button(before, 'テスト音を鳴らす')).toBeVisible();
  await checkScreen(caller, '76 call, before joining');
  await button(before, '通話を始める').click();
  await expect(panel(caller)).toContainText('呼び出しています…');

  await expect(ring(callee)).toContainText('田中 翔');
  await checkScreen(callee, '76b call, incoming');
  await button(ring(callee), '音声で出る').click();
  await expect(ring(callee)).toBeHidden();
  for (const [page, other] of [
    [caller, '佐藤 美咲'],
    [callee, '田中 翔'],
  ] as const) {
    await expect(tiles(page)).toHaveCount(2);
    await expect(tiles(page).filter({ hasText: other })).toHaveAttribute('data-link', 'connected');
    await expect(tiles(page).filter({ hasText: 'あなた' })).toBeVisible();
  }
  await expect(card(caller)).toContainText('音声通話・通話中・2 人');
  await button(callee, 'マイクを切る').click();
  await expect(tiles(caller).filter({ hasText: '佐藤 美咲' })).toContainText('マイクはオフ');
  await expect(caller.getByRole('status').filter({ hasText: '佐藤 美咲さんがマイクを切りました' })).toBeAttached();
  await checkScreen(callee, '76c call');

  await rail(callee, '設定').click();
  await expect(tiles(callee)).toHaveCount(2);
  await leave(callee);
  await expect(panel(callee)).toBeHidden();
  await expect(tiles(caller)).toHaveCount(1);
  await leave(caller);
  await expect(card(caller)).toContainText(/音声通話・(1 分未満|[1-4] 分)・2 人/);
  await checkScreen(caller, '76d call, its card');
});

test('[R2.10] An answer on one device stops the ringing of all: a declined call is over, an answered one can be taken over', async ({
  browser,
  product,
}) => {
  const [caller, desk] = await two(browser, product, tanaka, sato);
  const mobile = await signedInPage(browser, product, sato, phone);
  await mobile.goto('/');
  await start(caller);
  await expect(ring(mobile)).toBeVisible();
  await button(ring(desk), '出ない').click();
  for (const page of [desk, mobile]) await expect(ring(page)).toBeHidden();
  await expect(panel(caller).getByText('いまは出られないとのことです。').first()).toBeVisible();
  await leave(caller);

  await start(caller);
  await expect(ring(mobile)).toBeVisible();
  await button(ring(desk), '音声で出る').click();
  await expect(ring(mobile)).toBeHidden();
  await expect(tiles(desk)).toHaveCount(2);
  for (const page of [desk, mobile]) await expect(page.getByText('不在着信')).toHaveCount(0);

  await openDirect(mobile, tanaka);
  await button(banner(mobile), '参加する').click();
  await button(dialog(mobile, '音声通話'), '参加する').click();
  await expect(dialog(mobile, '音声通話')).toContainText('別の端末で通話中です。こちらに切り替えますか？');
  await button(dialog(mobile, '音声通話'), 'こちらに切り替える').click();
  await expect(tiles(mobile)).toHaveCount(2);
  await expect(desk.getByText('通話を別の端末またはタブに切り替えました。')).toBeVisible();
  for (const page of [caller, mobile]) await leave(page);
});

test('[R2.8, R2.10] A stream of more than ten does not ring; its header and a banner lead into the call, and another tab takes it over', async ({
  browser,
  product,
}) => {
  const [caller, other] = [await signIn(browser, product, tanaka), await signIn(browser, product, sato)];
  for (const page of [caller, other]) await open(page, '全社アナウンス');
  await start(caller);
  await expect(panel(caller)).toContainText('ほかの参加者を待っています');
  await expect(banner(other)).toContainText('田中 翔さんが通話中です');
  await expect(ring(other)).toHaveCount(0);
  await checkScreen(other, '76f call, ongoing in a stream');
  await expect(button(other.getByRole('main'), 'ビデオ通話')).toHaveCount(0);
  await other.locator('main header').getByRole('button', { name: '参加する' }).click();
  await expect(dialog(other, '音声通話')).toContainText('田中 翔さんが参加しています。');
  await button(dialog(other, '音声通話'), '参加する').click();
  await expect(tiles(caller)).toHaveCount(2);
  await expect(banner(other)).toHaveCount(0);

  const tab = await caller.context().newPage();
  await tab.goto('/');
  await expect(button(tab, '通話中のタブへ')).toBeVisible();
  await checkScreen(tab, '76h call, in another tab');
  await button(tab, 'このタブに切り替える').click();
  const question = dialog(tab, '音声通話');
  await expect(question).toContainText('別のタブで通話中です。こちらに切り替えますか？');
  await button(question, 'こちらに切り替える').click();
  await expect(tiles(tab)).toHaveCount(2);
  await expect(tiles(caller)).toHaveCount(0);
  for (const page of [other, tab]) await leave(page);
  await expect(button(other.getByRole('main'), 'ビデオ通話')).toBeVisible();
});

/** Uses each shortcut of calls, in the order in which a call needs them. */
const byKeyboard: Readonly<Record<CallShortcutId, (page: Page) => Promise<void>>> = {
  async callDecline(page) {
    await page.keyboard.press('Control+Shift+D');
    await expect(ring(page)).toBeHidden();
  },
  async callAccept(page) {
    await page.keyboard.press('Control+Shift+A');
    await expect(tiles(page)).toHaveCount(2);
  },
  async callMute(page) {
    await page.keyboard.press('m');
    await expect(button(page, 'マイクを入れる')).toBeVisible();
  },
  async callTalk(page) {
    await page.keyboard.down('Space');
    await expect(panel(page)).toContainText('話せます');
    await page.keyboard.up('Space');
    await expect(panel(page)).not.toContainText('話せます');
  },
  async callCamera(page) {
    await page.keyboard.press('v');
    await expect(tiles(page).getByLabel('自分の映像')).toBeVisible();
    await page.keyboard.press('v');
    await expect(tiles(page).getByLabel('自分の映像')).toHaveCount(0);
  },
};

test('[R2.10, R2.21] A member misses a call, then answers and uses one by keyboard alone, and their partner uses it on a phone', async ({
  browser,
  product,
}) => {
  const mobile = await signedInPage(browser, product, suzuki, phone);
  await openDirect(mobile, ito);
  const page = await signIn(browser, product, ito);
  await start(mobile);
  await expect(ring(page)).toBeVisible();
  await leave(mobile);
  await expect(ring(page)).toBeHidden();
  const notice = page.getByRole('region', { name: '不在着信' });
  await expect(notice).toContainText(/不在着信（鈴木 .+さん、\d\d:\d\d）/);
  await checkScreen(page, '76e call, missed');
  await expect(card(mobile)).toContainText('音声通話・応答なし');
  await button(notice, 'かけ直す').click();
  await expect(dialog(page, '音声通話')).toContainText('鈴木');
  await expect(notice).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(dialog(page, '音声通話')).toBeHidden();

  await field(page).focus();
  await start(mobile);
  await expect(ring(page)).toBeVisible();
  await expect(field(page)).toBeFocused();
  await byKeyboard.callDecline(page);
  await expect(mobile.getByRole('paragraph').filter({ hasText: 'いまは出られないとのことです。' })).toBeVisible();
  await leave(mobile);
  await start(mobile);
  await expect(ring(page)).toBeVisible();
  await byKeyboard.callAccept(page);
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('m');
  await expect(field(page)).toHaveValue('m');
  await page.getByRole('log').focus();
  await byKeyboard.callMute(page);
  await byKeyboard.callTalk(page);
  await byKeyboard.callCamera(page);

  const whole = mobile.getByRole('dialog');
  await expect(tiles(mobile)).toHaveCount(2);
  await button(whole, '小さくする').tap();
  await expect(panel(mobile)).toContainText('伊藤');
  await expect(tiles(mobile)).toHaveCount(0);
  await expect(field(mobile)).toBeVisible();
  await panel(mobile)
    .getByRole('button', { name: /通話を開く$/ })
    .tap();
  await checkScreen(mobile, '76g call, the whole window');
  await button(page, '退出').press('Enter');
  await expect(panel(page)).toBeHidden();
  await leave(mobile);
});

test('[R2.10] Over http from another machine the dialog says that the browser needs https', async ({ browser }) => {
  const PORT = await freePort();
  const product = await startProduct({ PORT, ALLOWED_HOSTS: 'engawa.test' });
  try {
    const page = await visitorPage(browser, { ...product, url: `http://engawa.test:${PORT}` });
    await page.goto('/');
    await expect(header(page)).toBeVisible();
    await button(page.getByRole('main'), '音声通話').click();
    await expect(dialog(page, '音声通話').getByRole('alert').first()).toContainText(ja.problems.insecure);
  } finally {
    await product.stop();
  }
});

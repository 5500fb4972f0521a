import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from '@playwright/test';
import { ja as administration } from '../packages/web/src/i18n/administration.ja.ts';
import { ja as words } from '../packages/web/src/i18n/hooks.ja.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, signIn, test, type Product } from './product.ts';
import { rail } from './screen.ts';

const panel = (page: Page): Locator => page.getByRole('tabpanel');
const dialog = (page: Page): Locator => page.getByRole('dialog');
const row = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: words.list }).getByRole('listitem').filter({ hasText: name });
const payload = (name: string): string =>
  readFileSync(new URL(`../packages/server/src/hooks/incoming/payloads/${name}.json`, import.meta.url), 'utf8');

async function openHooks(page: Page): Promise<void> {
  await rail(page, '設定').click();
  await panel(page).getByRole('button', { name: words.heading, exact: true }).click();
}

/** @returns the address that the dialog shows once. */
async function createHook(page: Page, name: string, stream: string): Promise<string> {
  await panel(page).getByRole('button', { name: words.create }).click();
  await dialog(page).getByLabel(words.name).fill(name);
  await dialog(page).getByLabel(words.stream).selectOption({ label: stream });
  await dialog(page).getByRole('button', { name: words.create }).click();
  await expect(dialog(page).getByText(words.once)).toBeVisible();
  return dialog(page).getByLabel(words.address, { exact: true }).inputValue();
}

/** As another program does, without the cookie of a browser. */
async function post(address: string, body: string): Promise<string> {
  const answer = await fetch(address, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  return answer.text();
}

async function at(browser: Browser, product: Product, email: string): Promise<Page> {
  return signIn(browser, product, email, { viewport: { width: 1440, height: 900 } });
}

test('A member creates a hook, posts at its address, sees what it refused, and deletes it', async ({ browser, product }) => {
  const page = await at(browser, product, 'tanaka@engawa.example');
  await openHooks(page);
  await expect(panel(page).getByText(words.none)).toBeVisible();
  await panel(page).getByRole('button', { name: words.create }).click();
  await dialog(page).getByRole('button', { name: words.create }).click();
  await expect(dialog(page).getByText(words.nameMissing)).toBeVisible();
  await dialog(page).getByRole('button', { name: words.cancel }).click();

  const address = await createHook(page, '監視くん', 'プロダクト開発部');
  await dialog(page).getByLabel(words.format).selectOption({ label: words.formats.zabbix });
  const external = await dialog(page).getByLabel(words.address, { exact: true }).inputValue();
  await dialog(page).getByRole('button', { name: words.close }).last().click();
  expect(await post(address, '{"text":"*完了*"}')).toBe('ok');
  expect(await post(external, payload('zabbix'))).toContain('success');
  expect(await post(address, '{')).toBe('invalid_payload');

  await page.reload();
  await openHooks(page);
  await expect(row(page, '監視くん')).toContainText('プロダクト開発部');
  await expect(row(page, '監視くん')).toContainText(words.errors.invalid_payload);
  await row(page, '監視くん').getByRole('button', { name: words.renew }).click();
  await dialog(page).getByRole('button', { name: words.renew }).click();
  await expect(dialog(page).getByText(words.once)).toBeVisible();
  expect(await dialog(page).getByLabel(words.address, { exact: true }).inputValue()).not.toBe(address);
  await dialog(page).getByRole('button', { name: words.close }).last().click();
  expect(await post(address, '{"text":"x"}')).toBe('no_service');

  await row(page, '監視くん').getByRole('button', { name: words.delete }).click();
  await dialog(page).getByRole('button', { name: words.delete }).click();
  await expect(panel(page).getByText(words.none)).toBeVisible();
});

test('The form, the address and the list of hooks are accessible and fit every window', async ({ browser, product }) => {
  test.slow();
  const page = await at(browser, product, 'suzuki@engawa.example');
  await openHooks(page);
  await panel(page).getByRole('button', { name: words.create }).click();
  await dialog(page).getByRole('button', { name: words.create }).click();
  await checkScreen(page, '83g settings, a hook is created');
  await dialog(page).getByRole('button', { name: words.cancel }).click();
  await panel(page).getByRole('button', { name: words.create }).click();
  await dialog(page).getByLabel(words.name).fill('監視くん 二号');
  await dialog(page).getByLabel(words.stream).selectOption({ index: 1 });
  await dialog(page).getByRole('button', { name: words.create }).click();
  await checkScreen(page, '83h settings, the address of a hook');
  const address = await dialog(page).getByLabel(words.address, { exact: true }).inputValue();
  await dialog(page).getByRole('button', { name: words.close }).last().click();
  await post(address, '{');
  await page.reload();
  await openHooks(page);
  await expect(row(page, '監視くん 二号')).toContainText(words.errors.invalid_payload);
  await checkScreen(page, '83i settings, hooks');
});

test('A message of a hook shows its colour, its title as a link, its fields in two columns and its footer', async ({
  browser,
  product,
}) => {
  const page = await at(browser, product, 'sato@engawa.example');
  await openHooks(page);
  const address = await createHook(page, '通知係', 'プロダクト開発部');
  await dialog(page).getByLabel(words.format).selectOption({ label: words.formats.grafana });
  const external = await dialog(page).getByLabel(words.address, { exact: true }).inputValue();
  await dialog(page).getByRole('button', { name: words.close }).last().click();
  await rail(page, 'ストリーム').click();
  await page
    .getByRole('list', { name: 'ストリームの一覧' })
    .getByRole('link', { name: /プロダクト開発部/ })
    .click();
  await post(address, payload('slackAttachment'));
  await post(external, payload('grafana'));
  await post(external.replace('/grafana?', '/gitlab?'), payload('gitlabPush'));

  const message = page.getByRole('article').filter({ hasText: 'High memory usage' });
  const title = message.getByRole('link', { name: 'High memory usage' });
  await expect(title).toHaveAttribute('href', 'https://play.grafana.org/alerting/1afz29v7z/edit');
  await expect(title).toHaveAttribute('target', '_blank');
  const [team, zone] = await Promise.all(
    ['team', 'zone'].map((name) => message.getByRole('term').filter({ hasText: name }).first().boundingBox()),
  );
  expect(team?.y).toBe(zone?.y);
  const bar = title.locator('xpath=ancestor::div[@style][1]');
  await expect(bar).toHaveCSS('border-left-color', 'rgb(163, 2, 0)');
  await expect(page.getByRole('article').filter({ hasText: 'A short field' })).toContainText('footer');
  await checkScreen(page, '44l chat, messages of hooks');
});

test('An administrator sees the hooks of all members and deletes one', async ({ browser, product }) => {
  const page = await at(browser, product, 'kato@engawa.example');
  await openHooks(page);
  await panel(page).getByRole('button', { name: words.create }).click();
  await dialog(page).getByLabel(words.name).fill('加藤の係');
  await dialog(page).getByLabel(words.stream).selectOption({ index: 1 });
  await dialog(page).getByRole('button', { name: words.create }).click();
  await expect(dialog(page).getByText(words.once)).toBeVisible();

  const all = await at(browser, product, 'takahashi.koichi@engawa.example');
  await all.goto('/#/administration/hooks');
  await expect(all.getByRole('heading', { level: 2, name: administration.sections.hooks })).toBeVisible();
  await expect(row(all, '加藤の係')).toContainText(/持ち主：加藤/);
  await expect(row(all, '加藤の係').getByRole('button', { name: words.renew })).toHaveCount(0);
  await checkScreen(all, '92p administration, hooks');
  await row(all, '加藤の係').getByRole('button', { name: words.delete }).click();
  await dialog(all).getByRole('button', { name: words.delete }).click();
  await expect(row(all, '加藤の係')).toHaveCount(0);
});

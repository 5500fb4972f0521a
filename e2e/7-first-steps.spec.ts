import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { ja as administration } from '../packages/web/src/i18n/administration.ja.ts';
import { ja } from '../packages/web/src/i18n/firstSteps.ja.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, fillSetUp, owner, signedInPage, test, visitorPage } from './product.ts';
import { department, field, header, message, rail, streamRow, write } from './screen.ts';

const { invitations, posts } = administration;
const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });
const step = (page: Page, name: keyof typeof ja.steps): Locator =>
  page.getByRole('button', { name: ja.steps[name].heading }).and(page.locator('[aria-expanded]'));
const content = (page: Page, name: keyof typeof ja.steps): Locator => page.getByRole('region', { name: ja.steps[name].heading });
const addresses = (page: Page): Locator => page.getByLabel(invitations.addresses);
const onFirstScreen = (page: Page): Locator => page.getByRole('complementary', { name: administration.sections.start });

/** Counts the presses of the pointer, because a new owner judges the setup by them. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => (clicks += 1));
  await page.addInitScript(() => document.addEventListener('pointerdown', () => Reflect.get(globalThis, 'countClick')()));
  return async () => clicks;
}

async function invite(page: Page, to: string, emails: readonly string[]): Promise<void> {
  await addresses(page).fill(emails.join('\n'));
  await button(page, posts.add).click();
  await page.keyboard.type(to);
  await page.keyboard.press('Enter');
  await button(page, invitations.inviteMany(emails.length)).click();
  await expect(addresses(page)).toHaveValue('');
}

test('[R1.5, I7.1, I7.3] A new owner makes three departments, invites five people and has a first conversation with at most 20 clicks', async ({
  browser,
  empty,
}) => {
  test.setTimeout(180_000);
  const page = await visitorPage(browser, empty);
  const clicks = await countClicks(page);
  await page.goto('/');
  await fillSetUp(page, empty);
  await button(page, '組織を作る').click();
  await expect(header(page)).toHaveText(administration.sections.start);
  await expect(step(page, 'departments')).toHaveAttribute('aria-expanded', 'true');

  const name = page.getByLabel(ja.departments.name);
  await name.click();
  for (const each of ['営業部', '開発部', '総務部']) {
    await page.keyboard.type(each);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('list', { name: ja.departments.now })).toContainText(each);
    await expect(name).toHaveValue('');
    await expect(name).toBeFocused();
  }
  await checkScreen(page, '93 first steps');
  await button(content(page, 'departments'), ja.next).click();

  await invite(page, '営業部', ['佐藤 花子 <sato@engawa.example>', 'ito@engawa.example']);
  await invite(page, '開発部', ['kato@engawa.example', 'mori@engawa.example']);
  await invite(page, '総務部', ['hara@engawa.example']);
  const link = await page.getByLabel(invitations.linkOf('sato@engawa.example'), { exact: true }).inputValue();
  await button(page, invitations.copyAll(5)).click();
  await button(content(page, 'invitations'), ja.next).click();

  await page.getByLabel(ja.streams.name).click();
  await page.keyboard.type('雑談');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: ja.streams.now })).toContainText('雑談');
  await button(content(page, 'streams'), ja.next).click();
  await button(content(page, 'mail'), ja.later).click();
  await page.getByRole('link', { name: ja.finish }).click();
  await expect(onFirstScreen(page)).toContainText(ja.open(ja.steps.mail.heading));
  await department(page, owner.organisation).click();
  await write(page, 'ようこそ。');
  await expect(message(page, 'ようこそ。')).toBeVisible();

  const theirs = await visitorPage(browser, empty);
  await theirs.goto(link);
  await theirs.getByLabel('名前', { exact: true }).fill('佐藤 花子');
  await theirs.getByLabel('パスワード', { exact: true }).fill('えんがわでお茶を');
  await button(theirs, '参加する').click();
  await expect(department(theirs, '営業部')).toBeVisible();
  await department(theirs, owner.organisation).click();
  await expect(message(theirs, 'ようこそ。')).toBeVisible();
  await write(theirs, 'よろしくお願いします。');
  await expect(message(page, 'よろしくお願いします。')).toBeVisible();
  await rail(page, 'ストリーム').click();
  await expect(streamRow(page, '雑談')).toBeVisible();
  const count = await clicks();
  test.info().annotations.push({ type: 'clicks of the owner', description: `${count}` });
  expect(count).toBeLessThanOrEqual(20);
});

test('[I7.3] Lines that cannot be invited stay in the field with a reason, and the typed text survives leaving the page', async ({
  browser,
  founded,
}) => {
  const page = await signedInPage(browser, founded, owner);
  await page.goto('/#/administration/start');
  await step(page, 'invitations').click();
  await addresses(page).fill(`sato@engawa.example、さとう\n${owner.email}`);
  await page.getByRole('link', { name: administration.sections.members }).click();
  await expect(header(page)).toHaveText(administration.sections.members);
  await page.getByRole('link', { name: administration.sections.start }).click();
  await button(page, invitations.inviteMany(2)).click();
  await expect(addresses(page)).toHaveValue(`さとう\n${owner.email}`);
  const alert = page.getByRole('alert').filter({ hasText: invitations.notInvited(2) });
  await expect(alert).toContainText(invitations.reasons.malformed);
  await expect(alert).toContainText(invitations.reasons.EMAIL_IN_USE);
  await expect(page.getByLabel(invitations.linkOf('sato@engawa.example'), { exact: true })).toHaveValue(
    /#\/invitation\/[\w-]{43}$/,
  );
  await checkScreen(page, '93b first steps, invited');
  await page.goto('/#/administration/invitations');
  await expect(page.getByRole('list', { name: invitations.list })).toContainText('sato@engawa.example');
  await checkScreen(page, '92l administration, invitations');
});

test('An owner who is alone is led from the first screen to the next step until the guide is dismissed or done', async ({
  browser,
  founded,
}) => {
  const page = await signedInPage(browser, founded, owner);
  await page.goto('/');
  const next = page.getByRole('main').getByRole('link', { name: ja.open(ja.steps.departments.heading) });
  await expect(next).toBeVisible();
  await expect(page.getByText(ja.alone)).toBeVisible();
  await expect(field(page)).toBeVisible();
  await checkScreen(page, '93f first steps, on the first screen');
  await next.click();
  await expect(step(page, 'departments')).toHaveAttribute('aria-expanded', 'true');
  await step(page, 'mail').click();
  await expect(content(page, 'mail')).toContainText(`PUBLIC_URL=${founded.url}`);
  await checkScreen(page, '93c first steps, no mail');
  await step(page, 'backup').click();
  await expect(content(page, 'backup')).toContainText(ja.backup.never);
  await checkScreen(page, '93e first steps, backup');

  await page.goto('/#/organisation');
  await button(onFirstScreen(page), ja.dismiss).click();
  await expect(onFirstScreen(page)).toHaveCount(0);
  await expect(page.getByText(ja.dismissed)).toBeVisible();
  await page.reload();
  await expect(page.getByText(ja.alone)).toBeVisible();
  await expect(onFirstScreen(page)).toHaveCount(0);
  await page.goto('/#/administration/start');
  await button(page, ja.bringBack).click();
  await page.goto('/#/organisation');
  await expect(onFirstScreen(page)).toBeVisible();
});

test('The first steps show the mail server, send a test mail and mail the invitations, and a backup completes its step', async ({
  browser,
  mailing: { product, mailServer },
}) => {
  const backups = mkdtempSync(join(tmpdir(), 'engawa-'));
  try {
    const page = await signedInPage(browser, product, owner);
    await page.goto('/#/administration/start');
    await step(page, 'mail').click();
    await expect(content(page, 'mail')).toContainText(new URL(mailServer.url).host);
    await button(page, ja.mail.test).click();
    await expect(page.getByText(ja.mail.sent(owner.email))).toBeVisible();
    await expect(step(page, 'mail')).toContainText(ja.done);
    expect(mailServer.mails).toEqual([expect.stringContaining(owner.organisation)]);
    await checkScreen(page, '93d first steps, mail tested');
    await step(page, 'invitations').click();
    await addresses(page).fill('sato@engawa.example, ito@engawa.example');
    await button(page, invitations.inviteMany(2)).click();
    await expect(content(page, 'invitations').getByText(invitations.mailed)).toHaveCount(2);
    expect(mailServer.mails.slice(1)).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('#/invitation/')));

    await promisify(execFile)(process.execPath, ['scripts/engawa.mjs', 'backup', join(backups, 'first')], {
      env: { ...process.env, DATA_DIR: product.dataDir },
    });
    await page.reload();
    await expect(step(page, 'backup')).toContainText(ja.done);
  } finally {
    rmSync(backups, { recursive: true });
  }
});

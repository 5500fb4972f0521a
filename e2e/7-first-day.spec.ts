import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from '@playwright/test';
import { shiftJis } from '../packages/server/src/testing/encodings.ts';
import { ja } from '../packages/web/src/i18n/administration.ja.ts';
import { ja as firstSteps } from '../packages/web/src/i18n/firstSteps.ja.ts';
import { expect, fillSetUp, owner, test } from './product.ts';
import { department, header, message, rail, streamRow, write } from './screen.ts';

const guest = { name: '高木 結', email: 'takagi@engawa.example', password: 'えんがわでお茶を' } as const;
const file = [
  '社員番号,氏名,ふりがな,メールアドレス,部署,役職',
  '0001,髙野 唯,たかの ゆい,takano@engawa.example,営業部,部長',
  '0002,①木 誠,いちき まこと,ichiki.engawa,営業部/第一課,課長',
  '0003,,なかの さき,nakano@engawa.example,開発部,',
  '',
].join('\r\n');

const button = (page: Page | Locator, name: string): Locator => page.getByRole('button', { name, exact: true });
const dialog = (page: Page): Locator => page.getByRole('dialog');
const me = (page: Page, name: string): Locator => page.getByRole('link', { name: `${name}（設定を開く）` });
const row = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: ja.members.list }).getByRole('listitem').filter({ hasText: name });

async function atHome(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  return page;
}

async function administer(page: Page, section: keyof typeof ja.sections): Promise<void> {
  await page.goto(`/#/administration/${section}`);
  await expect(page.getByRole('heading', { level: 2, name: ja.sections[section] })).toBeVisible();
}

async function addDepartmentOf(page: Page, name: string): Promise<void> {
  await button(page, ja.posts.add).click();
  await expect(page.getByRole('listbox', { name: ja.posts.search })).toBeInViewport({ ratio: 1 });
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expect(button(page, ja.posts.remove(name))).toBeVisible();
}

test('[R1.5, R2.5, R4.1, I7.1, I7.2, I7.3] An owner founds an organisation, members join by invitation, exchange messages and change departments', async ({
  browser,
  empty,
}) => {
  test.setTimeout(180_000);
  const context = await browser.newContext({ baseURL: empty.url });
  const page = await context.newPage();
  await page.goto('/');
  await fillSetUp(page, empty);
  await button(page, '組織を作る').click();
  await expect(page.getByRole('heading', { level: 2, name: ja.sections.start })).toBeVisible();
  await page.getByRole('link', { name: firstSteps.finish }).click();
  await expect(me(page, owner.name)).toBeVisible();
  await expect(header(page).first()).toContainText(owner.organisation);
  await write(page, '縁側をはじめました。');
  await expect(message(page, '縁側をはじめました。')).toBeVisible();

  await test.step('A Shift_JIS file with faults is corrected and imports people and departments', async () => {
    await administer(page, 'import');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: '名簿.csv', mimeType: 'text/csv', buffer: Buffer.from(shiftJis(file)) });
    const line = (number: number) => page.getByRole('group', { name: `${number} 行目`, exact: true });
    await expect(line(3)).toContainText('メールアドレスの形にしてください。');
    await line(3).getByRole('textbox', { name: 'メールアドレス' }).fill('ichiki@engawa.example');
    await line(4).getByRole('textbox', { name: '氏名' }).fill('中野 咲');
    await button(page, '直した内容を確かめる').click();
    await expect(page.getByText('追加するメンバー', { exact: true })).toBeVisible();
    await button(page, 'この内容で反映する').click();
    await button(dialog(page), '反映する').click();
    await expect(page.getByRole('heading', { name: '反映しました' })).toBeVisible();
    await button(page, '全員のリンクをまとめて作る').click();
    await expect(page.getByText('3 人のリンクを作りました。')).toBeVisible();
    const download = page.waitForEvent('download');
    await button(page, 'リンクの一覧を CSV でダウンロード').click();
    const links = await readFile(await (await download).path(), 'utf8');
    expect(links.split('\r\n')).toHaveLength(5);
    expect(links).toMatch(/①木 誠,ichiki@engawa\.example,http\S+#\/password\/[\w-]+,/);
    await administer(page, 'departments');
    for (const name of ['営業部', '第一課', '開発部']) await expect(department(page, name)).toBeVisible();
  });

  const link = await test.step('A guest is invited into a department', async () => {
    await administer(page, 'invitations');
    await page.getByRole('textbox', { name: ja.invitations.addresses, exact: true }).fill(guest.email);
    await addDepartmentOf(page, '第一課');
    await button(page, ja.invitations.inviteMany(1)).click();
    const made = await page.getByLabel(ja.invitations.linkOf(guest.email), { exact: true }).inputValue();
    await expect(page.getByRole('list', { name: ja.invitations.list })).toContainText(guest.email);
    return made;
  });

  const theirs = await atHome(browser, link);
  await test.step('The guest joins by the link, opens the department and writes', async () => {
    await theirs.getByLabel('名前', { exact: true }).fill(guest.name);
    await theirs.getByLabel('パスワード', { exact: true }).fill(guest.password);
    await button(theirs, '参加する').click();
    await expect(me(theirs, guest.name)).toBeVisible();
    await department(theirs, '第一課').click();
    await expect(header(theirs).first()).toContainText('第一課');
    await write(theirs, 'はじめまして、高木です。');
    await expect(message(theirs, 'はじめまして、高木です。')).toBeVisible();
  });

  await test.step('An imported member signs in by a link and reads the stream', async () => {
    await administer(page, 'members');
    await button(page, ja.actionsFor('①木 誠')).click();
    await page.getByRole('menuitem', { name: ja.members.reset }).click();
    await button(dialog(page), ja.members.makeLink).click();
    const reset = await dialog(page).getByLabel(ja.link.label, { exact: true }).inputValue();
    await button(dialog(page), ja.close).first().click();
    const imported = await atHome(browser, reset);
    await imported.getByLabel('新しいパスワード', { exact: true }).fill('ひなたぼっこの猫');
    await button(imported, '設定して入る').click();
    await department(imported, '第一課').click();
    await expect(message(imported, 'はじめまして、高木です。')).toBeVisible();
    await write(imported, 'ようこそ。');
    await expect(message(theirs, 'ようこそ。')).toBeVisible();
  });

  await test.step('A transfer changes the guest’s streams while they watch', async () => {
    await rail(theirs, 'ストリーム').click();
    await expect(streamRow(theirs, '第一課')).toBeVisible();
    await expect(streamRow(theirs, '営業部')).toBeVisible();
    await administer(page, 'members');
    await row(page, guest.name).getByRole('button').first().click();
    await addDepartmentOf(page, '開発部');
    await button(dialog(page), ja.posts.remove('第一課')).click();
    await button(dialog(page), ja.save).click();
    await expect(row(page, guest.name)).toContainText('開発部');

    await expect(streamRow(theirs, '開発部')).toBeVisible();
    await expect(streamRow(theirs, '第一課')).toHaveCount(0);
    await expect(streamRow(theirs, '営業部')).toHaveCount(0);
    await streamRow(theirs, '開発部').click();
    await write(theirs, '開発部に移りました。');
    await expect(message(theirs, '開発部に移りました。')).toBeVisible();
  });

  await test.step('A revoked session ends at once', async () => {
    await button(page, ja.actionsFor(guest.name)).click();
    await page.getByRole('menuitem', { name: ja.members.endSessions }).click();
    await button(dialog(page), ja.members.endThem).click();
    await expect(theirs.getByRole('heading', { level: 1, name: 'サインイン' })).toBeVisible();
    await theirs.getByLabel('パスワード', { exact: true }).fill(guest.password);
    await button(theirs, 'サインイン').click();
    await expect(message(theirs, '開発部に移りました。')).toBeVisible();
  });
});

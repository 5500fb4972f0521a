import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from '@playwright/test';
import { ja as administration } from '../packages/web/src/i18n/administration.ja.ts';
import { ja as words } from '../packages/web/src/i18n/bots.ja.ts';
import { ja as common } from '../packages/web/src/i18n/ja.ts';
import { ja as members } from '../packages/web/src/i18n/members.ja.ts';
import { ja as settings } from '../packages/web/src/i18n/settings.ja.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, signIn, test, type Product } from './product.ts';
import { message as messageWith, rail, streamRow } from './screen.ts';

const tanaka = 'tanaka@engawa.example';
const sato = 'sato@engawa.example';
const administratorEmail = 'takahashi.koichi@engawa.example';
const stream = '全社アナウンス';

/** The topmost of the open dialogs. */
const dialog = (page: Page): Locator => page.getByRole('dialog').last();
const botRow = (page: Page, name: string): Locator => page.getByRole('list', { name: words.list }).getByRole('button', { name });

async function atBots(browser: Browser, product: Product, email: string): Promise<Page> {
  const page = await signIn(browser, product, email, { permissions: ['clipboard-read', 'clipboard-write'] });
  await rail(page, '設定').click();
  await page.getByRole('button', { name: settings.page.openBots }).click();
  await expect(page.getByRole('dialog', { name: words.heading })).toBeVisible();
  return page;
}

async function createBot(page: Page, name: string, shortName: string): Promise<void> {
  await page.getByRole('button', { name: words.add }).click();
  await dialog(page).getByLabel(words.name, { exact: true }).fill(name);
  await dialog(page).getByLabel(words.shortName).fill(shortName);
  await dialog(page).getByRole('button', { name: words.add }).click();
  await expect(page.getByRole('dialog', { name })).toBeVisible();
}

test('A member creates a bot, adds it to a stream, and sends with the copied example; everybody sees that it is a bot', async ({
  browser,
  product,
}) => {
  const page = await atBots(browser, product, tanaka);
  await expect(page.getByText(words.none)).toBeVisible();
  await checkScreen(page, '84o settings, no bots');
  await page.getByRole('button', { name: words.add }).click();
  await dialog(page).getByRole('button', { name: words.add }).click();
  await expect(dialog(page).getByText(words.complaints.nameShort)).toBeVisible();
  await expect(dialog(page).getByText(words.complaints.shortName)).toBeVisible();
  await expect(dialog(page).getByLabel(words.name, { exact: true })).toBeFocused();
  await checkScreen(page, '84l settings, a new bot with mistakes');
  await dialog(page).getByRole('button', { name: words.cancel }).click();
  await createBot(page, '障害の通知', 'shougai');

  const details = page.getByRole('dialog', { name: '障害の通知' });
  await details.getByRole('button', { name: words.addStream }).click();
  await dialog(page).getByLabel(words.chooseStream).selectOption(stream);
  await dialog(page).getByRole('button', { name: words.addStream }).click();
  await expect(details.getByRole('listitem').filter({ hasText: stream })).toBeVisible();
  await expect(details.getByLabel(words.example)).toHaveCount(0);
  await details.getByRole('button', { name: words.showKey }).click();
  await expect(details.getByLabel(words.example)).toHaveValue(/^curl /);
  await checkScreen(page, '84m settings, a bot with its key');

  await details.getByRole('button', { name: words.copyExample }).click();
  await expect(page.getByText(words.exampleCopied)).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  expect(JSON.parse(stdout)).toMatchObject({ result: 'success' });

  const other = await signIn(browser, product, sato);
  await rail(other, 'ストリーム').click();
  await streamRow(other, stream).click();
  const message = messageWith(other, words.exampleContent);
  await expect(message.getByText('障害の通知', { exact: true }).first()).toBeVisible();
  await expect(message.getByText(common.chat.bot, { exact: true })).toBeVisible();
  await message.getByRole('button', { name: '障害の通知' }).first().click();
  const card = other.getByRole('dialog', { name: members.card.heading });
  await expect(card.getByText(common.chat.bot, { exact: true })).toBeVisible();
  await expect(card.getByText(members.card.ownedBy('田中 翔'))).toBeVisible();
  await expect(card.getByRole('button', { name: common.streamTools.audioCall })).toHaveCount(0);

  await details.getByRole('button', { name: words.removeFrom(stream) }).click();
  await expect(details.getByText(words.noStreams)).toBeVisible();
  const refused = await promisify(execFile)('sh', ['-c', command]);
  expect(JSON.parse(refused.stdout)).toMatchObject({ result: 'error' });
});

test('The owner renews the key, renames and deactivates a bot; the old key is refused at once', async ({ browser, product }) => {
  const page = await atBots(browser, product, sato);
  await createBot(page, '集計の係', 'shuukei');
  const details = page.getByRole('dialog').filter({ hasText: 'shuukei-bot@' }).last();
  await details.getByRole('button', { name: words.showKey }).click();
  const shown = details.getByRole('textbox', { name: words.key });
  const before = await shown.inputValue();
  await details.getByRole('button', { name: words.renew }).click();
  await dialog(page).getByRole('button', { name: words.renew }).click();
  await expect(shown).not.toHaveValue(before);
  const email = await details
    .getByText(/shuukei-bot@/)
    .first()
    .innerText();
  const ask = async (key: string) =>
    (await fetch(`${product.url}/api/v1/users/me`, { headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` } })).status;
  expect([await ask(before), await ask(await shown.inputValue())]).toEqual([401, 200]);

  await details.getByRole('button', { name: words.edit }).click();
  await checkScreen(page, '84n settings, the name and picture of a bot');
  await dialog(page).getByLabel(words.name, { exact: true }).fill('集計の二号');
  await dialog(page).getByRole('button', { name: words.save }).click();
  await expect(page.getByRole('dialog', { name: '集計の二号' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(botRow(page, '集計の二号')).toBeVisible();
  await checkScreen(page, '84k settings, bots');
  await botRow(page, '集計の二号').click();
  await page.getByRole('dialog', { name: '集計の二号' }).getByRole('button', { name: words.deactivate }).click();
  await dialog(page).getByRole('button', { name: words.deactivate }).click();
  await expect(page.getByText(words.deactivated('集計の二号'))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(botRow(page, '集計の二号')).toContainText(words.inactive);
});

test('An administrator sees all bots, gives one to another member, and chooses who creates bots', async ({
  browser,
  product,
}) => {
  const owner = await atBots(browser, product, 'suzuki@engawa.example');
  await createBot(owner, '引き継ぐ係', 'hikitsugi');

  const page = await signIn(browser, product, administratorEmail);
  await page.goto('/#/administration/bots');
  await expect(page.getByRole('heading', { level: 2, name: administration.sections.bots })).toBeVisible();
  await expect(botRow(page, '引き継ぐ係')).toContainText('鈴木 健太');
  await checkScreen(page, '92n administration, bots');
  await page.getByRole('searchbox', { name: words.search }).fill('鈴木');
  await botRow(page, '引き継ぐ係').click();
  const details = page.getByRole('dialog', { name: '引き継ぐ係' });
  await expect(details.getByRole('button', { name: words.showKey })).toHaveCount(0);
  await details.getByRole('button', { name: words.give }).click();
  await dialog(page).getByRole('combobox').fill('佐藤 美咲');
  await dialog(page)
    .getByRole('option', { name: /佐藤 美咲/ })
    .first()
    .click();
  await checkScreen(page, '92o administration, a bot is given to another member');
  await dialog(page).getByRole('button', { name: words.give }).click();
  await expect(page.getByText(words.given('引き継ぐ係'))).toBeVisible();
  await expect(details.getByText('佐藤 美咲')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByLabel(words.policy).selectOption(words.policies.nobody);
  await expect(page.getByText(words.policySaved)).toBeVisible();
  await owner.keyboard.press('Escape');
  await owner.getByRole('button', { name: words.add }).click();
  await dialog(owner).getByLabel(words.name, { exact: true }).fill('もう一つの係');
  await dialog(owner).getByLabel(words.shortName).fill('mouhitotsu');
  await dialog(owner).getByRole('button', { name: words.add }).click();
  await expect(dialog(owner).getByText(words.notAllowed.nobody)).toBeVisible();
  await page.getByLabel(words.policy).selectOption(words.policies.everyone);
});

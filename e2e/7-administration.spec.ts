import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Browser, Locator, Page } from '@playwright/test';
import { administrationPaths } from '../packages/protocol/src/administration.ts';
import { ja } from '../packages/web/src/i18n/administration.ja.ts';
import { ja as session } from '../packages/web/src/i18n/session.ja.ts';
import { ja as common } from '../packages/web/src/i18n/ja.ts';
import { png } from '../packages/server/src/demo/documents/png.ts';
import { ja as settings } from '../packages/web/src/i18n/settings.ja.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, signIn, signedInContext, test, type Product } from './product.ts';
import { department, emojiButton, field, message, picker, rail, streamRow, withoutLayers } from './screen.ts';
import { startProduct } from './server.ts';

const { departments: words } = ja;
const administratorEmail = 'takahashi.koichi@engawa.example';
const tanaka = 'tanaka@engawa.example';
const sato = 'sato@engawa.example';
const kato = 'kato@engawa.example';
const suzuki = 'suzuki@engawa.example';

async function administrator(browser: Browser, product: Product, section: keyof typeof ja.sections): Promise<Page> {
  const page = await signIn(browser, product, administratorEmail);
  await page.goto(`/#/administration/${section}`);
  await expect(page.getByRole('heading', { level: 2, name: ja.sections[section] })).toBeVisible();
  return page;
}

async function atStreams(browser: Browser, product: Product, email: string): Promise<Page> {
  const page = await signIn(browser, product, email);
  await rail(page, 'ストリーム').click();
  await expect(page.getByRole('list', { name: 'ストリームの一覧' })).toBeVisible();
  return page;
}

const dialog = (page: Page): Locator => page.getByRole('dialog');
const memberRow = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: ja.members.list }).getByRole('listitem').filter({ hasText: name });

async function choose(page: Page, of: string, item: string): Promise<void> {
  await page.getByRole('button', { name: ja.actionsFor(of), exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function chooseForDepartment(page: Page, name: string, item: string): Promise<void> {
  await department(page, name).hover();
  await choose(page, name, item);
}

async function addDepartment(page: Page, below: string, name: string): Promise<void> {
  await chooseForDepartment(page, below, words.addBelow);
  await dialog(page).getByLabel(words.name).fill(name);
  await dialog(page).getByRole('button', { name: ja.add, exact: true }).click();
  await expect(department(page, name)).toBeVisible();
}

test('[R2.23] An administrator adds an emoji, which members then pick for messages and reactions, and deletes it', async ({
  browser,
  product,
}) => {
  const page = await administrator(browser, product, 'emoji');
  const form = page.getByRole('form', { name: ja.emoji.addHeading });
  const emoji = page.getByRole('list', { name: ja.emoji.list }).getByRole('listitem').filter({ hasText: ':niwa:' });
  await form.getByLabel(ja.emoji.name).fill('庭');
  await form.getByRole('button', { name: ja.add, exact: true }).click();
  await expect(form).toContainText(ja.emoji.badName);
  await expect(form.getByRole('alert').last()).toContainText(ja.missing);
  await form.getByLabel(ja.emoji.name).fill('niwa');
  const buffer = png(64, 64, () => [44, 106, 84]);
  await form.getByLabel(ja.emoji.picture).setInputFiles({ name: 'niwa.png', mimeType: 'image/png', buffer });
  await form.getByRole('button', { name: ja.add, exact: true }).click();
  await expect(emoji).toBeVisible();
  await checkScreen(page, '92q administration, emoji');

  const member = await signIn(browser, product, tanaka);
  await department(member, 'プロダクト開発部').click();
  await emojiButton(member).click();
  await picker(member).getByRole('searchbox').fill('niwa');
  await picker(member).getByRole('button', { name: 'niwa' }).click();
  await expect(field(member)).toHaveValue(/:niwa:/);
  await field(member).pressSequentially(' の話');
  await field(member).press('Enter');
  const picture = message(member, 'の話').getByRole('img', { name: ':niwa:' });
  await expect(picture).toHaveJSProperty('naturalWidth', 64);

  await page.getByRole('button', { name: ja.actionsFor('niwa'), exact: true }).click();
  await page.getByRole('menuitem', { name: ja.delete }).click();
  await dialog(page).getByRole('button', { name: ja.delete, exact: true }).click();
  await expect(emoji).toBeHidden();
  await expect(message(member, ':niwa: の話')).toBeVisible();
  await expect(picture).toBeHidden();
});

test('[I7.2] Administrators open the administration from the settings, and a member who opens its address returns to the settings', async ({
  browser,
  product,
}) => {
  const owner = await signIn(browser, product, administratorEmail);
  await rail(owner, '設定').click();
  await owner.getByRole('link', { name: settings.page.administration }).click();
  await expect(owner.getByRole('list', { name: ja.members.list })).toBeVisible();
  await checkScreen(owner, '92b administration, members');
  await expect(owner).toHaveTitle(/^(\(\d+\) )?Engawa$/);
  await owner.goto('/#/administration');
  await expect(owner.getByRole('navigation', { name: ja.sectionsLabel })).toBeVisible();
  await checkScreen(owner, '92 administration');

  const member = await signIn(browser, product, tanaka);
  await rail(member, '設定').click();
  await expect(member.getByRole('heading', { name: settings.page.heading })).toBeVisible();
  await expect(member.getByRole('link', { name: settings.page.administration })).toHaveCount(0);
  await member.goto('/#/administration/members');
  await expect(member.getByText(ja.notAllowed)).toBeVisible();
  await expect(member).toHaveURL(/#\/settings$/);
});

test('[I7.2] An administrator creates, renames and moves a department by keyboard, and deletes it when it is empty', async ({
  browser,
  product,
}) => {
  const owner = await administrator(browser, product, 'departments');
  await addDepartment(owner, '管理本部', '監査準備室');

  await department(owner, '監査準備室').focus();
  await owner.keyboard.press('F2');
  await owner.getByLabel(words.renameOf('監査準備室')).fill('');
  await expect(owner.getByText(ja.missing)).toBeVisible();
  await checkScreen(owner, '92i administration, a department is renamed');
  await owner.getByLabel(words.renameOf('監査準備室')).fill('内部統制室');
  await owner.keyboard.press('Enter');
  await expect(department(owner, '内部統制室')).toBeVisible();
  await expect(department(owner, '監査準備室')).toHaveCount(0);
  await expect(department(owner, '内部統制室')).toBeFocused();

  await department(owner, '内部統制室').focus();
  await expect(department(owner, '内部統制室')).toHaveAttribute('aria-level', '3');
  await owner.keyboard.press(' ');
  await expect(owner.getByText(words.grabbed('内部統制室'))).toBeAttached();
  await owner.keyboard.press('ArrowLeft');
  await expect(department(owner, '内部統制室')).toHaveAttribute('aria-level', '2');
  await checkScreen(owner, '92g administration, a department is carried');
  await owner.keyboard.press('Escape');
  await expect(department(owner, '内部統制室')).toHaveAttribute('aria-level', '3');
  await owner.keyboard.press(' ');
  await owner.keyboard.press('ArrowLeft');
  await owner.keyboard.press('Enter');
  await expect(owner.getByText(words.moved('内部統制室'))).toBeVisible();
  await owner.reload();
  await expect(department(owner, '内部統制室')).toHaveAttribute('aria-level', '2');

  await chooseForDepartment(owner, '内部統制室', ja.delete);
  await dialog(owner).getByRole('button', { name: ja.delete, exact: true }).click();
  await expect(department(owner, '内部統制室')).toHaveCount(0);

  await department(owner, '管理本部').hover();
  await owner.getByRole('button', { name: ja.actionsFor('管理本部'), exact: true }).click();
  const refused = owner.getByRole('menuitem', { name: ja.delete });
  await expect(refused).toHaveAttribute('aria-disabled', 'true');
  await expect(refused).toContainText(words.notEmptyBelow);
});

test('[I7.2] Before a department is moved, a dialog says how many members join and leave which streams', async ({
  browser,
  product,
}) => {
  const owner = await administrator(browser, product, 'departments');
  await addDepartment(owner, '営業本部', '共同提案室');
  await department(owner, '共同提案室').click();
  await owner.getByRole('button', { name: ja.addMembers }).click();
  await dialog(owner).getByRole('combobox').fill('田中 翔');
  await owner.keyboard.press('Enter');
  await expect(dialog(owner).getByText(words.joins('営業本部', 1))).toBeVisible();
  await dialog(owner).getByRole('button', { name: ja.add, exact: true }).click();
  await expect(owner.getByText(words.membersAdded(1))).toBeVisible();
  await expect(
    owner.getByRole('list', { name: words.members }).getByRole('listitem').filter({ hasText: '田中 翔' }),
  ).toBeVisible();

  await checkScreen(owner, '92f administration, departments');
  const member = await atStreams(browser, product, tanaka);
  await expect(streamRow(member, '営業本部')).toBeVisible();
  await expect(streamRow(member, '共同提案室')).toBeVisible();
  await expect(streamRow(member, '管理本部')).toHaveCount(0);

  await department(owner, '共同提案室').dragTo(department(owner, '管理本部'));
  await expect(dialog(owner).getByText(words.joins('管理本部', 1))).toBeVisible();
  await expect(dialog(owner).getByText(words.leaves('営業本部', 1))).toBeVisible();
  await checkScreen(owner, '92h administration, a department is moved');
  await dialog(owner).getByRole('button', { name: words.moveIt, exact: true }).click();
  await expect(owner.getByText(words.moved('共同提案室'))).toBeVisible();

  await expect(streamRow(member, '管理本部')).toBeVisible();
  await expect(streamRow(member, '営業本部')).toHaveCount(0);

  await chooseForDepartment(owner, '共同提案室', words.rename);
  await owner.getByLabel(words.renameOf('共同提案室')).fill('全社提案室');
  await owner.keyboard.press('Enter');
  await expect(streamRow(member, '全社提案室')).toBeVisible();
  await expect(streamRow(member, '共同提案室')).toHaveCount(0);
});

test('[I7.2] When an administrator transfers a member, that member’s stream list changes at once', async ({
  browser,
  product,
}) => {
  const member = await atStreams(browser, product, suzuki);
  await expect(streamRow(member, 'プロダクト開発部')).toBeVisible();
  await expect(streamRow(member, 'デザイン室')).toHaveCount(0);

  const owner = await administrator(browser, product, 'members');
  await owner.getByRole('searchbox', { name: ja.members.search }).fill('すずき けんた');
  await expect(owner.getByRole('list', { name: ja.members.list }).getByRole('listitem')).toHaveCount(1);
  await memberRow(owner, '鈴木 健太').getByRole('button').first().click();
  await dialog(owner).getByRole('button', { name: ja.posts.add }).click();
  await owner.keyboard.type('デザイン室');
  await owner.keyboard.press('Enter');
  await dialog(owner)
    .getByRole('button', { name: ja.posts.remove('プロダクト開発部') })
    .click();
  await expect(dialog(owner).getByText(ja.posts.joins(['デザイン室']))).toBeVisible();
  await expect(dialog(owner).getByText(ja.posts.leaves(['プロダクト開発部']))).toBeVisible();
  await checkScreen(owner, '92c administration, a member');
  await dialog(owner).getByRole('button', { name: ja.save, exact: true }).click();
  await expect(memberRow(owner, '鈴木 健太')).toContainText('デザイン室');

  await expect(streamRow(member, 'デザイン室')).toBeVisible();
  await expect(streamRow(member, 'プロダクト開発部')).toHaveCount(0);
});

test('[I7.2] An administrator deactivates a member, who is signed out at once, and reactivates them', async ({
  browser,
  product,
}) => {
  const email = kato;
  const member = await signIn(browser, product, email);
  const owner = await administrator(browser, product, 'members');
  await owner.getByRole('searchbox', { name: ja.members.search }).fill(email);
  await expect(owner.getByRole('list', { name: ja.members.list }).getByRole('listitem')).toHaveCount(1);
  const row = owner.getByRole('list', { name: ja.members.list }).getByRole('listitem');
  await row.getByRole('button').nth(1).click();
  await owner.getByRole('menuitem', { name: ja.members.deactivate }).click();
  await expect(dialog(owner).getByText(ja.members.deactivateConsequences[0] ?? '')).toBeVisible();
  await checkScreen(owner, '92e administration, a member is deactivated');
  await dialog(owner).getByRole('button', { name: ja.members.deactivate, exact: true }).click();
  await expect(owner.getByText(ja.members.none)).toBeVisible();

  expect((await member.request.get('/api/people')).status()).toBe(401);
  await expect(member.getByText(common.connection.signedOut).first()).toBeVisible();
  await member.reload();
  await expect(member.getByRole('heading', { level: 1, name: session.signIn.heading })).toBeVisible();

  await owner.getByRole('radio', { name: ja.members.states.inactive }).click();
  await row.getByRole('button').nth(1).click();
  await owner.getByRole('menuitem', { name: ja.members.reactivate }).click();
  await dialog(owner).getByRole('button', { name: ja.members.reactivate, exact: true }).click();
  await expect(owner.getByText(ja.members.none)).toBeVisible();
  expect((await (await signedInContext(browser, product, email)).request.get('/api/people')).status()).toBe(200);
});

test('[I7.2] A new role of a member applies at once, and the form says why it refuses an email or the role of the last owner', async ({
  browser,
  product,
}) => {
  const member = await signIn(browser, product, sato);
  await rail(member, '設定').click();
  const owner = await administrator(browser, product, 'members');
  await memberRow(owner, '佐藤 美咲').getByRole('button').first().click();
  await dialog(owner).getByRole('combobox', { name: ja.members.role }).selectOption({ label: ja.roles[200] });
  await dialog(owner).getByLabel(ja.members.email).fill(tanaka);
  await dialog(owner).getByRole('button', { name: ja.save, exact: true }).click();
  await expect(dialog(owner).getByText(ja.failures.EMAIL_IN_USE)).toBeVisible();
  await expect(dialog(owner).getByLabel(ja.members.email)).toHaveValue(tanaka);
  await dialog(owner).getByLabel(ja.members.email).fill(sato);
  await dialog(owner).getByRole('button', { name: ja.save, exact: true }).click();
  await expect(memberRow(owner, '佐藤 美咲')).toContainText(ja.roles[200]);
  await expect(member.getByRole('link', { name: settings.page.administration })).toBeVisible();

  await memberRow(owner, '髙橋 浩一').getByRole('button').first().click();
  await dialog(owner).getByRole('combobox', { name: ja.members.role }).selectOption({ label: ja.roles[400] });
  await dialog(owner).getByRole('button', { name: ja.save, exact: true }).click();
  await expect(dialog(owner).getByText(ja.failures.CANNOT_DEACTIVATE_LAST_USER)).toBeVisible();
});

test('[I7.2] Pressing Enter twice in the form for a new member or department creates only one', async ({ browser, product }) => {
  const owner = await signIn(browser, product, administratorEmail);
  const asked: string[] = [];
  let made = Promise.withResolvers<undefined>();
  for (const path of [administrationPaths.members, administrationPaths.departments]) {
    await owner.route(`**${path}`, async (route) => {
      if (route.request().method() === 'POST') {
        asked.push(path);
        await made.promise;
      }
      await route.continue();
    });
  }
  await owner.goto('/#/administration/members');
  await owner.getByRole('button', { name: ja.members.add, exact: true }).click();
  await dialog(owner).locator('button[type=submit]').click();
  await expect(dialog(owner).getByText(ja.missing).first()).toBeVisible();
  await checkScreen(owner, '92d administration, a member is added');
  await dialog(owner).getByLabel(ja.members.email).fill('nijuu@engawa.example');
  await dialog(owner).getByLabel(ja.members.name, { exact: true }).fill('二宮 重');
  await owner.keyboard.press('Enter');
  await expect(dialog(owner).getByText(ja.adding)).toBeVisible();
  await owner.keyboard.press('Enter');
  made.resolve(undefined);
  await expect(owner.getByText(ja.members.added('二宮 重'))).toBeVisible();

  made = Promise.withResolvers();
  await withoutLayers(owner);
  await owner.goto('/#/administration/departments');
  await owner.getByRole('button', { name: ja.posts.add, exact: true }).click();
  await dialog(owner).getByLabel(words.name).fill('二重確認室');
  await owner.keyboard.press('Enter');
  await expect(dialog(owner).getByText(ja.adding)).toBeVisible();
  await owner.keyboard.press('Enter');
  made.resolve(undefined);
  await expect(department(owner, '二重確認室')).toBeVisible();
  expect(asked).toEqual([administrationPaths.members, administrationPaths.departments]);
});

test('[I7.2] A dialog that an administrator opens while an earlier change is being saved stays open', async ({
  browser,
  product,
}) => {
  const owner = await administrator(browser, product, 'members');
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await owner.route(`**${administrationPaths.members}/*`, async (route) => {
    await promise;
    await route.continue();
  });
  await memberRow(owner, '佐藤 美咲').getByRole('button').first().click();
  await dialog(owner).getByLabel(ja.members.title, { exact: true }).fill('主任');
  await dialog(owner).getByRole('button', { name: ja.save, exact: true }).click();
  await owner.keyboard.press('Escape');
  await expect(dialog(owner)).toHaveCount(0);
  await owner.getByRole('button', { name: ja.members.add, exact: true }).click();
  await dialog(owner).getByLabel(ja.members.name, { exact: true }).fill('書きかけ');
  resolve(undefined);
  await expect(owner.getByText(ja.members.saved('佐藤 美咲'))).toBeVisible();
  await expect(dialog(owner).getByLabel(ja.members.name, { exact: true })).toHaveValue('書きかけ');
});

test('[I7.2] An open form of the administration keeps its input when the window becomes narrow', async ({ browser, product }) => {
  const owner = await administrator(browser, product, 'members');
  await owner.setViewportSize({ width: 1440, height: 900 });
  await owner.getByRole('button', { name: ja.members.add, exact: true }).click();
  await dialog(owner).getByLabel(ja.members.name, { exact: true }).fill('書きかけ');
  await owner.setViewportSize({ width: 390, height: 844 });
  await expect(owner.getByRole('link', { name: ja.toSections })).toBeAttached();
  await expect(owner).toHaveURL(/#\/administration\/members$/);
  await expect(dialog(owner).getByLabel(ja.members.name, { exact: true })).toHaveValue('書きかけ');
});

test('[I7.2] Changed settings of the organisation stay unsaved until the administrator presses the save button', async ({
  browser,
  product,
}) => {
  const owner = await administrator(browser, product, 'organisation');
  await owner.getByLabel(ja.organisation.name).fill('縁側ホールディングス');
  await owner.getByRole('combobox', { name: ja.organisation.edit }).selectOption({ label: ja.organisation.hours(1) });
  await expect(owner.getByText(ja.organisation.unsaved)).toBeVisible();
  await checkScreen(owner, '92k administration, the organisation');
  await owner.getByRole('navigation', { name: ja.sectionsLabel }).getByRole('link', { name: ja.sections.streams }).click();
  await expect(owner.getByRole('heading', { level: 2, name: ja.sections.streams })).toBeVisible();
  await owner.goBack();
  await expect(owner.getByText(ja.organisation.unsaved)).toBeVisible();
  await owner.getByRole('button', { name: ja.save, exact: true }).click();
  await expect(owner.getByText(ja.organisation.saved)).toBeVisible();
  await owner.reload();
  await expect(owner.getByLabel(ja.organisation.name)).toHaveValue('縁側ホールディングス');
  await expect(owner.getByRole('combobox', { name: ja.organisation.edit })).toHaveValue('3600');
});

test('[I7.2] An administrator who is not in a stream deletes it by typing its name', async ({ browser, product }) => {
  const member = await atStreams(browser, product, tanaka);
  const headers = { Origin: product.url };
  const name = '忘年会の幹事';
  const made = await member.request.post('/api/v1/users/me/subscriptions', {
    form: { subscriptions: JSON.stringify([{ name }]), invite_only: 'true' },
    headers,
  });
  expect(made.status()).toBe(200);
  await expect(streamRow(member, name)).toBeVisible();

  const owner = await administrator(browser, product, 'streams');
  await owner.getByRole('searchbox', { name: ja.streams.search }).fill('忘年会');
  await expect(owner.getByRole('list', { name: ja.streams.list }).getByRole('listitem')).toHaveCount(1);
  await checkScreen(owner, '92j administration, streams');
  await choose(owner, name, ja.delete);
  await dialog(owner).getByRole('textbox').fill(name);
  await dialog(owner).locator('button[type=submit]').click();
  await expect(owner.getByText(ja.deleted(name))).toBeVisible();
  await expect(streamRow(member, name)).toHaveCount(0);
});

/** A week of samples, as the product takes them. */
function fillSamples(dataDirectory: string): void {
  const database = new DatabaseSync(join(dataDirectory, 'engawa.db'), { timeout: 5000 });
  const insert = database.prepare('INSERT OR IGNORE INTO sample (time, figures) VALUES (?, ?)');
  const newest = Math.floor(Date.now() / 300_000) * 300;
  database.exec('BEGIN');
  for (let index = 0; index < 2000; index += 1) {
    const time = newest - index * 300;
    const busy = Math.max(0, Math.sin((((time / 3600 + 1) % 24) / 12) * Math.PI));
    const figures = {
      messages: Math.round(40 * busy * (1 + Math.sin(index))),
      polls: Math.round(180 * busy),
      call_ms: 4 + 12 * busy,
      loop_ms: 1 + busy,
      commit_ms: 3 + 2 * busy,
      failed_calls: index === 70 ? 3 : 0,
      failed_sign_ins: index % 97 === 0 ? 2 : 0,
      free_bytes: 50e9 + index * 1e6,
    };
    insert.run(time, JSON.stringify(figures));
  }
  database.exec('COMMIT');
  database.close();
}

test('Administrators see how the server is doing, over a day and a week, and choose by the keyboard', async ({ browser }) => {
  const product = await startProduct();
  fillSamples(product.dataDir);
  const page = await administrator(browser, product, 'status');
  await expect(page.getByText('今の増え方では、約')).toBeVisible();
  await expect(page.getByText('途中の変更はありません。')).toBeVisible();
  await expect(page.getByText('5 分ごと')).toBeVisible();
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: 'ディスクの空き' })
      .getByText(/^最小 /),
  ).toBeVisible();
  await checkScreen(page, '92m administration, status');
  await page.getByRole('radio', { name: '1 日' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('1 時間ごと')).toBeVisible();
  await product.stop();
});

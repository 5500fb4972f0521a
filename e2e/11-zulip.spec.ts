/** The journeys of the specification in a browser, with a product in front of a server that behaves like a real Zulip. */
import type { Page } from '@playwright/test';
import { open } from './messageList.ts';
import { expect, signIn, test, visitorPage } from './product.ts';
import {
  arrived,
  department,
  field,
  fileInput,
  header,
  mentionCandidates,
  message,
  picker,
  rail,
  sendButton,
  signOut,
  streamRow,
  write,
} from './screen.ts';

const stream = '雑談・縁側';
const other = '全社アナウンス';
const owner = { email: 'takahashi.koichi@engawa.example', password: 'demo' };
const sato = { email: 'sato@engawa.example', password: 'demo' };

async function choose(page: Page, text: string, name: string): Promise<void> {
  await message(page, text).hover();
  await page.getByRole('toolbar', { name: 'メッセージの操作' }).getByRole('button', { name: 'その他' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

async function signInByForm(page: Page, password: string): Promise<void> {
  await page.getByLabel('メールアドレス（またはユーザー名）').fill(owner.email);
  await page.getByLabel('パスワード', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'サインイン', exact: true }).click();
}

test('[R7.8] Members of a Zulip sign in, talk, send files, react, edit, delete, search, mention and sign out', async ({
  browser,
  ofZulip,
}) => {
  const desk = await visitorPage(browser, ofZulip);
  await desk.goto('/');
  await signInByForm(desk, 'ちがうパスワード');
  await expect(desk.getByRole('alert')).toContainText('名前かパスワードが違います');
  await signInByForm(desk, owner.password);
  await expect(desk.getByRole('log')).toBeVisible();
  await open(desk, stream);
  const theirs = await signIn(browser, ofZulip, sato);
  await open(theirs, stream);

  await write(desk, '朝会は10時からです');
  await expect(message(theirs, '朝会は10時からです')).toBeVisible();
  await arrived(message(desk, '朝会は10時からです'));
  await expect(message(desk, '朝会は10時からです')).toHaveCount(1);

  await choose(desk, '朝会は10時からです', '編集');
  await desk.getByRole('textbox', { name: 'メッセージを編集' }).fill('朝会は11時からです');
  await desk.keyboard.press('Enter');
  await expect(message(theirs, '朝会は11時からです')).toContainText('(編集済み)');
  await message(theirs, '朝会は11時からです').hover();
  await theirs.getByRole('toolbar', { name: 'メッセージの操作' }).getByRole('button', { name: 'リアクション' }).click();
  await picker(theirs).getByRole('searchbox').fill('いいね');
  await picker(theirs).getByRole('searchbox').press('Enter');
  await expect(message(desk, '朝会は11時からです').getByRole('list', { name: 'リアクション' })).toContainText('1');

  const content = '議事録の中身';
  for (const [from, to, name] of [
    [desk, theirs, '議事録.txt'],
    [theirs, desk, '返事.txt'],
  ] as const) {
    await fileInput(from).setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(content) }]);
    await sendButton(from).click();
    const link = message(to, name).getByRole('link', { name: /ダウンロード$/ });
    const [download] = await Promise.all([to.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe(name);
  }

  await write(desk, '消す一言です');
  await arrived(message(desk, '消す一言です'));
  await expect(message(theirs, '消す一言です')).toBeVisible();
  await choose(desk, '消す一言です', '削除');
  await desk.getByRole('dialog', { name: 'メッセージを削除' }).getByRole('button', { name: '削除', exact: true }).click();
  await expect(message(theirs, '消す一言です')).toHaveCount(0);

  await open(theirs, other);
  await field(desk).pressSequentially('@佐藤');
  await mentionCandidates(desk).getByRole('option', { name: /佐藤/ }).first().click();
  await field(desk).pressSequentially('見てください');
  await sendButton(desk).click();
  await expect(streamRow(theirs, stream)).toContainText(/\[\d+\]/);

  // A search of Zulip finds whole words.
  await write(desk, 'release は金曜日です');
  await arrived(message(desk, 'release は金曜日です'));
  await desk.keyboard.press('Control+k');
  await desk.getByRole('dialog').getByRole('combobox').fill('release');
  await expect(desk.getByRole('dialog').getByRole('option').filter({ hasText: 'release は金曜日です' })).toHaveCount(1);
  await desk.keyboard.press('Escape');

  await rail(desk, '設定').click();
  await desk.getByRole('radio', { name: 'ダーク' }).check();
  await expect(desk.locator('html')).toHaveAttribute('data-theme', 'dark');
  await signOut(desk);
  await expect(desk.getByLabel('パスワード', { exact: true })).toBeVisible();
});

test('[R7.8] A message that a member reads on one device becomes read on the other device', async ({ browser, ofZulip }) => {
  const desk = await signIn(browser, ofZulip, owner);
  const [first, second] = [await signIn(browser, ofZulip, sato), await signIn(browser, ofZulip, sato)];
  await open(desk, stream);
  for (const page of [first, second]) await open(page, other);
  await write(desk, '未読の一言');
  for (const page of [first, second]) await expect(streamRow(page, stream)).toContainText('[1]');
  await open(first, stream);
  for (const page of [first, second]) await expect(streamRow(page, stream)).not.toContainText('[');
  await expect(streamRow(desk, stream)).not.toContainText('[');
});

test('[R7.8, R2.5] After an administrator creates departments, a member opens the stream of their department in the tree', async ({
  browser,
  ofZulip,
}) => {
  const member = await signIn(browser, ofZulip, sato);
  const { user_id: memberId } = await (await member.request.get('/api/v1/users/me')).json();
  await rail(member, '組織').click();
  const office = await signIn(browser, ofZulip, owner);
  const headers = { Origin: ofZulip.url };
  const made = async (displayName: string): Promise<string> => {
    const answer = await office.request.post('/api/administration/departments', {
      data: { displayName, parent: null },
      headers,
    });
    return (await answer.json()).departmentCd;
  };
  const own = await made('開発企画課');
  await made('監査課');
  await office.request.patch(`/api/administration/departments/${own}/members`, { data: { add: [memberId] }, headers });
  // The event of the subscription may come after that of the tree.
  await rail(member, 'ストリーム').click();
  await expect(streamRow(member, '開発企画課')).toBeVisible();
  await rail(member, '組織').click();
  await department(member, '開発企画課').click();
  await expect(header(member)).toContainText('開発企画課');
  await write(member, '課のはじめの一言');
  await arrived(message(member, '課のはじめの一言'));
  await department(member, '監査課').click();
  await expect(member.getByRole('alert')).toHaveText('アクセス権限がありません。');
});

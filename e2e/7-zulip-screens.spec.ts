/** The screens in front of a Zulip, which hide or explain what such a server cannot do. */
import { expect, type Page } from '@playwright/test';
import { checkScreen } from './checkScreen.ts';
import { signIn, test, visitorPage } from './product.ts';
import { rail, streamRow } from './screen.ts';

const owner = { email: 'takahashi.koichi@engawa.example', password: 'demo' };
const member = { email: 'tanaka@engawa.example', password: 'demo' };

async function openSettings(page: Page): Promise<void> {
  await rail(page, '設定').click();
  await page.getByRole('button', { name: 'セキュリティ' }).click();
  await expect(page.getByRole('list', { name: 'サインイン中の端末の一覧' })).toBeVisible();
}

test('[R7.8] The sign-in asks for the name and password of the chat server, and explains wrong ones', async ({
  browser,
  ofZulip,
}) => {
  const page = await visitorPage(browser, ofZulip);
  await page.goto('/');
  await expect(page.getByText('組織のチャットサーバーと同じ名前とパスワードを入れてください。')).toBeVisible();
  await expect(page.getByRole('button', { name: 'パスワードを忘れた' })).toHaveCount(0);
  await page.getByLabel('メールアドレス（またはユーザー名）').fill(member.email);
  await page.getByLabel('パスワード', { exact: true }).fill('違うパスワード');
  await page.getByRole('button', { name: 'サインイン' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    '名前かパスワードが違います。チャットサーバーで使っているものを入れてください。',
  );
  await checkScreen(page, '95 in front of a Zulip, sign-in');
  await page.getByLabel('パスワード', { exact: true }).fill(member.password);
  await page.getByRole('button', { name: 'サインイン' }).click();
  await expect(page.getByRole('log')).toBeVisible();
});

test('[R7.8] The settings and the administration offer what the product does, and say what the chat server keeps', async ({
  browser,
  ofZulip,
}) => {
  const page = await signIn(browser, ofZulip, owner);
  await openSettings(page);
  await expect(page.getByText('パスワードと API キーは、組織のチャットサーバーの画面で変更します。')).toBeVisible();
  await expect(page.getByText('見せる相手や、グループに加えられる相手を選べません。')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await checkScreen(page, '95b in front of a Zulip, settings');

  await page.getByRole('button', { name: 'プロフィールを編集' }).click();
  const form = page.getByRole('dialog', { name: 'プロフィールを編集' });
  await expect(form.getByLabel('メール', { exact: true })).toHaveAttribute('readonly');
  await expect(form.getByText('メールアドレスは、組織のチャットサーバーの画面で変更します。')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: /^管理/ }).click();
  const sections = page.getByRole('navigation', { name: '管理の項目' });
  await expect(sections.getByRole('link')).toHaveText([/^部署/, /^取り込み/, /^稼働状況/]);
  await expect(page.getByText('メンバー、招待、パスワードは、組織のチャットサーバーの画面で管理します。')).toBeVisible();
  await expect(page.getByRole('heading', { name: '部署', exact: true })).toBeVisible();
  await checkScreen(page, '95c in front of a Zulip, administration');
  await page.goto('/#/administration/import');
  await expect(page.getByText('チャットサーバーにいるメンバーの部署や役職を、一度に登録、変更できます。')).toBeVisible();
  await expect(page.getByRole('term').filter({ hasText: '権限' })).toHaveCount(0);
  await page.goto('/#/administration/status');
  await expect(page.getByText('途中の変更はありません。')).toBeVisible();
});

test('[R7.8] A search without hits says that the server finds whole words, and the profile of a stream gives its reasons', async ({
  browser,
  ofZulip,
}) => {
  const page = await signIn(browser, ofZulip, member);
  await rail(page, 'ストリーム').click();
  await streamRow(page, '雑談・縁側').click();
  await page.getByRole('button', { name: 'メッセージを検索' }).click();
  await page.getByRole('combobox').fill('ありえない言葉');
  await expect(page.getByText('空白で区切られていない日本語の文は、全体でひとつの単語になります。')).toBeVisible();
  await checkScreen(page, '95d in front of a Zulip, nothing found');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'その他の操作' }).click();
  await expect(page.getByRole('menuitem', { name: '削除' })).toContainText('できるのは、管理者だけです。');
  await page.getByRole('menuitem', { name: 'プロフィールを表示' }).click();
  await expect(page.getByText('編集できるのは、管理者だけです。')).toBeVisible();
  await checkScreen(page, '95e in front of a Zulip, profile of a stream');
});

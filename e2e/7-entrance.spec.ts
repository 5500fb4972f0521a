/** Members with passwords: how an organisation begins, how its members come in, and how they are let go. */
import type { Locator, Page } from '@playwright/test';
import { expect, owner, setupCode, signIn, test } from './product.ts';
import { rail } from './screen.ts';

const code = (page: Page): Locator => page.getByLabel('セットアップコード');
const organisation = (page: Page): Locator => page.getByLabel('組織の名前');
const name = (page: Page): Locator => page.getByLabel('名前', { exact: true });
const email = (page: Page): Locator => page.getByLabel('メールアドレス');
const password = (page: Page): Locator => page.getByLabel('パスワード', { exact: true });
const submit = (page: Page, label: string): Locator => page.getByRole('button', { name: label, exact: true });
const heading = (page: Page, text: string): Locator => page.getByRole('heading', { level: 1, name: text, exact: true });
/** Every tab says whose browser it is. */
const me = (page: Page, fullName: string): Locator => page.getByRole('link', { name: `${fullName}（設定を開く）` });

async function fillSetUp(page: Page, typed: { readonly code: string } & typeof owner): Promise<void> {
  await code(page).fill(typed.code);
  await organisation(page).fill(typed.organisation);
  await name(page).fill(typed.name);
  await email(page).fill(typed.email);
  await password(page).fill(typed.password);
}

test.describe('the first start', () => {
  test('[R1.5] makes the organisation and its owner for whoever has the code from the log', async ({ page, empty }) => {
    await page.goto(empty.url);
    await expect(heading(page, '縁側をはじめる')).toBeVisible();
    await expect(code(page)).toBeFocused();
    await fillSetUp(page, { ...owner, code: await setupCode(empty) });
    await submit(page, '組織を作る').click();
    await expect(me(page, owner.name)).toBeVisible();
    await page.reload();
    await expect(me(page, owner.name)).toBeVisible();
  });

  test('[R1.5, R4.12] says at the fields what is wrong once somebody has tried, and keeps what was typed', async ({ page, empty }) => {
    await page.goto(empty.url);
    await code(page).fill('AAAA-AAAA-AAAA-AAAA');
    await email(page).fill('ono');
    await password(page).fill('みじかい');
    await expect(page.getByText('あと 4 文字必要です。')).toBeVisible();
    await expect(page.getByText('メールアドレスの形になっていません')).toBeHidden();
    await submit(page, '組織を作る').click();
    await expect(organisation(page)).toBeFocused();
    await expect(organisation(page)).toHaveAccessibleDescription('組織の名前を入れてください。');
    await expect(email(page)).toHaveAccessibleDescription(/メールアドレスの形になっていません/);
    await expect(password(page)).toHaveAccessibleDescription(/8 文字以上にしてください/);

    await organisation(page).fill(owner.organisation);
    await name(page).fill(owner.name);
    await email(page).fill(owner.email);
    await password(page).fill(owner.password);
    await submit(page, '組織を作る').click();
    await expect(code(page)).toHaveAccessibleDescription(/セットアップコードが違います/);
    await expect(code(page)).toBeFocused();
    await expect(organisation(page)).toHaveValue(owner.organisation);
    await expect(password(page)).toHaveValue(owner.password);

    await code(page).fill(await setupCode(empty));
    await password(page).fill('password123');
    await submit(page, '組織を作る').click();
    await expect(password(page)).toHaveAccessibleDescription(/推測されやすい/);
    await password(page).fill(owner.password);
    await password(page).press('Enter');
    await expect(me(page, owner.name)).toBeVisible();
  });

  test('[R1.5] leads to the sign-in where somebody else was faster', async ({ page, browser, empty }) => {
    await page.goto(empty.url);
    const other = await (await browser.newContext()).newPage();
    await other.goto(empty.url);
    const typed = { ...owner, code: await setupCode(empty) };
    for (const each of [page, other]) await fillSetUp(each, typed);
    await submit(other, '組織を作る').click();
    await expect(me(other, owner.name)).toBeVisible();
    await submit(page, '組織を作る').click();
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'セットアップはすでに済んでいます' })).toBeVisible();
    await expect(page.getByText(owner.organisation, { exact: true })).toBeVisible();
  });
});

test.describe('the sign-in', () => {
  test('[R1.5] lets in with the right password, and is come back to by signing out', async ({ page, founded }) => {
    await page.goto(founded.url);
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(page.getByText(owner.organisation, { exact: true })).toBeVisible();
    await expect(email(page)).toHaveAttribute('autocomplete', 'username');
    await expect(password(page)).toHaveAttribute('autocomplete', 'current-password');
    await email(page).fill(owner.email);
    await password(page).fill('ちがうことば');
    await password(page).press('Enter');
    await expect(page.getByRole('alert')).toHaveText('メールアドレスかパスワードが違います。');
    await expect(email(page)).toHaveValue(owner.email);
    await expect(password(page)).toHaveValue('ちがうことば');

    await password(page).fill(owner.password);
    await password(page).press('Enter');
    await expect(me(page, owner.name)).toBeVisible();
    await rail(page, '設定').click();
    await page.getByRole('link', { name: 'ログアウト' }).click();
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(email(page)).toHaveValue('');
    await page.reload();
    await expect(heading(page, 'サインイン')).toBeVisible();
  });

  test('[R1.5] shows the password while it is typed, for whoever wants to see it', async ({ page, founded }) => {
    await page.goto(founded.url);
    await password(page).fill('ひみつ');
    await expect(password(page)).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'パスワードを表示' }).click();
    await expect(password(page)).toHaveAttribute('type', 'text');
    await expect(page.getByRole('button', { name: 'パスワードを表示' })).toHaveAttribute('aria-pressed', 'true');
    await expect(password(page)).toHaveValue('ひみつ');
  });

  test('[R8.4] says how long to wait after too many tries, and that nobody answers', async ({ page, founded }) => {
    await page.goto(founded.url);
    await email(page).fill(owner.email);
    const enter = async (typed: string, said: string) => {
      await password(page).fill(typed);
      await password(page).press('Enter');
      await expect(page.getByRole('alert')).toContainText(said);
    };
    await page.context().setOffline(true);
    await enter('ちがうことば', '入力した内容は残っています');
    await page.context().setOffline(false);
    // Right is what comes after five wrong ones, and too late.
    await expect
      .poll(async () => {
        await password(page).press('Enter');
        return page.getByRole('alert').textContent();
      })
      .toContain('試した回数が多すぎます');
    await enter(owner.password, '分ほど待って');
  });

  test('[R1.5] says whom to ask where no mail can be sent', async ({ page, founded }) => {
    await page.goto(founded.url);
    await email(page).fill(owner.email);
    await submit(page, 'パスワードを忘れた').click();
    await expect(page.getByText('組織の管理者に、パスワードの再設定を頼んでください')).toBeVisible();
    await submit(page, 'サインインに戻る').click();
    await expect(email(page)).toHaveValue(owner.email);
    await expect(password(page)).toBeFocused();
  });

  test('[R1.3] speaks English to whoever chooses it before they are known', async ({ page, founded }) => {
    await page.goto(founded.url);
    await page.getByRole('radio', { name: 'English' }).click({ force: true });
    await expect(heading(page, 'Sign in')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });
});

test.describe('a session that was ended elsewhere', () => {
  test('[R1.5] leads to the sign-in at once, and what was being written is there again', async ({ page, browser, founded }) => {
    await signInAs(page, founded.url, owner);
    // A note to oneself needs nobody else.
    await rail(page, 'ストリーム').click();
    const other = await signIn(browser, founded, owner);
    await other.close();
    await expect(me(page, owner.name)).toBeVisible();
  });
});

async function signInAs(page: Page, url: string, who: { readonly email: string; readonly password: string }): Promise<void> {
  await page.goto(url);
  await email(page).fill(who.email);
  await password(page).fill(who.password);
  await submit(page, 'サインイン').click();
  await expect(rail(page, '設定')).toBeVisible();
}

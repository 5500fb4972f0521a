import type { Browser, Locator, Page } from '@playwright/test';
import { checkScreen } from './checkScreen.ts';
import {
  expect,
  fillSetUp,
  owner,
  type Product,
  setupCode,
  signedInContext,
  signedInPage,
  test as ofProduct,
  visitorPage,
} from './product.ts';
import { field, rail } from './screen.ts';

const test = ofProduct.extend({
  page: async ({ browser, empty }, provide) => provide(await visitorPage(browser, empty)),
});

// Each test has its own product. This file takes longest, so several workers share it.
test.describe.configure({ mode: 'parallel' });

const code = (page: Page): Locator => page.getByLabel('セットアップコード');
const organisation = (page: Page): Locator => page.getByLabel('組織の名前');
const name = (page: Page): Locator => page.getByLabel('名前', { exact: true });
const email = (page: Page): Locator => page.getByLabel('メールアドレス');
const password = (page: Page): Locator => page.getByLabel('パスワード', { exact: true });
const submit = (page: Page, label: string): Locator => page.getByRole('button', { name: label, exact: true });
const heading = (page: Page, text: string): Locator => page.getByRole('heading', { level: 1, name: text, exact: true });
const me = (page: Page, fullName: string): Locator => page.getByRole('link', { name: `${fullName}（設定を開く）` });

test.describe('The first start', () => {
  test('[R1.5] A visitor with the setup code from the log creates the organisation and becomes its owner', async ({
    page,
    empty,
  }) => {
    await page.goto(empty.url);
    await expect(heading(page, '縁側をはじめる')).toBeVisible();
    await expect(code(page)).toBeFocused();
    await checkScreen(page, '04 setup');
    await fillSetUp(page, empty);
    await submit(page, '組織を作る').click();
    await expect(me(page, owner.name)).toBeVisible();
    await page.reload();
    await expect(me(page, owner.name)).toBeVisible();
  });

  test('[R1.5, R4.12] After a submit, each field of the setup form says what is wrong and keeps its input', async ({
    page,
    empty,
  }) => {
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
    await checkScreen(page, '04b setup, with mistakes');

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

  test('[R1.5] The setup form leads to the sign-in if another person has created the organisation meanwhile', async ({
    page,
    browser,
    empty,
  }) => {
    await page.goto(empty.url);
    const other = await visitorPage(browser, empty);
    await other.goto(empty.url);
    for (const each of [page, other]) await fillSetUp(each, empty);
    await submit(other, '組織を作る').click();
    await expect(me(other, owner.name)).toBeVisible();
    await submit(page, '組織を作る').click();
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'セットアップはすでに済んでいます' })).toBeVisible();
    await expect(page.getByText(owner.organisation, { exact: true })).toBeVisible();
  });
});

test.describe('The sign-in', () => {
  test('[R1.5] A member signs in with the right password, and signing out returns to the sign-in', async ({ page, founded }) => {
    await page.goto(founded.url);
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(page.getByText(owner.organisation, { exact: true })).toBeVisible();
    await checkScreen(page, '05 password sign-in');
    await expect(email(page)).toHaveAttribute('autocomplete', 'username');
    await expect(password(page)).toHaveAttribute('autocomplete', 'current-password');
    await email(page).fill(owner.email);
    await password(page).fill('ちがうことば');
    await password(page).press('Enter');
    await expect(page.getByRole('alert')).toHaveText('メールアドレスかパスワードが違います。');
    await expect(email(page)).toHaveValue(owner.email);
    await expect(password(page)).toHaveValue('ちがうことば');
    await checkScreen(page, '05b password sign-in, wrong');

    await password(page).fill(owner.password);
    await password(page).press('Enter');
    await expect(me(page, owner.name)).toBeVisible();
    await rail(page, '設定').click();
    // The settings push the sign-out down when they arrive.
    await expect(page.getByRole('radio', { name: '日本語' })).toBeVisible();
    await page.getByRole('link', { name: 'ログアウト' }).click();
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(email(page)).toHaveValue('');
    await page.reload();
    await expect(heading(page, 'サインイン')).toBeVisible();
  });

  test('[R8.4] The sign-in form says how long to wait after too many tries, and that the server does not answer', async ({
    page,
    founded,
  }) => {
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
    // The right password comes after five wrong ones.
    await expect
      .poll(async () => {
        await password(page).press('Enter');
        return page.getByRole('alert').textContent();
      })
      .toContain('試した回数が多すぎます');
    await enter(owner.password, '分ほど待って');
    await expect(page.getByText('待たずに入るには、前にサインインしたブラウザーを使うか')).toBeVisible();
    await checkScreen(page, '05f sign-in, refused after wrong passwords');
  });

  test('[R1.3, R1.5] The sign-in form shows the typed password, says whom to ask if the server sends no mail, and changes to English', async ({
    page,
    founded,
  }) => {
    await page.goto(founded.url);
    await password(page).fill('ひみつ');
    await expect(password(page)).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'パスワードを表示' }).click();
    await expect(password(page)).toHaveAttribute('type', 'text');
    await expect(page.getByRole('button', { name: 'パスワードを表示' })).toHaveAttribute('aria-pressed', 'true');
    await expect(password(page)).toHaveValue('ひみつ');

    await email(page).fill(owner.email);
    await submit(page, 'パスワードを忘れた').click();
    await expect(page.getByText('組織の管理者に、パスワードの再設定を頼んでください')).toBeVisible();
    await checkScreen(page, '05e password forgotten, without mail');
    await submit(page, 'サインインに戻る').click();
    await expect(email(page)).toHaveValue(owner.email);
    await expect(password(page)).toBeFocused();

    await page.getByRole('radio', { name: 'English' }).click();
    await expect(heading(page, 'Sign in')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  });
});

test.describe('A session ended elsewhere', () => {
  test('[R1.5] A page whose session is ended elsewhere shows the sign-in at once, and keeps the draft', async ({
    page,
    browser,
    founded,
  }) => {
    await signInAs(page, founded.url, owner);
    await field(page).fill('書きかけの知らせ');
    const loaded = await page.evaluate(() => performance.timeOrigin);

    const other = await signedIn(browser, founded, owner);
    await ask(other, 'DELETE', '/api/sessions');
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: '書きかけの文章は残っています' })).toBeVisible();
    await expect(email(page)).toHaveValue(owner.email);
    await expect(password(page)).toBeFocused();
    await password(page).fill(owner.password);
    await password(page).press('Enter');
    await expect(field(page)).toHaveText('書きかけの知らせ');
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);
  });

  test('[R1.5] The page of a deactivated member shows the sign-in, which says why', async ({ browser, founded }) => {
    const page = await join(browser, founded, guest);
    const { member } = await ask(page, 'GET', '/api/session');
    const authorization = basic(owner.email, await apiKey(founded, owner));
    const gone = await fetch(`${founded.url}/api/v1/users/${member.user_id}`, {
      method: 'DELETE',
      headers: { Authorization: authorization },
    });
    expect(gone.status).toBe(200);
    await expect(heading(page, 'サインイン')).toBeVisible();
    await password(page).fill(guest.password);
    await password(page).press('Enter');
    await expect(page.getByRole('alert')).toContainText('このアカウントは利用を停止されています');
  });

  test('[R1.5] After all sessions of a member were ended, signing in again in one tab signs in all tabs', async ({
    page,
    browser,
    founded,
  }) => {
    await signInAs(page, founded.url, owner);
    const tab = await page.context().newPage();
    await tab.goto(founded.url);
    await expect(me(tab, owner.name)).toBeVisible();
    await ask(await signedIn(browser, founded, owner), 'DELETE', '/api/sessions');
    for (const each of [page, tab]) await expect(heading(each, 'サインイン')).toBeVisible();
    await password(tab).fill(owner.password);
    await password(tab).press('Enter');
    for (const each of [tab, page]) await expect(me(each, owner.name)).toBeVisible();
  });
});

test.describe('An invitation', () => {
  test('[R1.5] An invitation link works once, and the browser stores its token nowhere', async ({ browser, founded }) => {
    const link = await invite(browser, founded, guest.email);
    const page = await visitorPage(browser, founded);
    await page.goto(link);
    await expect(heading(page, `${owner.organisation}への招待`)).toBeVisible();
    await expect(page.getByText(`${owner.name}さんから招待が届いています。`)).toBeVisible();
    await expect(page.getByText(guest.email)).toBeVisible();
    await checkScreen(page, '06 invitation');
    expect(new URL(page.url()).hash).toBe('');
    const token = link.slice(link.lastIndexOf('/') + 1);
    const kept = () => page.evaluate(() => JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]));
    expect(await kept()).not.toContain(token);

    await submit(page, '参加する').click();
    await expect(name(page)).toHaveAccessibleDescription(/名前を入れてください/);
    await name(page).fill(guest.name);
    await page.getByLabel('名前の読み（任意）').fill('こばやし あや');
    await password(page).fill(guest.password);
    await submit(page, '参加する').click();
    await expect(me(page, guest.name)).toBeVisible();
    expect(await kept()).not.toContain(token);

    const late = await visitorPage(browser, founded);
    await late.goto(link);
    await expect(heading(late, 'このリンクは使えません')).toBeVisible();
    await checkScreen(late, '07b link that does not work');
    await expect(late.getByText('招待した人に、新しい招待を頼んでください')).toBeVisible();
    await submit(late, 'サインインへ').click();
    await email(late).fill(guest.email);
    await password(late).fill(guest.password);
    await submit(late, 'サインイン').click();
    await expect(me(late, guest.name)).toBeVisible();
  });

  test('[R1.5] The page of an invitation link asks a signed-in member before it replaces their session', async ({
    page,
    browser,
    founded,
  }) => {
    const link = await invite(browser, founded, guest.email);
    await signInAs(page, founded.url, owner);
    await page.goto(link);
    await expect(heading(page, 'このブラウザーはサインイン中です')).toBeVisible();
    await checkScreen(page, '06b invitation, while somebody is signed in');
    await submit(page, `${owner.name}さんのまま縁側を開く`).click();
    await expect(me(page, owner.name)).toBeVisible();

    await page.goto(link);
    await submit(page, '続ける').click();
    await name(page).fill(guest.name);
    await password(page).fill(guest.password);
    await password(page).press('Enter');
    await expect(me(page, guest.name)).toBeVisible();
  });

  test('[R8.4] Reloading the page of an invitation link shows the sign-in, which says to open the link again', async ({
    page,
    browser,
    founded,
  }) => {
    await page.goto(await invite(browser, founded, guest.email));
    await name(page).fill(guest.name);
    await page.reload();
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(page.getByText('招待のリンクをもう一度開いてください')).toBeVisible();
    await page.goto(`${founded.url}/#/settings`);
    await page.reload();
    await expect(heading(page, 'サインイン')).toBeVisible();
    await expect(page.getByText('招待のリンクをもう一度開いてください')).toBeHidden();
  });

  test('[R8.4] The page of an invitation link says that the server did not answer, or that the link is incomplete, and what to do', async ({
    page,
    browser,
    founded,
  }) => {
    const link = await invite(browser, founded, guest.email);
    await page.route('**/api/invitation', (route) => route.abort());
    await page.goto(link);
    await expect(heading(page, 'リンクを確かめられませんでした')).toBeVisible();
    await page.unroute('**/api/invitation');
    await submit(page, 'もう一度試す').click();
    await expect(name(page)).toBeFocused();

    await page.goto(`${founded.url}/#/invitation/abc`);
    await expect(heading(page, 'このリンクは使えません')).toBeVisible();
    await expect(page.getByText('リンクが途中で切れていないか')).toBeVisible();
  });
});

test.describe('A password', () => {
  test('[R1.5] A member sets a password by an administrator’s password link, which ends all their sessions', async ({
    page,
    browser,
    founded,
  }) => {
    const theirs = await join(browser, founded, guest);
    const { member } = await ask(theirs, 'GET', '/api/session');
    const administrator = await signedIn(browser, founded, owner);
    const { link } = await ask(administrator, 'POST', `/api/administration/members/${member.user_id}/reset`, {});
    await page.goto(new URL(link, founded.url).href);
    await expect(heading(page, 'パスワードの設定')).toBeVisible();
    await expect(page.getByText(`${guest.name}さんの新しいパスワードを決めてください。`)).toBeVisible();
    await checkScreen(page, '07 link for a password');
    await page.getByLabel('新しいパスワード', { exact: true }).fill('あたらしいことば');
    await submit(page, '設定して入る').click();
    await expect(me(page, guest.name)).toBeVisible();
    await expect(heading(theirs, 'サインイン')).toBeVisible();
    await password(theirs).fill(guest.password);
    await password(theirs).press('Enter');
    await expect(theirs.getByRole('alert')).toContainText('メールアドレスかパスワードが違います');
    await password(theirs).fill('あたらしいことば');
    await password(theirs).press('Enter');
    await expect(me(theirs, guest.name)).toBeVisible();
  });

  test('[R1.5] A member sets a forgotten password by a mailed link, and the form never reveals whether an address is a member’s', async ({
    browser,
    mailing: { product, mailServer },
  }) => {
    const page = await visitorPage(browser, product);
    await page.goto(product.url);
    const askFor = async (address: string) => {
      await submit(page, 'パスワードを忘れた').click();
      await email(page).fill(address);
      await submit(page, 'リンクを送る').click();
      await expect(page.getByText(`${address} がメンバーのメールアドレスであれば、再設定のリンクを送りました。`)).toBeVisible();
      if (address === owner.email) await checkScreen(page, '05d password forgotten, a link is sent');
      await submit(page, 'サインインに戻る').click();
    };
    await submit(page, 'パスワードを忘れた').click();
    await expect(submit(page, 'リンクを送る')).toBeVisible();
    await checkScreen(page, '05c password forgotten');
    await submit(page, 'サインインに戻る').click();
    await askFor('nobody@engawa.example');
    await askFor(owner.email);
    await expect.poll(() => mailServer.mails.map((letter) => linkIn(letter))).toEqual([expect.stringContaining('#/password/')]);
    await page.goto(linkIn(mailServer.mails[0]));
    await page.getByLabel('新しいパスワード', { exact: true }).fill('あたらしいことば');
    await submit(page, '設定して入る').click();
    await expect(me(page, owner.name)).toBeVisible();
  });

  test('[R5.1] The profile form says that only an administrator can change the email', async ({ page, founded }) => {
    await signInAs(page, founded.url, owner);
    await rail(page, '設定').click();
    await page.getByRole('button', { name: 'プロフィールを編集' }).click();
    const address = page.getByRole('dialog').getByLabel('メール');
    await expect(address).toHaveValue(owner.email);
    await expect(address).not.toBeEditable();
    await expect(address).toHaveAccessibleDescription('メールアドレスは管理者が変更します。');
    await page.getByRole('dialog').getByRole('radio', { name: '鶴' }).check();
    await page.getByRole('dialog').getByLabel('所在地').fill('京都府京都市');
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('definition').filter({ hasText: '京都府京都市' })).toBeVisible();
  });

  test('[R2.25.1] A member changes the password in the settings, which signs out their other browsers', async ({
    page,
    browser,
    founded,
  }) => {
    const other = await signedIn(browser, founded, owner);
    await signInAs(page, founded.url, owner);
    await openSecurity(page);
    await submit(page, 'パスワードを変更').click();
    const dialog = page.getByRole('dialog', { name: 'パスワードを変更' });
    const current = dialog.getByLabel('現在のパスワード', { exact: true });
    const next = dialog.getByLabel('新しいパスワード', { exact: true });
    await current.fill('ちがうことば');
    await next.fill('あたらしいことば');
    await submit(page, '変更').click();
    await expect(current).toHaveAccessibleDescription('現在のパスワードが違います。');
    await expect(current).toBeFocused();
    await expect(next).toHaveValue('あたらしいことば');
    await checkScreen(page, '83d settings, a new password');

    await current.fill(owner.password);
    await next.press('Enter');
    await expect(page.getByText('パスワードを変更しました')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(heading(other, 'サインイン')).toBeVisible();
    await expect(me(page, owner.name)).toBeVisible();
    await expect(page.getByRole('list', { name: 'サインイン中の端末の一覧' }).getByRole('listitem')).toHaveCount(1);
    await password(other).fill('あたらしいことば');
    await password(other).press('Enter');
    await expect(me(other, owner.name)).toBeVisible();
  });
});

const keys = (page: Page): Locator => page.getByRole('list', { name: 'API キーの一覧' }).getByRole('listitem');

test.describe('API keys', () => {
  test('[R2.25.1] The list of API keys shows only keys of programs, and the server refuses a revoked key', async ({
    page,
    founded,
  }) => {
    const statuses = async (made: readonly string[]) => Promise.all(made.map((key) => statusOf(founded, owner.email, key)));
    const made = [await apiKey(founded, owner), await apiKey(founded, owner), await apiKey(founded, owner)];
    expect(await statuses(made)).toEqual([200, 200, 200]);
    await signInAs(page, founded.url, owner);
    await openSecurity(page);
    await expect(keys(page)).toHaveCount(3);
    await checkScreen(page, '83c settings, keys and password');
    await keys(page)
      .first()
      .getByRole('button', { name: /を無効にする$/ })
      .click();
    const question = page.getByRole('dialog', { name: 'API キーを無効にする' });
    await expect(question).toBeVisible();
    await checkScreen(page, '83e settings, a key to be revoked');
    await submit(page, 'やめる').click();
    await expect(keys(page)).toHaveCount(3);
    await keys(page)
      .first()
      .getByRole('button', { name: /を無効にする$/ })
      .click();
    await question.getByRole('button', { name: '無効にする', exact: true }).click();
    await expect(keys(page)).toHaveCount(2);
    expect(await statuses(made)).toEqual([200, 200, 401]);

    await submit(page, 'すべて無効にする').click();
    await page
      .getByRole('dialog', { name: 'API キーをすべて無効にする' })
      .getByRole('button', { name: '無効にする', exact: true })
      .click();
    await expect(page.getByText('API キーはありません。')).toBeVisible();
    expect(await statuses(made)).toEqual([401, 401, 401]);
    await expect(me(page, owner.name)).toBeVisible();
  });
});

const guest = { name: '小林 彩', email: 'kobayashi@engawa.example', password: '縁側に座って話す' } as const;

const linkIn = (letter = ''): string => /https?:\S+#\/password\/\S+/.exec(letter)?.[0] ?? '';

type Known = { readonly email: string; readonly password: string };

async function signInAs(page: Page, url: string, who: Known): Promise<void> {
  await page.goto(url);
  await email(page).fill(who.email);
  await password(page).fill(who.password);
  await submit(page, 'サインイン').click();
  await expect(rail(page, '設定')).toBeVisible();
}

async function signedIn(browser: Browser, product: Product, who: Known): Promise<Page> {
  const page = await signedInPage(browser, product, who);
  await page.goto('/');
  await expect(rail(page, '設定')).toBeVisible();
  return page;
}

async function ask(page: Page, method: 'GET' | 'POST' | 'DELETE', path: string, data?: object) {
  const { origin } = new URL(page.url());
  const answer = await page.request.fetch(origin + path, { method, headers: { Origin: origin }, ...(data && { data }) });
  expect(answer.status(), await answer.text()).toBe(200);
  return answer.json();
}

/** @returns The link. */
async function invite(browser: Browser, product: Product, address: string): Promise<string> {
  const { request } = await signedInContext(browser, product, owner);
  const path = '/api/administration/invitations';
  const answer = await request.post(path, { headers: { Origin: product.url }, data: { emails: [address] } });
  expect(answer.status(), await answer.text()).toBe(200);
  const { sent } = await answer.json();
  return new URL(sent[0].link, product.url).href;
}

async function join(browser: Browser, product: Product, who: typeof guest): Promise<Page> {
  const link = await invite(browser, product, who.email);
  const page = await visitorPage(browser, product);
  await page.goto(link);
  await name(page).fill(who.name);
  await password(page).fill(who.password);
  await submit(page, '参加する').click();
  await expect(me(page, who.name)).toBeVisible();
  return page;
}

async function openSecurity(page: Page): Promise<void> {
  await rail(page, '設定').click();
  await page.getByRole('tabpanel').getByRole('button', { name: 'セキュリティ', exact: true }).click();
}

async function apiKey({ url }: Product, { email: username, password: secret }: Known): Promise<string> {
  const body = new URLSearchParams({ username, password: secret });
  const answer = await fetch(`${url}/api/v1/fetch_api_key`, { method: 'POST', body });
  const { api_key: key } = await answer.json();
  return key;
}

function basic(address: string, key: string): string {
  return `Basic ${btoa(`${address}:${key}`)}`;
}

async function statusOf({ url }: Product, address: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/users/me`, { headers: { Authorization: basic(address, key) } });
  return answer.status;
}

import type { Locator, Page } from '@playwright/test';
import { checkScreen } from './checkScreen.ts';
import { expect, signedInContext, signIn, test } from './product.ts';
import { shortcutIds, type CallShortcutId, type ShortcutId } from '../packages/web/src/features/help/shortcuts.ts';
import { arrived, department, field, header, hold, mentionCandidates, message, painted, rail, tree, write } from './screen.ts';

const panel = (page: Page): Locator => page.getByRole('tabpanel');
const section = (page: Page, name: string): Locator => page.getByRole('region', { name });
const sessions = (page: Page): Locator => page.getByRole('list', { name: 'サインイン中の端末の一覧' }).getByRole('listitem');
const signedOut = (page: Page): Locator => page.getByText('サインアウトされました。');

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name });
const themeOf = (page: Page): Promise<string | null> => page.locator('html').getAttribute('data-theme');

async function openSettings(page: Page, name?: string): Promise<void> {
  await rail(page, '設定').click();
  await expect(panel(page).getByRole('button', { name: 'プロフィールを編集' })).toBeVisible();
  if (name !== undefined) await panel(page).getByRole('button', { name, exact: true }).click();
}

test.describe('Sessions', () => {
  const iPhone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

  test('[R2.24.2, R2.25.1] The settings list the sessions of a member, and one device signs out another at once', async ({
    browser,
    product,
  }) => {
    const there = await signIn(browser, product, 'hayashi@engawa.example', { extraHTTPHeaders: { 'User-Agent': iPhone } });
    const page = await signIn(browser, product, 'hayashi@engawa.example');
    await openSettings(page, 'セキュリティ');
    await expect(sessions(page)).toHaveCount(2);
    await expect(sessions(page).filter({ hasText: 'この端末' }).getByRole('button')).toHaveCount(0);

    await section(page, 'セキュリティ').getByRole('button', { name: 'iPhone の Safari をサインアウトさせる' }).click();
    await expect(signedOut(there)).toBeVisible();
    await expect(page.getByText('iPhone の Safari をサインアウトさせました。')).toBeVisible();
    await expect(sessions(page)).toHaveCount(1);
    await expect(page.getByText('サインインしているのはこの端末だけです。')).toBeVisible();
    await expect(signedOut(page)).toHaveCount(0);
  });

  test('[R2.25.1] Beyond five sessions the list is folded, each names its address, and help stays in reach in a wide window', async ({
    browser,
    product,
  }) => {
    for (let each = 0; each < 6; each += 1) {
      await signedInContext(browser, product, 'ueda@engawa.example', { extraHTTPHeaders: { 'User-Agent': iPhone } });
    }
    const page = await signIn(browser, product, 'ueda@engawa.example', { viewport: { width: 1440, height: 900 } });
    await openSettings(page, 'セキュリティ');
    await expect(sessions(page)).toHaveCount(5);
    await expect(sessions(page).first()).toContainText('この端末');
    await expect(sessions(page).nth(1)).toContainText(/iPhone の Safari.*127\.0\.0\.1\sから/);
    await panel(page).getByRole('button', { name: 'ほかの 2 台を表示' }).click();
    await expect(sessions(page)).toHaveCount(7);
    await panel(page).getByRole('button', { name: 'たたむ' }).click();
    await expect(sessions(page)).toHaveCount(5);

    const personal = await section(page, '個人情報').boundingBox();
    const words = await section(page, '注目する言葉').boundingBox();
    expect(words?.x).toBeGreaterThan((personal?.x ?? Infinity) + (personal?.width ?? 0));
    await checkScreen(page, '83f settings, many sessions');
    const help = panel(page).getByRole('link', { name: 'ヘルプ' });
    await expect(help).toBeInViewport();
    await help.click();
    await expect(page.getByRole('dialog', { name: 'よくある質問' })).toBeVisible();
  });

  test('[R2.25.1] A member signs out a second device while the request for the first one is not answered yet', async ({
    browser,
    product,
  }) => {
    const other = await signIn(browser, product, 'ikeda@engawa.example');
    const phone = await signIn(browser, product, 'ikeda@engawa.example', { extraHTTPHeaders: { 'User-Agent': iPhone } });
    const page = await signIn(browser, product, 'ikeda@engawa.example');
    await openSettings(page, 'セキュリティ');
    const ends = await hold(page, '**/api/sessions/*');
    await page.getByRole('button', { name: 'iPhone の Safari をサインアウトさせる' }).click();
    await section(page, 'セキュリティ')
      .getByRole('button', { name: /^(?!iPhone).*をサインアウトさせる$/ })
      .click();
    ends();
    for (const each of [phone, other]) await expect(signedOut(each)).toBeVisible();
    await expect(sessions(page)).toHaveCount(1);
  });

  test('[R2.25.1] After a confirmation, one button signs out all other devices of the member', async ({ browser, product }) => {
    const others = await Promise.all([1, 2].map(() => signIn(browser, product, 'mori@engawa.example')));
    const page = await signIn(browser, product, 'mori@engawa.example');
    await openSettings(page, 'セキュリティ');
    await expect(sessions(page)).toHaveCount(3);
    await page.getByRole('button', { name: 'ほかの端末をすべてサインアウト' }).click();
    const question = page.getByRole('dialog', { name: 'ほかの端末をすべてサインアウト' });
    await expect(question).toContainText('2 台');
    await question.getByRole('button', { name: 'サインアウト', exact: true }).click();
    for (const other of others) await expect(signedOut(other)).toBeVisible();
    await expect(sessions(page)).toHaveCount(1);
    await expect(signedOut(page)).toHaveCount(0);
  });

  test('[R8.4] The list of sessions says why it could not be loaded, and loads when the member tries again', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'mori@engawa.example');
    await page.route('**/api/sessions', (route) => route.abort());
    await openSettings(page, 'セキュリティ');
    await expect(section(page, 'セキュリティ').getByRole('alert')).toContainText('サーバーにつながりませんでした');
    await page.unroute('**/api/sessions');
    await section(page, 'セキュリティ').getByRole('button', { name: 'もう一度試す' }).click();
    await expect(sessions(page).first()).toBeVisible();
  });
});

test.describe('Own settings', () => {
  const member = 'ogawa@engawa.example';

  test('[R2.25.1, R4.11] A changed theme, language or send key applies at once on all devices of the member', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, member);
    const other = await signIn(browser, product, member);
    await openSettings(page);

    await panel(page).getByRole('radio', { name: 'ダーク' }).click();
    await expect.poll(() => themeOf(page)).toBe('dark');
    await expect.poll(() => themeOf(other)).toBe('dark');

    await panel(page).getByRole('radio', { name: 'Ctrl（⌘）+ Enter' }).click();
    await expect(other.getByText('Ctrl（⌘）+ Enter で送信・Enter で改行')).toBeVisible();
    await field(other).fill('一行目');
    await field(other).press('Enter');
    await field(other).pressSequentially('二行目');
    await expect(field(other)).toHaveValue('一行目\n二行目');
    await field(other).press('Control+Enter');
    await expect(message(other, '二行目')).toBeVisible();
    await expect(field(other)).toHaveValue('');

    await panel(page).getByRole('radio', { name: 'English' }).click();
    await expect(other.getByPlaceholder('Write a message')).toBeVisible();
    const next = await signIn(browser, product, member);
    await expect(next.getByRole('tab', { name: 'Organisation' })).toBeVisible();
    await expect.poll(() => themeOf(next)).toBe('dark');
    await expect(next.getByText('Ctrl (⌘) + Enter to send')).toBeVisible();

    await next.getByRole('button', { name: 'Use the light theme' }).click();
    await expect.poll(() => themeOf(page)).toBeNull();
  });

  test('[R1.4, R2.25.1] Another device shows the language chosen last, even if the words of an earlier choice are loaded later', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'fujiwara@engawa.example');
    const other = await signIn(browser, product, 'fujiwara@engawa.example');
    await openSettings(page);
    await openSettings(other);
    const release = await hold(other, '**/assets/*.js');
    const requested = other.waitForRequest('**/assets/*.js');
    await panel(page).getByRole('radio', { name: 'English' }).click();
    await requested;
    await panel(page).getByRole('radio', { name: '日本語' }).click();
    await panel(page).getByRole('radio', { name: 'ダーク' }).click();
    await expect.poll(() => themeOf(other)).toBe('dark');
    const response = other.waitForResponse('**/assets/*.js');
    release();
    await (await response).finished();
    await painted(other);
    await expect(panel(other).getByRole('heading', { name: '設定' })).toBeVisible();
    await expect(other.locator('html')).toHaveAttribute('lang', 'ja');
  });

  test('[R2.24.1] The settings show a loading sign, and then all controls together', async ({ browser, product }) => {
    const context = await signedInContext(browser, product, 'ueda@engawa.example');
    const page = await context.newPage();
    const release = await hold(page, '**/api/v1/register');
    await page.goto('/#/settings');
    await expect(panel(page).getByRole('status', { name: '読み込んでいます…' })).toBeVisible();
    await expect(panel(page).getByRole('link', { name: 'ログアウト' })).toBeVisible();
    await expect(panel(page).getByRole('radio')).toHaveCount(0);
    release();
    await expect(panel(page).getByRole('radio', { name: '日本語' })).toBeChecked();
    await expect(panel(page).getByRole('button', { name: 'プロフィールを編集' })).toBeVisible();
    await checkScreen(page, '80 settings');
  });

  test('[R2.25.1] A setting that could not be saved returns to its old value, and a notice says why', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'inoue@engawa.example');
    await openSettings(page);
    await page.route('**/api/v1/settings', (route) => route.abort());
    await panel(page).getByRole('radio', { name: 'ダーク' }).click();
    await expect(page.getByRole('alert')).toContainText('サーバーにつながりませんでした');
    await expect(panel(page).getByRole('radio', { name: 'ライト' })).toBeChecked();
    expect(await page.locator('html').getAttribute('data-theme')).toBeNull();
  });

  test('[R2.25.1] A changed setting is saved even if the member leaves the page while an earlier change is being saved', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'nakamura@engawa.example');
    await openSettings(page);
    await page.route('**/api/v1/settings', () => undefined, { times: 1 });
    const isOnItsWay = page.waitForRequest('**/api/v1/settings');
    await panel(page).getByRole('radio', { name: 'ダーク' }).click();
    await isOnItsWay;
    await panel(page).getByRole('radio', { name: '端末と同じ' }).click();
    // Shorter than the timeout of the first request, after which the second would be sent anyway.
    const rest = page.waitForResponse('**/api/v1/settings', { timeout: 10_000 });
    // Leaving the page would abort the held request.
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    expect((await rest).request().postData()).toBe('color_scheme=1');
  });

  test('[R4.11] The page follows the theme of the device if the member chose so, and loads in that theme at once', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'matsumoto@engawa.example', { colorScheme: 'dark' });
    await openSettings(page);
    const answered = page.waitForResponse('**/api/v1/settings');
    await panel(page).getByRole('radio', { name: '端末と同じ' }).click();
    await answered;
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(page.locator('html')).not.toHaveAttribute('data-theme');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.route('**/assets/*.js', () => undefined);
    await page.reload({ waitUntil: 'commit' });
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  test('[R9.5] All times are shown in the time zone that the member chose instead of Japan time', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'yoshida@engawa.example');
    await write(page, 'いま何時ですか。');
    const time = message(page, 'いま何時ですか。').locator('time');
    await expect(time).toBeVisible();
    const japanese = await time.textContent();
    await openSettings(page);
    const zone = panel(page).getByRole('combobox', { name: '時刻帯' });
    await expect(zone).toHaveValue('Asia/Tokyo');
    await zone.fill('America/New_York');
    await expect(time).not.toHaveText(japanese ?? '');
    await page.reload();
    await expect(zone).toHaveValue('America/New_York');
    await expect(message(page, 'いま何時ですか。').locator('time')).not.toHaveText(japanese ?? '');
  });

  test('[R9.5] The time zone chosen last is saved, even if the event of an earlier choice has not arrived', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'nishimura@engawa.example');
    await openSettings(page);
    const zone = panel(page).getByRole('combobox', { name: '時刻帯' });
    await expect(zone).toHaveValue('Asia/Tokyo');
    // Holds the next event.
    const deliver = await hold(page, '**/api/v1/events?*');
    const listens = page.waitForRequest('**/api/v1/events?*');
    await write(page, '時刻帯を変えます。');
    await listens;
    for (const chosen of ['Europe/Paris', 'Asia/Tokyo']) {
      const answered = page.waitForResponse('**/api/v1/settings');
      await zone.fill(chosen);
      await answered;
    }
    deliver();
    await page.reload();
    await expect(zone).toHaveValue('Asia/Tokyo');
  });
});

test.describe('Help', () => {
  test('[R2.25.5] Each help page has its own address, and the browser’s Back returns to the page before', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await openSettings(page, 'ヘルプ');
    await section(page, 'ヘルプ').getByRole('link', { name: 'よくある質問' }).click();
    await expect(page).toHaveURL(/#\/settings\/help\/faqs$/);
    await expect(dialog(page, 'よくある質問').getByRole('heading', { level: 3 })).not.toHaveCount(0);
    await dialog(page, 'よくある質問').getByRole('link', { name: 'お問い合わせへ' }).click();
    await expect(dialog(page, 'お問い合わせ')).toContainText('髙橋 浩一');
    await page.goBack();
    await expect(dialog(page, 'よくある質問')).toBeVisible();
    await page.goForward();
    await dialog(page, 'お問い合わせ')
      .getByRole('link', { name: /髙橋 浩一さんにメッセージを送る/ })
      .click();
    await expect(page).toHaveURL(/#\/direct\//);
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toContainText('髙橋 浩一');
    await page.goto('/#/settings/help/policy');
    await expect(dialog(page, 'プライバシーポリシー')).toContainText('外部のサービスに何も送らず');
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/#\/settings$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('[R2.25.5] The help pages are available in English', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await page.evaluate(() => localStorage.setItem('engawa:locale', 'en'));
    await page.reload();
    for (const [address, heading] of [
      ['faqs', 'Questions and answers'],
      ['calls', 'Calls'],
      ['contact', 'Contact'],
      ['policy', 'Privacy policy'],
      ['shortcuts', 'Keyboard shortcuts'],
    ] as const) {
      await page.goto(`/#/settings/help/${address}`);
      await expect(dialog(page, heading)).toBeVisible();
      await checkScreen(page, `84d help, ${address}`);
      // Names and titles are not translated.
      if (address !== 'contact')
        await expect(dialog(page, heading)).not.toContainText(/[\p{Script=Hiragana}\p{Script=Katakana}]/u);
    }
  });

  /** Uses each listed shortcut, to prove that it works. `10-calls-screens.spec.ts` uses those of calls. */
  const checks: Readonly<Record<Exclude<ShortcutId, CallShortcutId>, (page: Page) => Promise<void>>> = {
    async help(page) {
      await page.getByRole('log').focus();
      // The handler is loaded after the first messages.
      await expect(async () => {
        await page.keyboard.press('?');
        await expect(dialog(page, 'キーボードショートカット')).toBeVisible({ timeout: 1000 });
      }).toPass();
    },
    async close(page) {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    },
    async search(page) {
      for (const key of ['Control+k', 'Meta+k']) {
        await page.keyboard.press(key);
        await expect(page.getByRole('dialog')).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
      }
      await rail(page, '組織').focus();
      await page.keyboard.press('/');
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('Escape');
    },
    async tabs(page) {
      await rail(page, '組織').click();
      await rail(page, '組織').press('ArrowDown');
      await expect(rail(page, 'ストリーム')).toBeFocused();
      await rail(page, 'ストリーム').press('ArrowUp');
      await expect(rail(page, '組織')).toHaveAttribute('aria-selected', 'true');
    },
    async walk(page) {
      await tree(page).getByRole('treeitem').first().focus();
      await page.keyboard.press('ArrowDown');
      await expect(tree(page).getByRole('treeitem').nth(1)).toBeFocused();
      await page.keyboard.press('ArrowUp');
      await expect(tree(page).getByRole('treeitem').first()).toBeFocused();
    },
    async ends(page) {
      await page.keyboard.press('End');
      await expect(tree(page).getByRole('treeitem').last()).toBeFocused();
      await page.keyboard.press('Home');
      await expect(tree(page).getByRole('treeitem').first()).toBeFocused();
    },
    async unfold(page) {
      await page.keyboard.press('ArrowLeft');
      await expect(tree(page).getByRole('treeitem').first()).toHaveAttribute('aria-expanded', 'false');
      await page.keyboard.press('ArrowRight');
      await expect(tree(page).getByRole('treeitem').first()).toHaveAttribute('aria-expanded', 'true');
    },
    async open(page) {
      await department(page, 'プロダクト開発部').focus();
      await page.keyboard.press('Enter');
      await expect(header(page)).toContainText('プロダクト開発部');
    },
    async newLine(page) {
      await field(page).fill('一');
      await field(page).press('Shift+Enter');
      await expect(field(page)).toHaveValue('一\n');
    },
    async send(page) {
      await field(page).fill('キーで送ります。');
      await field(page).press('Enter');
      await expect(message(page, 'キーで送ります。')).toBeVisible();
    },
    async mention(page) {
      await field(page).pressSequentially('@');
      await expect(mentionCandidates(page)).toBeVisible();
      await field(page).press('Escape');
    },
    async clear(page) {
      await field(page).fill('消します');
      await field(page).press('Escape');
      await expect(field(page)).toHaveValue('');
    },
    async editLast(page) {
      await arrived(message(page, 'キーで送ります。'));
      await field(page).press('ArrowUp');
      await expect(page.getByRole('textbox', { name: 'メッセージを編集' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(field(page)).toBeFocused();
    },
    async walkMessages(page) {
      await message(page, 'キーで送ります。').focus();
      await page.keyboard.press('ArrowUp');
      await expect(message(page, 'キーで送ります。')).not.toBeFocused();
      await page.keyboard.press('ArrowDown');
      await expect(message(page, 'キーで送ります。')).toBeFocused();
    },
    async messageTools(page) {
      for (const key of ['Enter', 'ContextMenu']) {
        await message(page, 'キーで送ります。').focus();
        await page.keyboard.press(key);
        await expect(page.getByRole('menuitem').first()).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(page.getByRole('menuitem')).toHaveCount(0);
      }
    },
  };

  test('[R2.25.5] The key ? opens the help, except in a text field, and the help lists exactly the shortcuts that work', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await field(page).pressSequentially('何?');
    await expect(field(page)).toHaveValue('何?');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await field(page).fill('');
    await checks.help(page);
    const listed = await page
      .locator('[data-shortcut]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-shortcut')));
    expect(listed.toSorted()).toEqual(shortcutIds.toSorted());
    const { help: _, ...others } = checks;
    for (const check of Object.values(others)) await check(page);
  });
});

test('[R2.24.2, R2.25.4] A member chooses the notification level of each stream in one list, which applies on all devices', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'hayashi@engawa.example');
  const device = await signIn(browser, product, 'hayashi@engawa.example');
  const stream = '全社アナウンス';
  for (const each of [page, device]) {
    await openSettings(each, 'セキュリティ');
    await each.getByRole('button', { name: 'ストリームごとの通知' }).click();
  }
  const levelIn = (each: Page): Locator =>
    dialog(each, 'ストリームごとの通知').getByRole('combobox', { name: `${stream} の通知` });
  await expect(levelIn(page), 'nothing was chosen yet').toHaveValue('mentions');
  for (const level of ['all', 'none'] as const) {
    await levelIn(page).selectOption(level);
    await expect(levelIn(device)).toHaveValue(level);
  }
  await checkScreen(device, '83b settings, notifications by stream');
  await page.keyboard.press('Escape');
  await rail(page, 'ストリーム').click();
  await page.getByRole('list', { name: 'ストリームの一覧' }).getByRole('link', { name: stream }).click();
  await expect(page.getByRole('button', { name: 'ミュート中（押すと解除）' })).toBeVisible();
});

test('[R2.25.1] Each choice in the display settings fits its card, on one line with its label', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'mori@engawa.example');
  await openSettings(page);
  // At 1440 pixels the settings have two columns, and at 900 one that is as narrow.
  for (const width of [1440, 900, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const card = panel(page).getByRole('region', { name: '表示' });
    await expect(card.getByRole('radiogroup')).toHaveCount(4);
    for (const choice of await card.getByRole('radiogroup').all()) {
      const measured = await choice.evaluate((row) => ({
        beyond: row.scrollWidth - row.clientWidth,
        lines: new Set([...row.children].map((part) => part.getBoundingClientRect()).map(({ top, height }) => top + height / 2))
          .size,
      }));
      expect(measured, `at ${width} px`).toEqual({ beyond: 0, lines: 1 });
    }
  }
});

import type { Locator, Page } from '@playwright/test';
import { checkScreen } from './checkScreen.ts';
import { expect, signedInPage, signIn, test } from './product.ts';
import { field, delayDecoding, hold, message, rail, signOut, streamRow, write } from './screen.ts';

const phone = { width: 390, height: 844 };
const announcements = '全社アナウンス';

const panel = (page: Page): Locator => page.getByRole('tabpanel');
const section = (page: Page, name: string): Locator => panel(page).getByRole('button', { name, exact: true });
const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'プロフィールを編集' });
const chooseImage = (page: Page): Locator => dialog(page).locator('input[type=file]');
const save = (page: Page): Locator => dialog(page).getByRole('button', { name: '保存' });
const ownPicture = (page: Page): Locator => panel(page).locator('[data-size=profile]').first();

async function openSettings(page: Page): Promise<void> {
  await rail(page, '設定').click();
  await expect(panel(page).getByRole('definition').last()).not.toBeEmpty();
}

async function openProfile(page: Page): Promise<void> {
  await openSettings(page);
  await editProfile(page);
}

async function editProfile(page: Page): Promise<void> {
  await panel(page).getByRole('button', { name: 'プロフィールを編集' }).click();
  await expect(dialog(page)).toBeVisible();
}

/** A picture whose left half is red and right half is blue. */
async function halves(page: Page, type: 'image/png' | 'image/jpeg', width = 900, height = 600): Promise<Buffer> {
  const url = await page.evaluate(
    ([mime, wide, high]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: wide, height: high });
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas context');
      context.fillStyle = '#ff0000';
      context.fillRect(0, 0, wide / 2, high);
      context.fillStyle = '#0000ff';
      context.fillRect(wide / 2, 0, wide / 2, high);
      return canvas.toDataURL(mime);
    },
    [type, width, height] as const,
  );
  return Buffer.from(url.split(',')[1] ?? '', 'base64');
}

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of the pixels in the middle of the left and right edge. */
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** The decoded picture at an address. */
function pictureAt(page: Page, url: string): Promise<Picture> {
  return page.evaluate(async (address) => {
    const image = await createImageBitmap(await (await fetch(address)).blob());
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const at = (x: number) => [...(context?.getImageData(x, Math.floor(height / 2), 1, 1).data ?? [])].slice(0, 3);
    return { width, height, left: at(0), right: at(width - 1) };
  }, url);
}

async function pictureOf(within: Locator): Promise<string> {
  return (await within.locator('img').first().getAttribute('src')) ?? '';
}

const tinyGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

test.describe('The settings tab', () => {
  test('[R2.24.1] The settings show the signed-in member, their status and the sign-out link', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ikeda@engawa.example');
    await openSettings(page);
    expect(await ownPicture(page).boundingBox()).toMatchObject({ width: 84, height: 84 });
    await expect(panel(page).getByText('池田 佳奈').first()).toBeVisible();
    await expect(panel(page).getByRole('link', { name: 'ログアウト' })).toHaveAttribute('href', '/logout');
    const status = panel(page).getByRole('combobox', { name: 'ステータス' }).first();
    await expect(status.getByRole('option')).toHaveText(['対応可能', '取り込み中']);
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/users/me/status') && answer.ok());
    await status.selectOption('取り込み中');
    await answered;
    await page.reload();
    await expect(status).toHaveValue('busy');
    await panel(page).getByRole('link', { name: 'ログアウト' }).scrollIntoViewIfNeeded();
    await checkScreen(page, '85 settings, the end');
    await panel(page).getByRole('button', { name: 'メンバーを切り替える' }).click();
    await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible();
    await checkScreen(page, '88 switch member');
  });

  test('[R2.24.2] The settings have four sections, and a press opens or closes one', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ikeda@engawa.example');
    await openSettings(page);
    const personal = page.getByRole('region', { name: '個人情報' });
    await expect(personal.getByRole('term')).toHaveText(['名前', 'メール', '時刻', '所在地']);
    await expect(personal.getByRole('definition')).toHaveText(['池田 佳奈', 'ikeda@engawa.example', /^\d{2}:\d{2}$/, '東京本社']);

    const privacy = page.getByRole('region', { name: 'プライバシー' });
    const choices = [
      ['プロフィール写真', '非公開'],
      ['ステータス', '非公開'],
      ['グループ', 'だれも追加できない'],
    ] as const;
    for (const [name, nobody] of choices) {
      const audience = privacy.getByRole('combobox', { name });
      await expect(audience.getByRole('option')).toHaveText(['全員', '選択した人', nobody]);
    }
    await expect(privacy.getByRole('switch')).toHaveText([
      '最終アクティブ',
      '既読通知',
      '入力中の表示',
      '下書きをサーバーに保存',
    ]);

    const security = page.getByRole('region', { name: 'セキュリティ' });
    await expect(section(page, 'セキュリティ')).toHaveAttribute('aria-expanded', 'false');
    await expect(security).toBeHidden();
    await section(page, 'セキュリティ').focus();
    await page.keyboard.press('Enter');
    await expect(section(page, 'セキュリティ')).toHaveAttribute('aria-expanded', 'true');
    await expect(security.getByRole('switch', { name: '通知', exact: true })).toBeVisible();
    await page.keyboard.press('Space');
    await expect(security).toBeHidden();

    await section(page, 'ヘルプ').click();
    const help = page.getByRole('region', { name: 'ヘルプ' });
    await expect(help.getByRole('link')).toHaveText([
      'よくある質問',
      '通話',
      'お問い合わせ',
      'プライバシーポリシー',
      'キーボードショートカット',
    ]);
  });

  test('[R2.25.1, R2.25.3] A changed privacy setting is stored and appears at once on the member’s other device', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'goto@engawa.example');
    await openSettings(page);
    const other = await signIn(browser, product, 'goto@engawa.example');
    await openSettings(other);
    const groups = panel(page).getByRole('combobox', { name: 'グループ' });
    const lastSeen = panel(page).getByRole('switch', { name: '最終アクティブ' });
    await groups.selectOption('だれも追加できない');
    await lastSeen.focus();
    await page.keyboard.press('Space');
    await expect(lastSeen).toHaveAttribute('aria-checked', 'false');
    await expect(panel(other).getByRole('combobox', { name: 'グループ' })).toHaveValue('nobody');
    await expect(panel(other).getByRole('switch', { name: '最終アクティブ' })).toHaveAttribute('aria-checked', 'false');
    await page.reload();
    await expect(groups).toHaveValue('nobody');
    await expect(lastSeen).toHaveAttribute('aria-checked', 'false');
  });

  test('[R2.24.2, R9.5] The clock in the settings shows Japan time and keeps running', async ({ browser, product }) => {
    const page = await signedInPage(browser, product, 'ikeda@engawa.example', { timezoneId: 'America/New_York' });
    const clock = page.getByRole('region', { name: '個人情報' }).getByRole('definition').nth(2);
    await page.clock.install({ time: new Date('2026-11-20T22:12:30Z') });
    await page.goto('/');
    await openSettings(page);
    await expect(clock).toHaveText('07:12');
    await page.clock.fastForward(31_000);
    await expect(clock).toHaveText('07:13');
    await page.clock.fastForward(60_000);
    await expect(clock).toHaveText('07:14');
  });
});

test.describe('The profile form', () => {
  test('[R5.1] After a submit, the profile form says at each invalid field what is missing', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'kono@engawa.example');
    await openProfile(page);
    const fields = { 名前: '名前を入力', メール: 'メールアドレスを入力', 所在地: '所在地を入力' };
    for (const name of Object.keys(fields)) await dialog(page).getByLabel(name, { exact: true }).fill(' ');
    await expect(dialog(page).getByText(/してください/)).toHaveCount(0);
    await expect(dialog(page).getByRole('form')).toHaveAttribute('data-submitted', 'false');
    await save(page).click();
    await expect(dialog(page).getByRole('form')).toHaveAttribute('data-submitted', 'true');
    for (const [name, complaint] of Object.entries(fields)) {
      const input = dialog(page).getByLabel(name, { exact: true });
      await expect(input).toHaveAccessibleDescription(new RegExp(complaint));
      await expect(input).toHaveAttribute('aria-invalid', 'true');
    }
    // 河野 has no picture, so the picture is the first invalid field.
    await expect(chooseImage(page)).toBeFocused();
    await expect(chooseImage(page)).toHaveAccessibleDescription(/画像を選んでください/);

    await dialog(page).getByRole('radio', { name: '梅' }).check();
    await dialog(page).getByLabel('名前').fill('河野 俊');
    await dialog(page).getByLabel('メール').fill('kono@');
    await dialog(page).getByLabel('所在地').fill('福岡');
    await expect(dialog(page).getByText(/してください/)).toHaveText(['メールアドレスの形式で入力してください。']);
    await save(page).click();
    await expect(dialog(page).getByLabel('メール')).toBeFocused();
    await dialog(page).getByLabel('メール').fill('SATO@engawa.example');
    await expect(dialog(page).getByLabel('メール')).toHaveAccessibleDescription(/ほかのメンバーが使っています/);
    await dialog(page).getByLabel('メール').fill('kono@engawa.example');
    await expect(dialog(page).getByLabel('メール')).toHaveAttribute('aria-invalid', 'false');
    await save(page).click();
    await expect(dialog(page)).toBeHidden();
  });

  test('[R5.2, R8.1] The profile form refuses a picture of the wrong type or size with the specified texts', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ikeda@engawa.example');
    await openProfile(page);
    const alert = dialog(page).getByRole('alert');
    const [type, size] = ['Sorry you can only upload JPG|JPEG|PNG|GIF files.', 'Sorry File size exceeding from 5 Mb'];
    const choose = (name: string, buffer: Buffer) => chooseImage(page).setInputFiles({ name, mimeType: 'image/png', buffer });
    await choose('文書.pdf', Buffer.from('%PDF-1.7'));
    await expect(alert).toHaveText(type);
    await choose('大きい.PNG', Buffer.alloc(5_000_001));
    await expect(alert).toHaveText(size);
    await choose('名前だけ.png', Buffer.from('only text'));
    await expect(alert).toHaveText(type);
    await choose('大きい.PNG', Buffer.alloc(5_000_001));
    await expect(alert).toHaveText(size);
    await choose('大きい.bmp', Buffer.alloc(5_000_001));
    await expect(alert).toHaveText(type);
    await choose('写真.PNG', await halves(page, 'image/png'));
    await expect(alert).toHaveCount(0);

    await page.keyboard.press('Escape');
    await panel(page).getByRole('radio', { name: 'English' }).click();
    await panel(page).getByRole('button', { name: 'Edit profile' }).click();
    const english = page.getByRole('dialog', { name: 'Edit profile' });
    const pdf = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') };
    await english.locator('input[type=file]').setInputFiles(pdf);
    await expect(english.getByRole('alert')).toHaveText(type);
  });

  test('[R4.12] A member saves a new name, email and location, which other members see, also after a reload', async ({
    browser,
    product,
  }) => {
    const [page, other] = [
      await signIn(browser, product, 'hara@engawa.example'),
      await signIn(browser, product, 'kobayashi@engawa.example'),
    ];
    await page.goto('/');
    await rail(page, 'ストリーム').click();
    await rail(other, 'ストリーム').click();
    await streamRow(page, announcements).click();
    await streamRow(other, announcements).click();
    await write(page, '改姓のお知らせです');
    await expect(message(other, '改姓のお知らせです')).toContainText('原 由紀');

    await openProfile(page);
    await dialog(page).getByRole('radio', { name: '鶴' }).check();
    await dialog(page).getByLabel('名前').fill('小原 由紀');
    await dialog(page).getByLabel('メール').fill('obara@engawa.example');
    await dialog(page).getByLabel('所在地').fill('京都府京都市');
    await save(page).click();
    await expect(dialog(page)).toBeHidden();
    await expect(panel(page).getByRole('button', { name: 'プロフィールを編集' })).toBeFocused();
    const facts = ['小原 由紀', 'obara@engawa.example', /\d/, '京都府京都市'];
    await expect(panel(page).getByRole('definition')).toHaveText(facts);
    await expect(page.getByRole('button', { name: '小原 由紀（メンバーを切り替える）' })).toBeVisible();
    for (const each of [page, other]) {
      await expect(message(each, '改姓のお知らせです')).toContainText('小原 由紀');
      await expect(message(each, '改姓のお知らせです').locator('img').first()).toHaveAttribute('src', '/avatars/avatar-8.svg');
    }
    await expect(streamRow(other, announcements)).toContainText('小原 由紀: 改姓のお知らせです');

    // The session survives a reload and a restart with the new email.
    await write(page, 'メールも変わりました');
    await expect(message(other, 'メールも変わりました')).toBeVisible();
    await product.kill();
    await product.start();
    await page.reload();
    await rail(page, '設定').click();
    await expect(panel(page).getByRole('definition')).toHaveText(facts);
    await signOut(page);
    await page.getByRole('searchbox').fill('小原');
    await page.getByRole('button', { name: /小原 由紀/ }).click();
    await expect(field(page)).toBeVisible();
    await rail(page, '設定').click();
    await expect(panel(page).getByRole('definition').nth(1)).toHaveText('obara@engawa.example');
  });

  test('[R2.26] The profile form offers seven built-in pictures, an image of one’s own, or the first letter of the name', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'miura@engawa.example');
    await openProfile(page);
    const radios = dialog(page).getByRole('radiogroup', { name: '用意された画像' }).getByRole('radio');
    await expect(radios).toHaveCount(7);
    await expect(dialog(page).locator('[data-size=profile]')).toHaveText('三');
    const pictures = dialog(page).locator('label img');
    const sources = await pictures.evaluateAll((all) => all.map((each) => each.getAttribute('src')));
    expect(sources).toEqual([1, 2, 3, 4, 6, 7, 8].map((number) => `/avatars/avatar-${number}.svg`));
    // A member without a picture saves one before the browser has decoded it.
    const photo = await halves(page, 'image/png');
    const decode = await delayDecoding(page);
    await chooseImage(page).setInputFiles({ name: '写真.png', mimeType: 'image/png', buffer: photo });
    await save(page).click();
    await decode();
    await expect(dialog(page)).toBeHidden();
    expect(await pictureOf(ownPicture(page))).toMatch(/^\/api\/avatars\//);
    await openProfile(page);
    await radios.first().focus();
    await page.keyboard.press('Space');
    for (let i = 0; i < 4; i += 1) await page.keyboard.press('ArrowRight');
    await expect(dialog(page).getByRole('radio', { name: '茶碗' })).toBeChecked();
    await save(page).click();
    await expect(dialog(page)).toBeHidden();
    expect(await pictureOf(ownPicture(page))).toBe('/avatars/avatar-6.svg');
    await openProfile(page);
    await expect(dialog(page).getByRole('radio', { name: '茶碗' })).toBeChecked();
  });

  test('[R7.4] A profile image is cropped to the square that the member chose and stored on our server', async ({
    browser,
    product,
  }) => {
    const [page, other] = [
      await signIn(browser, product, 'aoki@engawa.example'),
      await signIn(browser, product, 'sakamoto@engawa.example'),
    ];
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).origin));
    await openProfile(page);
    const photo = await halves(page, 'image/png');
    await chooseImage(page).setInputFiles({ name: '写真.png', mimeType: 'image/png', buffer: photo });
    const place = dialog(page).getByRole('slider', { name: '横の位置' });
    await expect(place).toHaveValue('150');
    await place.focus();
    for (let i = 0; i < 30; i += 1) await page.keyboard.press('ArrowRight');
    await expect(place).toHaveValue('300');
    await dialog(page).getByRole('slider', { name: '拡大' }).fill('2');
    await expect(place).toHaveValue('450');
    await save(page).click();
    await expect(dialog(page)).toBeHidden();

    const url = await pictureOf(ownPicture(page));
    expect(url).toMatch(/^\/api\/avatars\/\d+\/[\w-]+$/);
    // The picture has only the right half, at the displayed size.
    const blue = [0, 0, 255];
    expect(await pictureAt(page, url)).toEqual({ width: 300, height: 300, left: blue, right: blue });
    expect(await pictureAt(other, url)).toMatchObject({ width: 300 });
    expect(new Set(calls)).toEqual(new Set([product.url]));
    const stranger = await (await browser.newContext({ baseURL: product.url })).request.get(url);
    expect(stranger.status()).toBe(401);
  });

  test('[R7.4] The pointer drags and zooms a profile image before it is cropped, and a JPEG is stored as a JPEG', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'aoki@engawa.example');
    await openProfile(page);
    const photo = await halves(page, 'image/jpeg', 2400, 1200);
    await chooseImage(page).setInputFiles({ name: '写真.JPEG', mimeType: 'image/jpeg', buffer: photo });
    const stage = dialog(page)
      .getByRole('presentation')
      .filter({ has: page.getByRole('slider', { name: '横の位置' }) })
      .last();
    const box = await stage.boundingBox();
    if (!box) throw new Error('the image is not visible');
    await page.mouse.move(box.x + 20, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 2000, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await expect(dialog(page).getByRole('slider', { name: '横の位置' })).toHaveValue('0');
    await page.mouse.move(box.x + 60, box.y + 60);
    await page.mouse.wheel(0, -200);
    await expect(dialog(page).getByRole('slider', { name: '拡大' })).not.toHaveValue('1');
    await save(page).click();
    await expect(dialog(page)).toBeHidden();
    const url = await pictureOf(ownPicture(page));
    const { width, height, left } = await pictureAt(page, url);
    expect([width, height, (left[0] ?? 0) > 200]).toEqual([512, 512, true]);
    const type = await page.evaluate(async (address) => (await fetch(address)).headers.get('content-type'), url);
    expect(type).toBe('image/jpeg');
  });

  test('[R7.4] A GIF as a profile picture is stored unchanged', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'aoki@engawa.example');
    await openProfile(page);
    await chooseImage(page).setInputFiles({ name: '動く.GIF', mimeType: 'image/gif', buffer: tinyGif });
    await expect(dialog(page).getByText('そのまま使います')).toBeVisible();
    await save(page).click();
    await expect(dialog(page)).toBeHidden();
    const stored = await page.request.get(await pictureOf(ownPicture(page)));
    expect(stored.headers()['content-type']).toBe('image/gif');
    expect((await stored.body()).equals(tinyGif)).toBe(true);
  });

  test('[R8.4] The profile form says why it could not be saved, and keeps its input', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'hayashi@engawa.example');
    await openProfile(page);
    await dialog(page).getByRole('radio', { name: '猫' }).check();
    await dialog(page).getByLabel('所在地').fill('大阪府');
    const alert = dialog(page).getByRole('alert');
    const refusals: readonly (readonly [number, string, RegExp])[] = [
      [400, '{"result":"error","msg":"Name too short!","code":"BAD_REQUEST"}', /受け付けませんでした（Name too short!）/],
      [413, '{"result":"error","msg":"Sorry File size exceeding from 5 Mb","code":"PAYLOAD_TOO_LARGE"}', /^Sorry File/],
      [429, '{"result":"error","msg":"too many","code":"RATE_LIMIT_HIT","retry-after":7}', /7 秒ほど待って/],
      [500, '{"result":"error","msg":"Internal server error"}', /サーバーで問題が起きました/],
      [404, '<h1>Not Found</h1>', /返事を読めませんでした/],
      [200, '<h1>Hello</h1>', /返事を読めませんでした/],
    ];
    for (const [status, body, words] of refusals) {
      await page.route('**/api/profile', (route) => route.fulfill({ status, body }), { times: 1 });
      await save(page).click();
      await expect(alert).toHaveText(words);
    }
    await page.route('**/api/profile', (route) => route.abort(), { times: 1 });
    await save(page).click();
    await expect(alert).toContainText('サーバーにつながりませんでした');
    await page.mouse.click(5, 5);
    await expect(dialog(page).getByLabel('所在地')).toHaveValue('大阪府');
    await expect(dialog(page).getByRole('radio', { name: '猫' })).toBeChecked();
    await save(page).click();
    await expect(dialog(page)).toBeHidden();
    await expect(panel(page).getByRole('definition').last()).toHaveText('大阪府');
  });

  test('[R4.12] The profile form stays open with its input when the browser’s file chooser is cancelled', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'kato@engawa.example');
    await openProfile(page);
    const name = dialog(page).getByRole('textbox').first();
    await name.fill('書きかけ');
    // Browsers fire this event when the file dialog is cancelled.
    await chooseImage(page).dispatchEvent('cancel', { bubbles: true });
    await expect(name).toHaveValue('書きかけ');
  });

  test('[R8.4] The profile form says that it could not be loaded, and loads when the member tries again', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'hayashi@engawa.example');
    await page.route('**/api/profile', (route) => route.fulfill({ status: 500, body: '{}' }));
    await rail(page, '設定').click();
    await expect(panel(page).getByRole('button', { name: '読み込めませんでした もう一度試す' })).toBeVisible();
    await panel(page).getByRole('button', { name: 'プロフィールを編集' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText('サーバーで問題が起きました');
    // The page also tries again by itself. If that succeeded, it would remove the button before the click.
    const release = await hold(page, '**/api/profile');
    await dialog(page).getByRole('button', { name: 'もう一度試す' }).click();
    release();
    await expect(dialog(page).getByLabel('所在地')).not.toHaveValue('');
  });

  test('[R4.8.1] In the profile form, the Enter that confirms a kana conversion does not save, and the next Enter saves', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'ishii@engawa.example');
    await openProfile(page);
    await dialog(page).getByRole('radio', { name: '山' }).check();
    const location = dialog(page).getByLabel('所在地');
    await location.fill('');
    const ime = await page.context().newCDPSession(page);
    await ime.send('Input.imeSetComposition', { text: 'とうきょう', selectionStart: 5, selectionEnd: 5 });
    const confirming = { type: 'rawKeyDown', windowsVirtualKeyCode: 229, key: 'Enter', code: 'Enter' } as const;
    await ime.send('Input.dispatchKeyEvent', confirming);
    await ime.send('Input.insertText', { text: '東京' });
    await expect(location).toHaveValue('東京');
    await expect(dialog(page).getByRole('form')).toHaveAttribute('data-submitted', 'false');
    await location.press('Enter');
    await expect(dialog(page)).toBeHidden();
  });

  test('[R2.24.1] Closing the profile form by button, cross or Escape discards its input', async ({ browser, product }) => {
    const page = await signIn(browser, product, 'ishii@engawa.example');
    for (const way of ['button', 'cross', 'Escape'] as const) {
      await openProfile(page);
      await dialog(page).getByLabel('名前').fill('だれか');
      const close = dialog(page).getByRole('button', { name: '閉じる' });
      if (way === 'Escape') await page.keyboard.press('Escape');
      else await (way === 'button' ? close.last() : close.first()).click();
      await expect(dialog(page)).toBeHidden();
      await expect(panel(page).getByText('石井 文子').first()).toBeVisible();
    }
  });
});

/** Controls below the minimum height, with their heights. */
function small(within: Locator): Promise<{ readonly name: string | null; readonly height: number }[]> {
  return within.locator('button, select, [role=switch], a').evaluateAll((all) =>
    all
      .filter((each) => each.checkVisibility())
      .map((each) => ({ name: each.textContent || each.ariaLabel, height: each.getBoundingClientRect().height }))
      // Tolerates rounding.
      .filter(({ height }) => height < 35.9),
  );
}

test('[R2.24.1, R2.24.2] The settings have no accessibility faults with each section open, and neither has the profile form', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'fukuda@engawa.example');
  await openSettings(page);
  for (const [name, screen] of [
    ['個人情報', '81 settings, personal info'],
    ['プライバシー', '82 settings, privacy'],
    ['セキュリティ', '83 settings, security'],
    ['ヘルプ', '84 settings, help'],
  ] as const) {
    for (const each of await panel(page).locator('h2 button[aria-expanded]').all()) {
      const isChosen = (await each.textContent()) === name;
      if ((await each.getAttribute('aria-expanded')) !== String(isChosen)) await each.click();
    }
    await checkScreen(page, screen);
  }
  await editProfile(page);
  await checkScreen(page, '86 profile');
  await dialog(page).getByLabel('名前').fill('');
  await dialog(page).getByLabel('メール').fill('fukuda@');
  await chooseImage(page).setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
  await save(page).click();
  await expect(
    dialog(page)
      .getByText(/してください/)
      .first(),
  ).toBeVisible();
  await checkScreen(page, '87 profile, incomplete');
  const buffer = await halves(page, 'image/png');
  await chooseImage(page).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await expect(dialog(page).getByRole('slider', { name: '拡大' })).toBeVisible();
  await checkScreen(page, '87b profile, a picture to be cropped');
});

test('[R2.24.1, R2.24.2] On a phone, the settings fit the window and their controls are large enough for a finger', async ({
  browser,
  product,
}) => {
  const page = await signedInPage(browser, product, 'fukuda@engawa.example', { hasTouch: true, viewport: phone });
  await page.goto('/');
  await openSettings(page);
  for (const name of ['セキュリティ', 'ヘルプ']) await section(page, name).click();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect([await overflow(), await small(panel(page))]).toEqual([0, []]);
  await openProfile(page);
  const longest = '長い名前'.repeat(20);
  await dialog(page).getByLabel('名前').fill(longest);
  await dialog(page).getByLabel('所在地').fill('w'.repeat(100));
  const buffer = await halves(page, 'image/png');
  await chooseImage(page).setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await expect(dialog(page).getByRole('slider', { name: '拡大' })).toBeVisible();
  const within = await dialog(page).evaluate((box) =>
    [...box.querySelectorAll('*')].every((each) => {
      return each.getBoundingClientRect().right <= box.getBoundingClientRect().right + 1;
    }),
  );
  expect([await overflow(), within, await small(dialog(page))]).toEqual([0, true, []]);
  await dialog(page).getByRole('button', { name: '元の画像に戻す' }).click();
  await dialog(page).getByRole('radio', { name: '竹' }).check();
  await save(page).click();
  await expect(dialog(page)).toBeHidden();
  await expect(panel(page).getByRole('definition').first()).toHaveText(longest);
  expect(await overflow()).toBe(0);
});

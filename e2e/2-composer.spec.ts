import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Locator, Page } from '@playwright/test';
import { inputMethod } from './inputMethod.ts';
import { checkScreen } from './checkScreen.ts';
import { draftsIn, expect, type Product, signedInPage, signIn, test } from './product.ts';
import {
  arrived,
  department,
  emojiButton,
  field,
  fileInput,
  header,
  hold,
  message,
  picker,
  rail,
  scriptsOnDemand,
  sendButton,
  streamRow,
  write,
  signOut,
} from './screen.ts';

const undo = (page: Page): Locator => page.getByRole('button', { name: '元に戻す' });
const remover = (page: Page, file: string): Locator => page.getByRole('button', { name: `${file} を外す` });
const chip = (page: Page, file: string): Locator => page.getByText(file, { exact: true }).filter({ visible: true });

/** Writes to the clipboard as another application would, and pastes. */
async function paste(page: Page, copied: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(async (content) => {
    const parts = Object.entries(content).map(async ([type, data]) => {
      if (type !== 'image/png') return [type, new Blob([data], { type })] as const;
      const canvas = new OffscreenCanvas(4, 4);
      canvas.getContext('2d')?.fillRect(0, 0, 4, 4);
      return [type, await canvas.convertToBlob()] as const;
    });
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(await Promise.all(parts)))]);
  }, copied);
  await page.keyboard.press('Control+v');
}

/** Drags files or text from outside the browser and drops them on the middle of an element. */
async function dropOn(target: Locator, dragged: { readonly files?: string[]; readonly text?: string }): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('the target is not visible');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const items = dragged.text === undefined ? [] : [{ mimeType: 'text/plain', data: dragged.text }];
  const data = { items, files: dragged.files ?? [], dragOperationsMask: 1 };
  const browser = await target.page().context().newCDPSession(target.page());
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, ...at, data });
  }
}

/** The placeholder of the focused field right after a click, before the next paint. */
async function focusedAfterPressing(button: Locator): Promise<string | null> {
  return await button.evaluate((element: HTMLElement) => {
    element.click();
    return document.activeElement?.getAttribute('placeholder') ?? null;
  });
}

async function telephone(browser: Browser, product: Product): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  const page = await signedInPage(browser, product, 'suzuki@engawa.example', { hasTouch: true, isMobile: true, viewport });
  await page.goto('/');
  await department(page, 'プロダクト開発部').tap();
  await expect(field(page)).toBeVisible();
  return page;
}

test('[R2.12, R2.18, R4.7.1] The send button looks disabled until the composer has text or a file', async ({ page, product }) => {
  await page.goto(product.url);
  await expect(sendButton(page)).toHaveAttribute('aria-disabled', 'true');
  await field(page).fill('　 \n');
  await expect(sendButton(page)).toHaveAttribute('aria-disabled', 'true');
  const sends: string[] = [];
  page.on('request', (request) => void (request.method() === 'POST' && sends.push(request.url())));
  await field(page).press('Enter');
  await sendButton(page).click({ force: true });
  await field(page).fill('あ');
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
  expect(sends.filter((url) => url.endsWith('/messages'))).toEqual([]);
});

test('[R2.12, R2.13] A chosen file takes the place of the text, and the text has the focus right after the file is removed or an edit cancelled', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await field(page).fill('書きかけ');
  await fileInput(page).setInputFiles({ name: '図.png', mimeType: 'image/png', buffer: Buffer.from('x') });
  await expect(field(page)).toBeHidden();
  await expect(page.getByText('図.png', { exact: true })).toBeVisible();
  await checkScreen(page, '51 composer, a file chosen');
  expect(await focusedAfterPressing(remover(page, '図.png'))).toBe('メッセージを入力');
  await expect(field(page)).toHaveValue('書きかけ');
  await write(page, '直す前');
  await arrived(message(page, '直す前'));
  await field(page).press('ArrowUp');
  expect(await focusedAfterPressing(page.getByRole('button', { name: 'やめる' }))).toBe('メッセージを入力');
});

test('[R2.12] The row of a sent message keeps the focus and a click in progress when the server confirms the message', async ({
  page,
  product,
}) => {
  const deliver = await hold(page, '**/api/v1/events*');
  await page.goto(product.url);
  await write(page, '立っている行');
  const row = message(page, '立っている行');
  await expect(row).toHaveAttribute('data-state', 'sent');
  await expect(row).not.toHaveAttribute('data-key', /^\d+$/);
  await row.focus();
  await row.hover();
  await page.mouse.down();
  deliver();
  await arrived(row);
  await expect(row.getByRole('toolbar')).toBeVisible();
  await expect(row).toBeFocused();
  await row.evaluate((article) => article.addEventListener('click', () => article.setAttribute('data-clicked', '')));
  await page.mouse.up();
  await expect(row).toHaveAttribute('data-clicked');
});

test('[R4.7.1] The composer does not send a text over the length limit, and says why', async ({ page, product }) => {
  await page.goto(product.url);
  await field(page).fill('あ'.repeat(10_001));
  await expect(page.getByRole('alert')).toHaveText('長すぎて送れません。分けて送ってください。');
  await expect(page.getByText('10,001 / 10,000 文字')).toBeVisible();
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page)).toHaveAccessibleDescription(/^長すぎて送れません/);
  await checkScreen(page, '52 composer, too long');
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue('あ'.repeat(10_001));
  await field(page).fill('😀'.repeat(10_000));
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
});

test('[R4.7.2] Escape removes the text and the file from the composer, and the undo button restores them', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await field(page).fill('長い文章を書いた');
  await field(page).press('Escape');
  await expect(field(page)).toHaveValue('');
  await undo(page).click();
  await expect(field(page)).toHaveValue('長い文章を書いた');

  await fileInput(page).setInputFiles({ name: '図.png', mimeType: 'image/png', buffer: Buffer.from('x') });
  await expect(sendButton(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chip(page, '図.png')).toBeHidden();
  await expect(field(page)).toHaveValue('');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('あとから');
  await undo(page).click();
  await expect(chip(page, '図.png')).toBeVisible();
  await remover(page, '図.png').click();
  await expect(field(page)).toHaveValue('長い文章を書いた\nあとから');
  await field(page).press('Escape');
  await expect(undo(page)).toBeVisible();
  await checkScreen(page, '53 composer, cleared');
});

test('[R4.7.2] Ctrl+Z restores the text that Escape cleared, and removes the notice that offers the same', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await field(page).pressSequentially('まだ要る文章');
  await field(page).press('Escape');
  await expect(field(page)).toHaveValue('');
  await field(page).press('Control+z');
  await expect(field(page)).toHaveValue('まだ要る文章');
  await expect(undo(page)).toHaveCount(0);
  await field(page).press('Enter');
  await expect(message(page, 'まだ要る文章').locator('time')).toBeVisible();
  await field(page).press('Control+z');
  await expect(field(page)).toHaveValue('');
});

test('[R2.12] A press on another stream leaves the focus in the empty message field, which then shows the draft of that stream', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/#/streams`);
  await streamRow(page, '雑談・縁側').click();
  await expect(field(page)).toBeFocused();
  const untouched = await field(page).elementHandle();
  await streamRow(page, 'プロダクト開発部').hover();
  await page.mouse.down();
  await expect(field(page)).toBeFocused();
  await page.mouse.up();
  await expect(header(page)).toHaveText('プロダクト開発部');
  expect(await field(page).evaluate((element, before) => element === before, untouched)).toBe(true);
  await page.keyboard.type('開発部へ');
  await streamRow(page, '雑談・縁側').click();
  await expect(field(page)).toHaveValue('');
  await expect(field(page)).toBeFocused();
  await streamRow(page, 'プロダクト開発部').click();
  await expect(field(page)).toHaveValue('開発部へ');
  await page.keyboard.type('、続き');
  await expect(field(page)).toHaveValue('開発部へ、続き');
});

test('[R2.12, R2.13] A member who comes back to a stream with a chosen file sends the file by Enter', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/#/streams`);
  await streamRow(page, '雑談・縁側').click();
  await fileInput(page).setInputFiles({ name: '戻る.txt', mimeType: 'text/plain', buffer: Buffer.from('戻る') });
  await expect(chip(page, '戻る.txt')).toBeVisible();
  await streamRow(page, 'プロダクト開発部').click();
  await expect(field(page)).toBeFocused();
  await streamRow(page, '雑談・縁側').click();
  await expect(sendButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(message(page, '戻る.txt').locator('time')).toBeVisible();
});

test('[R2.12] Ctrl+Z never brings text that was written and deleted in another stream', async ({ page, product }) => {
  await page.goto(`${product.url}/#/streams`);
  await streamRow(page, '雑談・縁側').click();
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('ab');
  await expect(field(page)).toHaveValue('ab');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await streamRow(page, 'プロダクト開発部').click();
  await expect(header(page)).toHaveText('プロダクト開発部');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(field(page)).toHaveValue('');
});

test('[R2.22.1, R2.22.2] The emoji picker opens, filters, inserts at the caret and closes on Escape', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await field(page).fill('前後');
  await field(page).press('ArrowLeft');
  await emojiButton(page).click();
  await expect(picker(page)).toBeVisible();
  await expect.poll(async () => (await picker(page).boundingBox())?.height).toBe(320);
  await picker(page).getByRole('searchbox').fill('いいね');
  await picker(page).getByText('👍', { exact: true }).first().click();
  await expect(field(page)).toHaveValue('前👍後');
  await emojiButton(page).click();
  await expect(picker(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(picker(page)).toBeHidden();
  await expect(field(page)).toHaveValue('前👍後');
  await emojiButton(page).click();
  await page.getByRole('log').click({ position: { x: 5, y: 5 } });
  await expect(picker(page)).toBeHidden();
});

test('[R2.12] The text field grows with its text up to a limit, and shrinks after sending', async ({ page, product }) => {
  await page.goto(product.url);
  const height = async () => (await field(page).boundingBox())?.height ?? 0;
  const one = await height();
  await field(page).fill('一\n二\n三');
  const three = await height();
  expect(three).toBeGreaterThan(one * 1.5);
  await page.keyboard.insertText('\n行'.repeat(40));
  const most = await height();
  expect(most).toBeGreaterThan(three);
  expect(most).toBeLessThan(300);
  expect(await field(page).evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true);
  await expect(message(page, '').last()).toBeInViewport();
  await field(page).press('Enter');
  await expect(field(page)).toHaveValue('');
  expect(await height()).toBe(one);
  await field(page).fill('一行目\n二行目は少し長く、狭い画面では折り返します。\n三行目');
  await checkScreen(page, '50 composer, several lines');
});

test('[R2.12, R2.13] A pasted picture becomes a named file, and cells copied as both text and picture are pasted as text', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'suzuki@engawa.example', { permissions: ['clipboard-read', 'clipboard-write'] });
  await field(page).fill('画面です：');
  await paste(page, { 'text/plain': '売上\t1,200', 'image/png': '' });
  await expect(field(page)).toHaveValue('画面です：売上\t1,200');
  await paste(page, { 'image/png': '' });
  await expect(chip(page, '貼り付けた画像.png')).toBeVisible();
  await expect.poll(() => page.locator('footer li img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(4);
  await expect(page.getByText('書きかけの文章は、ファイルの前に送られます')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(message(page, '貼り付けた画像.png').last().getByRole('link').first()).toBeVisible();
});

test('[R2.13] Files dropped on the chat are added to the chosen files, and a dropped folder is refused', async ({
  page,
  product,
}, testInfo) => {
  const files = ['一.txt', '二.txt', '三.txt'].map((name) => testInfo.outputPath(name));
  const folder = testInfo.outputPath('フォルダー');
  mkdirSync(folder);
  for (const file of files) writeFileSync(file, '内容');
  await page.goto(product.url);
  await field(page).fill('書きかけ');
  const chat = page.getByRole('log');
  await dropOn(chat, { files });
  const chosen = page.getByRole('list', { name: '送るファイル' }).getByRole('listitem');
  await expect(chosen).toHaveText([/一\.txt/, /二\.txt/, /三\.txt/]);
  await checkScreen(page, '51b composer, several files');
  await dropOn(chat, { files: files.slice(1, 2) });
  await expect(chosen).toHaveText([/一\.txt/, /二\.txt/, /三\.txt/, /二\.txt/]);
  await dropOn(chat, { files: [folder] });
  await expect(page.getByRole('alert')).toContainText('フォルダーは添付できません');
  await expect(chosen).toHaveCount(4);
  for (const name of ['一.txt', '三.txt', '二.txt', '二.txt']) await remover(page, name).first().click();
  await expect(field(page)).toHaveValue('書きかけ');
});

test('[R2.13] Files dragged over the chat are refused, and the pointer shows it, until the message field appears', async ({
  browser,
  product,
}, testInfo) => {
  const file = testInfo.outputPath('一.txt');
  writeFileSync(file, '内容');
  const page = await signIn(browser, product, 'ito@engawa.example');
  const release = await hold(page, await scriptsOnDemand(page));
  await page.goto('/#/organisation');
  await page.reload();
  await department(page, 'デザイン室').click();
  await expect(header(page)).toContainText('デザイン室');
  await page.evaluate(() => {
    window.addEventListener('dragover', ({ dataTransfer }) => (document.body.dataset['effect'] = dataTransfer?.dropEffect));
  });
  await dropOn(page.getByRole('log'), { files: [file] });
  await expect(page.locator('body')).toHaveAttribute('data-effect', 'none');
  release();
  await expect(field(page)).toBeVisible();
  const chosen = page.getByRole('list', { name: '送るファイル' }).getByRole('listitem');
  await expect(chosen).toHaveCount(0);
  await dropOn(page.getByRole('log'), { files: [file] });
  await expect(page.locator('body')).toHaveAttribute('data-effect', 'copy');
  await expect(chosen).toHaveText([/一\.txt/]);
});

test('[R2.12] Text dropped on the text field is inserted, and text dropped on the messages is ignored', async ({
  page,
  product,
}) => {
  await page.goto(product.url);
  await dropOn(page.getByRole('log'), { text: 'どこにも入らない' });
  await dropOn(field(page), { text: '運んできた文章' });
  await expect(field(page)).toHaveValue('運んできた文章');
  await expect(sendButton(page)).not.toHaveAttribute('aria-disabled', 'true');
});

test('[R8.4] Each stream keeps its own draft after a reload and after the tab is closed', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'suzuki@engawa.example');
  await department(page, 'プロダクト開発部').click();
  await field(page).fill('開発部への下書き');
  await rail(page, 'ストリーム').click();
  await streamRow(page, '雑談・縁側').click();
  await expect(field(page)).toHaveValue('');
  await streamRow(page, 'プロダクト開発部').click();
  await expect(field(page)).toHaveValue('開発部への下書き');
  await page.reload();
  await expect(field(page)).toHaveValue('開発部への下書き');
  const address = page.url();
  const other = await page.context().newPage();
  await page.close();
  await other.goto(address);
  await expect(field(other)).toHaveValue('開発部への下書き');
});

test('[R8.4] Text that is typed or sent in one tab also changes the composer of another tab of the same stream', async ({
  browser,
  product,
}) => {
  const one = await signIn(browser, product, 'suzuki@engawa.example');
  await department(one, 'プロダクト開発部').click();
  const two = await one.context().newPage();
  await two.goto(one.url());
  await expect(field(two)).toBeVisible();
  await field(one).pressSequentially('一つ目で書き');
  await expect(field(two)).toHaveValue('一つ目で書き');
  await field(two).press('End');
  await field(two).pressSequentially('、二つ目で続ける');
  await expect(field(one)).toHaveValue('一つ目で書き、二つ目で続ける');
  const ime = await inputMethod(two);
  await field(two).focus();
  await ime.compose('へんかん');
  await field(one).fill('よそで書き直した');
  await expect(field(two)).toHaveValue('一つ目で書き、二つ目で続けるへんかん');
  await ime.commit('変換');
  await expect(field(one)).toHaveValue('一つ目で書き、二つ目で続ける変換');
  await field(one).press('Enter');
  await expect(field(two)).toHaveValue('');
  await expect(message(two, '二つ目で続ける変換')).toHaveCount(1);
});

test('[R8.4, R2.13] A reload removes a chosen file from the composer, and a notice names the file until the draft is sent', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'suzuki@engawa.example');
  await department(page, 'プロダクト開発部').click();
  await fileInput(page).setInputFiles({ name: '見積.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from('x') });
  await expect(chip(page, '見積.xlsx')).toBeVisible();
  await page.reload();
  const notice = page.getByText('読み込み直したため「見積.xlsx」は外れました。もう一度選んでください。');
  await expect(notice).toBeVisible();
  await field(page).fill('あとで送ります');
  await expect(notice).toBeVisible();
  await field(page).press('Enter');
  await expect(notice).toBeHidden();
});

test('[R2.1] Signing out removes the member’s drafts from the browser, and the next sign-in brings them back', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'suzuki@engawa.example');
  await department(page, 'プロダクト開発部').click();
  const address = page.url();
  await field(page).fill('人に見せない下書き');
  await expect.poll(() => draftsIn(page.context())).toMatchObject([{ content: '人に見せない下書き' }]);
  const other = await page.context().newPage();
  await signOut(other);
  await expect(other.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await expect.poll(() => other.evaluate(() => JSON.stringify(localStorage))).not.toContain('下書き');
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await page.context().request.post('/api/session', {
    data: { email: 'suzuki@engawa.example' },
    headers: { Origin: product.url },
  });
  await page.goto(address);
  await page.reload();
  await expect(field(page)).toHaveValue('人に見せない下書き');
});

test('[R8.4] A draft that a member begins on the phone is marked in the lists of all devices, and is gone once it is sent', async ({
  browser,
  product,
}) => {
  const phone = await telephone(browser, product);
  await field(phone).fill('電車の中で書きはじめた');
  await phone.getByRole('button', { name: '一覧に戻る' }).tap();
  await rail(phone, 'ストリーム').tap();
  await expect(streamRow(phone, 'プロダクト開発部')).toContainText('下書き');

  const computer = await signIn(browser, product, 'suzuki@engawa.example');
  await rail(computer, 'ストリーム').click();
  await expect(streamRow(computer, 'プロダクト開発部')).toContainText('下書き');
  await expect(streamRow(computer, '雑談・縁側')).not.toContainText('下書き');
  await checkScreen(computer, '20b streams, with a draft');
  await streamRow(computer, 'プロダクト開発部').click();
  await expect(field(computer)).toHaveValue('電車の中で書きはじめた');
  await field(computer).press('End');
  await field(computer).pressSequentially('文を、机で終える');
  await field(computer).press('Enter');
  await expect(message(computer, '電車の中で書きはじめた文を、机で終える')).toHaveCount(1);
  await expect(streamRow(phone, 'プロダクト開発部')).not.toContainText('下書き');
  await expect(streamRow(computer, 'プロダクト開発部')).not.toContainText('下書き');
  await streamRow(phone, 'プロダクト開発部').tap();
  await expect(field(phone)).toHaveValue('');
  expect(await draftsIn(phone.context())).toEqual([]);
});

test.describe('The composer on a phone', () => {
  test('[R4.7.1] On a phone, Enter starts a new line, and pressing the send button leaves the screen keyboard open', async ({
    browser,
    product,
  }) => {
    const page = await telephone(browser, product);
    await expect(field(page)).toHaveAttribute('enterkeyhint', 'enter');
    await field(page).tap();
    await page.keyboard.type('一行目');
    await page.keyboard.press('Enter');
    await page.keyboard.type('二行目');
    await expect(field(page)).toHaveValue('一行目\n二行目');
    await sendButton(page).tap();
    await expect(field(page)).toHaveValue('');
    await expect(field(page)).toBeFocused();
    await expect(message(page, '二行目').last()).toBeVisible();
    // With a hardware keyboard, Ctrl+Enter also sends on a phone.
    await page.keyboard.type('キーボードから');
    await page.keyboard.press('Control+Enter');
    await expect(field(page)).toHaveValue('');
  });

  test('[R2.21] On a phone, the page does not zoom in on the text field, and the text field stays above the screen keyboard', async ({
    browser,
    product,
  }) => {
    const page = await telephone(browser, product);
    expect(await field(page).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThanOrEqual(
      16,
    );
    await expect(page.locator('meta[name=viewport]')).toHaveAttribute('content', /interactive-widget=resizes-content/);
    // Safari keeps the window's size under its keyboard and shrinks the visual viewport.
    const cover = (height: number | undefined) =>
      page.evaluate((seen) => {
        const view = window.visualViewport;
        if (!view) throw new Error('no visual viewport');
        Reflect.deleteProperty(view, 'height');
        if (seen !== undefined) Object.defineProperty(view, 'height', { configurable: true, value: seen });
        view.dispatchEvent(new Event('resize'));
      }, height);
    await cover(500);
    await expect.poll(async () => (await sendButton(page).boundingBox())?.y ?? 844).toBeLessThan(500);
    await expect(message(page, '').last()).toBeInViewport();
    await cover(undefined);
    await expect.poll(async () => (await sendButton(page).boundingBox())?.y ?? 0).toBeGreaterThan(500);
  });
});

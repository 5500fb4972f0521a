import type { Locator, Page } from '@playwright/test';
import { expect, signIn, test } from './product.ts';
import { arrived, department, emojiButton, field, header, message, picker, rail, sendButton } from './screen.ts';
import { streamRow, tree, write } from './screen.ts';

/** Whether outlines are drawn only on the focused element, its container or its content. */
function ringed(page: Page): Promise<'focus' | 'nothing' | 'something else'> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    const rings = Array.from(document.body.querySelectorAll('*')).filter((element) => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
      const drawn = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1 && outlineColor !== 'rgba(0, 0, 0, 0)';
      return drawn && element.checkVisibility({ visibilityProperty: true });
    });
    if (rings.length === 0) return 'nothing';
    return rings.every((ring) => ring.contains(focused) || focused?.contains(ring)) ? 'focus' : 'something else';
  });
}

async function expectFocus(page: Page, where: Locator): Promise<void> {
  await expect(where).toBeFocused();
  expect(await ringed(page), String(where)).toBe('focus');
}

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    const name = focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
    return `${focused?.getAttribute('role') ?? focused?.tagName.toLowerCase()} ${name}`;
  });

/** A letter of a Japanese keyboard, which Playwright has no key for. */
const letter = (page: Page, key: string): Promise<void> =>
  page.locator(':focus').dispatchEvent('keydown', { key, bubbles: true });

const colourOf = (locator: Locator): Promise<string> => locator.evaluate((element) => getComputedStyle(element).color);

const borderOf = (locator: Locator, side: 'top' | 'left' = 'top'): Promise<string> =>
  locator.evaluate((element, edge) => {
    const style = getComputedStyle(element);
    return `${style.getPropertyValue(`border-${edge}-width`)} ${style.getPropertyValue(`border-${edge}-style`)}`;
  }, side);

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

test('[R1.2, R2.13, R2.22.2] A member signs in and sends a message, an emoji and a file by keyboard alone', async ({
  page,
  product,
}) => {
  const press = (key: string) => page.keyboard.press(key);
  // Registered early, because intercepting the file dialog takes a moment.
  const chooser = page.waitForEvent('filechooser');
  await page.goto(`${product.url}/logout`);
  await expect(page.getByRole('heading', { name: 'サインイン' })).toBeVisible();
  await press('Tab');
  await expectFocus(page, page.getByRole('searchbox'));
  await page.keyboard.insertText('よしだ');
  await expect(page.getByRole('button', { name: /吉田/ })).toHaveCount(1);
  await press('ArrowDown');
  await expectFocus(page, page.getByRole('button', { name: /吉田/ }));
  await press('Enter');
  await expect(page.getByRole('log')).toBeVisible();
  await expect(page.getByRole('treeitem').first()).toBeVisible();
  await expect(page.getByRole('button', { name: /^社外の方がいます/ })).toBeVisible();
  await expect(sendButton(page)).toBeVisible();

  const stops: string[] = [];
  for (let stop = 0; stop < 30 && !stops.at(-1)?.includes('送信'); stop += 1) {
    await press('Tab');
    const name = await focusedName(page);
    expect(await ringed(page), name).toBe('focus');
    // Other tests may have written links and files.
    if ((await page.locator('[role=log] :focus').count()) === 0) stops.push(name);
  }
  expect(stops).toEqual([
    'button 入力欄へ移動',
    expect.stringContaining('tab 組織'),
    'button 暗いテーマにする',
    expect.stringContaining('吉田'),
    'input 部署を検索',
    expect.stringContaining('treeitem 株式会社 縁側'),
    expect.stringContaining('button 社外の方がいます'),
    'button メッセージを検索',
    'button 音声通話',
    'button ビデオ通話',
    'button その他の操作',
    expect.stringContaining('log'),
    'button ファイルを添付',
    expect.stringMatching(/^textarea .*へのメッセージ$/),
    'button 絵文字',
    'button 送信',
  ]);

  await tree(page).getByRole('treeitem').first().focus();
  await letter(page, '基');
  await expectFocus(page, department(page, '基盤技術部'));
  await press('Enter');
  await expect(header(page)).toHaveText('基盤技術部');
  await expectFocus(page, field(page));
  await page.keyboard.insertText('鍵盤だけで');
  await press('Tab');
  await expectFocus(page, emojiButton(page));
  await press('Enter');
  await expectFocus(page, picker(page).getByRole('searchbox'));
  await page.keyboard.insertText('お茶');
  await expect(picker(page).locator('fieldset button').first()).toHaveText('🍵');
  await press('ArrowDown');
  await expect(picker(page).locator('fieldset button:focus')).toHaveText('🍵');
  expect(await ringed(page)).toBe('focus');
  await press('Enter');
  await expectFocus(page, field(page));
  await expect(field(page)).toHaveValue('鍵盤だけで🍵');
  await press('Enter');
  await expect(message(page, '鍵盤だけで🍵')).toBeVisible();

  await press('Shift+Tab');
  await expectFocus(page, button(page, 'ファイルを添付'));
  await press('Enter');
  await (await chooser).setFiles({ name: '鍵盤.txt', mimeType: 'text/plain', buffer: Buffer.from('鍵盤') });
  await expectFocus(page, sendButton(page));
  await press('Shift+Tab');
  await expectFocus(page, button(page, '鍵盤.txt を外す'));
  await press('Tab');
  await press('Enter');
  await expect(message(page, '鍵盤.txt').getByRole('link')).toBeVisible();
  await expectFocus(page, field(page));
});

test('[R2.4] The tree of departments moves the focus and folds with the keys of a WAI-ARIA tree', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'yoshida@engawa.example');
  const keys = async (...presses: readonly (readonly [key: string, department: string])[]) => {
    for (const [key, name] of presses) {
      await page.keyboard.press(key);
      await expectFocus(page, department(page, name));
    }
  };
  await tree(page).getByRole('treeitem').first().focus();
  await keys(
    ['ArrowDown', '開発本部'],
    ['ArrowDown', 'プロダクト開発部'],
    ['ArrowUp', '開発本部'],
    ['ArrowRight', 'プロダクト開発部'],
    ['ArrowRight', 'プロダクト開発部'],
    ['ArrowLeft', '開発本部'],
    ['ArrowLeft', '開発本部'],
  );
  await expect(department(page, '開発本部')).toHaveAttribute('aria-expanded', 'false');
  await expect(department(page, 'プロダクト開発部')).toHaveCount(0);
  await keys(['ArrowDown', '営業本部'], ['ArrowUp', '開発本部'], ['ArrowRight', '開発本部']);
  await expect(department(page, '開発本部')).toHaveAttribute('aria-expanded', 'true');
  await keys(['End', '内部監査室'], ['ArrowDown', '内部監査室'], ['Home', '株式会社 縁側'], ['ArrowUp', '株式会社 縁側']);
  await letter(page, 'カ');
  await expectFocus(page, department(page, 'カスタマーサクセス部'));

  await department(page, '株式会社 縁側').click();
  await expect(header(page)).toHaveText('株式会社 縁側');
  await department(page, '株式会社 縁側').focus();
  await page.keyboard.press('End');
  await expectFocus(page, department(page, '内部監査室'));
  await page.getByRole('searchbox', { name: '部署を検索' }).focus();
  await page.keyboard.press('Tab');
  await expectFocus(page, department(page, '株式会社 縁側'));
  await expect(tree(page).locator('[role=treeitem][tabindex="0"]')).toHaveCount(1);
});

test('From the start of the page, the composer is at most five Tab stops away, also in a stream full of links', async ({
  browser,
  product,
}) => {
  const page = await signIn(browser, product, 'yoshida@engawa.example');
  await department(page, '株式会社 縁側').click();
  for (const each of ['一', '二', '三']) {
    await write(page, `https://example.com/${each} https://example.org/${each}`);
    await arrived(message(page, `example.org/${each}`));
  }
  const last = message(page, 'example.org/三');
  await expect(last.getByRole('link').first()).toHaveAttribute('tabindex', '-1');
  await page.reload();
  await expect(message(page, 'example.org/三').getByRole('link').first()).toHaveAttribute('tabindex', '-1');
  await page.keyboard.press('Tab');
  await expectFocus(page, button(page, '入力欄へ移動'));
  await page.keyboard.press('Enter');
  await expectFocus(page, field(page));
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await expectFocus(page, message(page, 'example.org/三'));
  await page.keyboard.press('ArrowRight');
  await expectFocus(page, message(page, 'example.org/三').getByRole('link').first());
  await page.keyboard.press('ArrowUp');
  await expectFocus(page, message(page, 'example.org/二'));
});

test('The focus moves into an opened dialog or menu, and back to its button when it is closed', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'yoshida@engawa.example');
  const dialog = page.getByRole('dialog');
  const openAndClose = async (opener: Locator) => {
    await opener.focus();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeVisible();
    await expect(dialog.locator(':focus')).toHaveCount(1);
    expect(await ringed(page), String(opener)).toBe('focus');
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Shift+Tab');
    await expect(page.locator('body > :focus, main :focus:not(dialog *), nav :focus')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expectFocus(page, opener);
  };
  for (const name of ['メッセージを検索', '音声通話', 'ビデオ通話']) await openAndClose(button(page, name));
  await rail(page, '組織').focus();
  await page.keyboard.press('ArrowDown');
  await expectFocus(page, rail(page, 'ストリーム'));
  await openAndClose(button(page, 'グループを作成'));
  await rail(page, 'ストリーム').focus();
  await page.keyboard.press('ArrowDown');
  await expectFocus(page, rail(page, '設定'));
  await openAndClose(button(page, 'プロフィールを編集'));
  await openAndClose(page.getByRole('button', { name: /^メンバーを切り替える/ }));
});

test('A member who closes the search or the emoji picker goes on typing where they were', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'yoshida@engawa.example');
  await department(page, '基盤技術部').click();
  await field(page).focus();
  await page.keyboard.type('ad');
  await page.keyboard.press('ArrowLeft');
  for (const open of [() => page.keyboard.press('Control+k'), () => emojiButton(page).click()]) {
    await open();
    await expect(page.getByRole('dialog').locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.keyboard.type('b');
  }
  await expect(field(page)).toHaveValue('abbd');
});

test('Screen readers announce each arriving message once, after what they are reading', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'yoshida@engawa.example');
  const watanabe = await signIn(browser, product, 'watanabe@engawa.example');
  for (const each of [page, watanabe]) {
    await department(each, '基盤技術部').click();
    await expect(header(each)).toHaveText('基盤技術部');
  }
  await field(watanabe).fill('読み上げられる *言葉*');
  await field(watanabe).press('Enter');
  const said = page.locator('[aria-live=polite], output, [role=status]').filter({ hasText: '読み上げられる 言葉' });
  await expect(said).toHaveCount(1);
  await expect(said).toContainText('渡辺');
  await expect(page.getByRole('log')).toHaveAttribute('aria-live', 'off');
});

test('In forced colours, selection, focus and disabled controls are still distinguishable', async ({ browser, product }) => {
  const page = await signIn(browser, product, 'yoshida@engawa.example', { forcedColors: 'active' });
  expect(await borderOf(rail(page, '組織'))).toBe('2px solid');
  expect(await borderOf(rail(page, '設定'))).toBe('0px none');
  await department(page, '基盤技術部').click();
  await expect(header(page)).toHaveText('基盤技術部');
  expect(await borderOf(department(page, '基盤技術部').locator('> *'), 'left')).toBe('4px solid');
  expect(await borderOf(department(page, 'デザイン室').locator('> *'), 'left')).toBe('0px none');

  const resting = await colourOf(sendButton(page));
  await field(page).fill('送れる');
  expect(await colourOf(sendButton(page))).not.toBe(resting);
  await field(page).fill('');
  expect(await ringed(page)).toBe('focus');
  await department(page, '基盤技術部').focus();
  await page.keyboard.press('ArrowDown');
  expect(await ringed(page)).toBe('focus');

  await rail(page, 'ストリーム').click();
  expect(await borderOf(streamRow(page, '基盤技術部'), 'left')).toBe('4px solid');
  await rail(page, '設定').click();
  const chosen = page.getByRole('radio', { name: '日本語' }).locator('xpath=following-sibling::*[1]');
  expect(await borderOf(chosen)).toBe('2px solid');
});

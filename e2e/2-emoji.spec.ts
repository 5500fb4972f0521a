import type { Page } from '@playwright/test';
import { expect, signIn, test as base } from './product.ts';
import { department, emojiButton, field, hold, picker, typeAndEnterAtOnce, withoutLayers } from './screen.ts';
import { atRest, checkScreen } from './checkScreen.ts';

async function writingTo(page: Page, name: string): Promise<void> {
  await department(page, name).click();
  await expect(field(page)).toBeVisible();
}

/** The page of a member in a stream. */
const test = base.extend({
  page: async ({ browser, product }, provide) => {
    const page = await signIn(browser, product, 'yoshida@engawa.example');
    await writingTo(page, '基盤技術部');
    // The server keeps the draft of an earlier test.
    await field(page).fill('');
    await provide(page);
  },
});

const search = (page: Page) => picker(page).getByRole('searchbox', { name: '絵文字を検索' });
const section = (page: Page, name: string) => picker(page).getByRole('group', { name, exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

test.describe('Opening the emoji picker', () => {
  test('[R2.22.1] A click opens the emoji picker with a corner at the pointer and inside the window, and a second click closes it', async ({
    page,
  }) => {
    const button = await emojiButton(page).boundingBox();
    if (!button) throw new Error('the button is not visible');
    const at = { x: Math.round(button.x) + 9, y: Math.round(button.y) + 12 };
    await page.mouse.click(at.x, at.y);
    await expect(picker(page)).toBeVisible();
    // Waits for the opening animation.
    await atRest(page);
    const box = await picker(page).boundingBox();
    if (!box) throw new Error('the picker is not visible');
    expect(box.height).toBe(320);
    const corners = [
      [box.x, box.y],
      [box.x + box.width, box.y],
      [box.x, box.y + box.height],
      [box.x + box.width, box.y + box.height],
    ];
    expect(corners).toContainEqual([at.x, at.y]);
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.y).toBeGreaterThanOrEqual(0);

    await page.mouse.click(at.x, at.y);
    await expect(picker(page)).toBeHidden();
  });

  test('[R2.22.1] The emoji picker opens above its button on Enter, stays inside a smaller window, and closes on Escape but not on code 229', async ({
    page,
  }) => {
    await emojiButton(page).focus();
    await page.keyboard.press('Enter');
    await expect(search(page)).toBeFocused();
    await atRest(page);
    const [button, box] = [await emojiButton(page).boundingBox(), await picker(page).boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(button?.y ?? -1, 0);

    await page.setViewportSize({ width: 1000, height: 500 });
    await expect(picker(page)).toBeInViewport({ ratio: 1 });
    await page.keyboard.press('Escape');
    await expect(picker(page)).toBeHidden();
    await expect(field(page)).toBeFocused();

    await emojiButton(page).click();
    const press = (keyCode: number) =>
      search(page).evaluate((element, code) => {
        element.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, keyCode: code }));
      }, keyCode);
    // An input method handles the key.
    await press(229);
    await expect(picker(page)).toBeVisible();
    await press(27);
    await expect(picker(page)).toBeHidden();
  });
});

test.describe('The emoji picker', () => {
  test('[R2.22.2, R2.23] The emoji picker has six categories, and finds emoji by Japanese and English words in both interface languages', async ({
    page,
  }) => {
    await emojiButton(page).click();
    const names = ['よく使う項目', '人', '自然', 'もの', '場所', '記号'];
    await expect(section(page, '記号')).toBeAttached();
    const buttons = picker(page).getByRole('navigation', { name: '分類' }).getByRole('button');
    expect(await buttons.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))).toEqual(names);
    await buttons.nth(4).click();
    await expect(section(page, '場所')).toBeInViewport();
    await expect(buttons.nth(4)).toHaveAttribute('aria-pressed', 'true');

    for (const [query, found] of [
      ['おめでとう', '🎉'],
      ['CONGRATULATIONS', '👏'],
      ['りょうかい', '🫡'],
    ] as const) {
      await search(page).fill(query);
      await expect(picker(page).getByText(found, { exact: true }).first()).toBeVisible();
    }
    await checkScreen(page, '61 emoji, searched');
    await search(page).fill('そんな絵文字はない');
    await expect(picker(page).getByText('見つかりませんでした。')).toBeVisible();
    await checkScreen(page, '62 emoji, nothing found');

    await page.evaluate(() => localStorage.setItem('engawa:locale', 'en'));
    await page.reload();
    await page.getByRole('button', { name: 'Emoji', exact: true }).click();
    const english = page.getByRole('dialog', { name: 'Choose an emoji' });
    for (const query of ['おめでとう', 'congratulations']) {
      await english.getByRole('searchbox').fill(query);
      await expect(english.getByText('👏', { exact: true }).first()).toBeVisible();
    }
  });

  test('[R2.23] The emoji picker lists the emoji that the member uses most first, and not those of another member', async ({
    page,
    product,
  }) => {
    for (let times = 0; times < 2; times += 1) {
      await emojiButton(page).click();
      await search(page).fill('寿司');
      await search(page).press('Enter');
      // Before the emoji are loaded, Enter takes effect after loading.
      await expect(picker(page)).toBeHidden();
    }
    await expect(field(page)).toHaveValue('🍣🍣');
    // An open picker keeps its order, so it is opened again after the server has counted.
    await expect(async () => {
      await emojiButton(page).click();
      const first = await section(page, 'よく使う項目').getByRole('button').first().textContent();
      await page.keyboard.press('Escape');
      await expect(picker(page)).toBeHidden();
      expect(first).toBe('🍣');
    }).toPass();

    const headers = { Origin: product.url };
    await page.context().request.post('/api/session', { data: { email: 'matsumoto@engawa.example' }, headers });
    const other = await page.context().newPage();
    await other.goto('/');
    await emojiButton(other).click();
    await expect(section(other, 'よく使う項目').getByRole('button').first()).toHaveText('👍');
    await expect(section(other, 'よく使う項目').getByText('🍣')).toHaveCount(0);
    await checkScreen(other, '60 emoji');
  });

  test('[R2.22.2] Arrows, Home, End and the page keys move through the emoji picker, and Enter inserts the focused emoji', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'matsumoto@engawa.example');
    await writingTo(page, '基盤技術部');
    await field(page).fill('前後');
    await field(page).press('ArrowLeft');
    await emojiButton(page).focus();
    await page.keyboard.press('Enter');
    await expect(section(page, '記号')).toBeAttached();
    await page.keyboard.press('Enter');
    await expect(picker(page)).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('👍');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toBe('🙇');
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toBe('🍵');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('😀');
    await page.keyboard.press('PageDown');
    const paged = await focused(page);
    expect(paged).not.toBe('😀');
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Control+End');
    await expect(section(page, '記号').getByRole('button').last()).toBeFocused();
    await expect(section(page, '記号').getByRole('button').last()).toBeInViewport();
    await expect(picker(page).getByRole('button', { name: '記号', exact: true })).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowUp');
    await expect(search(page)).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(field(page)).toHaveValue('前👍後');
    await expect(field(page)).toBeFocused();
  });

  test('[R2.22.2] In the emoji search, Enter inserts the best match of the typed word, even before the list has been filtered', async ({
    page,
  }) => {
    await emojiButton(page).click();
    await expect(section(page, '記号')).toBeAttached();
    await typeAndEnterAtOnce(search(page), 'すし');
    await expect(field(page)).toHaveValue('🍣');
  });

  test('[R2.22.2] Enter pressed before the emoji are loaded inserts the best match once they are, unless the query has changed', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'inoue@engawa.example');
    await writingTo(page, '基盤技術部');
    const release = await hold(page, '**/*emoji*.js');
    await emojiButton(page).click();
    await search(page).fill('ビール');
    await search(page).press('Enter');
    await search(page).fill('すし');
    await expect(picker(page).getByRole('status')).toHaveText('読み込んでいます…');
    release();
    await expect(picker(page).getByRole('group')).toContainText('🍣');
    await expect(field(page)).toHaveValue('');
    await page.keyboard.press('Escape');
    await withoutLayers(page);
    await page.reload();

    const releaseAgain = await hold(page, '**/*emoji*.js');
    await emojiButton(page).click();
    await search(page).fill('すし');
    await search(page).press('Enter');
    releaseAgain();
    await expect(field(page)).toHaveValue('🍣');
  });
});

import { checkScreen } from './checkScreen.ts';
import { expect, signIn, test } from './product.ts';
import { department, header, rail, streamRow } from './screen.ts';

test.describe('Guests', () => {
  test('The header of a stream with a guest says so, and names the guest on hover, on focus and in a dialog', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    await rail(page, 'ストリーム').click();
    await streamRow(page, 'リリース 2.4').click();
    const notice = page.getByRole('button', { name: '社外の方がいます 村上 拓さん' });
    const names = page.getByText('村上 拓さん', { exact: true });
    await expect(notice).toBeVisible();
    await expect(names).toBeHidden();
    const [name, count] = [await header(page).boundingBox(), await page.locator('header').getByText('(15)').boundingBox()];
    expect((count?.y ?? NaN) + (count?.height ?? NaN), 'the count is beside the name').toBeLessThan(
      (name?.y ?? NaN) + (name?.height ?? NaN) + 4,
    );
    await notice.hover();
    await expect(names).toBeVisible();
    await page.mouse.move(0, 0);
    await expect(names).toBeHidden();
    await checkScreen(page, '44j chat, with a guest');
    await page.getByRole('button', { name: 'メッセージを検索' }).focus();
    await page.keyboard.press('Shift+Tab');
    await expect(notice).toBeFocused();
    await expect(names).toBeVisible();

    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: '社外の方 (1)' });
    await expect(dialog.getByRole('listitem')).toContainText('村上 拓');
    await checkScreen(page, '44k chat, its guests');
    await page.keyboard.press('Escape');
    await expect(notice).toBeFocused();
    await streamRow(page, 'プロダクト開発部').click();
    await expect(notice).toHaveCount(0);
  });

  test('A guest sees only their conversations, the members of these and the departments of their streams, as they join and leave', async ({
    browser,
    product,
  }) => {
    const tanaka = await signIn(browser, product, 'tanaka@engawa.example');
    const page = await signIn(browser, product, 'murakami@engawa.example');
    const subscriptions = '/api/v1/users/me/subscriptions';
    const headers = { Origin: product.url };
    const leave = async (name: string) => {
      const form = { subscriptions: JSON.stringify([name]) };
      expect((await page.request.delete(subscriptions, { form, headers })).ok()).toBe(true);
    };
    const ofMembers = (name: string) => page.getByRole('option', { name });
    await leave('雑談・縁側');
    await leave('株式会社 縁側');
    await expect(page.getByText('参加しているストリームの部署が、ここに並びます。')).toBeVisible();
    await checkScreen(page, '15b organisation, of a guest');

    await rail(page, 'ストリーム').click();
    await page.getByRole('button', { name: 'グループを作成' }).click();
    await expect(ofMembers('佐藤 美咲')).toHaveCount(1);
    await expect(ofMembers('藤原 恒一')).toHaveCount(0);
    await expect(page.getByRole('option', { name: /全員/ })).toHaveCount(0);
    await page.keyboard.press('Escape');

    const { members } = await (await tanaka.request.get('/api/v1/users')).json();
    const guest = members.find(({ email }: { email: string }) => email === 'murakami@engawa.example').user_id;
    const form = { subscriptions: JSON.stringify([{ name: 'デザイン室' }]), principals: JSON.stringify([guest]) };
    expect((await tanaka.request.post(subscriptions, { form, headers })).ok()).toBe(true);
    await rail(page, '組織').click();
    await expect(department(page, 'デザイン室')).toBeVisible();
    await department(page, 'デザイン室').click();
    await page.getByRole('log').getByText('加藤 陽菜').first().click();
    const card = page.getByRole('dialog', { name: 'プロフィール' });
    await expect(card.getByRole('link', { name: 'デザイン室' })).toBeVisible();
    await page.keyboard.press('Escape');
    await leave('デザイン室');
    await expect(page.getByText('参加しているストリームの部署が、ここに並びます。')).toBeVisible();
  });
});

import type { Locator, Page } from '@playwright/test';
import { type Receiver, answering, openReceiver } from '../packages/server/src/testing/receiver.ts';
import { ja as hookWords } from '../packages/web/src/i18n/hooks.ja.ts';
import { ja as words } from '../packages/web/src/i18n/outgoingHooks.ja.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, signIn, test } from './product.ts';
import { rail } from './screen.ts';

const panel = (page: Page): Locator => page.getByRole('tabpanel');
const dialog = (page: Page): Locator => page.getByRole('dialog');
const row = (page: Page, name: string): Locator =>
  page.getByRole('list', { name: words.list }).getByRole('listitem').filter({ hasText: name });

async function openHooks(page: Page): Promise<void> {
  await rail(page, '設定').click();
  await panel(page).getByRole('button', { name: hookWords.heading, exact: true }).click();
}

let receiver: Receiver;
test.beforeEach(async () => {
  // Without a press the server repeats the post in an hour.
  receiver = await openReceiver(answering(500, undefined, { 'retry-after': '3600' }));
});
test.afterEach(() => receiver.close());

test('An administrator allows an address, and a member sets up a post to it, sees its error, repeats it and stops it', async ({
  browser,
  product,
}) => {
  const size = { viewport: { width: 1440, height: 900 } };
  const administrator = await signIn(browser, product, 'takahashi.koichi@engawa.example', size);
  await administrator.goto('/#/administration/hooks');
  await administrator.getByLabel(words.origin).fill('127.0.0.1');
  await administrator.getByRole('button', { name: words.allow, exact: true }).click();
  await expect(administrator.getByText(words.originMalformed)).toBeVisible();
  await administrator.getByLabel(words.origin).fill(receiver.origin);
  await administrator.getByRole('switch', { name: words.allowPrivate }).click();
  await administrator.getByRole('button', { name: words.allow, exact: true }).click();
  await expect(administrator.getByRole('list', { name: words.originsHeading })).toContainText(words.isPrivate);

  const page = await signIn(browser, product, 'suzuki@engawa.example', size);
  await openHooks(page);
  await panel(page).getByRole('button', { name: words.create }).click();
  await dialog(page).getByLabel(words.name).fill('申請 係');
  await dialog(page).getByLabel(words.address).fill('https://elsewhere.example/in');
  await dialog(page).getByRole('button', { name: words.create }).click();
  await expect(dialog(page).getByText(words.addressRefused)).toBeVisible();
  await dialog(page).getByLabel(words.address).fill(`${receiver.origin}/in`);
  await dialog(page).getByRole('combobox', { name: words.streams }).selectOption({ index: 1 });
  await checkScreen(page, '83j settings, an external post is set up');
  await dialog(page).getByRole('button', { name: words.create }).click();
  await expect(dialog(page).getByText(words.once)).toBeVisible();
  expect(await dialog(page).getByLabel(words.secret, { exact: true }).inputValue()).toMatch(/^whsec_/);
  await checkScreen(page, '83k settings, the secret of an external post');
  await dialog(page).getByRole('button', { name: words.close }).last().click();

  const session = await page.evaluate(() => fetch('/api/outgoing-hooks').then((answer) => answer.json()));
  const [{ id }] = session.hooks;
  await page.evaluate(
    (to) =>
      fetch('/api/v1/messages', {
        method: 'POST',
        body: new URLSearchParams({ type: 'direct', to: `[${to}]`, content: '申請です' }),
      }),
    id,
  );
  await expect.poll(() => receiver.received.length).toBe(1);
  await page.reload();
  await openHooks(page);
  await expect(row(page, '申請 係')).toContainText(words.status(500));
  await checkScreen(page, '83l settings, external posts');
  // The check opens other sizes of the window, in which the section is closed.
  await page.reload();
  await openHooks(page);
  await expect(row(page, '申請 係').getByRole('button', { name: words.retryNow })).toBeVisible();
  receiver.respond = answering(200, { content: '受け付けました' });
  await row(page, '申請 係').getByRole('button', { name: words.retryNow }).click();
  const answers = () =>
    page.evaluate(async (from) => {
      const narrow = JSON.stringify([{ operator: 'dm', operand: [from] }]);
      const query = new URLSearchParams({ narrow, anchor: 'newest', num_before: '5', num_after: '0', apply_markdown: 'false' });
      const { messages } = await (await fetch(`/api/v1/messages?${query}`)).json();
      return messages.map(({ content }: { content: string }) => content);
    }, id);
  await expect.poll(answers).toEqual(['申請です', '受け付けました']);
  const [first, ...repeated] = receiver.received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body).data]);
  expect(repeated).toEqual([first]);
  await row(page, '申請 係').getByRole('button', { name: words.turnOff }).click();
  await expect(row(page, '申請 係')).toContainText(words.off.owner);

  await administrator.reload();
  await expect(row(administrator, '申請 係')).toContainText(/持ち主：鈴木/);
  await checkScreen(administrator, '92p administration, hooks');
  await row(administrator, '申請 係').getByRole('button', { name: words.delete }).click();
  await dialog(administrator).getByRole('button', { name: words.delete }).click();
  await expect(row(administrator, '申請 係')).toHaveCount(0);
});

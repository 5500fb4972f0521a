/** Messages of other programs, in a browser in front of a server like a real Zulip. */
import { expect, signIn, test } from './product.ts';
import { message, rail, streamRow } from './screen.ts';

const stream = '雑談・縁側';

test('[R7.8] A message of a Zulip client is shown with its marks and emoji in the list of messages and of streams', async ({
  browser,
  ofZulip,
}) => {
  const page = await signIn(browser, ofZulip, { email: 'tanaka@engawa.example', password: 'demo' });
  const writer = await signIn(browser, ofZulip, { email: 'sato@engawa.example', password: 'demo' });
  await rail(page, 'ストリーム').click();
  await streamRow(page, stream).click();
  const form = { type: 'stream', to: stream, topic: 'stream events', client: 'ZulipMobile' };
  const content = '*斜体* の **太字** :tada:\n\n1. 一つめ\n2. 二つめ\n\n```spoiler 答え\n四十二\n```';
  const sent = await writer.evaluate(
    async (parameters) => (await fetch('/api/v1/messages', { method: 'POST', body: new URLSearchParams(parameters) })).status,
    { ...form, content },
  );
  expect(sent).toBe(200);
  const shown = message(page, '斜体');
  await expect(shown.locator('em')).toHaveText('斜体');
  await expect(shown.locator('strong')).toHaveText('太字');
  await expect(shown).toContainText('🎉');
  await expect(shown.locator('ol > li')).toHaveText(['一つめ', '二つめ']);
  await expect(shown.locator('ol')).toHaveCSS('list-style-type', 'decimal');
  await expect(shown.getByText('四十二')).toBeHidden();
  await shown.getByText('答え').click();
  await expect(shown.getByText('四十二')).toBeVisible();
  await expect(streamRow(page, stream)).toContainText('斜体 の 太字 🎉');
});

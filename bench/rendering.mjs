// Counts the rows rendered by a new message, an edit, and a message of another stream.
import { buildWithRenderCounts } from './renderCounts.mjs';
import { freshPage, openStream, openStreams, readAll } from './page.mjs';
import { apiOf, makeTalk, say, speakers } from './product.mjs';

const here = '描画の数 ここ';
const there = '描画の数 よそ';

/** Message rows; for `elsewhere` rows of any kind. */
export async function rowsRendered(browser, url) {
  for (const stream of [there, here]) await makeTalk(url, stream, 15);
  const api = await apiOf(url, speakers[0]);
  const first = await say(api, here, 'これは直される');
  await say(api, here, 'これは直されない');

  const build = await buildWithRenderCounts();
  try {
    const page = await freshPage(browser, url);
    await build.serve(page);
    await openStreams(page);
    for (const stream of [there, here]) {
      await openStream(page, stream);
      await readAll(page, stream);
    }
    await page.waitForTimeout(1000);
    const append = await renderedBy(page, '一つ増えた', () => say(api, here, '一つ増えた'));
    const edit = await renderedBy(page, 'これは直された', () =>
      api('PATCH', `/messages/${first}`, { content: 'これは直された' }),
    );
    const elsewhere = await renderedBy(page, 'よその一言', () => say(api, there, 'よその一言'));
    await page.context().close();
    return { append: messagesOf(append), edit: messagesOf(edit), elsewhere: elsewhere.length };
  } finally {
    build.remove();
  }
}

/** Until the text is shown and half a second after. */
async function renderedBy(page, text, action) {
  await page.evaluate(() => Object.assign(globalThis, { benchRenders: [] }));
  await action();
  await page.getByText(text).first().waitFor();
  await page.waitForTimeout(500);
  return page.evaluate(() => globalThis.benchRenders);
}

function messagesOf(names) {
  return names.filter((name) => name === 'MessageRow').length;
}

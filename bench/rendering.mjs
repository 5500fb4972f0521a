// How many rows are rendered by what happens most: a message, a correction, a message of another stream.
import { buildCounted } from './renderCounts.mjs';
import { freshPage, openStream, openStreams, readAll } from './page.mjs';
import { apiOf, makeTalk, say, speakers } from './product.mjs';

const here = '描画の数 ここ';
const there = '描画の数 よそ';

/** @returns {Promise<{ append: number, edit: number, elsewhere: number }>} rows of messages, of messages, of either */
export async function rowsRendered(browser, url) {
  for (const stream of [there, here]) await makeTalk(url, stream, 15);
  const api = await apiOf(url, speakers[0]);
  const first = await say(api, here, 'これは直される');
  await say(api, here, 'これは直されない');

  const screens = await buildCounted();
  try {
    const page = await freshPage(browser, url);
    await screens.serve(page);
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
    screens.remove();
  }
}

/** The names of the rows that are rendered until the text is shown, and a while after. */
async function renderedBy(page, text, happen) {
  await page.evaluate(() => Object.assign(globalThis, { benchRenders: [] }));
  await happen();
  await page.getByText(text).first().waitFor();
  await page.waitForTimeout(500);
  return page.evaluate(() => globalThis.benchRenders);
}

function messagesOf(names) {
  return names.filter((name) => name === 'MessageRow').length;
}

// Measures the response to a member's actions on a processor that is four times slower.
import { clickerOf, freshPage, openBare, openStream, openStreams, readAll, rowOf, slowDown, timeOf } from './page.mjs';
import { makeTalk } from './product.mjs';
import { percentile, repeat } from './samples.mjs';

const streams = ['切り替え その一', '切り替え その二'];
const slower = 4;

/** Each stream is longer than a page. */
export async function openTwoStreams(browser, url) {
  for (const stream of streams) await makeTalk(url, stream, 70);
  const page = await freshPage(browser, url);
  await openStreams(page);
  for (const stream of streams) {
    await openStream(page, stream);
    await readAll(page, stream);
  }
  await slowDown(page, slower);
  return page;
}

export async function openBareField(browser, url) {
  const page = await freshPage(browser, url, { slower });
  await openBare(page);
  await page.evaluate(() => document.body.replaceChildren(document.createElement('textarea'), document.createElement('button')));
  return page;
}

/** From the click to the frame with the newest message of a stream that is already loaded. */
export function streamSwitch(page) {
  return repeat(20, async (turn) => {
    const stream = streams[turn % streams.length];
    const click = await clickerOf(rowOf(page, stream));
    await page.waitForTimeout(300);
    return timeOf(page, 'click', ['stream', stream], click);
  });
}

export async function bareClick(page) {
  const click = await clickerOf(page.getByRole('button'));
  return repeat(20, async () => {
    await page.waitForTimeout(100);
    return timeOf(page, 'click', ['always'], click);
  });
}

/** From a key in a field to the next frame: the 95th percentile of each round. */
export async function keyToFrame(page) {
  await page.getByRole('textbox').last().click();
  return repeat(3, async () => {
    const press = (key) => page.keyboard.press(key % 20 === 19 ? 'Shift+Enter' : 'a');
    const times = await repeat(80, (key) => timeOf(page, 'keydown', ['always'], () => press(key)));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    return percentile(times, 95);
  });
}

/** From the click to the frame with all emoji. The first opening also fetches them. */
export async function emojiPicker(page) {
  const click = await clickerOf(page.getByRole('button', { name: '絵文字', exact: true }));
  const [first, ...later] = await repeat(6, async () => {
    const time = await timeOf(page, 'click', ['emoji'], click);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return time;
  });
  return { first: [first], later };
}

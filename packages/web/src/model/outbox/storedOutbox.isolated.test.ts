import { subscribe, unsubscribe } from '@engawa/client';
import { parseFileMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { changedFile } from '../../../test/changedFile.ts';
import { chatServer, errorAnswer, type ChatServer } from '../../../test/chatServer.ts';
import { ai, general, ken, lunch, mai } from '../../../test/organisation.ts';
import { newDisk, type FakeDisk } from '../../../test/disk.ts';
import { eg, newBrowser, only, ready, rows, started, stopAll, type Example, type ExampleOptions } from '../../../test/example.ts';
import { directOf, type ConversationKey } from '../streams/conversation.ts';
import { generateKey } from './generate.ts';
import { mostEntries, type Entry } from './outboxDisk.ts';
import type { Upload, UploadRequest } from './upload.ts';
import { selectConnection, selectSettled } from '../connection/state.ts';
import { selectStream } from '../conversations/selectors.ts';
import { selectHoldsUnstored, selectMessage } from './selectors.ts';
import { selectUndeliverable } from './undeliverable.ts';

afterEach(stopAll);

const { locks } = navigator;
const { stream_id: streamId } = general;
const post = 'POST /messages';
const refusal = { kind: 'refused', code: 'BAD_REQUEST', message: 'no' } as const;

/** Tabs and visits of one browser. */
interface Browser {
  readonly server: ChatServer;
  readonly disk: FakeDisk;
  /** The channel on which its tabs synchronise their outboxes. */
  listen(): BroadcastChannel;
  open(options?: ExampleOptions): Promise<Example>;
}

async function aBrowser(): Promise<Browser> {
  const server = await chatServer();
  const disk = newDisk();
  const browser = newBrowser();
  await server.send(ken, lunch.stream_id, 'お昼どうしますか');
  await server.send(ken, general.stream_id, 'おはようございます');
  return {
    server,
    disk,
    listen() {
      const channel = new BroadcastChannel(`engawa-outbox v1 member 1 of browser ${browser}`);
      onTestFinished(() => channel.close());
      return channel;
    },
    async open(options = {}) {
      const environment = { locks, openOutbox: async () => disk, ...options.environment };
      const example = await eg({ ...options, server, browser, environment });
      example.model.start();
      await ready(example.model);
      return example;
    },
  };
}

const say = ({ model }: Example, text: string, conversation: ConversationKey = streamId) =>
  model.send(conversation, { text, file: undefined });

/** The messages that 田中 愛 has sent, in the server's order. */
const said = async ({ server }: Browser, conversation = streamId) =>
  (await server.messages())
    .filter(({ stream_id, sender_id }) => stream_id === conversation && sender_id !== ken.user_id)
    .map(({ content }) => content);

/** From here on the tab receives no events. */
async function deafen({ model, server }: Example): Promise<void> {
  server.fail('GET /events', 'hold');
  await server.send(ken, lunch.stream_id, '蕎麦で');
  await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.message?.text).toBe('蕎麦で'));
}

const mine = ({ model }: Example) => rows(model, streamId).filter((row) => !row.endsWith('おはようございます'));

describe('The stored outbox', () => {
  it('[R4.8.2] A message is on the disk before the first attempt to send it, and is deleted from the disk after its delivery', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    browser.server.fail(post, 'hold');
    say(tab, '了解です');
    expect(mine(tab)).toEqual(['sending 了解です']);
    expect(browser.server.called(post)).toHaveLength(0);
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    expect(browser.disk.entries()).toMatchObject([{ text: '了解です', conversation: streamId }]);
    browser.server.release();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['了解です']));
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 了解です']));
  });

  it('[R4.8.2] A message is written to the disk at once, even while an earlier message is being written', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    await new Promise(setImmediate);
    const add = vi.spyOn(browser.disk, 'add');
    const goOn = browser.disk.stall();
    for (const text of ['一', '二']) say(tab, text);
    expect(add.mock.calls.map(([{ text }]) => text)).toEqual(['一', '二']);
    goOn();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二']));
  });

  it('[R4.8.2] Messages on the disk are sent at the next visit, each once and in order', async () => {
    const browser = await aBrowser();
    const first = await browser.open();
    await deafen(first);
    browser.server.fail(post, 'lost', 'cut');
    for (const text of ['一', '二', '三']) say(first, text);
    say(first, '別', lunch.stream_id);
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(2));
    await vi.waitFor(() => expect(browser.disk.entries()).toHaveLength(4));
    await first.model.stop();
    const second = await browser.open();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二', '三']));
    await vi.waitFor(async () => expect(await said(browser, lunch.stream_id)).toEqual(['別']));
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    await vi.waitFor(() => expect(mine(second)).toEqual(['sent 一', 'sent 二', 'sent 三']));
  });

  it('[R4.8.2] If the server cannot recognise a repeated message, the outbox looks for the message on the server before it sends again', async () => {
    const browser = await aBrowser();
    const first = await browser.open({ capabilities: [] });
    await deafen(first);
    browser.server.fail(post, 'lost');
    say(first, '一');
    await vi.waitFor(() => expect(mine(first)).toEqual(['failed 一']));
    await first.model.stop();
    await browser.open({ capabilities: [] });
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    expect(await said(browser)).toEqual(['一']);
  });

  it('[R4.8.2] If the server no longer recognises an old message, the outbox looks for it on the server before it sends again', async () => {
    const browser = await aBrowser();
    const id = await browser.server.send(ai, streamId, '一');
    await browser.disk.add(entry('一', { afterId: id - 1, timestamp: -8 * 86_400 }));
    await browser.open();
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    expect(browser.server.called(post)).toEqual([]);
    expect(await said(browser)).toEqual(['一']);
  });

  it('[R4.8.2] Messages of the last visit are sent before new ones, even if the disk opens late', async () => {
    const browser = await aBrowser();
    for (const text of ['一', '二']) await browser.disk.add(entry(text));
    const opening = Promise.withResolvers<FakeDisk>();
    const tab = await browser.open({ environment: { openOutbox: () => opening.promise } });
    say(tab, '三');
    await new Promise(setImmediate);
    expect(browser.server.called(post)).toEqual([]);
    opening.resolve(browser.disk);
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二', '三']));
    await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 一', 'sent 二', 'sent 三']));
  });

  it.each(['after a while', 'at once after reconnecting'])(
    '[R4.8.2] If the disk cannot be opened at first, a message on it is sent without the member’s action %s',
    async (when) => {
      const browser = await aBrowser();
      await browser.disk.add(entry('一'));
      const openOutbox = vi.fn(async () => browser.disk).mockRejectedValueOnce(new DOMException('not now', 'UnknownError'));
      const tab = await browser.open({ environment: { openOutbox } });
      await tab.clock.until(30_000);
      expect(openOutbox).toHaveBeenCalledOnce();
      if (when === 'after a while') await tab.clock.pass(30_000);
      else tab.wake();
      await vi.waitFor(async () => expect(await said(browser)).toEqual(['一']));
    },
  );

  it('[R4.8.2] Before a send, a tab reads only the disk entries that were added since its last read', async () => {
    const browser = await aBrowser();
    for (const text of ['一', '二']) await browser.disk.add(entry(text, { refusal }));
    const tab = await browser.open();
    await vi.waitFor(() => expect(mine(tab)).toEqual(['failed 一', 'failed 二']));
    const read = vi.spyOn(browser.disk, 'read');
    say(tab, '三', lunch.stream_id);
    await vi.waitFor(async () => expect(await said(browser, lunch.stream_id)).toEqual(['三']));
    expect(read.mock.calls).toEqual([[2]]);
  });

  it('[R4.8.2] The outbox tries five times to open the disk, and after that tries again only with each send', async () => {
    const browser = await aBrowser();
    const openOutbox = vi.fn(() => Promise.reject(new DOMException('no', 'UnknownError')));
    const tab = await browser.open({ environment: { openOutbox } });
    for (let tries = 1; tries < 5; tries += 1) {
      await vi.waitFor(() => expect(openOutbox).toHaveBeenCalledTimes(tries));
      await tab.clock.pass(30_000);
    }
    await vi.waitFor(() => expect(openOutbox).toHaveBeenCalledTimes(5));
    await new Promise(setImmediate);
    expect(tab.clock.waits()).not.toContain(30_000);
    say(tab, '一');
    await vi.waitFor(() => expect(openOutbox).toHaveBeenCalledTimes(6));
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一']));
  });

  it('[R4.8.2] A file on the disk is uploaded again at the next visit only if its upload was incomplete', async () => {
    const browser = await aBrowser();
    const first = await browser.open();
    browser.server.fail(`POST ${paths.upload}`, 'cut');
    first.model.send(streamId, { text: '', file: new File(['12345'], '一.txt') });
    await vi.waitFor(() => expect(mine(first)[0]).toMatch(/^failed/));
    await first.model.stop();
    browser.server.fail(post, 'cut');
    const second = await browser.open();
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    await vi.waitFor(() => expect(browser.disk.entries()).toMatchObject([{ fileMessage: { name: '一.txt' } }]));
    await second.model.stop();
    await browser.open();
    await vi.waitFor(async () => expect((await said(browser)).map((text) => parseFileMessage(text)?.size)).toEqual([5]));
    expect(browser.server.called(`POST ${paths.upload}`)).toHaveLength(2);
    expect(browser.server.uploads.size).toBe(1);
  });

  it('[R4.8.2] If a file was changed after it was chosen, the copy on the disk is sent', async () => {
    const browser = await aBrowser();
    const upload = vi.fn<Upload>(async () => {});
    const tab = await browser.open({ environment: { upload } });
    tab.model.send(streamId, { text: '', file: changedFile('見積.xlsx') });
    await vi.waitFor(async () =>
      expect((await said(browser)).map((text) => parseFileMessage(text)?.name)).toEqual(['見積.xlsx']),
    );
    expect(upload).toHaveBeenCalledOnce();
    expect(await upload.mock.calls[0]?.[0].file.text()).toBe('12345');
  });

  it('[R4.8.2, R8.4] A refused message stays on the disk with the reason until the member sends it again or discards it', async () => {
    const browser = await aBrowser();
    const first = await browser.open();
    browser.server.fail(post, errorAnswer(400, 'BAD_REQUEST', 'no'), errorAnswer(400, 'BAD_REQUEST', 'no'));
    for (const text of ['一', '二']) say(first, text);
    await vi.waitFor(() => expect(mine(first)).toEqual(['failed 一', 'failed 二']));
    await vi.waitFor(() => expect(browser.disk.entries().every(({ refusal }) => refusal)).toBe(true));
    await first.model.stop();

    const second = await browser.open();
    await vi.waitFor(() => expect(mine(second)).toEqual(['failed 一', 'failed 二']));
    const [one = '', two = ''] = ['一', '二'].map((text) => String(only(second.model, streamId, text)));
    expect(selectMessage(second.model.state(), one)?.failure).toEqual(refusal);
    expect(browser.server.called(post)).toHaveLength(2);
    expect(second.model.discard(one)).toEqual({ text: '一', file: undefined });
    second.model.retry(two);
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['二']));
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    await second.model.stop();
    const third = await browser.open();
    await vi.waitFor(() => expect(mine(third)).toEqual(['sent 二']));
    expect(await said(browser)).toEqual(['二']);
  });

  it('[R4.8.2] The outbox continues to send when a rate limit is over', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    const busy = Response.json({ result: 'error', msg: 'slow', code: 'RATE_LIMIT_HIT', 'retry-after': 7 }, { status: 429 });
    browser.server.fail(post, busy);
    for (const text of ['一', '二']) say(tab, text);
    await vi.waitFor(() => expect(mine(tab)).toEqual(['failed 一', 'held 二']));
    await tab.clock.pass(7000);
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二']));
  });

  it('[R4.8.2] A message that was not sent because the session ended is sent after the member signs in again', async () => {
    const browser = await aBrowser();
    const first = await browser.open();
    browser.server.signInAs(undefined);
    say(first, '一');
    await vi.waitFor(() => expect(selectConnection(first.model.state())).toBe('signed-out'));
    expect(browser.disk.entries()).toHaveLength(1);
    await first.model.stop();
    browser.server.signInAs(ai);
    await browser.open();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一']));
  });
});

describe('A message without a conversation', () => {
  it('[R4.8.2, R8.4] A message to a stream that the member no longer has is not sent, and is reported until the member discards it', async () => {
    const browser = await aBrowser();
    await browser.disk.add(entry('行き先がない', { conversation: 99 }));
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectUndeliverable(tab.model.state())).toBeDefined());
    const key = selectUndeliverable(tab.model.state()) ?? '';
    expect(selectMessage(tab.model.state(), key)).toMatchObject({
      state: 'failed',
      content: '行き先がない',
      failure: { kind: 'refused' },
    });
    expect(browser.server.called(post)).toEqual([]);
    await vi.waitFor(() => expect(browser.disk.entries()).toMatchObject([{ refusal: { kind: 'refused' } }]));
    tab.model.discard(key);
    expect(selectUndeliverable(tab.model.state())).toBeUndefined();
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
  });

  it('[R4.8.2, R8.4] A waiting message is reported when the member loses its stream, and can be sent when the stream comes back', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    browser.server.fail(post, 'cut');
    say(tab, '戻ったら', lunch.stream_id);
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    expect(selectUndeliverable(tab.model.state())).toBeUndefined();
    const { name, stream_id } = lunch;
    await unsubscribe(browser.server.as(ai), { subscriptions: [name] });
    await vi.waitFor(() => expect(selectStream(tab.model.state(), stream_id)).toBeUndefined());
    await tab.clock.pass(1000);
    await vi.waitFor(() => expect(selectUndeliverable(tab.model.state())).toBeDefined());
    expect(browser.server.called(post)).toHaveLength(1);
    const key = selectUndeliverable(tab.model.state()) ?? '';
    await subscribe(browser.server.as(ken), { subscriptions: [{ name }], principals: [ai.user_id] });
    await vi.waitFor(() => expect(selectUndeliverable(tab.model.state())).toBeUndefined());
    tab.model.retry(key);
    await vi.waitFor(async () => expect(await said(browser, stream_id)).toEqual(['戻ったら']));
  });

  it('[R4.8.2, R8.4] A refused message in a direct conversation without other messages is reported while that conversation is not open', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    const withMai = directOf([1, mai.user_id]);
    tab.model.open(withMai);
    browser.server.fail(post, errorAnswer(400, 'BAD_REQUEST', 'no'));
    say(tab, '断られた', withMai);
    await vi.waitFor(() => expect(rows(tab.model, withMai)).toEqual(['failed 断られた']));
    expect(selectUndeliverable(tab.model.state())).toBeUndefined();
    tab.model.open(streamId);
    expect(selectUndeliverable(tab.model.state())).toBe(only(tab.model, withMai, '断られた'));
  });
});

describe('The outbox of several tabs', () => {
  it('[R4.8.2] Several tabs send the messages of a conversation one at a time, in the order in which they were written', async () => {
    const browser = await aBrowser();
    const [first, second] = [await browser.open(), await browser.open()];
    browser.server.fail(post, 'hold');
    say(first, '一');
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    say(second, '二');
    say(first, '三');
    say(second, '別', lunch.stream_id);
    // Other conversations need not wait.
    await vi.waitFor(async () => expect(await said(browser, lunch.stream_id)).toEqual(['別']));
    expect(browser.server.called(post)).toHaveLength(2);
    browser.server.release();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二', '三']));
    expect(browser.server.called(post)).toHaveLength(4);
    for (const tab of [first, second]) {
      await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 一', 'sent 二', 'sent 三']));
    }
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
  });

  it('[R4.8.2] If the tab that is sending is closed, another tab sends the remaining messages', async () => {
    const browser = await aBrowser();
    const [first, second] = [await browser.open(), await browser.open()];
    browser.server.fail(post, 'hold');
    for (const text of ['一', '二']) say(first, text);
    await vi.waitFor(() => expect(browser.disk.entries()).toHaveLength(2));
    await second.clock.pass(1000);
    await vi.waitFor(() => expect(mine(second)).toEqual(['sending 一', 'sending 二']));
    expect(browser.server.called(post)).toHaveLength(1);
    await first.model.stop();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二']));
    await vi.waitFor(() => expect(mine(second)).toEqual(['sent 一', 'sent 二']));
  });

  it('[R4.8.2] A message that the member discards in one tab disappears from all tabs', async () => {
    const browser = await aBrowser();
    const [first, second] = [await browser.open(), await browser.open()];
    browser.server.fail(post, errorAnswer(400, 'BAD_REQUEST', 'no'));
    say(first, '一');
    await vi.waitFor(() => expect(mine(first)).toEqual(['failed 一']));
    await second.clock.pass(1000);
    await vi.waitFor(() => expect(mine(second)).toEqual(['failed 一']));
    second.model.discard(String(only(second.model, streamId, '一')));
    await first.clock.until(1000);
    await first.clock.pass(1000);
    await vi.waitFor(() => expect(mine(first)).toEqual([]));
    expect(browser.disk.entries()).toEqual([]);
  });

  it('[R4.8.2] A tab does not repeat the long upload of another tab as long as that upload makes progress', async () => {
    const browser = await aBrowser();
    const uploading = Promise.withResolvers<UploadRequest>();
    const upload = vi.fn<Upload>((request) => {
      uploading.resolve(request);
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    const first = await browser.open({ environment: { upload } });
    const second = await browser.open({ environment: { upload } });
    first.model.send(streamId, { text: '', file: new File(['12345'], '一.txt') });
    const { onProgress } = await uploading.promise;
    await second.clock.pass(1000);
    await second.clock.until(60_000);
    const told = new Promise((resolve) => browser.listen().addEventListener('message', resolve));
    onProgress(0.1);
    await told;
    await second.clock.pass(60_000);
    // It waits for as long again.
    await second.clock.until(60_000);
    expect(upload).toHaveBeenCalledOnce();
    await second.clock.pass(60_000);
    await vi.waitFor(() => expect(upload).toHaveBeenCalledTimes(2));
  });

  it('[R4.8.2] If the tab that is sending is frozen, another tab sends the message', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    const thawed = Promise.withResolvers<void>();
    const frozen = locks.request(`engawa-outbox v1 member 1 ${streamId}`, () => thawed.promise);
    say(tab, '一');
    await tab.clock.pass(60_000);
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一']));
    thawed.resolve();
    await frozen;
  });
});

describe('The outbox on a faulty disk', () => {
  it('[R8.4] If the disk is full, messages are sent as long as the page is open, and a file counts as not stored', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    browser.server.fail(`POST ${paths.upload}`, errorAnswer(400, 'BAD_REQUEST', 'no'), errorAnswer(400, 'BAD_REQUEST', 'no'));
    const file = new File(['12345'], '一.txt');
    tab.model.send(streamId, { text: '', file });
    await vi.waitFor(() => expect(mine(tab)[0]).toMatch(/^failed/));
    expect(selectHoldsUnstored(tab.model.state())).toBe(false);
    browser.disk.fill();
    tab.model.send(streamId, { text: '', file });
    await vi.waitFor(() => expect(mine(tab)[1]).toMatch(/^failed/));
    expect(selectHoldsUnstored(tab.model.state())).toBe(true);
    say(tab, '文章は届く');
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['文章は届く']));
  });

  it('[R4.8.2] If the disk is slow, a text counts as not stored until it is written', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    browser.server.fail(post, 'hold');
    const goOn = browser.disk.stall();
    say(tab, '一');
    expect(selectHoldsUnstored(tab.model.state())).toBe(true);
    goOn();
    await vi.waitFor(() => expect(selectHoldsUnstored(tab.model.state())).toBe(false));
    expect(browser.disk.entries()).toMatchObject([{ text: '一' }]);
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    expect(await said(browser)).toEqual([]);
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    browser.server.release();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一']));
  });

  it('[R8.4] A sent message is not sent again although the disk failed to delete it', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    browser.server.fail(post, 'hold');
    say(tab, '一');
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    browser.disk.fill();
    browser.server.release();
    say(tab, '二');
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二']));
    expect(browser.disk.entries()).toMatchObject([{ text: '一' }]);
    expect(browser.server.called(post)).toHaveLength(2);
  });

  it('[R8.4] If the disk holds the largest allowed number of messages, a further message is sent as long as the page is open', async () => {
    const browser = await aBrowser();
    for (let count = 0; count < mostEntries; count += 1) await browser.disk.add(entry('', { refusal }));
    const tab = await browser.open();
    await vi.waitFor(() => expect(mine(tab)).toHaveLength(mostEntries));
    browser.server.fail(post, 'hold');
    say(tab, '文章は届く');
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    expect(selectHoldsUnstored(tab.model.state())).toBe(true);
    expect(browser.disk.entries()).toHaveLength(mostEntries);
    browser.server.release();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['文章は届く']));
  });

  it('[R8.4] Once the stored files have 512 MiB, a further file is not stored, and selectHoldsUnstored is true', async () => {
    const browser = await aBrowser();
    const tab = await browser.open({ environment: { upload: () => new Promise(() => {}) } });
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    const send = (name: string, size: number) =>
      tab.model.send(streamId, { text: '', file: Object.defineProperty(new File(['12345'], name), 'size', { value: size }) });
    send('一.zip', 512 * 1024 * 1024);
    await vi.waitFor(() => expect(selectHoldsUnstored(tab.model.state())).toBe(false));
    send('二.zip', 1);
    await new Promise(setImmediate);
    expect(selectHoldsUnstored(tab.model.state())).toBe(true);
    expect(browser.disk.entries().map(({ file }) => file?.name)).toEqual(['一.zip']);
  });

  it('[R8.4] If the disk does not answer, a message is sent after two seconds, and is deleted from the disk later', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    const goOn = browser.disk.stall();
    say(tab, '一');
    await tab.clock.until(2000);
    expect(browser.server.called(post)).toEqual([]);
    await tab.clock.pass(2000);
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一']));
    // The disk is known to be slow by now.
    say(tab, '二');
    say(tab, '別', lunch.stream_id);
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二']));
    await vi.waitFor(async () => expect(await said(browser, lunch.stream_id)).toEqual(['別']));
    goOn();
    await tab.model.stop();
    await browser.open();
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    expect(await said(browser)).toEqual(['一', '二']);
  });

  it('[R8.4] If the disk cannot be opened, messages are sent as long as the page is open', async () => {
    const tab = await started({ environment: { openOutbox: () => Promise.reject(new DOMException('no', 'SecurityError')) } });
    tab.server.fail(post, 'hold');
    for (const text of ['一', '二']) say(tab, text);
    await vi.waitFor(() => expect(selectHoldsUnstored(tab.model.state())).toBe(true));
    await vi.waitFor(() => expect(tab.server.called(post)).toHaveLength(1));
    tab.server.release();
    await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 一', 'sent 二']));
    expect(selectHoldsUnstored(tab.model.state())).toBe(false);
  });

  it('[R8.4] If opening the disk takes longer than five seconds, messages are sent without it', async () => {
    const tab = await started({ environment: { openOutbox: () => new Promise(() => {}) } });
    say(tab, '一');
    await tab.clock.until(5000);
    await tab.clock.pass(5000);
    await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 一']));
  });

  it('[R4.8.2] A message stays in the outbox if the disk first is too slow for its send and then refuses a change', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    await new Promise((done) => setTimeout(done, 30));
    const { promise, resolve } = Promise.withResolvers<void>();
    const { find } = browser.disk;
    vi.spyOn(browser.disk, 'find').mockImplementation(async (localKey) => {
      await promise;
      return find(localKey);
    });
    vi.spyOn(browser.disk, 'change').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
    browser.server.fail(post, 'cut', 'cut', 'cut');
    say(tab, '一');
    await vi.waitFor(() => expect(browser.disk.entries()).toHaveLength(1));
    await tab.clock.until(2000);
    await tab.clock.pass(2000);
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    await vi.waitFor(() => expect(mine(tab)).toEqual(['failed 一']));
    resolve();
    await new Promise((done) => setTimeout(done, 50));
    expect(mine(tab)).toEqual(['failed 一']);
    expect(selectHoldsUnstored(tab.model.state())).toBe(true);
  });

  it('[R4.8.2] A message that waits for another tab stays above a message that a tab has stored later', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    await new Promise((done) => setTimeout(done, 30));
    const { promise, resolve } = Promise.withResolvers<void>();
    void locks.request(`engawa-outbox v1 member 1 ${streamId}`, () => promise);
    onTestFinished(() => resolve());
    say(tab, '一');
    await vi.waitFor(() => expect(browser.disk.entries()).toHaveLength(1));
    await browser.disk.add(entry('二'));
    tab.wake();
    const texts = () => tab.model.state().outbox.map(({ text }) => text);
    await vi.waitFor(() => expect(texts()).toHaveLength(2));
    expect(texts()).toEqual(['一', '二']);
    resolve();
    await vi.waitFor(async () => expect(await said(browser)).toEqual(['一', '二']));
  });

  it('[R1.5, R4.8.2] After the member has signed out, no unsent message of theirs is loaded from the disk', async () => {
    const browser = await aBrowser();
    const tab = await browser.open();
    await deafen(tab);
    browser.server.fail(post, errorAnswer(400, 'BAD_REQUEST', 'no'));
    say(tab, '一');
    await vi.waitFor(() => expect(mine(tab)).toEqual(['failed 一']));
    await vi.waitFor(() => expect(browser.disk.entries()).toHaveLength(1));
    browser.server.fail('POST /logout', new Response(null, { status: 303, headers: { location: '/' } }));
    await tab.model.account((own) => own.signOut());
    tab.wake();
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    expect(mine(tab)).toEqual([]);
  });

  it('The outbox ignores invalid entries on the disk', async () => {
    const browser = await aBrowser();
    for (const nonsense of [{ text: 1 }, 'x']) await browser.disk.add(Object.assign(entry('偽'), nonsense));
    await browser.disk.add(entry('本物'));
    await browser.open();
    await vi.waitFor(async () => expect(await said(browser)).toContain('本物'));
  });
});

function entry(text: string, changes: Partial<Entry> = {}): Entry {
  const nothing = { file: undefined, fileMessage: undefined, afterId: undefined, refusal: undefined };
  return { localKey: generateKey(), conversation: streamId, text, timestamp: 0, ...nothing, ...changes };
}

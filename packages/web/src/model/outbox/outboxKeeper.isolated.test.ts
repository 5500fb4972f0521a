import { parseFileMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { changedFile } from '../../../test/changedFile.ts';
import { chatServer, errorAnswer, general, ken, lunch, mai, type ChatServer } from '../../../test/chatServer.ts';
import { newDisk, type FakeDisk } from '../../../test/disk.ts';
import { eg, newBrowser, only, ready, rows, started, stopAll, type Example, type ExampleOptions } from '../../../test/example.ts';
import { directOf, type ConversationKey } from '../streams/conversation.ts';
import { generateKey } from './generate.ts';
import { mostEntries, type Entry } from './outboxDisk.ts';
import type { Upload, UploadRequest } from './upload.ts';
import { selectConnection, selectSettled } from '../connection/state.ts';
import { selectStream } from '../conversations/selectors.ts';
import { selectHoldsUnstored, selectMessage, selectUndeliverable } from './selectors.ts';

afterEach(stopAll);

const { locks } = navigator;
const { stream_id: streamId } = general;
const post = 'POST /messages';
const refusal = { kind: 'refused', code: 'BAD_REQUEST', message: 'no' } as const;

/** Tabs and visits of one browser. */
interface Browser {
  readonly server: ChatServer;
  readonly disk: FakeDisk;
  /** What its tabs say to each other of what they send. */
  listen(): BroadcastChannel;
  open(options?: ExampleOptions): Promise<Example>;
}

function aBrowser(server = chatServer()): Browser {
  const disk = newDisk();
  const browser = newBrowser();
  server.say(ken.user_id, lunch.stream_id, 'お昼どうしますか');
  server.say(ken.user_id, general.stream_id, 'おはようございます');
  return {
    server,
    disk,
    listen() {
      const channel = new BroadcastChannel(`engawa-outbox v1 member 1 of browser ${browser}`);
      onTestFinished(() => channel.close());
      return channel;
    },
    async open(options = {}) {
      const parts = { locks, openOutbox: async () => disk, ...options.parts };
      const example = eg({ ...options, server, browser, parts });
      example.model.start();
      await ready(example.model);
      return example;
    },
  };
}

const say = ({ model }: Example, text: string, conversation: ConversationKey = streamId) =>
  model.send(conversation, { text, file: undefined });

/** What 田中 愛 has said, in the order in which the server took it. */
const said = ({ server }: Browser, conversation = streamId) =>
  server
    .messages()
    .filter(({ stream_id, sender_id }) => stream_id === conversation && sender_id !== ken.user_id)
    .map(({ content }) => content);

/** From here on the tab hears of nothing that happens. */
async function deafen({ model, server }: Example): Promise<void> {
  server.fail('GET /events', 'hold');
  server.say(ken.user_id, lunch.stream_id, '蕎麦で');
  await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.message?.text).toBe('蕎麦で'));
}

const mine = ({ model }: Example) => rows(model, streamId).filter((row) => !row.endsWith('おはようございます'));

describe('what was sent', () => {
  it('[R4.8.2] is on the disk before it is tried, and no longer when it is there', async () => {
    const browser = aBrowser();
    const tab = await browser.open();
    browser.server.fail(post, 'hold');
    say(tab, '了解です');
    expect(mine(tab)).toEqual(['sending 了解です']);
    expect(browser.server.called(post)).toHaveLength(0);
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    expect(browser.disk.entries()).toMatchObject([{ text: '了解です', conversation: streamId }]);
    browser.server.release();
    await vi.waitFor(() => expect(said(browser)).toEqual(['了解です']));
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 了解です']));
  });

  it('[R4.8.2] is handed to the disk at once, though it is still busy with what was sent before', async () => {
    const browser = aBrowser();
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    await new Promise(setImmediate);
    const add = vi.spyOn(browser.disk, 'add');
    const goOn = browser.disk.stall();
    for (const text of ['一', '二']) say(tab, text);
    expect(add.mock.calls.map(([{ text }]) => text)).toEqual(['一', '二']);
    goOn();
    await vi.waitFor(() => expect(said(browser)).toEqual(['一', '二']));
  });

  it('[R4.8.2] goes on by itself in the next visit, each message once and in order', async () => {
    const browser = aBrowser();
    const first = await browser.open();
    await deafen(first);
    browser.server.fail(post, 'lost', 'cut');
    for (const text of ['一', '二', '三']) say(first, text);
    say(first, '別', lunch.stream_id);
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(2));
    await vi.waitFor(() => expect(browser.disk.entries()).toHaveLength(4));
    await first.model.stop();
    const second = await browser.open();
    await vi.waitFor(() => expect(said(browser)).toEqual(['一', '二', '三']));
    await vi.waitFor(() => expect(said(browser, lunch.stream_id)).toEqual(['別']));
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    await vi.waitFor(() => expect(mine(second)).toEqual(['sent 一', 'sent 二', 'sent 三']));
  });

  it('[R4.8.2] is looked for where the server does not know a message again', async () => {
    const browser = aBrowser();
    const first = await browser.open({ extensions: [] });
    await deafen(first);
    browser.server.fail(post, 'lost');
    say(first, '一');
    await vi.waitFor(() => expect(mine(first)).toEqual(['failed 一']));
    await first.model.stop();
    await browser.open({ extensions: [] });
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    expect(said(browser)).toEqual(['一']);
  });

  it('[R4.8.2] is looked for when it is older than what the server remembers', async () => {
    const browser = aBrowser();
    const id = browser.server.say(1, streamId, '一');
    await browser.disk.add(entry('一', { afterId: id - 1, timestamp: -8 * 86_400 }));
    await browser.open();
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    expect(browser.server.called(post)).toEqual([]);
    expect(said(browser)).toEqual(['一']);
  });

  it('[R4.8.2] is sent before what the member writes in the next visit, however early', async () => {
    const browser = aBrowser();
    for (const text of ['一', '二']) await browser.disk.add(entry(text));
    const opening = Promise.withResolvers<FakeDisk>();
    const tab = await browser.open({ parts: { openOutbox: () => opening.promise } });
    say(tab, '三');
    await new Promise(setImmediate);
    expect(browser.server.called(post)).toEqual([]);
    opening.resolve(browser.disk);
    await vi.waitFor(() => expect(said(browser)).toEqual(['一', '二', '三']));
    await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 一', 'sent 二', 'sent 三']));
  });

  it.each(['after a while', 'at once when the network is back'])(
    '[R4.8.2] goes by itself where the disk could not be opened at first, %s',
    async (when) => {
      const browser = aBrowser();
      await browser.disk.add(entry('一'));
      const openOutbox = vi.fn(async () => browser.disk).mockRejectedValueOnce(new DOMException('not now', 'UnknownError'));
      const tab = await browser.open({ parts: { openOutbox } });
      await tab.clock.until(30_000);
      expect(openOutbox).toHaveBeenCalledOnce();
      if (when === 'after a while') await tab.clock.pass(30_000);
      else tab.wake();
      await vi.waitFor(() => expect(said(browser)).toEqual(['一']));
    },
  );

  it('[R4.8.2] is a file with all its bytes, which is uploaded again or not, as far as it had come', async () => {
    const browser = aBrowser();
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
    await vi.waitFor(() => expect(said(browser).map((text) => parseFileMessage(text)?.size)).toEqual([5]));
    expect(browser.server.called(`POST ${paths.upload}`)).toHaveLength(2);
    expect(browser.server.uploads.size).toBe(1);
  });

  it('[R4.8.2] is a file that was saved again since: what is sent is what was chosen, from the disk', async () => {
    const browser = aBrowser();
    const upload = vi.fn<Upload>(async () => {});
    const tab = await browser.open({ parts: { upload } });
    tab.model.send(streamId, { text: '', file: changedFile('見積.xlsx') });
    await vi.waitFor(() => expect(said(browser).map((text) => parseFileMessage(text)?.name)).toEqual(['見積.xlsx']));
    expect(upload).toHaveBeenCalledOnce();
    expect(await upload.mock.calls[0]?.[0].file.text()).toBe('12345');
  });

  it('[R4.8.2, R8.4] and was refused stays so with its reason, until it is sent again or taken back for good', async () => {
    const browser = aBrowser();
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
    await vi.waitFor(() => expect(said(browser)).toEqual(['二']));
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    await second.model.stop();
    const third = await browser.open();
    await vi.waitFor(() => expect(mine(third)).toEqual(['sent 二']));
    expect(said(browser)).toEqual(['二']);
  });

  it('[R4.8.2] goes on when the server has heard enough for now', async () => {
    const browser = aBrowser();
    const tab = await browser.open();
    const busy = Response.json({ result: 'error', msg: 'slow', code: 'RATE_LIMIT_HIT', 'retry-after': 7 }, { status: 429 });
    browser.server.fail(post, busy);
    for (const text of ['一', '二']) say(tab, text);
    await vi.waitFor(() => expect(mine(tab)).toEqual(['failed 一', 'held 二']));
    await tab.clock.pass(7000);
    await vi.waitFor(() => expect(said(browser)).toEqual(['一', '二']));
  });

  it('[R4.8.2] goes on after signing in again, and is never sent as somebody else', async () => {
    const browser = aBrowser();
    const first = await browser.open();
    browser.server.signInAs(undefined);
    say(first, '一');
    await vi.waitFor(() => expect(selectConnection(first.model.state())).toBe('signed-out'));
    expect(browser.disk.entries()).toHaveLength(1);
    await first.model.stop();
    browser.server.signInAs(1);
    await browser.open();
    await vi.waitFor(() => expect(said(browser)).toEqual(['一']));
  });
});

describe('what has nowhere to be shown', () => {
  it('[R4.8.2, R8.4] because its stream is not the member’s any more is not tried, and is told of until it is taken back', async () => {
    const browser = aBrowser();
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

  it('[R4.8.2, R8.4] because the stream went while it waited is the same, and can be sent should the stream come back', async () => {
    const browser = aBrowser();
    const tab = await browser.open();
    browser.server.fail(post, 'cut');
    say(tab, '戻ったら', lunch.stream_id);
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    expect(selectUndeliverable(tab.model.state())).toBeUndefined();
    const { name, stream_id } = lunch;
    browser.server.happen('subscription', { op: 'remove', subscriptions: [{ name, stream_id }] });
    await vi.waitFor(() => expect(selectStream(tab.model.state(), stream_id)).toBeUndefined());
    await tab.clock.pass(1000);
    await vi.waitFor(() => expect(selectUndeliverable(tab.model.state())).toBeDefined());
    expect(browser.server.called(post)).toHaveLength(1);
    const key = selectUndeliverable(tab.model.state()) ?? '';
    browser.server.happen('subscription', { op: 'add', subscriptions: [lunch] });
    await vi.waitFor(() => expect(selectUndeliverable(tab.model.state())).toBeUndefined());
    tab.model.retry(key);
    await vi.waitFor(() => expect(said(browser, stream_id)).toEqual(['戻ったら']));
  });

  it('[R4.8.2, R8.4] because its direct conversation has no message is told of, unless it is open', async () => {
    const browser = aBrowser();
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

describe('with several tabs', () => {
  it('[R4.8.2] is sent by one of them at a time, in the order in which it was written in any of them', async () => {
    const browser = aBrowser();
    const [first, second] = [await browser.open(), await browser.open()];
    browser.server.fail(post, 'hold');
    say(first, '一');
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    say(second, '二');
    say(first, '三');
    say(second, '別', lunch.stream_id);
    // Elsewhere it need not wait.
    await vi.waitFor(() => expect(said(browser, lunch.stream_id)).toEqual(['別']));
    expect(browser.server.called(post)).toHaveLength(2);
    browser.server.release();
    await vi.waitFor(() => expect(said(browser)).toEqual(['一', '二', '三']));
    expect(browser.server.called(post)).toHaveLength(4);
    for (const tab of [first, second]) {
      await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 一', 'sent 二', 'sent 三']));
    }
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
  });

  it('[R4.8.2] is taken over from one that is closed in the middle of it', async () => {
    const browser = aBrowser();
    const [first, second] = [await browser.open(), await browser.open()];
    browser.server.fail(post, 'hold');
    for (const text of ['一', '二']) say(first, text);
    await vi.waitFor(() => expect(browser.disk.entries()).toHaveLength(2));
    await second.clock.pass(1000);
    await vi.waitFor(() => expect(mine(second)).toEqual(['sending 一', 'sending 二']));
    expect(browser.server.called(post)).toHaveLength(1);
    await first.model.stop();
    await vi.waitFor(() => expect(said(browser)).toEqual(['一', '二']));
    await vi.waitFor(() => expect(mine(second)).toEqual(['sent 一', 'sent 二']));
  });

  it('[R4.8.2] is gone in all of them when one takes it back', async () => {
    const browser = aBrowser();
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

  it('[R4.8.2] is a file that one of them uploads for long, the others leave it to that one as long as it moves', async () => {
    const browser = aBrowser();
    const uploading = Promise.withResolvers<UploadRequest>();
    const upload = vi.fn<Upload>((request) => {
      uploading.resolve(request);
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    const first = await browser.open({ parts: { upload } });
    const second = await browser.open({ parts: { upload } });
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

  it('[R4.8.2] goes on beside one that has frozen', async () => {
    const browser = aBrowser();
    const tab = await browser.open();
    const thawed = Promise.withResolvers<void>();
    const frozen = locks.request(`engawa-outbox v1 member 1 ${streamId}`, () => thawed.promise);
    say(tab, '一');
    await tab.clock.pass(60_000);
    await vi.waitFor(() => expect(said(browser)).toEqual(['一']));
    thawed.resolve();
    await frozen;
  });
});

describe('where the disk', () => {
  it('[R8.4] is full, sending works as long as the page lives, and the page says that a file would be lost', async () => {
    const browser = aBrowser();
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
    await vi.waitFor(() => expect(said(browser)).toEqual(['文章は届く']));
  });

  it('[R4.8.2] takes its time, the page says so of a text too, until it has it', async () => {
    const browser = aBrowser();
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    browser.server.fail(post, 'hold');
    const goOn = browser.disk.stall();
    say(tab, '一');
    expect(selectHoldsUnstored(tab.model.state())).toBe(true);
    goOn();
    await vi.waitFor(() => expect(selectHoldsUnstored(tab.model.state())).toBe(false));
    expect(browser.disk.entries()).toMatchObject([{ text: '一' }]);
    expect(said(browser)).toEqual([]);
    browser.server.release();
    await vi.waitFor(() => expect(said(browser)).toEqual(['一']));
  });

  it('[R8.4] does not let go of what was sent, it is not sent again and again', async () => {
    const browser = aBrowser();
    const tab = await browser.open();
    browser.server.fail(post, 'hold');
    say(tab, '一');
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    browser.disk.fill();
    browser.server.release();
    say(tab, '二');
    await vi.waitFor(() => expect(said(browser)).toEqual(['一', '二']));
    expect(browser.disk.entries()).toMatchObject([{ text: '一' }]);
    expect(browser.server.called(post)).toHaveLength(2);
  });

  it('[R8.4] holds as much as it may, the same', async () => {
    const browser = aBrowser();
    for (let count = 0; count < mostEntries; count += 1) await browser.disk.add(entry('', { refusal }));
    const tab = await browser.open();
    await vi.waitFor(() => expect(mine(tab)).toHaveLength(mostEntries));
    browser.server.fail(post, 'hold');
    say(tab, '文章は届く');
    await vi.waitFor(() => expect(browser.server.called(post)).toHaveLength(1));
    expect(selectHoldsUnstored(tab.model.state())).toBe(true);
    expect(browser.disk.entries()).toHaveLength(mostEntries);
    browser.server.release();
    await vi.waitFor(() => expect(said(browser)).toEqual(['文章は届く']));
  });

  it('[R8.4] copies a large file or does not answer any more, nobody waits for it long, and what is sent does not stay there', async () => {
    const browser = aBrowser();
    const tab = await browser.open();
    await vi.waitFor(() => expect(selectSettled(tab.model.state())).toBe(true));
    const goOn = browser.disk.stall();
    say(tab, '一');
    await tab.clock.until(2000);
    expect(browser.server.called(post)).toEqual([]);
    await tab.clock.pass(2000);
    await vi.waitFor(() => expect(said(browser)).toEqual(['一']));
    // It is known by now to be slow.
    say(tab, '二');
    say(tab, '別', lunch.stream_id);
    await vi.waitFor(() => expect(said(browser)).toEqual(['一', '二']));
    await vi.waitFor(() => expect(said(browser, lunch.stream_id)).toEqual(['別']));
    goOn();
    await tab.model.stop();
    await browser.open();
    await vi.waitFor(() => expect(browser.disk.entries()).toEqual([]));
    expect(said(browser)).toEqual(['一', '二']);
  });

  it('[R8.4] cannot be used at all, the same', async () => {
    const tab = await started({ parts: { openOutbox: () => Promise.reject(new DOMException('no', 'SecurityError')) } });
    tab.server.fail(post, 'hold');
    for (const text of ['一', '二']) say(tab, text);
    await vi.waitFor(() => expect(selectHoldsUnstored(tab.model.state())).toBe(true));
    await vi.waitFor(() => expect(tab.server.called(post)).toHaveLength(1));
    tab.server.release();
    await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 一', 'sent 二']));
    expect(selectHoldsUnstored(tab.model.state())).toBe(false);
  });

  it('[R8.4] does not answer, the same, after a while', async () => {
    const tab = await started({ parts: { openOutbox: () => new Promise(() => {}) } });
    say(tab, '一');
    await tab.clock.until(5000);
    await tab.clock.pass(5000);
    await vi.waitFor(() => expect(mine(tab)).toEqual(['sent 一']));
  });

  it('holds what is none of ours, leaves it alone', async () => {
    const browser = aBrowser();
    for (const nonsense of [{ text: 1 }, 'x']) await browser.disk.add(Object.assign(entry('偽'), nonsense));
    await browser.disk.add(entry('本物'));
    await browser.open();
    await vi.waitFor(() => expect(said(browser)).toContain('本物'));
  });
});

function entry(text: string, changes: Partial<Entry> = {}): Entry {
  const nothing = { file: undefined, fileMessage: undefined, afterId: undefined, refusal: undefined };
  return { localKey: generateKey(), conversation: streamId, text, timestamp: 0, ...nothing, ...changes };
}

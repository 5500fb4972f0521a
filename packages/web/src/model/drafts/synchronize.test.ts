import { createDrafts, deleteDraft, getDrafts, updateSettings } from '@engawa/client';
import { afterEach, expect, it, vi } from 'vitest';
import { chatServer, errorAnswer, type ChatServer } from '../../../test/chatServer.ts';
import { newBrowser, newTab, ready, started, stopAll, type Example } from '../../../test/example.ts';
import { ai, design, general, ken, lunch } from '../../../test/organisation.ts';
import { newStorage } from '../../../test/storage.ts';
import { fakeClock } from '@engawa/client/testing';
import { topic } from '../constants.ts';
import { createSignal } from '../signal.ts';
import { directOf, type ConversationKey } from '../streams/conversation.ts';
import { unsavedDrafts } from './record.ts';
import { selectHasDraft } from './state.ts';

afterEach(stopAll);

const conversation = general.stream_id;

/** Another device of 田中 愛, with another storage. */
async function device(server: ChatServer, sharedStorage = newStorage(), clock = fakeClock(server.clock.now())) {
  const example = { server, ...newTab({ fetch: server.fetch, clock, environment: { sharedStorage } }) };
  example.model.start();
  await ready(example.model);
  await listening(example);
  return { ...example, ...of(example), sharedStorage };
}

/** Resolves when the code is loaded and notices what is typed. */
async function listening({ model, clock }: Pick<Example, 'model' | 'clock'>): Promise<void> {
  await vi.waitFor(() => {
    model.drafts.keep(lunch.stream_id, { text: '', files: [] });
    expect(clock.waits()).toContain(1000);
  });
  await clock.pass(1000);
}

function of({ model, clock }: Pick<Example, 'model' | 'clock'>) {
  return {
    text: (key: ConversationKey = conversation) => model.drafts.get(key).text,
    type: (text: string, key: ConversationKey = conversation) => model.drafts.keep(key, { text, files: [] }),
    /** Types a text and pauses, after which it is saved. */
    async write(text: string, key: ConversationKey = conversation): Promise<void> {
      model.drafts.keep(key, { text, files: [] });
      await clock.pass(1000);
    },
    send(): void {
      model.send(conversation, { text: model.drafts.get(conversation).text, file: undefined });
      model.drafts.keep(conversation, { text: '', files: [] });
    },
  };
}

async function setup() {
  const server = await chatServer();
  await server.send(ken, conversation, 'おはようございます');
  const stored = async () => (await getDrafts(server.as(ai), {})).drafts.map(({ content }) => content);
  return {
    server,
    stored,
    expectStored: (...texts: readonly string[]) => vi.waitFor(async () => expect(await stored()).toEqual(texts)),
  };
}

it('A text that a member writes on one device appears on their next device, and both lists mark it', async () => {
  const { server, expectStored } = await setup();
  const phone = await device(server);
  await phone.write('書きかけ');
  await phone.write('佐藤さんへ', directOf([ai.user_id, ken.user_id]));
  await expectStored('書きかけ', '佐藤さんへ');
  const computer = await device(server);
  await vi.waitFor(() => expect(computer.text()).toBe('書きかけ'));
  await vi.waitFor(() => expect(computer.text(directOf([ai.user_id, ken.user_id]))).toBe('佐藤さんへ'));
  for (const { model } of [phone, computer]) {
    expect(selectHasDraft(model.state(), conversation)).toBe(true);
    expect(selectHasDraft(model.state(), design.stream_id)).toBe(false);
  }
});

it('While a member writes on one device, their other device shows each saved text, and nothing once it is sent', async () => {
  const { server, expectStored } = await setup();
  const [phone, computer] = [await device(server), await device(server)];
  for (const text of ['書き', '書きかけ']) {
    await phone.write(text);
    await vi.waitFor(() => expect(computer.text()).toBe(text));
  }
  phone.send();
  await phone.clock.pass(1000);
  await vi.waitFor(() => expect(computer.text()).toBe(''));
  await expectStored();
  expect(phone.text()).toBe('');
  expect(selectHasDraft(computer.model.state(), conversation)).toBe(false);
});

it('A text is saved after a pause in typing, not for each key', async () => {
  const { server, expectStored } = await setup();
  const phone = await device(server);
  for (const text of ['書', '書き', '書きか']) phone.type(text);
  await phone.clock.pass(1000);
  await expectStored('書きか');
  expect(server.called('POST /drafts')).toHaveLength(1);
});

it('A text that was sent while it was being saved is deleted on the server and does not come back', async () => {
  const { server, expectStored } = await setup();
  const phone = await device(server);
  await phone.write('書き');
  await expectStored('書き');
  server.fail('PATCH /drafts/1', 'late');
  await phone.write('書きかけ');
  await vi.waitFor(() => expect(server.called('PATCH /drafts/1')).toHaveLength(1));
  phone.send();
  await phone.clock.pass(1000);
  server.release();
  await expectStored();
  await server.endPolls();
  expect(phone.text()).toBe('');
});

it.each(['POST /drafts', 'PATCH /drafts/1'])(
  'A text that was sent does not come back if the answer of %s was lost',
  async (call) => {
    const { server, expectStored } = await setup();
    const phone = await device(server);
    if (call.startsWith('PATCH')) {
      await phone.write('書き');
      await expectStored('書き');
    }
    server.fail(call, 'lost');
    await phone.write('書きかけ');
    await expectStored('書きかけ');
    phone.send();
    await phone.clock.pass(1000);
    phone.wake();
    await expectStored();
    expect(phone.text()).toBe('');
  },
);

it('A text whose saving was repeated after a lost answer has one draft in the end', async () => {
  const { server, expectStored } = await setup();
  const phone = await device(server);
  server.fail('POST /drafts', 'lost');
  await phone.write('書き');
  await expectStored('書き');
  phone.type('書きかけ');
  phone.wake();
  await phone.clock.pass(1000);
  await expectStored('書きかけ');
});

it('If two devices have changed a draft, the typed text stays in its field and the other one comes back after the send', async () => {
  const { server, expectStored } = await setup();
  const [phone, computer] = [await device(server), await device(server)];
  await phone.write('お疲れ');
  await vi.waitFor(() => expect(computer.text()).toBe('お疲れ'));
  computer.type('机から');
  await phone.write('電話から');
  await expectStored('電話から');
  expect(computer.text()).toBe('机から');
  await computer.clock.pass(1000);
  await expectStored('電話から', '机から');
  expect(computer.text()).toBe('机から');
  computer.send();
  await computer.clock.pass(1000);
  await expectStored('電話から');
  await vi.waitFor(() => expect(computer.text()).toBe('電話から'));
  await vi.waitFor(() => expect(phone.text()).toBe('電話から'));
});

it('A text that was written without a network becomes a separate draft if the one on the server is newer', async () => {
  const { server, expectStored } = await setup();
  const phone = await device(server);
  await phone.write('電話から');
  await expectStored('電話から');
  await phone.model.stop();

  const storage = phone.sharedStorage;
  const offline = newTab({ environment: { sharedStorage: storage }, clock: fakeClock(server.clock.now()) });
  of(offline).type('電車の中で');
  await server.clock.jump(60);
  const computer = await device(server);
  await vi.waitFor(() => expect(computer.text()).toBe('電話から'));
  await computer.write('机から');
  await expectStored('机から');

  const again = await device(server, storage);
  await vi.waitFor(() => expect(again.text()).toBe('机から'));
  await expectStored('電車の中で', '机から');
});

it('A draft that another device deleted while this one was closed is gone here, but a text that changed here stays', async () => {
  const { server, expectStored } = await setup();
  const phone = await device(server);
  await phone.write('送るもの');
  await phone.write('残すもの', design.stream_id);
  await expectStored('送るもの', '残すもの');
  await phone.model.stop();
  of(newTab({ environment: { sharedStorage: phone.sharedStorage } })).type('残すものの続き', design.stream_id);
  const { drafts } = await getDrafts(server.as(ai), {});
  for (const { id } of drafts) await deleteDraft(server.as(ai), { draft_id: id });

  const again = await device(server, phone.sharedStorage);
  await vi.waitFor(() => expect(again.text()).toBe(''));
  expect(again.text(design.stream_id)).toBe('残すものの続き');
  await expectStored('残すものの続き');
});

it.each([
  ['without a record', ''],
  ['with an unreadable record', '{'],
])('A text that was stored %s of its draft on the server is saved at the next start', async (_, record) => {
  const { server, expectStored } = await setup();
  const sharedStorage = newStorage();
  sharedStorage.setItem(`engawa:draft:${ai.user_id}:${conversation}`, '前からの下書き');
  if (record !== '') sharedStorage.setItem(`engawa:draft:${ai.user_id}:${conversation}:server`, record);
  const phone = await device(server, sharedStorage);
  await expectStored('前からの下書き');
  expect(unsavedDrafts(phone.model.drafts)).toEqual([]);
});

it('A draft that is cleared on one device is deleted on the server and on the other device', async () => {
  const { server, expectStored } = await setup();
  const [phone, computer] = [await device(server), await device(server)];
  await phone.write('書きかけ');
  await vi.waitFor(() => expect(computer.text()).toBe('書きかけ'));
  await computer.write('');
  await expectStored();
  await vi.waitFor(() => expect(phone.text()).toBe(''));
});

it('A message that is not stored on the disk yet stays a draft on the server', async () => {
  const { server, stored, expectStored } = await setup();
  const phone = await device(server);
  await phone.write('大事な文');
  await expectStored('大事な文');
  server.fail('POST /messages', 'hold');
  phone.send();
  await phone.clock.pass(1000);
  await server.endPolls();
  expect(await stored()).toEqual(['大事な文']);
  server.release();
  await expectStored();
});

it('A text that the server refuses stays on the device and counts as unsaved', async () => {
  const { server, stored } = await setup();
  const phone = await device(server);
  server.fail('POST /drafts', errorAnswer(400, 'BAD_REQUEST', 'Too many drafts (limit: 1000).'));
  await phone.write('書きかけ');
  await vi.waitFor(() => expect(server.called('POST /drafts')).toHaveLength(1));
  expect(phone.text()).toBe('書きかけ');
  expect(await stored()).toEqual([]);
  expect(unsavedDrafts(phone.model.drafts)).toEqual([conversation]);
});

it('Texts that are blank or too long stay on the device', async () => {
  const { server } = await setup();
  const phone = await device(server);
  await phone.write(' \n');
  await phone.write('字'.repeat(10_001), design.stream_id);
  expect(server.called('POST /drafts')).toHaveLength(0);
  expect(unsavedDrafts(phone.model.drafts)).toEqual([design.stream_id]);
});

it('A member who turns off the synchronization keeps the texts of this device, and they are saved when it is turned on', async () => {
  const { server, expectStored } = await setup();
  const phone = await device(server);
  await phone.write('書きかけ');
  await expectStored('書きかけ');
  await updateSettings(server.as(ai), { enable_drafts_synchronization: false });
  await vi.waitFor(() => expect(unsavedDrafts(phone.model.drafts)).toEqual([conversation]));
  expect(phone.text()).toBe('書きかけ');
  await updateSettings(server.as(ai), { enable_drafts_synchronization: true });
  await expectStored('書きかけ');
});

it('Drafts that another client wrote under another topic stay unchanged', async () => {
  const { server, expectStored } = await setup();
  const other = { type: 'stream' as const, to: [conversation], topic: '別の話題', content: 'ほかのクライアントから' };
  await createDrafts(server.as(ai), { drafts: [other, { ...other, topic, content: 'ここでも見える' }] });
  const phone = await device(server);
  await vi.waitFor(() => expect(phone.text()).toBe('ここでも見える'));
  await phone.write('');
  await expectStored('ほかのクライアントから');
});

it('A text that is typed in a tab that does not poll is saved by the polling tab', async () => {
  const { server, expectStored } = await setup();
  const [browser, sharedStorage, clock] = [newBrowser(), newStorage(), fakeClock(server.clock.now())];
  const typed = createSignal<string>();
  const { locks } = navigator;
  const tab = () => {
    const environment = { sharedStorage, locks, onOtherTab: typed.subscribe };
    const example = newTab({ fetch: server.fetch, browser, clock, environment });
    example.model.start();
    return example;
  };
  const polling = tab();
  await ready(polling.model);
  const other = tab();
  await ready(other.model);
  await listening(other);
  of(other).type('ほかのタブで');
  typed.emit(`engawa:draft:${ai.user_id}:${conversation}`);
  await clock.pass(1000);
  await expectStored('ほかのタブで');
  expect(server.called('POST /drafts')).toHaveLength(1);
});

it('Without a network a member writes as usual, and the text is saved when the network is back', async () => {
  const example = await started({ environment: { sharedStorage: newStorage() } });
  const { server, wake } = example;
  await listening(example);
  const phone = of(example);
  server.fail('POST /drafts', 'cut');
  await phone.write('電車の中で');
  await vi.waitFor(() => expect(server.called('POST /drafts')).toHaveLength(1));
  phone.type('電車の中で書いた');
  await vi.waitFor(async () => {
    wake();
    const { drafts } = await getDrafts(server.as(ai), {});
    expect(drafts.map(({ content }) => content)).toEqual(['電車の中で書いた']);
  });
});

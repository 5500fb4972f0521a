import { parseFileMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ai, errorAnswer, general, ken, lunch } from '../../test/chatServer.ts';
import { started, stopAll, type Example } from '../../test/example.ts';

afterEach(stopAll);

const { stream_id: streamId } = general;
const upload = `POST ${paths.upload}`;

function send({ model }: Example, ...names: readonly string[]): readonly string[] {
  for (const name of names) model.send(streamId, { text: '', file: new File(['12345'], name) });
  return waiting(model);
}

function waiting(model: Example['model']): readonly string[] {
  return (model.timeline(streamId)?.keys ?? []).filter((key) => typeof key === 'string');
}

const sent = ({ server }: Example) => server.messages().flatMap(({ content }) => parseFileMessage(content)?.name ?? []);

describe('several files', () => {
  it('[R2.13] become a message each, in the order in which they were chosen', async () => {
    const example = await started();
    example.model.send(streamId, { text: 'どうぞ', file: undefined });
    send(example, '一.txt', '二.txt', '三.txt');
    await vi.waitFor(() => expect(sent(example)).toEqual(['一.txt', '二.txt', '三.txt']));
    expect(example.server.messages().at(-4)?.content).toBe('どうぞ');
  });

  it('[R4.8.2] wait behind one that does not come through, and keep their order', async () => {
    const example = await started();
    example.server.fail(upload, 'cut');
    const keys = send(example, '一.txt', '二.txt');
    const states = () => keys.map((key) => example.model.message(key)?.state);
    await vi.waitFor(() => expect(states()).toEqual(['failed', 'held']));
    await example.clock.pass(1000);
    await vi.waitFor(() => expect(sent(example)).toEqual(['一.txt', '二.txt']));
  });
});

describe('a file that is taken back while it is on its way', () => {
  it('[R4.8.2] is uploaded no further and never sent, and the next one goes', async () => {
    const example = await started();
    const { server, model } = example;
    server.fail(upload, 'hold');
    const [first = ''] = send(example, '一.txt', '二.txt');
    expect(model.message(first)).toMatchObject({ state: 'sending', progress: 0.5 });
    expect(model.cancel(first)).toBeDefined();
    expect(model.message(first)).toBeUndefined();
    await vi.waitFor(() => expect(sent(example)).toEqual(['二.txt']));
    server.release();
    await vi.waitFor(() => expect(model.holdsUnkept()).toBe(false));
    expect([...server.uploads.values()].map(({ name }) => name)).toEqual(['二.txt']);
    expect(sent(example)).toEqual(['二.txt']);
  });

  it('[R4.8.2] is not sent where all its bytes had come already', async () => {
    const arrived = Promise.withResolvers<void>();
    const example = await started({ parts: { upload: async () => arrived.promise } });
    const [key = ''] = send(example, '一.txt');
    example.model.cancel(key);
    arrived.resolve();
    send(example, '二.txt');
    await vi.waitFor(() => expect(sent(example)).toEqual(['二.txt']));
  });

  it('[R4.7.2] can be sent after all', async () => {
    const example = await started();
    example.server.fail(upload, 'hold');
    const [key = ''] = send(example, '一.txt');
    const sendAfterAll = example.model.cancel(key);
    expect(waiting(example.model)).toEqual([]);
    sendAfterAll?.();
    await vi.waitFor(() => expect(sent(example)).toEqual(['一.txt']));
    expect(example.server.called('POST /messages')).toHaveLength(1);
  });

  it('may still wait behind another', async () => {
    const example = await started();
    example.server.fail(upload, 'hold');
    const [, second = ''] = send(example, '一.txt', '二.txt');
    expect(example.model.cancel(second)).toBeDefined();
    example.server.release();
    await vi.waitFor(() => expect(sent(example)).toEqual(['一.txt']));
    expect(waiting(example.model)).toEqual([]);
  });

  it('[R4.8.2] is there no more to be taken back once its message is being made', async () => {
    const example = await started();
    example.server.fail('POST /messages', 'hold');
    const [key = ''] = send(example, '一.txt');
    await vi.waitFor(() => expect(example.server.called('POST /messages')).toHaveLength(1));
    expect(example.model.cancel(key)).toBeUndefined();
    example.server.release();
    await vi.waitFor(() => expect(sent(example)).toEqual(['一.txt']));
    expect(example.model.cancel('nothing')).toBeUndefined();
  });
});

it('[R8.4] says whether what was sent would be lost with the page, until its message is there', async () => {
  const example = await started();
  const { server, model } = example;
  const heard: boolean[] = [];
  model.subscribe('holdsUnkept', () => heard.push(model.holdsUnkept()));
  model.send(streamId, { text: '文章も', file: undefined });
  expect(model.holdsUnkept()).toBe(true);
  await vi.waitFor(() => expect(heard).toEqual([true, false]));
  server.fail(upload, errorAnswer(400, 'BAD_REQUEST', 'no'));
  const [key = ''] = send(example, '一.txt').slice(-1);
  await vi.waitFor(() => expect(model.message(key)?.state).toBe('failed'));
  expect(model.holdsUnkept()).toBe(true);
  model.retry(key);
  await vi.waitFor(() => expect(sent(example)).toEqual(['一.txt']));
  await vi.waitFor(() => expect(heard).toEqual([true, false, true, false]));
});

it('[R2.15] tells which messages are gone, also of streams that nobody has opened', async () => {
  const { server, model } = await started();
  const id = server.say(ai.user_id, lunch.stream_id, 'お弁当');
  const other = server.say(ken.user_id, general.stream_id, '残る');
  expect(model.gone().size).toBe(0);
  expect(await model.remove(id)).toBeUndefined();
  expect(model.gone().has(id)).toBe(true);
  expect(model.gone().has(other)).toBe(false);
});

import { parseFileMessage } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changedFile } from '../../../test/changedFile.ts';
import { errorAnswer } from '../../../test/chatServer.ts';
import { ai, general, ken, lunch } from '../../../test/organisation.ts';
import { started, stopAll, type Example } from '../../../test/example.ts';
import type { Upload, UploadRequest } from './upload.ts';
import { selectHoldsUnstored, selectMessage, selectTimeline } from './selectors.ts';
import { selectDeletedIds } from '../timeline/state.ts';

afterEach(stopAll);

const { stream_id: streamId } = general;
const upload = `POST ${paths.upload}`;

function send({ model }: Example, ...names: readonly string[]): readonly string[] {
  for (const name of names) model.send(streamId, { text: '', file: new File(['12345'], name) });
  return waiting(model);
}

function waiting(model: Example['model']): readonly string[] {
  return (selectTimeline(model.state(), streamId)?.keys ?? []).filter((key) => typeof key === 'string');
}

const sent = async ({ server }: Example) =>
  (await server.messages()).flatMap(({ content }) => parseFileMessage(content)?.name ?? []);

describe('Several files', () => {
  it('[R2.13] Several chosen files become one message each, in the order in which they were chosen', async () => {
    const example = await started();
    example.model.send(streamId, { text: 'どうぞ', file: undefined });
    send(example, '一.txt', '二.txt', '三.txt');
    await vi.waitFor(async () => expect(await sent(example)).toEqual(['一.txt', '二.txt', '三.txt']));
    expect((await example.server.messages()).at(-4)?.content).toBe('どうぞ');
  });

  it('[R4.8.2] If a file cannot be sent, the file after it waits, and both are sent in their order later', async () => {
    const example = await started();
    example.server.fail(upload, 'cut');
    const keys = send(example, '一.txt', '二.txt');
    const states = () => keys.map((key) => selectMessage(example.model.state(), key)?.state);
    await vi.waitFor(() => expect(states()).toEqual(['failed', 'held']));
    await example.clock.pass(1000);
    await vi.waitFor(async () => expect(await sent(example)).toEqual(['一.txt', '二.txt']));
  });
});

describe('A file that was changed after it was chosen', () => {
  it('[R4.8.2, R8.4] A file that was changed after it was chosen is reported as unreadable, and the next message is sent', async () => {
    const example = await started();
    const { server, model } = example;
    model.send(streamId, { text: '', file: changedFile('見積.xlsx') });
    const [key = ''] = waiting(model);
    await vi.waitFor(() =>
      expect(selectMessage(model.state(), key)).toMatchObject({ state: 'failed', failure: { kind: 'file-gone' } }),
    );
    model.send(streamId, { text: '見積です', file: undefined });
    await vi.waitFor(async () => expect((await server.messages()).at(-1)?.content).toBe('見積です'));
    expect(server.called(upload)).toEqual([]);
  });

  it('If the upload of a readable file fails, the failure is reported as a network failure, not as an unreadable file', async () => {
    const example = await started();
    example.server.fail(upload, 'cut');
    const [key = ''] = send(example, '見積.xlsx');
    await vi.waitFor(() =>
      expect(selectMessage(example.model.state(), key)).toMatchObject({ state: 'failed', failure: { kind: 'network' } }),
    );
    await example.clock.pass(1000);
    await vi.waitFor(async () => expect(await sent(example)).toEqual(['見積.xlsx']));
  });
});

describe('An upload without progress', () => {
  it.each([
    { how: 'after a minute', progress: 0.5, patience: 60_000 },
    { how: 'after ten minutes if all bytes are sent, because a proxy may still forward them', progress: 1, patience: 600_000 },
  ])('[R4.8.2] An upload without progress is restarted $how, and the next message is sent', async ({ progress, patience }) => {
    const asked: UploadRequest[] = [];
    const deadAtFirst: Upload = async (request) => {
      asked.push(request);
      const { signal } = request;
      if (asked.length === 1) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const example = await started({ environment: { upload: deadAtFirst } });
    const { clock, server } = example;
    send(example, '一.txt');
    example.model.send(streamId, { text: 'どうぞ', file: undefined });
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    asked[0]?.onProgress(progress);
    await clock.pass(60_000);
    expect(asked[0]?.signal.aborted).toBe(false);
    await clock.pass(patience);
    await vi.waitFor(() => expect(asked[0]?.signal.aborted).toBe(true));
    await clock.pass(1000);
    await vi.waitFor(async () => expect((await server.messages()).at(-1)?.content).toBe('どうぞ'));
    expect(await sent(example)).toEqual(['一.txt']);
    expect(asked).toHaveLength(2);
  });
});

describe('A file that is cancelled while it is being sent', () => {
  it('[R4.8.2] Cancelling a file stops its upload, and the next message is sent', async () => {
    const example = await started();
    const { server, model } = example;
    server.fail(upload, 'hold');
    const [first = ''] = send(example, '一.txt', '二.txt');
    await vi.waitFor(() => expect(selectMessage(model.state(), first)).toMatchObject({ state: 'sending', progress: 0.5 }));
    expect(model.cancel(first)).toBeDefined();
    expect(selectMessage(model.state(), first)).toBeUndefined();
    await vi.waitFor(async () => expect(await sent(example)).toEqual(['二.txt']));
    server.release();
    await vi.waitFor(() => expect(selectHoldsUnstored(model.state())).toBe(false));
    expect([...server.uploads.values()].map(({ name }) => name)).toEqual(['二.txt']);
    expect(await sent(example)).toEqual(['二.txt']);
  });

  it('[R4.8.2] A cancelled file is not sent even if all its bytes have been uploaded', async () => {
    const arrived = Promise.withResolvers<undefined>();
    const example = await started({ environment: { upload: async () => arrived.promise } });
    const [key = ''] = send(example, '一.txt');
    example.model.cancel(key);
    arrived.resolve(undefined);
    send(example, '二.txt');
    await vi.waitFor(async () => expect(await sent(example)).toEqual(['二.txt']));
  });

  it('[R4.7.2] A cancelled file can be restored and is then sent', async () => {
    const example = await started();
    example.server.fail(upload, 'hold');
    const [key = ''] = send(example, '一.txt');
    await vi.waitFor(() => expect(example.server.called(upload)).toHaveLength(1));
    const sendAfterAll = example.model.cancel(key);
    expect(waiting(example.model)).toEqual([]);
    sendAfterAll?.();
    await vi.waitFor(async () => expect(await sent(example)).toEqual(['一.txt']));
    expect(example.server.called('POST /messages')).toHaveLength(1);
  });

  it('A file that waits for an earlier message can be cancelled', async () => {
    const example = await started();
    example.server.fail(upload, 'hold');
    const [, second = ''] = send(example, '一.txt', '二.txt');
    await vi.waitFor(() => expect(example.server.called(upload)).toHaveLength(1));
    expect(example.model.cancel(second)).toBeDefined();
    example.server.release();
    await vi.waitFor(async () => expect(await sent(example)).toEqual(['一.txt']));
    await vi.waitFor(() => expect(waiting(example.model)).toEqual([]));
  });

  it('[R4.8.2] A file cannot be cancelled once the server is creating its message', async () => {
    const example = await started();
    example.server.fail('POST /messages', 'hold');
    const [key = ''] = send(example, '一.txt');
    await vi.waitFor(() => expect(example.server.called('POST /messages')).toHaveLength(1));
    expect(example.model.cancel(key)).toBeUndefined();
    example.server.release();
    await vi.waitFor(async () => expect(await sent(example)).toEqual(['一.txt']));
    expect(example.model.cancel('nothing')).toBeUndefined();
  });
});

it('[R8.4] selectHoldsUnstored is true while this page holds an unsent message that is not on the disk', async () => {
  const example = await started();
  const { server, model } = example;
  const heard: boolean[] = [];
  model.watch(selectHoldsUnstored, () => heard.push(selectHoldsUnstored(model.state())));
  model.send(streamId, { text: '文章も', file: undefined });
  expect(selectHoldsUnstored(model.state())).toBe(true);
  await vi.waitFor(() => expect(heard).toEqual([true, false]));
  server.fail(upload, errorAnswer(400, 'BAD_REQUEST', 'no'));
  const [key = ''] = send(example, '一.txt').slice(-1);
  await vi.waitFor(() => expect(selectMessage(model.state(), key)?.state).toBe('failed'));
  expect(selectHoldsUnstored(model.state())).toBe(true);
  model.retry(key);
  await vi.waitFor(async () => expect(await sent(example)).toEqual(['一.txt']));
  await vi.waitFor(() => expect(heard).toEqual([true, false, true, false]));
});

it('[R2.15] selectDeletedIds includes deleted messages of streams that the member never opened', async () => {
  const { server, model } = await started();
  const id = await server.send(ai, lunch.stream_id, 'お弁当');
  const other = await server.send(ken, general.stream_id, '残る');
  expect(selectDeletedIds(model.state()).size).toBe(0);
  expect(await model.remove(id)).toBeUndefined();
  expect(selectDeletedIds(model.state()).has(id)).toBe(true);
  expect(selectDeletedIds(model.state()).has(other)).toBe(false);
});

import { afterEach, expect, it, vi } from 'vitest';
import { chatServer, errorAnswer, type ChatServer } from '../../../test/chatServer.ts';
import { design, general, ken, lunch } from '../../../test/organisation.ts';
import { eg, ready, shown, started, stopAll } from '../../../test/example.ts';
import type { Model } from '../model.ts';
import { selectStream } from '../conversations/selectors.ts';
import { selectCurrent } from './state.ts';
import { selectTimeline } from '../outbox/selectors.ts';

afterEach(stopAll);

/** A stream with 200 messages, `1` to `200`, and their ids. */
async function longStory(): Promise<{ readonly server: ChatServer; readonly ids: readonly number[] }> {
  const history = numbers(1, 200);
  return { server: await chatServer({ history }), ids: history.map(Number) };
}

async function reading(server: ChatServer) {
  const example = await eg({ server });
  example.model.start();
  await ready(example.model);
  return example;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
const here = (model: Model) => selectTimeline(model.state(), general.stream_id);
const texts = (model: Model) => shown(model, general.stream_id);

async function at(model: Model, id: number | undefined): Promise<void> {
  await vi.waitFor(() => expect(here(model)?.destination).toEqual({ to: id, state: 'found', readsOn: false }));
}

it('[R2.2, R2.9.2] openAt opens a stream at a message, with the messages before and after it', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  model.openAt(general.stream_id, ids[99] ?? 0);
  expect(here(model)).toMatchObject({ loading: 'destination', destination: { to: ids[99], state: 'sought', readsOn: false } });
  await at(model, ids[99]);
  expect(texts(model)).toEqual(numbers(75, 125));
  expect(here(model)).toMatchObject({ foundOldest: false, foundNewest: false, loading: undefined });
});

it('openAt shows a loaded message again at each call, without requesting anything', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  await vi.waitFor(() => expect(server.called('GET /messages').length).toBeGreaterThan(2));
  const before = server.called('GET /messages').length;
  model.openAt(general.stream_id, ids[190] ?? 0);
  const first = here(model)?.destination;
  expect(first).toEqual({ to: ids[190], state: 'found', readsOn: false });
  model.openAt(general.stream_id, ids[190] ?? 0);
  expect(here(model)?.destination).not.toBe(first);
  expect(server.called('GET /messages')).toHaveLength(before);
  expect(texts(model)).toEqual(numbers(181, 200));
});

it('[R2.2] openAt stays at a loaded message although messages around an earlier destination are still being loaded', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  await vi.waitFor(() => expect(server.called('GET /messages').length).toBeGreaterThan(2));
  const before = server.called('GET /messages').length;
  model.readOn(general.stream_id, ids[10] ?? 0);
  model.openAt(general.stream_id, ids[190] ?? 0);
  await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(before + 1));
  for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setTimeout(next));
  expect(here(model)?.destination).toEqual({ to: ids[190], state: 'found', readsOn: false });
  expect(texts(model)).toEqual(numbers(181, 200));
});

it('The destination tells the first unread message from a requested one, even if both are the same message', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  model.readOn(general.stream_id, ids[99] ?? 0);
  await vi.waitFor(() => expect(here(model)?.destination).toEqual({ to: ids[99], state: 'found', readsOn: true }));
  model.openAt(general.stream_id, ids[99] ?? 0);
  expect(here(model)?.destination).toEqual({ to: ids[99], state: 'found', readsOn: false });
});

it('The page opens the message of a link without loading the newest messages first', async () => {
  const { server, ids } = await longStory();
  const { model } = await eg({ server });
  model.start({ conversation: general.stream_id, messageId: ids[99] });
  await at(model, ids[99]);
  const narrowed = server.called('GET /messages').filter(({ parameters }) => parameters['num_before'] === '20');
  expect(narrowed).toEqual([]);
});

it('[R9.2] loadOlder and loadNewer add messages on both sides of an opened message, without gaps or repetitions', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  model.openAt(general.stream_id, ids[99] ?? 0);
  await at(model, ids[99]);
  model.loadNewer(general.stream_id);
  expect(here(model)?.loading).toBe('newer');
  await vi.waitFor(() => expect(texts(model)).toEqual(numbers(75, 175)));
  model.loadOlder(general.stream_id);
  await vi.waitFor(() => expect(texts(model)).toEqual(numbers(25, 175)));
  expect(here(model)?.foundNewest).toBe(false);
  model.loadNewer(general.stream_id);
  await vi.waitFor(() => expect(texts(model)).toEqual(numbers(25, 200)));
  expect(here(model)?.foundNewest).toBe(true);
});

it('[R4.5] If the newest messages of a stream are not loaded, a new message is only counted, until loadNewer reaches it', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  model.openAt(general.stream_id, ids[149] ?? 0);
  await at(model, ids[149]);
  const unread = selectStream(model.state(), general.stream_id)?.unReadCount ?? 0;
  await server.send(ken, general.stream_id, '201');
  await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.message?.text).toBe('201'));
  expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(unread + 1);
  expect(texts(model).at(-1)).toBe('175');
  model.loadNewer(general.stream_id);
  await vi.waitFor(() => expect(texts(model)).toEqual(numbers(125, 201)));
  // From here on there is no gap.
  await server.send(ken, general.stream_id, '202');
  await vi.waitFor(() => expect(texts(model).at(-1)).toBe('202'));
});

it('A message that arrives while the last page is being loaded is shown after that page', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  model.openAt(general.stream_id, ids[159] ?? 0);
  await at(model, ids[159]);
  server.fail('GET /messages', 'late');
  model.loadNewer(general.stream_id);
  const asked = server.called('GET /messages').length;
  await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(asked));
  await server.send(ken, general.stream_id, '201');
  await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.message?.text).toBe('201'));
  server.release();
  await vi.waitFor(() => expect(texts(model)).toEqual(numbers(135, 201)));
});

it('The newest messages are shown again after toNewest, after opening a stream that is read, and after sending', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  model.markRead(general.stream_id);
  const away = async () => {
    model.openAt(general.stream_id, ids[49] ?? 0);
    await at(model, ids[49]);
  };
  const back = () => vi.waitFor(() => expect(here(model)).toMatchObject({ foundNewest: true, status: 'ready' }));

  await away();
  model.toNewest(general.stream_id);
  await back();
  expect(here(model)?.destination).toEqual({ to: 'newest', state: 'found', readsOn: false });
  expect(texts(model)).toEqual(numbers(181, 200));

  await away();
  model.open(general.stream_id);
  await back();
  expect(texts(model)).toEqual(numbers(181, 200));

  await away();
  model.open(design.stream_id);
  model.open(general.stream_id);
  await back();
  expect(here(model)?.destination).toBeUndefined();
  expect(texts(model)).toEqual(numbers(181, 200));

  await away();
  model.send(general.stream_id, { text: '了解です', file: undefined });
  await vi.waitFor(() => expect(texts(model)).toEqual([...numbers(181, 200), '了解です']));
});

it('[R4.6, R2.20.1] When a stream with unread messages is opened again, its destination is the first unread message', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  const [first = 0, second = 0, third = 0] = ids;
  model.markShown(general.stream_id, [first, second]);
  model.openAt(general.stream_id, ids[99] ?? 0);
  await at(model, ids[99]);
  model.open(general.stream_id);
  await vi.waitFor(() => expect(here(model)?.destination).toEqual({ to: third, state: 'found', readsOn: true }));
  expect(here(model)?.firstUnread).toBe(third);
  expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(198);
  expect(texts(model)).toEqual(numbers(1, 28));
});

it('[R2.2] returnTo scrolls to the message that the member left, or to the newest messages if that message is gone', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  const place = { conversation: general.stream_id, messageId: ids[99] ?? 0, top: -12 };
  const back = { to: ids[99], state: 'found', readsOn: false, top: -12 };
  model.returnTo(place);
  await vi.waitFor(() => expect(here(model)?.destination).toEqual(back));
  expect(texts(model)).toEqual(numbers(75, 125));
  model.openAt(general.stream_id, ids[99] ?? 0);
  expect(here(model)?.destination).toEqual({ ...back, top: undefined });
  model.open(design.stream_id);
  model.returnTo(place);
  expect(selectCurrent(model.state())).toBe(general.stream_id);
  await vi.waitFor(() => expect(here(model)?.destination).toEqual(back));

  model.open(design.stream_id);
  model.returnTo({ ...place, messageId: 9_999_999 });
  await vi.waitFor(() => expect(texts(model)).toEqual(numbers(181, 200)));
  expect(here(model)?.destination).toBeUndefined();
});

it('Messages that are being sent are shown only together with the newest messages', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  server.fail('POST /messages', 'hold');
  model.send(general.stream_id, { text: '了解です', file: undefined });
  model.openAt(general.stream_id, ids[49] ?? 0);
  await at(model, ids[49]);
  expect(texts(model)).toEqual(numbers(25, 75));
  model.toNewest(general.stream_id);
  await vi.waitFor(() => expect(texts(model).at(-1)).toBe('了解です'));
});

it('openAt reports a deleted message as gone, and shows the newest messages if it opens another stream', async () => {
  const { server } = await longStory();
  const elsewhere = await server.send(ken, lunch.stream_id, 'お昼です');
  const { model } = await eg({ server });
  model.start({ conversation: general.stream_id });
  await ready(model);

  model.openAt(general.stream_id, elsewhere);
  await vi.waitFor(() => expect(here(model)?.destination).toEqual({ to: elsewhere, state: 'gone', readsOn: false }));
  expect(texts(model)).toEqual(numbers(181, 200));

  model.openAt(lunch.stream_id, 1);
  await vi.waitFor(() => expect(shown(model, lunch.stream_id)).toEqual(['お昼です']));
  expect(selectTimeline(model.state(), lunch.stream_id)?.destination).toEqual({ to: 1, state: 'gone', readsOn: false });
});

it('openAt ignores a stream to which the member is not subscribed', async () => {
  const { model } = await started();
  model.openAt(99, 1);
  expect(selectCurrent(model.state())).toBe(general.stream_id);
  expect(selectTimeline(model.state(), 99)).toBeUndefined();
});

it('[R8.4] If openAt fails, the messages on the screen stay, the failure is reported, and reload tries again', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  server.fail('GET /messages', errorAnswer(500, 'INTERNAL', 'broken'));
  model.openAt(general.stream_id, ids[99] ?? 0);
  await vi.waitFor(() => expect(here(model)).toMatchObject({ failure: { kind: 'server' }, failed: 'destination' }));
  expect(texts(model)).toEqual(numbers(181, 200));
  model.reload(general.stream_id);
  await at(model, ids[99]);

  server.fail('GET /messages', 'cut');
  model.loadNewer(general.stream_id);
  await vi.waitFor(() => expect(here(model)).toMatchObject({ failure: { kind: 'network' }, failed: 'newer' }));
  model.reload(general.stream_id);
  await vi.waitFor(() => expect(texts(model).at(-1)).toBe('175'));
});

it('After several calls of openAt, the message of the last call is shown', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  server.fail('GET /messages', 'late');
  model.openAt(general.stream_id, ids[49] ?? 0);
  model.openAt(general.stream_id, ids[149] ?? 0);
  await at(model, ids[149]);
  server.release();
  await vi.waitFor(() => expect(here(model)?.loading).toBeUndefined());
  expect(texts(model)).toEqual(numbers(125, 175));
});

it('[R4.4] After lost events, the member stays at the opened message, and the messages around it are loaded again', async () => {
  const { server, ids } = await longStory();
  const { model } = await reading(server);
  model.openAt(general.stream_id, ids[99] ?? 0);
  await at(model, ids[99]);
  const destination = here(model)?.destination;
  await server.loseQueues(async () => {
    await server.edit(ken, ids[99] ?? 0, '直しました');
  });
  await vi.waitFor(() => expect(texts(model)).toContain('直しました'));
  expect(texts(model)).toHaveLength(51);
  expect(here(model)).toMatchObject({ foundNewest: false, foundOldest: false });
  expect(here(model)?.destination).toBe(destination);
});

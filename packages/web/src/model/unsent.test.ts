import { afterEach, expect, it } from 'vitest';
import { eg, started, stopAll } from '../../test/example.ts';
import { newStorage } from '../../test/storage.ts';
import type { ConversationKey } from './conversation.ts';
import { forgetUnsent } from './unsentStorage.ts';
import type { Model } from './view.ts';

afterEach(stopAll);

/** The rows of a conversation that are not messages yet. */
function rows(model: Model, conversation: ConversationKey) {
  return (model.timeline(conversation)?.keys ?? [])
    .filter((key) => typeof key === 'string')
    .map((key) => ({ text: model.message(key)?.content, state: model.message(key)?.state }));
}

it('[R4.8.2] what was not sent is there after a reload, to be sent again', async () => {
  const storage = newStorage();
  const { server, model } = await started({ parts: { storage } });
  const streamId = model.current() ?? 0;
  const parts = { storage, fetch: () => new Promise<Response>(() => {}) };
  const away = eg({ server, parts });
  away.model.send(streamId, { text: 'まだ', file: undefined });

  const { model: reloaded } = await started({ server, parts: { storage } });
  reloaded.open(streamId);
  expect(rows(reloaded, streamId)).toEqual([{ text: 'まだ', state: 'failed' }]);
  const [key] = (reloaded.timeline(streamId)?.keys ?? []).filter((each) => typeof each === 'string');
  reloaded.retry(key ?? '');
  await expect.poll(() => rows(reloaded, streamId)).toEqual([]);
  expect(storage.length).toBe(0);
});

it('signing out on purpose leaves nothing of it behind', () => {
  const storage = newStorage();
  storage.setItem('engawa:draft:6:outbox', '[]');
  storage.setItem('engawa:draft:66:7', '他の人の下書き');
  storage.setItem('engawa-theme', 'dark');
  forgetUnsent(storage, 6);
  expect([storage.length, storage.getItem('engawa:draft:66:7')]).toEqual([2, '他の人の下書き']);
  forgetUnsent(storage, undefined);
  expect([storage.length, storage.getItem('engawa-theme')]).toEqual([1, 'dark']);
});

it('what somebody else has put there is as nothing', async () => {
  const storage = newStorage();
  const { model } = await started({ parts: { storage } });
  const name = `engawa:draft:${model.me()?.userId}:outbox`;
  for (const nonsense of ['no JSON', '{}', '[{"text":1}]']) {
    storage.setItem(name, nonsense);
    const { model: other } = await started({ parts: { storage } });
    expect(rows(other, other.current() ?? 0)).toEqual([]);
  }
});

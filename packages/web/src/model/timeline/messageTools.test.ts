import { addReaction, editMessage, removeReaction } from '@engawa/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chatServer, errorAnswer } from '../../../test/chatServer.ts';
import { ai, design, general, ken } from '../../../test/organisation.ts';
import { only, shown, started, type ExampleOptions, stopAll } from '../../../test/example.ts';
import { newStorage } from '../../../test/storage.ts';
import { unsentPrefix, type UnsentStorage } from '../browserStorage.ts';
import type { Model } from '../model.ts';
import { selectStream } from '../conversations/selectors.ts';
import { selectMessage, selectTimeline } from '../outbox/selectors.ts';

afterEach(stopAll);

const thumb = { name: '+1', code: '1f44d', type: 'unicode_emoji' };
const invalid = () => errorAnswer(400, 'BAD_REQUEST', 'Invalid emoji name.');
const refused = () => errorAnswer(400, 'BAD_REQUEST', 'The time limit has passed');
const reacting = (model: Model, id: number) => selectMessage(model.state(), id)?.reactions.map(({ userIds }) => userIds) ?? [];

async function withOwn(options: ExampleOptions = {}) {
  const example = await started(options);
  const id = await example.server.send(ai, general.stream_id, '了解です');
  await vi.waitFor(() => expect(selectMessage(example.model.state(), id)).toBeDefined());
  return { ...example, id };
}

describe('[R4.9] Editing a message', () => {
  it('An edited message shows the new text when the server has answered, and is shown as edited', async () => {
    const { model, id } = await withOwn();
    expect(await model.edit(id, '承知しました', '了解です')).toBeUndefined();
    expect(selectMessage(model.state(), id)).toMatchObject({ content: '承知しました', edited: true });
    expect(selectStream(model.state(), general.stream_id)?.message?.text).toBe('承知しました');
  });

  it('A starred message keeps its star when it is edited', async () => {
    const { model, id } = await withOwn();
    await model.star(id, true);
    await model.edit(id, '承知しました', '了解です');
    expect(selectMessage(model.state(), id)).toMatchObject({ content: '承知しました', starred: true });
  });

  it('An edit changes nothing if the server refuses it or the network is down', async () => {
    const { server, model, id } = await withOwn();
    server.fail('PATCH /messages/' + id, refused(), 'cut');
    expect(await model.edit(id, '承知しました', '了解です')).toMatchObject({ kind: 'refused' });
    expect(await model.edit(id, '承知しました', '了解です')).toEqual({ kind: 'network' });
    expect(selectMessage(model.state(), id)).toMatchObject({ content: '了解です', edited: false });
  });

  it('[R7.8] A server that does not check the text before an edit is asked for it, and an edit of another device stays', async () => {
    const { server, model, id } = await withOwn();
    server.fail('GET /events', 'hold');
    await server.endPolls();
    await server.edit(ai, id, '了解です。');
    expect(await model.edit(id, '承知しました', '了解です')).toMatchObject({ kind: 'refused', code: 'EXPECTATION_MISMATCH' });
    expect(server.called(`PATCH /messages/${id}`)).toEqual([]);
    expect(selectMessage(model.state(), id)).toMatchObject({ content: '了解です。', edited: true });
    expect(await model.edit(id, '承知しました', '了解です。')).toBeUndefined();
    expect((await server.messages()).at(-1)?.content).toBe('承知しました');
  });

  it('If another device has edited a message meanwhile, an edit fails and the text of the other device is shown', async () => {
    const { server, model, id } = await withOwn({ capabilities: ['edit_guard'] });
    server.fail('GET /events', 'hold');
    await server.endPolls();
    await server.edit(ai, id, '了解です。');
    server.fail(`PATCH /messages/${id}`, errorAnswer(400, 'EXPECTATION_MISMATCH', ''));
    expect(await model.edit(id, '承知しました', '了解です')).toMatchObject({ code: 'EXPECTATION_MISMATCH' });
    expect(server.called(`PATCH /messages/${id}`)[0]?.parameters).toMatchObject({
      prev_content_sha256: 'a23d5d3d2f3faa5abcef711d5efd4693b7da6516716e4b9a2621bc98e748efeb',
    });
    expect(selectMessage(model.state(), id)).toMatchObject({ content: '了解です。', edited: true });
    expect(await model.edit(id, '承知しました', '了解です。')).toBeUndefined();
    expect(selectMessage(model.state(), id)?.content).toBe('承知しました');
  });

  it('history returns the versions of a message, newest first, without changes of its topic', async () => {
    const { server, model, id } = await withOwn();
    await editMessage(server.as(ai), { message_id: id, content: '承知しました' });
    await editMessage(server.as(ai), { message_id: id, topic: '別の話題' });
    expect(await model.history(id)).toMatchObject([{ content: '承知しました' }, { content: '了解です' }]);
  });

  it('[R8.4] history returns the failure if the versions of a message cannot be loaded', async () => {
    const { server, model, id } = await withOwn();
    server.fail(`GET /messages/${id}/history`, 'cut');
    expect(await model.history(id)).toEqual({ kind: 'network' });
  });
});

describe('[R7.8] A reaction under a name that the server does not know', () => {
  const hug = { name: 'hugging_face', code: '1f917', type: 'unicode_emoji' };

  it('[R7.8] A reaction is added under the name with which the server renders the emoji', async () => {
    const { server, model, id } = await withOwn();
    server.fail(`POST /messages/${id}/reactions`, invalid());
    const rendered = '<p><span aria-label="hug" class="emoji emoji-1f917" role="img" title="hug">:hug:</span></p>';
    server.fail('POST /messages/render', Response.json({ result: 'success', msg: '', rendered }));
    expect(await model.toggleReaction(id, hug)).toBeUndefined();
    expect(server.called('POST /messages/render')[0]?.parameters).toEqual({ content: '🤗' });
    const names = server.called(`POST /messages/${id}/reactions`).map(({ parameters }) => parameters['emoji_name']);
    expect(names).toEqual(['hugging_face', 'hug']);
  });

  it('[R7.8] A reaction that the server refuses for another reason is reverted', async () => {
    const { server, model, id } = await withOwn();
    server.fail(`POST /messages/${id}/reactions`, invalid());
    server.fail('POST /messages/render', Response.json({ result: 'success', msg: '', rendered: '<p>🤗</p>' }));
    expect(await model.toggleReaction(id, hug)).toMatchObject({ kind: 'refused', message: 'Invalid emoji name.' });
    expect(reacting(model, id)).toEqual([]);
  });
});

describe('[R2.15] Deleting a message', () => {
  it('A deleted message stays in the timeline without its text', async () => {
    const { model, id } = await withOwn();
    expect(await model.remove(id)).toBeUndefined();
    expect(selectMessage(model.state(), id)).toMatchObject({ content: '', deleted: true });
    expect(selectStream(model.state(), general.stream_id)?.message?.kind).toBe('deleted');
    expect(model.rights(id)).toEqual({ edit: false, delete: false });
  });

  it('Deleting a message succeeds if another device has already deleted it', async () => {
    const { server, model, id } = await withOwn();
    server.fail(`DELETE /messages/${id}`, refused());
    server.fail(`GET /messages/${id}`, refused());
    expect(await model.remove(id)).toBeUndefined();
    expect(selectMessage(model.state(), id)).toMatchObject({ content: '', deleted: true });
  });

  it('A message stays unchanged if the server refuses to delete it', async () => {
    const { server, model, id } = await withOwn();
    server.fail(`DELETE /messages/${id}`, refused());
    expect(await model.remove(id)).toMatchObject({ kind: 'refused', message: 'The time limit has passed' });
    expect(selectMessage(model.state(), id)?.deleted).toBe(false);
  });
});

describe('[R3.2] A reaction', () => {
  it('A reaction is shown before the server has answered, and is sent once', async () => {
    const { server, model, id } = await withOwn();
    server.fail(`POST /messages/${id}/reactions`, 'hold');
    const done = model.toggleReaction(id, thumb);
    await vi.waitFor(() => expect(reacting(model, id)).toEqual([[1]]));
    server.release();
    expect(await done).toBeUndefined();
    expect(reacting(model, id)).toEqual([[1]]);
    await vi.waitFor(async () => expect((await server.messages()).at(-1)?.reactions).toHaveLength(1));
  });

  it('A reaction of another member appears and disappears when its events arrive', async () => {
    const { server, model, id } = await withOwn();
    const theirs = { message_id: id, emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
    await addReaction(server.as(ken), theirs);
    await vi.waitFor(() => expect(reacting(model, id)).toEqual([[2]]));
    await model.toggleReaction(id, thumb);
    expect(reacting(model, id)).toEqual([[2, 1]]);
    await removeReaction(server.as(ken), theirs);
    await vi.waitFor(() => expect(reacting(model, id)).toEqual([[1]]));
  });

  it('A reaction is removed again if the server refuses it', async () => {
    const { server, model, id } = await withOwn();
    server.fail(`POST /messages/${id}/reactions`, 'cut');
    expect(await model.toggleReaction(id, thumb)).toEqual({ kind: 'network' });
    expect(reacting(model, id)).toEqual([]);
  });

  it('After fast clicks on a reaction, the state chosen last is shown and stored', async () => {
    const { server, model, id } = await withOwn();
    server.fail(`POST /messages/${id}/reactions`, 'hold');
    const done = [model.toggleReaction(id, thumb), model.toggleReaction(id, thumb)];
    await vi.waitFor(() => expect(server.called(`POST /messages/${id}/reactions`)).toHaveLength(1));
    expect(reacting(model, id)).toEqual([]);
    server.release();
    expect(await Promise.all(done)).toEqual([undefined, undefined]);
    await vi.waitFor(async () => expect((await server.messages()).at(-1)?.reactions).toEqual([]));
    expect(server.called(`DELETE /messages/${id}/reactions`)).toHaveLength(1);
  });

  it('If the server has removed a reaction already, removing it again counts as success', async () => {
    const { server, model, id } = await withOwn();
    await addReaction(server.as(ai), { message_id: id, emoji_name: '+1' });
    await vi.waitFor(() => expect(reacting(model, id)).toEqual([[1]]));
    server.fail(`DELETE /messages/${id}/reactions`, errorAnswer(400, 'REACTION_DOES_NOT_EXIST', ''));
    expect(await model.toggleReaction(id, thumb)).toBeUndefined();
    expect(reacting(model, id)).toEqual([]);
  });
});

describe('[R3.2] A star', () => {
  it('After two fast clicks on a star, the state chosen last is shown, even if the server is slow', async () => {
    const { server, model, id } = await withOwn();
    server.fail('POST /messages/flags', 'hold');
    const first = model.star(id, true);
    const second = model.star(id, false);
    await vi.waitFor(() => expect(server.called('POST /messages/flags')).toHaveLength(1));
    expect(selectMessage(model.state(), id)?.starred).toBe(false);
    server.release();
    expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
    const last = await server.send(ken, general.stream_id, '次です');
    await vi.waitFor(() => expect(selectMessage(model.state(), last)).toBeDefined());
    expect(selectMessage(model.state(), id)?.starred).toBe(false);
  });

  it('A star is shown at once, and removed again if the server refuses it', async () => {
    const { server, model, id } = await withOwn();
    const { promise: answer, reject: cut } = Promise.withResolvers<Response>();
    server.fail('POST /messages/flags', answer);
    const done = model.star(id, true);
    await vi.waitFor(() => expect(selectMessage(model.state(), id)?.starred).toBe(true));
    cut(new TypeError('fetch failed'));
    expect(await done).toEqual({ kind: 'network' });
    expect(selectMessage(model.state(), id)?.starred).toBe(false);
    expect(await model.star(id, true)).toBeUndefined();
    expect(selectMessage(model.state(), id)?.starred).toBe(true);
  });
});

async function withThree(storage?: UnsentStorage) {
  const example = await started(storage ? { environment: { storage } } : {});
  const { server, model } = example;
  const first = only(model, general.stream_id, 'おはようございます');
  const own = await server.send(ai, general.stream_id, '了解です');
  const last = await server.send(ken, general.stream_id, '会議です');
  await vi.waitFor(() => expect(shown(model, general.stream_id)).toHaveLength(3));
  model.resumeReading(general.stream_id);
  await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0));
  await vi.waitFor(() => expect(model.state().reading.size).toBe(0));
  return { ...example, first: Number(first), own, last };
}

/** The last message is unread and the member returns to it; from now on events are held until they are released. */
async function withLastUnread() {
  const example = await withThree();
  const { server, model, first, last } = example;
  // By now the server has answered the earlier mark as read.
  await model.star(first, true);
  await server.mark(ai, [last], false);
  await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1));
  model.open(design.stream_id);
  model.open(general.stream_id);
  const polls = server.called('GET /events').length;
  server.fail('GET /events', 'hold');
  await model.star(first, false);
  await vi.waitFor(() => expect(server.called('GET /events').length).toBeGreaterThan(polls));
  return { ...example, told: () => server.called('POST /messages/flags').map(({ parameters }) => parameters) };
}

const unreadTold = { op: 'remove', flag: 'read' };

/** A stream with `count` read messages and those of the example; the member is at the first, and most are not loaded. */
async function withMany(count: number) {
  const server = await chatServer({ history: Array.from({ length: count }, (_, index) => `第${index}話`), unread: 0 });
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const example = await started({ server });
  const [first = 0] = ids;
  example.model.openAt(general.stream_id, first);
  await vi.waitFor(() => expect(selectMessage(example.model.state(), first)).toBeDefined());
  return { ...example, ids };
}

describe('[R4.6] Marking as unread', () => {
  it('unreadFrom marks a message and all later messages of others as unread, and puts the unread divider above them', async () => {
    const { server, model, first, last } = await withThree();
    expect(await model.unreadFrom(general.stream_id, first)).toBeUndefined();
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(2);
    expect(selectTimeline(model.state(), general.stream_id)?.firstUnread).toBe(first);
    const told = server.called('POST /messages/flags').at(-1)?.parameters;
    expect(told).toMatchObject({ op: 'remove', flag: 'read', messages: JSON.stringify([first, last]) });
  });

  it('Messages that the member marked as unread stay unread while they are on the screen, until another stream is opened', async () => {
    const { model, last } = await withThree();
    await model.unreadFrom(general.stream_id, last);
    model.resumeReading(general.stream_id);
    model.markRead(general.stream_id);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1);
    model.open(design.stream_id);
    model.open(general.stream_id);
    model.resumeReading(general.stream_id);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
  });

  it('While unreadFrom waits for the server, the model does not mark the same messages as read again', async () => {
    const { server, model, first, last, told } = await withLastUnread();
    server.fail('POST /messages/flags', 'late');
    const done = model.unreadFrom(general.stream_id, last);
    await vi.waitFor(() => expect(told().at(-1)).toMatchObject(unreadTold));
    model.resumeReading(general.stream_id);
    model.markRead(general.stream_id);
    // By then an update would have been sent.
    await model.star(first, true);
    server.release();
    expect(await done).toBeUndefined();
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1);
    expect(told().slice(-2)).toMatchObject([unreadTold, { flag: 'starred' }]);
  });

  it('unreadFrom works although the model is still trying to mark the same message as read', async () => {
    const { server, clock, model, first, last, told } = await withLastUnread();
    server.fail('POST /messages/flags', 'cut');
    model.resumeReading(general.stream_id);
    await clock.until(1000);
    // It is sent again in a moment; the server answers later.
    server.fail('POST /messages/flags', 'late');
    const done = model.unreadFrom(general.stream_id, last);
    await vi.waitFor(() => expect(told().at(-1)).toMatchObject(unreadTold));
    await clock.pass(1000);
    await model.star(first, true);
    server.release();
    expect(await done).toBeUndefined();
    expect(told().slice(-2)).toMatchObject([unreadTold, { flag: 'starred' }]);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1);
  });

  it('After unreadFrom found no message of another member, new messages can be marked as read', async () => {
    const { server, model } = await withThree();
    const own = await server.send(ai, general.stream_id, '最後の一言');
    await vi.waitFor(() => expect(selectMessage(model.state(), own)).toBeDefined());
    expect(await model.unreadFrom(general.stream_id, own)).toBeUndefined();
    await server.send(ken, general.stream_id, '次の議題です');
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1));
    model.resumeReading(general.stream_id);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
  });

  it('After the server refused to mark messages as unread, they can be marked as read again', async () => {
    const { server, model } = await withThree();
    const next = await server.send(ken, general.stream_id, '次の議題です');
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1));
    server.fail('POST /messages/flags', 'cut');
    expect(await model.unreadFrom(general.stream_id, next)).toEqual({ kind: 'network' });
    model.resumeReading(general.stream_id);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
  });

  it('After the member sends in a stream, messages marked as unread there can be marked as read again', async () => {
    const { model, last } = await withThree();
    await model.unreadFrom(general.stream_id, last);
    model.send(general.stream_id, { text: '承知しました', file: undefined });
    model.markRead(general.stream_id);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
  });

  it('Messages that the member marked as unread stay unread after a reload of the tab', async () => {
    const storage = newStorage();
    const { server, model, last } = await withThree(storage);
    await model.unreadFrom(general.stream_id, last);
    expect(storage.getItem(`${unsentPrefix}${ai.user_id}:unread`)).toBe(String(general.stream_id));
    const again = await started({ server, environment: { storage } });
    again.model.open(general.stream_id);
    again.model.resumeReading(general.stream_id);
    expect(selectStream(again.model.state(), general.stream_id)?.unReadCount).toBeGreaterThan(0);
  });

  it('Messages that the member marks as unread on another device stay unread although this device shows the stream', async () => {
    const { server, model, last } = await withThree();
    const calls = server.called('POST /messages/flags').length;
    await server.mark(ai, [last], false);
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1));
    expect(selectTimeline(model.state(), general.stream_id)?.firstUnread).toBe(last);
    model.resumeReading(general.stream_id);
    model.markRead(general.stream_id);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1);
    expect(server.called('POST /messages/flags')).toHaveLength(calls);
  });

  it('After unreadFrom, a message is not marked as read by an earlier call that is repeated later', async () => {
    const { server, clock, model, first, last } = await withThree();
    model.open(design.stream_id);
    await server.mark(ai, [first, last], false);
    await vi.waitFor(() => expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(2));
    model.open(general.stream_id);
    const limit = { result: 'error', code: 'RATE_LIMIT_HIT', msg: 'API usage exceeded rate limit', 'retry-after': 30 };
    server.fail('POST /messages/flags', Response.json(limit, { status: 429 }));
    model.markRead(general.stream_id);
    await clock.until(30_000);
    await model.unreadFrom(general.stream_id, last);
    await clock.pass(30_000);
    await vi.waitFor(() => expect(server.called('POST /messages/flags').at(-1)?.parameters['op']).toBe('add'));
    const told = server.called('POST /messages/flags').map(({ parameters }) => parameters['messages']);
    expect(told.slice(-2)).toEqual([JSON.stringify([last]), JSON.stringify([first])]);
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1);
  });

  it('If the server refuses to mark messages as unread, they stay read', async () => {
    const { server, model, last } = await withThree();
    server.fail('POST /messages/flags', 'cut');
    expect(await model.unreadFrom(general.stream_id, last)).toEqual({ kind: 'network' });
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(0);
  });

  it('unreadFrom changes nothing if there are more messages to mark than the limit of 5,000', async () => {
    const { server, model, ids } = await withMany(5000);
    const [first = 0, second = 0] = ids;
    expect(await model.unreadFrom(general.stream_id, first)).toEqual({ kind: 'too-far', most: 5000 });
    expect(server.called('POST /messages/flags')).toEqual([]);
    expect(await model.unreadFrom(general.stream_id, second)).toBeUndefined();
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(5000);
  });

  it('If unreadFrom fails midway, the newest messages are unread, and the failure is returned', async () => {
    const { server, model, ids } = await withMany(1499);
    server.fail('POST /messages/flags', 'late', 'cut');
    const done = model.unreadFrom(general.stream_id, ids[0] ?? 0);
    await vi.waitFor(() => expect(server.called('POST /messages/flags')).toHaveLength(1));
    server.release();
    expect(await done).toEqual({ kind: 'half-done', because: { kind: 'network' } });
    expect(selectStream(model.state(), general.stream_id)?.unReadCount).toBe(1000);
    expect(selectTimeline(model.state(), general.stream_id)?.firstUnread).toBe(ids[500]);
  });
});

import { editMessage, getMessages, getOwnUser, sendMessage } from '@engawa/client';
import { describe, expect, it, vi } from 'vitest';
import { onZulip, type OnZulip } from '../../test/zulip.ts';
import { topic } from './constants.ts';
import { selectMessage, selectTimeline } from './outbox/selectors.ts';
import { nothing } from './timeline/search.ts';
import { isUnread } from './unread/unread.ts';

const { signal } = new AbortController();
const thumb = { name: '+1', code: '1f44d', type: 'unicode_emoji' };

const contents = ({ model, streamId }: OnZulip) =>
  (selectTimeline(model.state(), streamId)?.keys ?? []).map((key) => selectMessage(model.state(), key)?.content);

/** The id of the member's message, once it has arrived. */
async function sent(example: OnZulip, text: string): Promise<number> {
  const { model, streamId } = example;
  model.send(streamId, { text, file: undefined });
  return vi.waitFor(() => {
    const key = selectTimeline(model.state(), streamId)?.keys.at(-1);
    if (typeof key !== 'number' || contents(example).at(-1) !== text) throw new Error('the message has not arrived');
    return key;
  });
}

async function newest({ member }: OnZulip) {
  const page = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false };
  return (await getMessages(member.connection, page)).messages;
}

async function sentByColleague({ model, colleague, streamId }: OnZulip, content: string): Promise<number> {
  const to = { type: 'stream', to: String(streamId), topic } as const;
  const { id } = await sendMessage(colleague.connection, { ...to, content });
  await vi.waitFor(() => expect(selectMessage(model.state(), id)).toBeDefined());
  return id;
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

describe('[R7.8] The model on a server like a real Zulip', () => {
  it('[R7.8] A message is sent, is read for its author, and one of a colleague arrives in the markup of their client', async () => {
    const example = await onZulip();
    const id = await sent(example, 'はじめまして *太字*');
    const messages = await newest(example);
    expect(messages.at(-1)).toMatchObject({ id, flags: ['read'] });
    expect(selectMessage(example.model.state(), id)?.dialect).toBe('engawa');
    const theirs = await sentByColleague(example, '**太字** :tada:');
    expect(selectMessage(example.model.state(), theirs)?.dialect).toBe('zulip');
    expect(isUnread(example.model.state(), example.streamId, theirs)).toBe(true);
    expect(example.refusals).toEqual([]);
  });

  it('[R7.8] A message whose answer is lost is sent once', async () => {
    const example = await onZulip();
    await example.zulip.fail({ lostAnswers: ['POST /messages'] });
    await sent(example, '一度だけ');
    await example.zulip.fail();
    await vi.waitFor(() => expect(example.model.state().outbox).toEqual([]));
    expect(contents(example).filter((content) => content === '一度だけ')).toHaveLength(1);
    const messages = await newest(example);
    expect(messages.filter(({ content }) => content === '一度だけ')).toHaveLength(1);
  });

  it('[R7.8] Every command of the screens is accepted', async () => {
    const example = await onZulip();
    const { model, streamId, colleague } = example;
    const id = await sent(example, '了解です');
    const theirs = await sentByColleague(example, '会議です');
    const failures = [
      await model.edit(id, '承知しました', '了解です'),
      await model.star(id, true),
      await model.toggleReaction(theirs, thumb),
      await model.setStatus({ text: '会議中', busy: true, until: undefined }),
      await model.changeSettings({ enter_sends: false, send_read_receipts: true }),
      await model.changeStream(streamId, { kind: 'set', settings: { is_muted: false, desktop_notifications: true } }),
      await model.addAlertWord('見積'),
      await model.unreadFrom(streamId, theirs),
      await model.countEmojiUses(['🍵']),
    ];
    expect(failures).toEqual(failures.map(() => undefined));
    expect(await model.history(id)).toMatchObject([{ content: '承知しました' }, { content: '了解です' }]);
    expect(await model.readersOf(id)).toMatchObject({ read: [] });
    expect(await model.loadFlagged('starred', undefined)).toMatchObject({ messages: [{ messageId: id }] });
    expect(await model.createGroup('企画会議', [colleague.user.user_id])).toEqual(expect.any(Number));
    expect(example.refusals).toEqual([]);
  });

  it('[R7.8] A search finds messages of a range of days, of a sender, and with a file', async () => {
    const { model, member, refusals } = await onZulip();
    const find = async (conditions: Partial<typeof nothing>) => {
      const found = await model.search({ ...nothing, ...conditions }, { before: undefined, most: 5 }, signal);
      return 'hits' in found ? found.hits : [];
    };
    const inRange = await find({ from: day(30), to: day(2) });
    expect(inRange).toHaveLength(5);
    const end = Date.parse(`${day(1)}T00:00:00+09:00`) / 1000;
    expect(inRange.every(({ timestamp }) => timestamp < end)).toBe(true);
    const mine = await find({ senderId: member.user.user_id });
    expect(new Set(mine.map(({ senderId }) => senderId))).toEqual(new Set([member.user.user_id]));
    const files = await find({ hasFile: true });
    expect(files).toHaveLength(5);
    expect(files.every(({ file }) => file !== undefined)).toBe(true);
    expect(refusals).toEqual([]);
  });

  it('[R7.8] The model knows that members may not delete, and that a colleague has edited meanwhile', async () => {
    const example = await onZulip();
    const { model, member } = example;
    const id = await sent(example, '了解です');
    expect(model.rights(id)).toEqual({ edit: true, delete: false });
    await editMessage(member.connection, { message_id: id, content: '別の端末で直しました' });
    expect(await model.edit(id, '承知しました', '了解です')).toMatchObject({ code: 'EXPECTATION_MISMATCH' });
    expect(selectMessage(model.state(), id)?.content).toBe('別の端末で直しました');
  });

  it('[R7.8] After a restart of the server, which loses all queues, messages arrive again', async () => {
    const example = await onZulip();
    example.zulip.restart();
    // The first call on a connection from before the restart fails.
    await vi.waitFor(() => getOwnUser(example.colleague.connection, {}));
    await sentByColleague(example, '再起動のあと');
    expect(contents(example).at(-1)).toBe('再起動のあと');
  });
});

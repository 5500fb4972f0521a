import { deactivateUser } from '@engawa/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chatServer } from '../../../test/chatServer.ts';
import { ai, general, ken, mai } from '../../../test/organisation.ts';
import { newDisk } from '../../../test/disk.ts';
import { eg, ready, rows, shown, started, stopAll } from '../../../test/example.ts';
import { directOf } from './conversation.ts';
import type { Arrival } from '../unread/arrivals.ts';
import {
  selectConversation,
  selectDirectKeys,
  selectStreamIds,
  selectDirectUnread,
  selectTotalMentions,
  selectTotalUnread,
} from '../conversations/selectors.ts';
import { selectCurrent } from '../timeline/state.ts';
import { selectTimeline } from '../outbox/selectors.ts';
import { selectPeople } from '../people/peopleList.ts';

const withKen = directOf([ai.user_id, ken.user_id]);
const group = directOf([ai.user_id, ken.user_id, mai.user_id]);

afterEach(stopAll);

/** 田中 愛 has received messages from 石川 健 and from a group. */
async function talking() {
  const server = await chatServer();
  const first = await server.send(ken, withKen, '今日、少しいいですか');
  const second = await server.send(mai, group, '三人で話しましょう');
  return { ...(await started({ server })), first, second };
}

describe('[R1.8] Direct messages', () => {
  it('Direct conversations are listed apart from streams, the one with the newest message first', async () => {
    const { model, server } = await talking();
    expect(selectDirectKeys(model.state())).toEqual([group, withKen]);
    expect(selectStreamIds(model.state())?.every((each) => typeof each === 'number')).toBe(true);
    expect(selectConversation(model.state(), group)).toMatchObject({
      kind: 'direct',
      name: '石川 健、佐藤 舞',
      subscribers: [1, 2, 3],
      unReadCount: 1,
      isToSelf: false,
      gone: [],
      message: { kind: 'text', senderFullName: '佐藤 舞', text: '三人で話しましょう' },
    });
    await server.send(ken, withKen, '急ぎです');
    await vi.waitFor(() => expect(selectDirectKeys(model.state())).toEqual([withKen, group]));
    expect(selectConversation(model.state(), withKen)).toMatchObject({
      name: '石川 健',
      unReadCount: 2,
      message: { text: '急ぎです' },
    });
  });

  it('A direct conversation is opened, read and answered like a stream, and its messages are sent to its members', async () => {
    const { model, server, first } = await talking();
    model.open(withKen);
    await ready(model);
    expect(selectCurrent(model.state())).toBe(withKen);
    expect(shown(model, withKen)).toEqual(['今日、少しいいですか']);
    expect(selectTimeline(model.state(), withKen)).toMatchObject({ firstUnread: first });
    expect(server.called('GET /messages').at(-1)?.parameters).toMatchObject({ narrow: '[{"operator":"dm","operand":[1,2]}]' });

    model.resumeReading(withKen);
    expect(selectConversation(model.state(), withKen)).toMatchObject({ unReadCount: 0 });
    model.send(withKen, { text: 'はい、どうぞ', file: undefined });
    await vi.waitFor(() => expect(rows(model, withKen)).toEqual(['sent 今日、少しいいですか', 'sent はい、どうぞ']));
    const [sent] = server.called('POST /messages');
    expect(sent?.parameters).toMatchObject({ type: 'direct', to: '[1,2]', content: 'はい、どうぞ' });
    expect(sent?.parameters).not.toHaveProperty('topic');
    expect(shown(model, group)).toEqual([]);
  });

  it('A member can begin a direct conversation with any known user, but not with an unknown one', async () => {
    const { model } = await started();
    const withMai = directOf([ai.user_id, mai.user_id]);
    model.open(withMai);
    await ready(model);
    expect(selectDirectKeys(model.state())).toEqual([]);
    model.send(withMai, { text: 'はじめまして', file: undefined });
    await vi.waitFor(() => expect(rows(model, withMai)).toEqual(['sent はじめまして']));
    await vi.waitFor(() => expect(selectDirectKeys(model.state())).toEqual([withMai]));

    model.open(directOf([ai.user_id, 99]));
    expect(selectCurrent(model.state())).toBe(withMai);
    expect(selectConversation(model.state(), directOf([ken.user_id, mai.user_id]))).toBeUndefined();
  });

  it('Direct messages count as unread messages, and only those that mention the member count as mentions', async () => {
    const { model, server } = await talking();
    const totals = () => [selectTotalUnread, selectDirectUnread, selectTotalMentions].map((select) => select(model.state()));
    // Two direct messages, and one in each of two streams.
    expect(totals()).toEqual([4, 2, 0]);
    await server.send(ken, withKen, 'もう一つ');
    await vi.waitFor(() => expect(totals()).toEqual([5, 3, 0]));
    await server.send(ken, withKen, `@**${ai.full_name}** 見てください`);
    await vi.waitFor(() => expect(totals()).toEqual([6, 4, 1]));
  });

  it('A direct message is unread again when another device marks it as unread', async () => {
    const { model, server, first, second } = await talking();
    await server.mark(ai, [first, second], true);
    await vi.waitFor(() => expect(selectDirectUnread(model.state())).toBe(0));
    await server.mark(ai, [second], false);
    await vi.waitFor(() => expect(selectConversation(model.state(), group)).toMatchObject({ unReadCount: 1 }));
    expect(selectConversation(model.state(), withKen)).toMatchObject({ unReadCount: 0 });
  });

  it('A direct conversation stays open after a lost event queue, and can be the first conversation that the page opens', async () => {
    const { model, server } = await talking();
    model.open(withKen);
    await ready(model);
    await server.loseQueues(async () => {
      await server.send(ken, withKen, '聞こえますか');
    });
    await vi.waitFor(() => expect(shown(model, withKen)).toEqual(['今日、少しいいですか', '聞こえますか']));
    expect(selectCurrent(model.state())).toBe(withKen);

    const { model: reloaded } = await eg({ server });
    // The address in a member's card names only the other.
    reloaded.start({ conversation: directOf([ken.user_id]) });
    await ready(reloaded);
    expect(selectCurrent(reloaded.state())).toBe(withKen);
  });

  it('[R4.8.2] An unsent direct message is sent to its conversation after a reload', async () => {
    const disk = newDisk();
    const environment = { openOutbox: async () => disk };
    const { model, server } = await started({ environment });
    server.fail('POST /messages', 'cut');
    model.open(withKen);
    await ready(model);
    model.send(withKen, { text: '届かない', file: undefined });
    await vi.waitFor(() => expect(rows(model, withKen)).toEqual(['failed 届かない']));
    await model.stop();

    const { model: reloaded } = await started({ server, environment });
    reloaded.open(withKen);
    await vi.waitFor(() => expect(rows(reloaded, withKen)).toEqual(['sent 届かない']));
    expect(server.called('POST /messages')).toHaveLength(2);
  });

  it('A direct conversation with a deactivated user can be read, and says that the user is no longer active', async () => {
    const { model, server } = await talking();
    await deactivateUser(server.as(ai), { user_id: ken.user_id });
    await vi.waitFor(() => expect(selectConversation(model.state(), withKen)).toMatchObject({ gone: [{ fullName: '石川 健' }] }));
    model.open(withKen);
    await ready(model);
    expect(shown(model, withKen)).toEqual(['今日、少しいいですか']);

    const { model: reloaded } = await eg({ server });
    reloaded.start();
    await ready(reloaded);
    expect(selectConversation(reloaded.state(), withKen)).toMatchObject({ gone: [{ fullName: '石川 健' }] });
    expect(selectPeople(reloaded.state()).map(({ fullName }) => fullName)).not.toContain('石川 健');
  });
});

it('[R1.8] The listeners for arrivals are called once per direct message, with its conversation', async () => {
  const { model, server } = await started();
  const heard: Arrival[] = [];
  const stop = model.onArrival((arrival) => heard.push(arrival));
  await server.send(ken, withKen, '直接');
  await server.send(ken, general.stream_id, 'みんなに');
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(heard).toEqual([
    expect.objectContaining({ conversation: withKen, content: '直接', senderId: ken.user_id, flags: [] }),
    expect.objectContaining({ conversation: general.stream_id, content: 'みんなに' }),
  ]);
  stop();
  await server.send(ken, withKen, '聞こえない');
  await vi.waitFor(() => expect(selectDirectUnread(model.state())).toBe(2));
  expect(heard).toHaveLength(2);
});

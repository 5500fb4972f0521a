import { addReaction } from '@engawa/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chatServer, errorAnswer, type ChatServer } from '../../../test/chatServer.ts';
import { ai, design, general, ken, lunch, mai } from '../../../test/organisation.ts';
import { eg, ready, shown, stopAll, type Example } from '../../../test/example.ts';
import { directOf } from '../streams/conversation.ts';
import { selectConversation, selectStream, selectTotalUnread } from '../conversations/selectors.ts';
import { selectMessage, selectTimeline } from '../outbox/selectors.ts';

afterEach(stopAll);

const { stream_id: streamId } = general;
const withKen = directOf([ai.user_id, ken.user_id]);
const thumb = { emoji_name: '+1' };

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

const busy = () => Response.json({ result: 'error', msg: '', code: 'RATE_LIMIT_HIT', 'retry-after': 5 }, { status: 429 });

/** 田中 愛 reads the first stream, has read two conversations, and receives no events while `meanwhile` happens. */
async function away(
  server: ChatServer,
  meanwhile: (example: Example) => Promise<unknown>,
  before: (example: Example) => Promise<void> = () => Promise.resolve(),
): Promise<Example> {
  const example = await eg({ server });
  const { model } = example;
  model.start({ conversation: streamId, messageId: undefined });
  await ready(model);
  for (const conversation of [lunch.stream_id, withKen, streamId]) {
    model.open(conversation);
    await ready(model);
  }
  await before(example);
  server.fail('GET /events', 'hold');
  await server.endPolls();
  await vi.waitFor(() => expect(server.polling()).toBe(0));
  await meanwhile(example);
  await server.loseQueues();
  server.release();
  return example;
}

/** A stream with the messages `1` to `count`, and two other conversations. */
async function story(count = 3) {
  const server = await chatServer();
  await server.send(ken, lunch.stream_id, 'お昼どうしますか');
  await server.send(ken, withKen, '今日、少しいいですか');
  const ids = await server.sendEach(ken, streamId, numbers(1, count));
  return { server, ids };
}

describe('[R4.4] Events during an expired queue', () => {
  it('[R4.4] After an expired queue, the open conversation shows all missed messages, and loadOlder then loads the earlier ones without a gap', async () => {
    const { server } = await story(30);
    const { model } = await away(server, async () => {
      await server.sendEach(mai, streamId, numbers(31, 200));
    });
    await vi.waitFor(() => expect(shown(model, streamId).at(-1)).toBe('200'));
    while (!selectTimeline(model.state(), streamId)?.foundOldest) {
      const { length } = shown(model, streamId);
      model.loadOlder(streamId);
      await vi.waitFor(() => expect(shown(model, streamId).length).toBeGreaterThan(length));
    }
    expect(shown(model, streamId)).toEqual(numbers(1, 200));
  });

  it('[R4.4, R4.6] After an expired queue, a conversation that is not open counts its missed messages, and shows them when it is opened', async () => {
    const { server } = await story();
    const { model } = await away(server, async () => {
      await server.send(ken, lunch.stream_id, '蕎麦で');
      await server.send(ken, withKen, '急ぎです');
      await server.send(ken, design.stream_id, '配色の案');
    });
    await vi.waitFor(() => expect(selectStream(model.state(), lunch.stream_id)?.message?.text).toBe('蕎麦で'));
    expect(selectConversation(model.state(), withKen)).toMatchObject({ unReadCount: 2, message: { text: '急ぎです' } });
    expect(selectStream(model.state(), design.stream_id)?.unReadCount).toBe(1);
    for (const [conversation, texts] of [
      [lunch.stream_id, ['お昼どうしますか', '蕎麦で']],
      [withKen, ['今日、少しいいですか', '急ぎです']],
    ] as const) {
      model.open(conversation);
      await ready(model);
      expect(shown(model, conversation)).toEqual(texts);
    }
  });

  it('[R4.4, R4.9] After an expired queue, missed edits and reactions are shown in the conversation, and missed edits also in the list of streams', async () => {
    const { server, ids } = await story();
    const [first = 0, second = 0, third = 0] = ids;
    const { model } = await away(server, async () => {
      await server.edit(ken, first, '直しました');
      await addReaction(server.as(ken), { message_id: second, ...thumb });
      await server.edit(ken, third, '最後も');
    });
    await vi.waitFor(() => expect(shown(model, streamId)).toEqual(['直しました', '2', '最後も']));
    expect(selectMessage(model.state(), second)?.reactions).toMatchObject([{ userIds: [ken.user_id] }]);
    expect(selectStream(model.state(), streamId)?.message?.text).toBe('最後も');
  });

  it('[R4.6] After an expired queue, messages that another device has read meanwhile count as read', async () => {
    const { server, ids } = await story();
    const lunchId = (await server.messages())[0]?.id ?? 0;
    const { model } = await away(server, async ({ model: here }) => {
      expect(selectTotalUnread(here.state())).toBe(5);
      await server.mark(ai, [lunchId, ...ids], true);
    });
    await vi.waitFor(() => expect(selectTotalUnread(model.state())).toBe(1));
    expect(selectStream(model.state(), streamId)?.unReadCount).toBe(0);
    expect(selectStream(model.state(), lunch.stream_id)?.unReadCount).toBe(0);
  });

  it('[R4.4] After an expired queue, a member in the middle of the history reaches the missed messages without a gap', async () => {
    const { server, ids } = await story(200);
    const inTheMiddle = async ({ model }: Example) => {
      model.openAt(streamId, ids[99] ?? 0);
      await vi.waitFor(() => expect(shown(model, streamId)[0]).toBe('75'));
    };
    const tellMore = () => server.sendEach(mai, streamId, numbers(201, 230));
    const { model } = await away(server, tellMore, inTheMiddle);
    await vi.waitFor(() => expect(server.called('POST /register')).toHaveLength(2));
    while (!selectTimeline(model.state(), streamId)?.foundNewest) {
      const { length } = shown(model, streamId);
      await vi.waitFor(() => {
        model.loadNewer(streamId);
        expect(shown(model, streamId).length).toBeGreaterThan(length);
      });
    }
    expect(shown(model, streamId)).toEqual(numbers(75, 230));
  });

  it.each([
    ['a rate limit', busy, 5000],
    ['an internal error', () => errorAnswer(500, 'INTERNAL', 'broken'), 1000],
  ])(
    '[R4.4] After an expired queue, missed messages are loaded without a gap although the server first answers with %s',
    async (_, failure, milliseconds) => {
      const { server } = await story();
      const example = await away(server, async () => {
        await server.send(mai, streamId, '4');
        // The first request loads the newest messages of all conversations.
        server.fail('GET /messages', 'none', failure());
      });
      const { model, clock } = example;
      await vi.waitFor(() => expect(selectTimeline(model.state(), streamId)?.failure).toBeDefined());
      await server.send(mai, streamId, '5');
      await clock.pass(milliseconds);
      await vi.waitFor(() => expect(shown(model, streamId)).toEqual(numbers(1, 5)));
      expect(selectTimeline(model.state(), streamId)?.failure).toBeUndefined();
    },
  );
});

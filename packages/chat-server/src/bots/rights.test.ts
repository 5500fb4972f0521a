/** A bot may do at most what its owner may do now. */
import * as api from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { botOf } from '../testing/bots.ts';
import * as eg from '../testing/eg.ts';
import { inShort, queueOf } from '../testing/queue.ts';
import { atOnce } from '../turns.ts';

const square = '広場';
const organisation = eg.organisation({
  streams: [...eg.organisation().streams, { ...eg.stream(square, ['tanaka']), invite_only: false }],
});
const noStream = (name: string) => ({ msg: `Stream '${name}' does not exist` });

async function namesFor(client: eg.Client): Promise<string[]> {
  return (await client.ok(api.getSubscriptions, {})).subscriptions.map(({ name }) => name).toSorted();
}

async function contentsFor(client: eg.Client): Promise<string[]> {
  const narrow = [{ operator: 'stream', operand: eg.personnel }];
  const fetched = { anchor: 'newest', num_before: 9, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await client.ok(api.getMessages, fetched);
  return messages.filter(({ notice }) => !notice).map(({ content }) => content);
}

describe('The streams of a bot', () => {
  it('A bot reads and writes in the private streams to which its owner subscribes it, and in no other', async () => {
    const server = await eg.server({ organisation });
    const { client } = await botOf(server, 'suzuki', { streams: [eg.general] });
    const suzuki = eg.signIn(server, 'suzuki');
    await suzuki.ok(api.sendMessage, eg.streamMessage('経営の話', eg.board));
    await client.ok(api.sendMessage, eg.streamMessage('復旧しました'));
    await client.ok(api.sendMessage, eg.streamMessage('みなさんへ', square));
    expect(await client.refused(api.sendMessage, eg.streamMessage('…', eg.board))).toMatchObject(noStream(eg.board));
    const { messages } = await client.ok(api.getMessages, { anchor: 'newest', num_before: 9, num_after: 0 });
    const contents = messages.filter(({ notice }) => !notice).map(({ content }) => content);
    expect(contents).toEqual(['<p>復旧しました</p>']);
  });

  it('Nobody can subscribe a bot to a stream that its owner does not read', async () => {
    const server = await eg.server({ organisation });
    const { id } = await botOf(server, 'ito');
    for (const name of [eg.general, '新しい部屋']) {
      const refused = await eg.signIn(server, 'suzuki').refused(api.subscribe, { subscriptions: [{ name }], principals: [id] });
      expect(refused.msg).toBe('A bot cannot join a stream that its owner cannot read.');
    }
    const principals = [id, server.user('ito')];
    await eg.signIn(server, 'suzuki').ok(api.subscribe, { subscriptions: [{ name: eg.general }], principals });
  });

  it('A bot cannot create a private stream, which its owner would not read', async () => {
    const server = await eg.server({ organisation });
    const { client } = await botOf(server, 'suzuki');
    const refused = await client.refused(api.subscribe, { subscriptions: [{ name: 'ひみつの部屋' }] });
    expect(refused.msg).toBe('Insufficient permission');
  });

  it('The owner unsubscribes a bot from a stream that the owner does not manage; another member cannot', async () => {
    const server = await eg.server({ organisation });
    const { id, client } = await botOf(server, 'suzuki', { streams: [eg.general] });
    const request = { subscriptions: [eg.general], principals: [id] };
    await eg
      .signIn(server, 'tanaka')
      .ok(api.subscribe, { subscriptions: [{ name: eg.general }], principals: [server.user('ito')] });
    expect((await eg.signIn(server, 'ito').refused(api.unsubscribe, request)).msg).toBe('Insufficient permission');
    await eg.signIn(server, 'suzuki').ok(api.unsubscribe, request);
    expect(await namesFor(client)).toEqual([]);
  });

  it('A bot leaves a private stream with its owner: it reads nothing more of it, and the others receive that it left', async () => {
    const server = await eg.server({ organisation });
    const [suzuki, tanaka] = [eg.signIn(server, 'suzuki'), eg.signIn(server, 'tanaka')];
    const { id, client } = await botOf(server, 'suzuki', { streams: [eg.general, eg.numbered] });
    const { id: message_id } = await tanaka.ok(api.sendMessage, eg.streamMessage('内緒の話', eg.numbered));
    const [queue, watching] = [await queueOf(client), await queueOf(tanaka)];
    await suzuki.ok(api.unsubscribe, { subscriptions: [eg.numbered] });
    await tanaka.ok(api.sendMessage, eg.streamMessage('いなくなった後の話', eg.numbered));
    expect(await namesFor(client)).toEqual([eg.general]);
    expect((await client.refused(api.getMessage, { message_id })).msg).toBe('Invalid message(s)');
    expect((await queue.take()).map(inShort)).toEqual([
      expect.stringContaining('add read'),
      'subscription remove',
      'stream delete',
    ]);
    const left = (await watching.take()).filter((event) => event.type === 'subscription');
    expect(left.map((event) => (event.op === 'peer_remove' ? event.user_ids : event))).toEqual([[server.user('suzuki')], [id]]);
    // The bot does not return with its owner.
    await tanaka.ok(api.subscribe, { subscriptions: [{ name: eg.numbered }], principals: [server.user('suzuki')] });
    expect(await namesFor(client)).toEqual([eg.general]);
  });

  it('A bot keeps reading a public stream that its owner leaves', async () => {
    const server = await eg.server({ organisation });
    const { client } = await botOf(server, 'tanaka', { streams: [square] });
    await eg.signIn(server, 'tanaka').ok(api.unsubscribe, { subscriptions: [square] });
    expect(await namesFor(client)).toEqual([square]);
  });

  it('A bot reads of a stream with a private history only what was sent while both it and its owner were in it', async () => {
    const server = await eg.server({ organisation });
    const [tanaka, ito] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'ito')];
    await tanaka.ok(api.sendMessage, eg.streamMessage('一', eg.personnel));
    await tanaka.ok(api.subscribe, { subscriptions: [{ name: eg.personnel }], principals: [server.user('ito')] });
    await tanaka.ok(api.sendMessage, eg.streamMessage('二', eg.personnel));
    const { client } = await botOf(server, 'ito', { streams: [eg.personnel] });
    await tanaka.ok(api.sendMessage, eg.streamMessage('三', eg.personnel));
    expect([await contentsFor(ito), await contentsFor(client)]).toEqual([['二', '三'], ['三']]);
  });

  it('A bot reads the direct messages that are sent to it, which its owner does not read', async () => {
    const server = await eg.server({ organisation });
    const { id, client } = await botOf(server, 'suzuki');
    const to = api.addressDirect([id]);
    const { id: message_id } = await eg.signIn(server, 'ito').ok(api.sendMessage, { type: 'direct', to, content: '状況は？' });
    expect((await client.ok(api.getMessage, { message_id, apply_markdown: false })).message.content).toBe('状況は？');
    expect((await eg.signIn(server, 'suzuki').refused(api.getMessage, { message_id })).msg).toBe('Invalid message(s)');
  });
});

describe('The role of a bot', () => {
  it('When the owner becomes a guest, so does the bot: its queues end, and it loses the public streams', async () => {
    const server = await eg.server({ organisation });
    const { id, client } = await botOf(server, 'suzuki', { streams: [eg.general, square] });
    const queue = await queueOf(client);
    const watching = await queueOf(eg.signIn(server, 'ito'), { event_types: ['realm_user'] });
    const setRole = (role: api.Role) => eg.signIn(server, 'sato').ok(api.updateUser, { user_id: server.user('suzuki'), role });
    await setRole(api.roles.guest);
    expect(await queue.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect(await client.ok(api.getOwnUser, {})).toMatchObject({ role: api.roles.guest, is_guest: true });
    expect(await namesFor(client)).toEqual([eg.general]);
    expect(await client.refused(api.sendMessage, eg.streamMessage('…', square))).toMatchObject(noStream(square));
    await setRole(api.roles.moderator);
    expect(await client.ok(api.getOwnUser, {})).toMatchObject({ role: api.roles.member });
    const roles = (await watching.take()).flatMap((event) =>
      event.type === 'realm_user' && event.op === 'update' && event.person.user_id === id ? event.person.role : [],
    );
    expect(roles).toEqual([api.roles.guest, api.roles.member]);
  });

  it('An administrator gives a bot more rights, which end when its owner has fewer, and no bot becomes an owner', async () => {
    const server = await eg.server({ organisation });
    const tanaka = eg.signIn(server, 'tanaka');
    const [own, other] = [
      await botOf(server, 'sato'),
      await botOf(server, 'suzuki', { short_name: 'other', full_name: '別の 係' }),
    ];
    const role = api.roles.administrator;
    await tanaka.ok(api.updateBot, { bot_id: own.id, role });
    await tanaka.ok(api.updateUser, { user_id: other.id, role });
    const roleOf = async ({ client }: typeof own) => (await client.ok(api.getOwnUser, {})).role;
    expect([await roleOf(own), await roleOf(other)]).toEqual([role, api.roles.member]);
    const target = { user_id: server.user('ito'), full_name: '伊藤 真' };
    await own.client.ok(api.updateUser, target);
    await tanaka.ok(api.updateUser, { user_id: server.user('sato'), role: api.roles.member });
    expect(await roleOf(own)).toBe(api.roles.member);
    expect((await own.client.refused(api.updateUser, target)).msg).toBe('Insufficient permission');
    for (const call of [api.updateBot, api.updateUser]) {
      const ids = { bot_id: own.id, user_id: own.id };
      expect(eg.refusal(await tanaka.reply(call, { ...ids, role: api.roles.owner })).msg).toBe(
        'A bot cannot be an organization owner.',
      );
    }
  });
});

describe('Calls for people', () => {
  it.each([
    [api.updateSettings, { enter_sends: true }],
    [api.updatePresence, { status: 'active' }],
    [api.updateStatus, { status_text: '在席' }],
    [api.regenerateApiKey, {}],
    [api.createBot, { full_name: '子の 係', short_name: 'ko' }],
    [api.getBots, {}],
    [api.getDrafts, {}],
    [api.countEmojiUse, { emoji: '🍵' }],
  ])('A bot cannot call $path', async (endpoint, parameters) => {
    const server = await eg.server();
    const { client } = await botOf(server, 'suzuki');
    const { msg } = eg.refusal(await client.reply(endpoint, parameters));
    expect(msg).toBe('This endpoint does not accept bot requests.');
  });

  it('A bot for incoming webhooks sends messages and finds out who it is, but reads nothing', async () => {
    const server = await eg.server();
    const { client } = await botOf(server, 'suzuki', { bot_type: api.botTypes.incomingWebhook, streams: [eg.general] });
    const { id: message_id } = await client.ok(api.sendMessage, eg.streamMessage('復旧しました'));
    await client.ok(api.getOwnUser, {});
    const refusal = { status: 401, code: 'UNAUTHORIZED', msg: 'This API is not available to incoming webhook bots.' };
    expect(await client.refused(api.getMessage, { message_id })).toMatchObject(refusal);
    expect(await client.refused(api.registerQueue, {})).toMatchObject(refusal);
    expect(await client.refused(api.getUsers, {})).toMatchObject(refusal);
  });
});

describe('Bots are no people', () => {
  it('The people that the embedding program manages have no bots', async () => {
    const server = await eg.server();
    const { id, email } = await botOf(server, 'suzuki');
    const chat = server.running();
    const overview = atOnce(chat.overview({ userIds: [id], emails: [email], streamIds: [], also: 'everybody' }));
    const ids = [...overview.people, ...chat.allUsers(), ...chat.usersAfter(0, 100)].map(({ userId }) => userId);
    expect(ids).toContain(server.user('suzuki'));
    expect(ids).not.toContain(id);
    const change = { userId: id, fullName: '人 らしい名' };
    const reorganisation = { id: 'r', by: server.user('tanaka'), made: [], changed: [change], streams: [] };
    await expect(chat.reorganise(reorganisation)).rejects.toMatchObject({ message: 'No such user' });
  });

  it('Read receipts count no bots, although a bot has marked the message as read', async () => {
    const server = await eg.server();
    const { client } = await botOf(server, 'suzuki', { streams: [eg.general] });
    const sato = eg.signIn(server, 'sato');
    const { id: message_id } = await sato.ok(api.sendMessage, eg.streamMessage('確認してください'));
    for (const reader of [client, eg.signIn(server, 'suzuki')]) {
      await reader.ok(api.updateMessageFlags, { messages: [message_id], op: 'add', flag: 'read' });
    }
    const receipts = await sato.ok(api.getReadReceipts, { message_id });
    const others = ['tanaka', 'takahashi'].map((name) => server.user(name));
    expect(receipts).toMatchObject({ user_ids: [server.user('suzuki')], unread_user_ids: others });
    expect((await sato.ok(api.countReadReceipts, { messages: [message_id] })).read_counts).toEqual([{ message_id, count: 1 }]);
  });

  it('A bot has no presence', async () => {
    const server = await eg.server();
    const { id, client } = await botOf(server, 'suzuki');
    await queueOf(client);
    const { presences = {} } = await eg.signIn(server, 'ito').ok(api.getRealmPresence, {});
    expect(Object.keys(presences)).not.toContain('keihou-bot@chat.example');
    const refused = await eg.signIn(server, 'ito').refused(api.getUserPresence, { user_id: id });
    expect(refused.msg).toBe(`No presence data for ${id}`);
  });

  it('A message of a bot is unread for people like any other', async () => {
    const server = await eg.server();
    const { client } = await botOf(server, 'suzuki', { streams: [eg.general] });
    const { id } = await client.ok(api.sendMessage, eg.streamMessage('@**佐藤 花子** 障害です'));
    const { unread_msgs } = await eg.signIn(server, 'sato').ok(api.registerQueue, {});
    expect(unread_msgs?.mentions).toEqual([id]);
    expect(unread_msgs?.streams.flatMap(({ unread_message_ids }) => unread_message_ids)).toContain(id);
  });

  it('A guest sees a bot only while they share a conversation', async () => {
    const server = await eg.server();
    const { id } = await botOf(server, 'suzuki');
    const guest = eg.signIn(server, 'takahashi');
    expect((await guest.refused(api.getUser, { user_id: id })).msg).toBe('No such user');
    const queue = await queueOf(guest, { event_types: ['realm_user'] });
    const request = { subscriptions: [eg.general], principals: [id] };
    await eg.signIn(server, 'suzuki').ok(api.subscribe, { ...request, subscriptions: [{ name: eg.general }] });
    expect(await queue.take()).toMatchObject([{ op: 'add', person: { user_id: id, is_bot: true, bot_owner_id: null } }]);
    await eg.signIn(server, 'suzuki').ok(api.unsubscribe, request);
    expect(await queue.take()).toMatchObject([{ op: 'remove', person: { user_id: id } }]);
  });

  it('A guest receives no event about a new owner of a bot', async () => {
    const server = await eg.server();
    const { id } = await botOf(server, 'suzuki', { streams: [eg.general] });
    const queue = await queueOf(eg.signIn(server, 'takahashi'), { event_types: ['realm_user', 'realm_bot'] });
    await eg.signIn(server, 'sato').ok(api.updateBot, { bot_id: id, bot_owner_id: server.user('sato') });
    expect(await queue.take()).toEqual([]);
  });
});

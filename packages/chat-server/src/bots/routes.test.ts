import * as api from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { bots } from '../identity/bots.ts';
import { DeliveryBatch } from '../events/batch.ts';
import { botOf } from '../testing/bots.ts';
import { countQueries } from '../testing/countQueries.ts';
import { eventRow, plainQueue } from '../testing/delivery.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { botEvents } from './events.ts';

const noBot = { status: 400, code: 'BAD_REQUEST', msg: 'No such bot' };
const keyEnded = { status: 401, code: 'INVALID_API_KEY', msg: 'Invalid API key' };

const create = (number: number) => ({ full_name: `係 ${number}号`, short_name: `kakari-${number}` });

describe('POST /bots', () => {
  it('A member creates a bot, and every member sees that it is a bot and who owns it', async () => {
    const server = await eg.server();
    const { id, client } = await botOf(server, 'suzuki', { bot_type: api.botTypes.outgoingWebhook });
    const bot = {
      user_id: id,
      email: 'keihou-bot@chat.example',
      full_name: '警報 係',
      is_bot: true,
      bot_type: 3,
      bot_owner_id: server.user('suzuki'),
      role: api.roles.member,
      avatar_url: null,
    };
    const { members } = await eg.signIn(server, 'ito').ok(api.getUsers, {});
    expect(members.find(({ user_id }) => user_id === id)).toMatchObject({ ...bot, is_active: true });
    const registered = await eg.signIn(server, 'ito').ok(api.registerQueue, { fetch_event_types: ['realm_user', 'realm_bot'] });
    expect(registered.realm_users?.find(({ user_id }) => user_id === id)).toMatchObject(bot);
    expect(registered.realm_bots).toEqual([]);
    expect(await client.ok(api.getOwnUser, {})).toMatchObject(bot);
  });

  it('People have no type of bot and no owner', async () => {
    const server = await eg.server();
    const { user } = await eg.signIn(server, 'ito').ok(api.getUser, { user_id: server.user('suzuki') });
    expect([user.is_bot, 'bot_type' in user, 'bot_owner_id' in user]).toEqual([false, false, false]);
  });

  it('A guest sees a bot of their stream, but not who owns it', async () => {
    const server = await eg.server();
    const { id } = await botOf(server, 'suzuki', { streams: [eg.general] });
    const guest = eg.signIn(server, 'takahashi');
    const { user } = await guest.ok(api.getUser, { user_id: id });
    const { realm_users = [] } = await guest.ok(api.registerQueue, { fetch_event_types: ['realm_user'] });
    const listed = realm_users.find(({ user_id }) => user_id === id);
    expect([user, listed].map((each) => [each?.is_bot, each?.bot_owner_id])).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  it.each([
    ['everyone', 'suzuki', undefined],
    ['administrators', 'suzuki', 'BOT_CREATION_ADMINISTRATORS'],
    ['administrators', 'sato', undefined],
    ['nobody', 'tanaka', 'BOT_CREATION_OFF'],
    ['everyone', 'takahashi', 'BAD_REQUEST'],
  ] as const)('With the policy %s, the error code of a new bot of %s is %s', async (bot_creation, name, code) => {
    const server = await eg.server();
    await eg.signIn(server, 'sato').ok(api.updateRealm, { bot_creation });
    const reply = await eg.signIn(server, name).reply(api.createBot, { full_name: '警報 係', short_name: 'keihou' });
    expect(api.errorAnswer.safeParse(JSON.parse(reply.text)).data?.code).toBe(code);
  });

  it('PATCH /realm changes the policy, and everyone receives it in Zulip’s form and in ours', async () => {
    const server = await eg.server();
    const [sato, guest] = [eg.signIn(server, 'sato'), eg.signIn(server, 'takahashi')];
    const queue = await queueOf(guest);
    const states: unknown[] = [];
    for (const change of [{ bot_creation: 'nobody' }, { bot_creation_policy: 3 }, { bot_creation_policy: 1 }] as const) {
      await sato.ok(api.updateRealm, change);
      const { realm_bot_creation, realm_bot_creation_policy } = await guest.ok(api.registerQueue, {
        fetch_event_types: ['realm'],
      });
      states.push([realm_bot_creation_policy, realm_bot_creation]);
    }
    // Administrators may do what nobody may in Zulip's form, so its policy of administrators keeps ours of nobody.
    expect(states).toEqual([
      [3, 'nobody'],
      [3, 'nobody'],
      [1, 'everyone'],
    ]);
    expect(
      (await queue.take()).map((event) => (event.type === 'realm' ? api.realmChanges(event)['bot_creation'] : event)),
    ).toEqual(['nobody', 'everyone']);
  });

  it.each([
    ['full_name', { full_name: 'x' }, 'Name too short!'],
    ['full_name of a member', { full_name: '鈴木 一郎' }, "Another member has the name '鈴木 一郎', or one that looks the same."],
    ['short_name', { short_name: 'a b' }, 'Bad name or username'],
    ['short_name with a host', { short_name: 'keihou@example.com' }, 'Bad name or username'],
    ['empty short_name', { short_name: '' }, 'Bad name or username'],
    ['bot_type', { bot_type: 4 }, 'Invalid bot_type'],
    ['stream of others', { default_sending_stream: eg.personnel }, `Stream '${eg.personnel}' does not exist`],
  ])('An invalid %s is refused', async (_, change, msg) => {
    const server = await eg.server();
    const reply = await eg.signIn(server, 'suzuki').reply(api.createBot, {
      full_name: '警報 係',
      short_name: 'keihou',
      ...change,
    });
    expect(eg.refusal(reply).msg).toBe(msg);
    expect((await eg.signIn(server, 'suzuki').ok(api.getBots, {})).bots).toEqual([]);
  });

  it('A second bot with the same address is refused', async () => {
    const server = await eg.server();
    await botOf(server, 'suzuki');
    const refused = await eg.signIn(server, 'ito').refused(api.createBot, { full_name: '別の 係', short_name: 'Keihou-bot' });
    expect(refused).toMatchObject({ code: 'EMAIL_IN_USE', msg: "Email 'keihou-bot@chat.example' already in use" });
  });

  it('An owner has a limited number of active bots, and can create another after deactivating one', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const ids: number[] = [];
    for (let made = 0; made < api.maxActiveBots; made += 1) ids.push((await suzuki.ok(api.createBot, create(made))).user_id);
    const tooMany = { code: 'TOO_MANY_BOTS', msg: `A member can have at most ${api.maxActiveBots} active bots.` };
    expect(await suzuki.refused(api.createBot, create(99))).toMatchObject(tooMany);
    const [first = 0] = ids;
    await suzuki.ok(api.deactivateBot, { bot_id: first });
    await suzuki.ok(api.createBot, create(99));
    expect(await eg.signIn(server, 'sato').refused(api.reactivateUser, { user_id: first })).toMatchObject(tooMany);
  });
});

describe('The key of a bot', () => {
  it('A new key replaces the old one at once and ends the queues that the old one registered', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const { id, email, client } = await botOf(server, 'suzuki');
    const queue = await queueOf(client);
    const poll = client.refused(api.getEvents, { queue_id: queue.id, last_event_id: queue.cursor });
    const { api_key } = await suzuki.ok(api.regenerateBotApiKey, { bot_id: id });
    expect(await poll).toMatchObject(keyEnded);
    expect(await client.refused(api.getOwnUser, {})).toMatchObject(keyEnded);
    const renewed = eg.withKey(server, email, api_key);
    expect(await renewed.ok(api.getOwnUser, {})).toMatchObject({ user_id: id });
    expect(await renewed.refused(api.getEvents, { queue_id: queue.id, last_event_id: 0 })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
    expect(await suzuki.ok(api.getBotApiKey, { bot_id: id })).toEqual({ api_key });
  });

  it('The owner gets the key from GET /bots, register and GET /bots/{bot_id}/api_key', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const { id, email, key: api_key } = await botOf(server, 'suzuki');
    expect((await suzuki.ok(api.getBots, {})).bots).toMatchObject([{ user_id: id, username: email, api_key }]);
    const { realm_bots } = await suzuki.ok(api.registerQueue, { fetch_event_types: ['realm_bot'] });
    expect(realm_bots).toMatchObject([{ user_id: id, api_key, owner_id: server.user('suzuki'), is_active: true }]);
    expect(await suzuki.ok(api.getBotApiKey, { bot_id: id })).toEqual({ api_key });
  });

  it('An administrator who does not own a bot never gets its key', async () => {
    const server = await eg.server();
    const sato = eg.signIn(server, 'sato');
    const { id, key } = await botOf(server, 'suzuki');
    const queue = await sato.ok(api.registerQueue, {});
    expect(queue.realm_bots).toMatchObject([{ user_id: id }]);
    const { api_key } = await eg.signIn(server, 'suzuki').ok(api.regenerateBotApiKey, { bot_id: id });
    await sato.ok(api.updateBot, { bot_id: id, full_name: '警報 二号' });
    const texts = await Promise.all([
      sato.reply(api.registerQueue, {}),
      sato.reply(api.getEvents, { queue_id: queue.queue_id, last_event_id: queue.last_event_id }),
      sato.reply(api.getUsers, {}),
      sato.reply(api.getBots, {}),
    ]);
    const all = JSON.stringify([queue, texts]);
    expect([all.includes(key), all.includes(api_key), all.includes('警報 二号')]).toEqual([false, false, true]);
    const refusal = { msg: 'Insufficient permission' };
    expect(await sato.refused(api.getBotApiKey, { bot_id: id })).toMatchObject(refusal);
    expect(await sato.refused(api.regenerateBotApiKey, { bot_id: id })).toMatchObject(refusal);
  });

  it('After all keys of the server have ended, the owner gets no key until they create a new one', async () => {
    const server = await eg.server();
    const { id, email } = await botOf(server, 'suzuki');
    const suzuki = eg.signIn(server, 'suzuki');
    const { database } = fileOf(server);
    // As after a restore, but the member stays signed in.
    await database.write((tx) => void bots.forgetKeys(tx));
    const msg = 'The key of this bot has ended. Please create a new one.';
    expect((await suzuki.refused(api.getBotApiKey, { bot_id: id })).msg).toBe(msg);
    const { api_key } = await suzuki.ok(api.regenerateBotApiKey, { bot_id: id });
    expect(await eg.withKey(server, email, api_key).ok(api.getOwnUser, {})).toMatchObject({ user_id: id });
  });

  it('A bot signs in neither by a password nor by a session', async () => {
    const server = await eg.server();
    const { id, email } = await botOf(server, 'suzuki');
    for (const password of ['', eg.password]) {
      const refused = await eg.visitor(server).refused(api.fetchApiKey, { username: email, password });
      expect(refused).toMatchObject({ status: 401, code: 'AUTHENTICATION_FAILED' });
    }
    const { accounts } = server.running();
    expect([accounts.of(id), accounts.byEmail(email)]).toEqual([undefined, undefined]);
    await expect(accounts.enter(id)).rejects.toMatchObject({ message: 'No such user' });
    const hash = await accounts.hashPassword('himitsu-desu');
    await expect(accounts.setPassword(id, hash)).rejects.toMatchObject({ message: 'No such user' });
  });
});

describe('PATCH /bots/{bot_id}', () => {
  it('The owner renames a bot and chooses its default streams, and everyone receives the new name', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const { id, client } = await botOf(server, 'suzuki', { streams: [eg.general] });
    const [queue, other] = [await queueOf(suzuki), await queueOf(eg.signIn(server, 'ito'))];
    const change = { full_name: '警報 二号', default_sending_stream: eg.general, default_all_public_streams: true };
    const shown = { ...change, default_events_register_stream: null };
    expect(await suzuki.ok(api.updateBot, { bot_id: id, ...change })).toEqual({ ...shown, avatar_url: null });
    const renamed = { type: 'realm_user', op: 'update', person: { user_id: id, full_name: '警報 二号' } };
    expect(await other.take()).toMatchObject([renamed]);
    const { full_name, default_events_register_stream: _, ...defaults } = shown;
    expect(await queue.take()).toMatchObject([
      renamed,
      { type: 'realm_bot', op: 'update', bot: { user_id: id, full_name } },
      { type: 'realm_bot', op: 'update', bot: { user_id: id, ...defaults } },
    ]);
    const sent = await client.ok(api.sendMessage, { type: 'stream', topic: '障害', content: '復旧しました' });
    const { message } = await suzuki.ok(api.getMessage, { message_id: sent.id });
    expect(message).toMatchObject({ display_recipient: eg.general, sender_id: id, sender_full_name: '警報 二号' });
    await suzuki.ok(api.updateBot, { bot_id: id, default_sending_stream: '' });
    expect((await client.refused(api.sendMessage, { type: 'stream', topic: '障害', content: '…' })).msg).toBe('Missing stream');
  });

  it('A queue of a bot follows its default stream unless the bot names a narrow', async () => {
    const server = await eg.server();
    const { client } = await botOf(server, 'suzuki', {
      streams: [eg.general, eg.board],
      default_events_register_stream: eg.board,
    });
    const queues = [await queueOf(client), await queueOf(client, { narrow: [['stream', eg.general]] })];
    const suzuki = eg.signIn(server, 'suzuki');
    await suzuki.ok(api.sendMessage, eg.streamMessage('総務の話'));
    await suzuki.ok(api.sendMessage, eg.streamMessage('経営の話', eg.board));
    const contents = async (queue: (typeof queues)[number]) =>
      (await queue.take()).flatMap((event) => (event.type === 'message' ? event.message.content : []));
    expect(await Promise.all(queues.map(contents))).toEqual([['経営の話'], ['総務の話']]);
  });

  it('Members who do not own a bot can neither change nor deactivate it, and do not learn whether it exists', async () => {
    const server = await eg.server();
    const { id } = await botOf(server, 'suzuki');
    const ito = eg.signIn(server, 'ito');
    for (const bot_id of [id, server.user('suzuki'), 987_654]) {
      expect(await ito.refused(api.updateBot, { bot_id, full_name: '別の 名' })).toMatchObject(noBot);
      expect(await ito.refused(api.deactivateBot, { bot_id })).toMatchObject(noBot);
      expect(await ito.refused(api.getBotApiKey, { bot_id })).toMatchObject(noBot);
    }
  });

  it('The owner can change neither the role nor the owner of a bot', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const { id: bot_id } = await botOf(server, 'suzuki');
    for (const change of [{ role: api.roles.administrator }, { bot_owner_id: server.user('ito') }]) {
      expect((await suzuki.refused(api.updateBot, { bot_id, ...change })).msg).toBe('Insufficient permission');
    }
  });
});

describe('A bot that is given to another member', () => {
  it('The new owner gets a new key, the old key ends, and both owners receive it', async () => {
    const server = await eg.server();
    const [suzuki, ito, sato] = ['suzuki', 'ito', 'sato'].map((name) => eg.signIn(server, name));
    if (!suzuki || !ito || !sato) throw new TypeError();
    const { id, client, key } = await botOf(server, 'suzuki');
    const queues = await Promise.all(
      [suzuki, ito, sato].map((each) => queueOf(each, { event_types: ['realm_bot', 'realm_user'] })),
    );
    const owner_id = server.user('ito');
    await sato.ok(api.updateBot, { bot_id: id, bot_owner_id: owner_id });
    expect(await client.refused(api.getOwnUser, {})).toMatchObject(keyEnded);
    const { api_key } = await ito.ok(api.getBotApiKey, { bot_id: id });
    expect(api_key).not.toBe(key);
    const moved = { type: 'realm_user', op: 'update', person: { user_id: id, bot_owner_id: owner_id } };
    const events = await Promise.all(queues.map((queue) => queue.take()));
    expect(events).toMatchObject([
      [moved, { type: 'realm_bot', op: 'delete', bot: { user_id: id } }],
      [moved, { type: 'realm_bot', op: 'add', bot: { user_id: id, owner_id, api_key } }],
      [moved, { type: 'realm_bot', op: 'update', bot: { user_id: id, owner_id } }],
    ]);
    expect(JSON.stringify(events[2])).not.toContain(api_key);
    expect(await suzuki.refused(api.updateBot, { bot_id: id, full_name: '別の 名' })).toMatchObject(noBot);
  });

  it('The bot leaves the private streams that the new owner does not read', async () => {
    const server = await eg.server();
    const { id } = await botOf(server, 'suzuki', { streams: [eg.general, eg.board, eg.numbered] });
    await eg.signIn(server, 'sato').ok(api.updateBot, { bot_id: id, bot_owner_id: server.user('tanaka') });
    const { api_key } = await eg.signIn(server, 'tanaka').ok(api.getBotApiKey, { bot_id: id });
    const bot = eg.withKey(server, 'keihou-bot@chat.example', api_key);
    const { subscriptions } = await bot.ok(api.getSubscriptions, {});
    expect(subscriptions.map(({ name }) => name).toSorted()).toEqual([eg.numbered, eg.general]);
  });

  it.each([
    ['a guest', 'takahashi', 'Failed to change owner, user is a guest'],
    ['a deactivated member', 'ito', 'Failed to change owner, user is deactivated'],
    ['a bot', undefined, 'Failed to change owner, user does not exist'],
  ])('A bot cannot be given to %s', async (_, name, msg) => {
    const server = await eg.server();
    const { id } = await botOf(server, 'suzuki');
    const sato = eg.signIn(server, 'sato');
    await sato.ok(api.deactivateUser, { user_id: server.user('ito') });
    const bot_owner_id = name === undefined ? id : server.user(name);
    const refused = await sato.refused(api.updateBot, {
      bot_id: (await botOf(server, 'tanaka', { short_name: 'betsu', full_name: '別の 係' })).id,
      bot_owner_id,
    });
    expect(refused.msg).toBe(msg);
  });
});

describe('A deactivated bot', () => {
  it('The owner deactivates a bot: its key is refused, and the owner and administrators receive it', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const { id, client } = await botOf(server, 'suzuki', { streams: [eg.general] });
    const queues = [
      await queueOf(suzuki, { event_types: ['realm_bot'] }),
      await queueOf(eg.signIn(server, 'sato'), { event_types: ['realm_bot'] }),
    ];
    const other = await queueOf(eg.signIn(server, 'ito'), { event_types: ['realm_bot'] });
    await suzuki.ok(api.deactivateBot, { bot_id: id });
    expect(await client.refused(api.getOwnUser, {})).toMatchObject({ code: 'USER_DEACTIVATED' });
    for (const queue of queues) {
      expect(await queue.take()).toMatchObject([{ type: 'realm_bot', op: 'update', bot: { user_id: id, is_active: false } }]);
    }
    expect(await other.take()).toEqual([]);
    expect((await suzuki.ok(api.getBots, {})).bots).toEqual([]);
    expect((await suzuki.refused(api.getBotApiKey, { bot_id: id })).msg).toBe('User is deactivated');
  });

  it('The bots of a member are deactivated with the member and stay deactivated when the member returns', async () => {
    const server = await eg.server();
    const sato = eg.signIn(server, 'sato');
    const { id, client } = await botOf(server, 'suzuki');
    const queue = await queueOf(client);
    await sato.ok(api.deactivateUser, { user_id: server.user('suzuki') });
    expect(await client.refused(api.getOwnUser, {})).toMatchObject({ code: 'USER_DEACTIVATED' });
    expect((await sato.refused(api.reactivateUser, { user_id: id })).msg).toBe('The owner of the bot is deactivated.');
    await sato.ok(api.reactivateUser, { user_id: server.user('suzuki') });
    expect((await sato.ok(api.getUser, { user_id: id })).user.is_active).toBe(false);
    await sato.ok(api.reactivateUser, { user_id: id });
    expect(await client.ok(api.getOwnUser, {})).toMatchObject({ is_active: true });
    expect(await queue.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  it('An administrator gives a bot of a member who left to another member, and it works again', async () => {
    const server = await eg.server();
    const sato = eg.signIn(server, 'sato');
    const { id, email } = await botOf(server, 'suzuki', { streams: [eg.general, eg.board] });
    await sato.ok(api.deactivateUser, { user_id: server.user('suzuki') });
    await sato.ok(api.updateBot, { bot_id: id, bot_owner_id: server.user('sato') });
    await sato.ok(api.reactivateUser, { user_id: id });
    const { api_key } = await sato.ok(api.getBotApiKey, { bot_id: id });
    const { subscriptions } = await eg.withKey(server, email, api_key).ok(api.getSubscriptions, {});
    expect(subscriptions.map(({ name }) => name)).toEqual([eg.general]);
  });
});

it('The new owner of a bot can read the direct messages that it received before', async () => {
  const server = await eg.server();
  const { id, email } = await botOf(server, 'suzuki');
  const direct = { type: 'direct', to: api.addressDirect([id]), content: '鈴木さんの係へ' };
  const { id: message_id } = await eg.signIn(server, 'ito').ok(api.sendMessage, direct);
  const sato = eg.signIn(server, 'sato');
  await sato.ok(api.updateBot, { bot_id: id, bot_owner_id: server.user('sato') });
  const { api_key } = await sato.ok(api.getBotApiKey, { bot_id: id });
  const bot = eg.withKey(server, email, api_key);
  expect((await bot.ok(api.getMessage, { message_id, apply_markdown: false })).message.content).toBe(direct.content);
});

it('A delivery of an event about a bot reads the bot and its streams once for all recipients', async () => {
  const server = await eg.server();
  const { id } = await botOf(server, 'suzuki', { streams: [eg.general] });
  await eg.signIn(server, 'suzuki').ok(api.updateBot, { bot_id: id, default_sending_stream: eg.general });
  const { counted, queries } = countQueries(fileOf(server).database.reader);
  const serialize = new Map(botEvents).get('realm_bot');
  const event = eventRow('realm_bot', { op: 'update', userId: id, fields: ['full_name', 'default_sending_stream'] });
  const [owner, administrator, other] = [
    eg.memberOf(server, 'suzuki', api.roles.member),
    eg.memberOf(server, 'sato', api.roles.administrator),
    eg.memberOf(server, 'ito', api.roles.member),
  ];
  const batch = new DeliveryBatch(counted, []);
  const update = { bot: { user_id: id, full_name: '警報 係', default_sending_stream: eg.general } };
  expect(JSON.parse(serialize?.(event, plainQueue(owner), batch) ?? '')).toMatchObject(update);
  const first = queries();
  expect(JSON.parse(serialize?.(event, plainQueue(administrator), batch) ?? '')).toMatchObject(update);
  expect(serialize?.(event, plainQueue(other), batch)).toBeUndefined();
  expect(queries()).toBe(first);
});

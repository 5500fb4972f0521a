import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { messages } from '../messages/store.ts';
import type { Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { reactions } from './store.ts';

type Emoji = Omit<api.ParametersIn<typeof api.addReaction>, 'message_id'>;

const thumbsUp = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const;
const engawa = { emoji_name: 'engawa', emoji_code: '1', reaction_type: 'realm_emoji' } as const;
const zulip = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' } as const;

/** A message by tanaka, and functions that react to it. */
async function setup({ stream = eg.general, organisation = eg.organisation() } = {}) {
  const server = await eg.server({ organisation });
  const as = (name: string) => eg.signIn(server, name);
  const message = { type: 'stream', to: api.addressStream(stream), topic: 't', content: '縁側' };
  const { id: message_id } = await as('tanaka').ok(api.sendMessage, message);
  return {
    server,
    message_id,
    as,
    react: (name: string, emoji: Emoji) => as(name).ok(api.addReaction, { message_id, ...emoji }),
    refused: (name: string, emoji: Emoji, id = message_id) => as(name).refused(api.addReaction, { message_id: id, ...emoji }),
    unreact: (name: string, emoji: Omit<api.ParametersIn<typeof api.removeReaction>, 'message_id'>) =>
      as(name).ok(api.removeReaction, { message_id, ...emoji }),
    /** The reactions of the message. */
    async reactionsShown() {
      const request = { anchor: String(message_id), num_before: 0, num_after: 0 };
      const [found] = (await as('tanaka').ok(api.getMessages, request)).messages;
      return found?.reactions;
    },
    queueOf: (name: string) => queueOf(as(name), { event_types: ['reaction'] }),
  };
}

it('[R7.6] POST /messages/{id}/reactions stores the reaction and notifies every member who has the message', async () => {
  const { server, message_id, react, reactionsShown, queueOf } = await setup();
  const [tanaka, suzuki] = [await queueOf('tanaka'), await queueOf('suzuki')];
  expect(await react('sato', thumbsUp)).toEqual({});
  const user_id = server.user('sato');
  expect(await reactionsShown()).toEqual([{ ...thumbsUp, user_id }]);
  const event = {
    id: tanaka.cursor + 1,
    type: 'reaction',
    op: 'add',
    message_id,
    ...thumbsUp,
    user_id,
    user: { user_id, email: 'sato@example.com', full_name: '佐藤 花子' },
  };
  expect(await tanaka.take()).toEqual([event]);
  expect(await suzuki.take()).toEqual([event]);
});

it.each<[string, Emoji, typeof thumbsUp | typeof engawa | typeof zulip]>([
  ['a Unicode emoji', { emoji_name: '+1' }, thumbsUp],
  ['a custom emoji', { emoji_name: 'engawa' }, engawa],
  ['the Zulip emoji', { emoji_name: 'zulip' }, zulip],
  ['an emoji given by name and code', { emoji_name: '+1', emoji_code: '1f44d' }, thumbsUp],
  ['an emoji given by name and type', { emoji_name: 'engawa', reaction_type: 'realm_emoji' }, engawa],
  ['an emoji given completely', zulip, zulip],
])('POST /messages/{id}/reactions finds the missing name, code or type of %s', async (_, request, emoji) => {
  const { react, reactionsShown } = await setup();
  await react('sato', request);
  expect(await reactionsShown()).toMatchObject([emoji]);
});

it('POST /messages/{id}/reactions prefers a custom emoji over a Unicode emoji of the same name', async () => {
  const emoji = { name: '+1', source_url: '/1.png', author: eg.emailOf('tanaka'), deactivated: false };
  const { react, reactionsShown } = await setup({ organisation: eg.organisation({ emoji: [emoji] }) });
  await react('sato', { emoji_name: '+1' });
  await react('sato', thumbsUp);
  expect((await reactionsShown())?.map(({ reaction_type }) => reaction_type)).toEqual(['realm_emoji', 'unicode_emoji']);
});

it('A message lists its reactions in the order in which members added them', async () => {
  const { react, reactionsShown } = await setup();
  await react('suzuki', engawa);
  await react('sato', thumbsUp);
  await react('suzuki', thumbsUp);
  expect((await reactionsShown())?.map(({ emoji_name }) => emoji_name)).toEqual(['engawa', '+1', '+1']);
});

it('POST /messages/{id}/reactions refuses a member’s second reaction with the same emoji, even under another name', async () => {
  const { react, refused, reactionsShown } = await setup();
  await react('sato', thumbsUp);
  for (const emoji_name of ['+1', 'thumbs_up', 'nothing']) {
    expect(await refused('sato', { ...thumbsUp, emoji_name })).toMatchObject({
      status: 400,
      code: 'REACTION_ALREADY_EXISTS',
      msg: 'Reaction already exists.',
    });
  }
  expect(await reactionsShown()).toHaveLength(1);
});

it('A member’s reaction with an emoji that the message already has gets the name of the earlier reaction, even for a removed emoji', async () => {
  const { server, react, reactionsShown, queueOf } = await setup();
  await react('sato', thumbsUp);
  await react('sato', engawa);
  const { database } = fileOf(server);
  await database.write((tx) => deactivateEmoji(tx, 'engawa'));
  const tanaka = await queueOf('tanaka');
  await react('suzuki', { ...thumbsUp, emoji_name: 'no such name' });
  await react('suzuki', { ...engawa, emoji_name: 'nor this' });
  expect((await reactionsShown())?.map(({ emoji_name }) => emoji_name)).toEqual(['+1', 'engawa', '+1', 'engawa']);
  expect(await tanaka.take()).toMatchObject([{ emoji_name: '+1' }, { emoji_name: 'engawa' }]);
});

it.each<[string, Emoji]>([
  ["Emoji 'no_such' does not exist", { emoji_name: 'no_such' }],
  ["Emoji 'no_such' does not exist", { emoji_name: 'no_such', emoji_code: '1f44d' }],
  ["Emoji 'old_engawa' does not exist", { emoji_name: 'old_engawa' }],
  ['Invalid emoji code.', { ...thumbsUp, emoji_code: 'ffff' }],
  ['Invalid emoji code.', { ...thumbsUp, emoji_code: '1F44D' }],
  ['Invalid emoji code.', { ...zulip, emoji_code: 'engawa' }],
  ['Invalid emoji name.', { ...thumbsUp, emoji_name: '-1' }],
  ['Invalid emoji name.', { ...thumbsUp, emoji_name: '<script>' }],
  ['Invalid emoji name.', { ...zulip, emoji_name: 'engawa' }],
  ['Invalid emoji type.', { ...thumbsUp, reaction_type: 'emoji' }],
  ['Invalid custom emoji.', { ...engawa, emoji_code: '987' }],
  ['Invalid custom emoji.', { ...engawa, emoji_code: '01' }],
  ['Invalid custom emoji.', { ...engawa, emoji_code: 'engawa' }],
  ['Invalid custom emoji name.', { ...engawa, emoji_name: 'old_engawa' }],
  ['This custom emoji has been deactivated.', { ...engawa, emoji_name: 'old_engawa', emoji_code: '2' }],
])('POST /messages/{id}/reactions refuses a reaction with the error “%s”: %j', async (msg, emoji) => {
  const { refused, reactionsShown, queueOf } = await setup();
  const tanaka = await queueOf('tanaka');
  expect(await refused('sato', emoji)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  expect(await reactionsShown()).toEqual([]);
  expect(await tanaka.take()).toEqual([]);
});

it('POST /messages/{id}/reactions refuses a call without emoji_name', async () => {
  const { message_id, as } = await setup();
  const path = `/messages/${message_id}/reactions`;
  const refusal = eg.refusal(await as('sato').raw({ method: 'POST', path, form: { emoji_code: '1f44d' } }));
  expect(refusal).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'emoji_name' argument" });
});

it('POST /messages/{id}/reactions refuses more than 500 reactions to a message, and accepts one again after one was removed', async () => {
  const { server, message_id, react, refused, unreact } = await setup();
  await react('sato', engawa);
  const { database } = fileOf(server);
  await database.write((tx) => {
    for (let index = 1; index < api.maxReactionsPerMessage; index += 1) {
      const emoji = { emoji_name: '+1', emoji_code: `${index}`, reaction_type: 'unicode_emoji' } as const;
      reactions.insert(tx, { message_id, user_id: server.user('tanaka'), ...emoji });
    }
  });
  expect(await refused('suzuki', engawa)).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    msg: 'Too many reactions to this message (limit: 500).',
  });
  await unreact('sato', engawa);
  await react('suzuki', engawa);
});

const deactivateEmoji = queries.run((query, name: Value<string>) =>
  query.updateTable('realm_emoji').set({ deactivated: 1 }).where('name', '=', name),
);

it('[R7.6] DELETE /messages/{id}/reactions removes the caller’s reaction and sends an event to every member who has the message', async () => {
  const { server, message_id, react, unreact, reactionsShown, queueOf } = await setup();
  await react('suzuki', thumbsUp);
  await react('sato', thumbsUp);
  const tanaka = await queueOf('tanaka');
  expect(await unreact('sato', { emoji_code: '1f44d' })).toEqual({});
  expect(await reactionsShown()).toEqual([{ ...thumbsUp, user_id: server.user('suzuki') }]);
  const user_id = server.user('sato');
  expect(await tanaka.take()).toEqual([
    {
      id: tanaka.cursor,
      type: 'reaction',
      op: 'remove',
      message_id,
      ...thumbsUp,
      user_id,
      user: { user_id, email: 'sato@example.com', full_name: '佐藤 花子' },
    },
  ]);
});

it.each([
  ['name', thumbsUp, { emoji_name: 'thumbs_up' }],
  ['code', thumbsUp, { emoji_code: '1f44d' }],
  ['code, whatever name is with it', thumbsUp, { emoji_name: 'no such', emoji_code: '1f44d' }],
  ['name and type', engawa, { emoji_name: 'engawa', reaction_type: 'realm_emoji' }],
  ['code and type', zulip, { emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }],
])('DELETE /messages/{id}/reactions finds the reaction by %s', async (_, emoji, request) => {
  const { react, unreact, reactionsShown } = await setup();
  await react('sato', emoji);
  await unreact('sato', request);
  expect(await reactionsShown()).toEqual([]);
});

it.each([
  ['was never added', { emoji_code: '1f389' }],
  ['belongs to another member', thumbsUp],
  ['has another type (Unicode by default)', { emoji_name: 'engawa' }],
  ['has an unknown type', { ...engawa, reaction_type: 'emoji' }],
])('DELETE /messages/{id}/reactions refuses to remove a reaction that %s', async (_, request) => {
  const { message_id, as, react } = await setup();
  await react('suzuki', thumbsUp);
  await react('sato', engawa);
  expect(await as('sato').refused(api.removeReaction, { message_id, ...request })).toMatchObject({
    status: 400,
    code: 'REACTION_DOES_NOT_EXIST',
    msg: "Reaction doesn't exist.",
  });
});

it.each([
  ['At least one of the following arguments must be present: emoji_name, emoji_code', {}],
  ["Emoji 'no_such' does not exist", { emoji_name: 'no_such' }],
])('DELETE /messages/{id}/reactions refuses a call with the error “%s”', async (msg, request) => {
  const { message_id, as } = await setup();
  expect(await as('sato').refused(api.removeReaction, { message_id, ...request })).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    msg,
  });
});

it('A member can add and remove the same reaction several times', async () => {
  const { react, unreact, reactionsShown } = await setup();
  for (let times = 0; times < 3; times += 1) {
    await react('sato', thumbsUp);
    await unreact('sato', thumbsUp);
  }
  expect(await reactionsShown()).toEqual([]);
});

it.each([
  ['an outsider', async () => 'ito'],
  [
    'a member who left',
    async (server: eg.Server) => {
      await leaves(server, 'suzuki', eg.general);
      return 'suzuki';
    },
  ],
])('[R6.1] The server refuses reactions by %s to a message that they may not read', async (_, outsider) => {
  const { server, message_id, as, refused, react, reactionsShown } = await setup();
  await react('suzuki', thumbsUp);
  const name = await outsider(server);
  const missing = await refused(name, thumbsUp, 987);
  expect(missing).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid message(s)' });
  expect(await refused(name, thumbsUp)).toEqual(missing);
  // The error does not reveal that the emoji is invalid.
  expect(await refused(name, { emoji_name: 'no_such' })).toEqual(missing);
  for (const request of [thumbsUp, {}]) {
    expect(await as(name).refused(api.removeReaction, { message_id, ...request })).toEqual(missing);
  }
  expect(await reactionsShown()).toHaveLength(1);
});

it('[R6.1] In a stream without shared history, a member cannot react to a message from before they joined', async () => {
  const { server, refused } = await setup({ stream: eg.personnel });
  await joins(server, 'ito', eg.personnel);
  expect(await refused('ito', thumbsUp)).toMatchObject({ msg: 'Invalid message(s)' });
});

it('[R6.1] A member cannot react to a deleted message', async () => {
  const { server, message_id, refused } = await setup();
  const { database } = fileOf(server);
  await database.write((tx) => messages.blank(tx, message_id, 1));
  expect(await refused('tanaka', thumbsUp)).toMatchObject({ msg: 'Invalid message(s)' });
});

it('[R6.1] Members outside a stream, those who joined after a message, and those who left get no events about its reactions', async () => {
  const { server, react, queueOf } = await setup({ stream: eg.personnel });
  const [suzuki, ito, sato] = [await queueOf('suzuki'), await queueOf('ito'), await queueOf('sato')];
  await react('tanaka', thumbsUp);
  await joins(server, 'ito', eg.personnel);
  await react('tanaka', engawa);
  await leaves(server, 'sato', eg.personnel);
  await react('tanaka', zulip);
  for (const queue of [suzuki, ito, sato]) expect(await queue.take()).toEqual([]);
});

it('[R6.1] A member who joins a stream with shared history gets events about later reactions to old messages', async () => {
  const { server, react, queueOf } = await setup();
  const ito = await queueOf('ito');
  await react('sato', thumbsUp);
  await joins(server, 'ito', eg.general);
  await react('sato', engawa);
  expect(await ito.take()).toMatchObject([{ emoji_name: 'engawa' }]);
});

it('A poll after a message and its reactions gets the message without reactions and then one event for each reaction', async () => {
  const { server, as, react } = await setup();
  const sato = await queueOf(as('sato'));
  const { id } = await as('tanaka').ok(api.sendMessage, { type: 'stream', to: eg.general, topic: 't', content: '庭' });
  await as('suzuki').ok(api.addReaction, { message_id: id, ...thumbsUp });
  await react('suzuki', engawa);
  expect(await sato.take()).toMatchObject([
    { type: 'message', message: { id, reactions: [] } },
    { type: 'reaction', message_id: id, user_id: server.user('suzuki') },
    { type: 'reaction', emoji_name: 'engawa' },
  ]);
});

it('A queue that has not polled during a thousand reaction changes gets each of them once, in order', async () => {
  const { react, unreact, queueOf } = await setup();
  const sato = await queueOf('sato');
  for (let times = 0; times < 600; times += 1) {
    await react('tanaka', thumbsUp);
    await unreact('tanaka', thumbsUp);
  }
  const received: string[] = [];
  for (let events = await sato.take(); events.length > 0; events = await sato.take()) {
    received.push(...events.map((event) => (event.type === 'reaction' ? event.op : event.type)));
  }
  expect(received).toEqual(Array.from({ length: 600 }, () => ['add', 'remove']).flat());
});

it('A queue that polls after a message was deleted gets no events about reactions to it', async () => {
  const { message_id, as, react } = await setup();
  const sato = await queueOf(as('sato'));
  await react('tanaka', thumbsUp);
  await as('tanaka').ok(api.deleteMessage, { message_id });
  expect((await sato.take()).map(({ type }) => type)).toEqual(['delete_message', 'stream']);
});

it('Everyone except guests gets the event of a reaction in a public stream', async () => {
  const open = { ...eg.stream('掲示板', ['tanaka']), invite_only: false };
  const organisation = eg.organisation({ streams: [...eg.organisation().streams, open] });
  const { react, refused, queueOf } = await setup({ stream: open.name, organisation });
  const [ito, takahashi] = [await queueOf('ito'), await queueOf('takahashi')];
  await react('suzuki', thumbsUp);
  expect(await ito.take()).toMatchObject([{ emoji_name: '+1' }]);
  expect(await takahashi.take()).toEqual([]);
  expect(await refused('takahashi', engawa)).toMatchObject({ msg: 'Invalid message(s)' });
});

it('The participants of a direct conversation get the event of a reaction to a direct message', async () => {
  const { server, as, queueOf } = await setup();
  const to = api.addressDirect([server.user('ito')]);
  const { id: message_id } = await as('tanaka').ok(api.sendMessage, { type: 'direct', to, content: '内緒' });
  const [tanaka, ito, sato] = [await queueOf('tanaka'), await queueOf('ito'), await queueOf('sato')];
  await as('ito').ok(api.addReaction, { message_id, ...thumbsUp });
  for (const queue of [tanaka, ito]) expect(await queue.take()).toMatchObject([{ op: 'add', message_id }]);
  expect(await sato.take()).toEqual([]);
  const refusal = await as('sato').refused(api.addReaction, { message_id, ...thumbsUp });
  expect(refusal).toMatchObject({ msg: 'Invalid message(s)' });
});

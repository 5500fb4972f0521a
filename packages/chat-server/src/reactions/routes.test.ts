import {
  type ParametersIn,
  addReaction,
  addressDirect,
  addressStream,
  deleteMessage,
  getMessages,
  maxReactionsPerMessage,
  removeReaction,
  sendMessage,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { messages } from '../messages/store.ts';
import { statement } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf, joins, leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { reactions } from './store.ts';

type Emoji = Omit<ParametersIn<typeof addReaction>, 'message_id'>;

const thumbsUp = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' } as const;
const engawa = { emoji_name: 'engawa', emoji_code: '1', reaction_type: 'realm_emoji' } as const;
const zulip = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' } as const;

/** A message of 田中's, and who reacts to it. */
async function said({ stream = eg.general, organisation = eg.organisation() } = {}) {
  const server = await eg.server({ organisation });
  const as = (name: string) => eg.signIn(server, name);
  const message = { type: 'stream', to: addressStream(stream), topic: 't', content: '縁側' };
  const { id: message_id } = await as('tanaka').ok(sendMessage, message);
  return {
    server,
    message_id,
    as,
    react: (name: string, emoji: Emoji) => as(name).ok(addReaction, { message_id, ...emoji }),
    refused: (name: string, emoji: Emoji, id = message_id) => as(name).refused(addReaction, { message_id: id, ...emoji }),
    takeBack: (name: string, emoji: Omit<ParametersIn<typeof removeReaction>, 'message_id'>) =>
      as(name).ok(removeReaction, { message_id, ...emoji }),
    /** Who has reacted with what. */
    async shown() {
      const asked = { anchor: String(message_id), num_before: 0, num_after: 0 };
      const [found] = (await as('tanaka').ok(getMessages, asked)).messages;
      return found?.reactions;
    },
    queueOf: (name: string) => queueOf(as(name), { event_types: ['reaction'] }),
  };
}

describe('POST /messages/{id}/reactions', () => {
  it('[R7.6] reacts, and tells everyone who has the message', async () => {
    const { server, message_id, react, shown, queueOf } = await said();
    const [tanaka, suzuki] = [await queueOf('tanaka'), await queueOf('suzuki')];
    expect(await react('sato', thumbsUp)).toEqual({});
    const user_id = server.user('sato');
    expect(await shown()).toEqual([{ ...thumbsUp, user_id }]);
    const told = {
      id: tanaka.cursor + 1,
      type: 'reaction',
      op: 'add',
      message_id,
      ...thumbsUp,
      user_id,
      user: { user_id, email: 'sato@example.com', full_name: '佐藤 花子' },
    };
    expect(await tanaka.take()).toEqual([told]);
    expect(await suzuki.take()).toEqual([told]);
  });

  it.each<[string, Emoji, typeof thumbsUp | typeof engawa | typeof zulip]>([
    ['a Unicode emoji', { emoji_name: '+1' }, thumbsUp],
    ['one of the organisation’s own', { emoji_name: 'engawa' }, engawa],
    ['the extra one', { emoji_name: 'zulip' }, zulip],
    ['one whose code alone is known', { emoji_name: '+1', emoji_code: '1f44d' }, thumbsUp],
    ['one whose type alone is known', { emoji_name: 'engawa', reaction_type: 'realm_emoji' }, engawa],
    ['one that is said in full', zulip, zulip],
  ])('looks up what was not said of %s', async (_, asked, emoji) => {
    const { react, shown } = await said();
    await react('sato', asked);
    expect(await shown()).toMatchObject([emoji]);
  });

  it('takes the organisation’s own emoji before a Unicode one of the same name', async () => {
    const emoji = { name: '+1', source_url: '/1.png', author: eg.emailOf('tanaka'), deactivated: false };
    const { react, shown } = await said({ organisation: eg.organisation({ emoji: [emoji] }) });
    await react('sato', { emoji_name: '+1' });
    await react('sato', thumbsUp);
    expect((await shown())?.map(({ reaction_type }) => reaction_type)).toEqual(['realm_emoji', 'unicode_emoji']);
  });

  it('shows each reaction in the order in which they came, one member’s several too', async () => {
    const { react, shown } = await said();
    await react('suzuki', engawa);
    await react('sato', thumbsUp);
    await react('suzuki', thumbsUp);
    expect((await shown())?.map(({ emoji_name }) => emoji_name)).toEqual(['engawa', '+1', '+1']);
  });

  it('refuses the same reaction twice, whatever it is called', async () => {
    const { react, refused, shown } = await said();
    await react('sato', thumbsUp);
    for (const emoji_name of ['+1', 'thumbs_up', 'nothing']) {
      expect(await refused('sato', { ...thumbsUp, emoji_name })).toMatchObject({
        status: 400,
        code: 'REACTION_ALREADY_EXISTS',
        msg: 'Reaction already exists.',
      });
    }
    expect(await shown()).toHaveLength(1);
  });

  it('names a reaction as whoever came first did, without a look at what it is called now', async () => {
    const { server, react, shown, queueOf } = await said();
    await react('sato', thumbsUp);
    await react('sato', engawa);
    const { database } = fileOf(server);
    await database.write((tx) => void tx.run(takeAway, { name: 'engawa' }));
    const tanaka = await queueOf('tanaka');
    await react('suzuki', { ...thumbsUp, emoji_name: 'no such name' });
    await react('suzuki', { ...engawa, emoji_name: 'nor this' });
    expect((await shown())?.map(({ emoji_name }) => emoji_name)).toEqual(['+1', 'engawa', '+1', 'engawa']);
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
  ])('says what is wrong: %s, %j', async (msg, emoji) => {
    const { refused, shown, queueOf } = await said();
    const tanaka = await queueOf('tanaka');
    expect(await refused('sato', emoji)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
    expect(await shown()).toEqual([]);
    expect(await tanaka.take()).toEqual([]);
  });

  it('asks for a name', async () => {
    const { message_id, as } = await said();
    const path = `/messages/${message_id}/reactions`;
    const refusal = eg.refusal(await as('sato').raw({ method: 'POST', path, form: { emoji_code: '1f44d' } }));
    expect(refusal).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'emoji_name' argument" });
  });

  it('takes so many reactions to one message and refuses more, until one is taken back', async () => {
    const { server, message_id, react, refused, takeBack } = await said();
    await react('sato', engawa);
    const { database } = fileOf(server);
    await database.write((tx) => {
      for (let index = 1; index < maxReactionsPerMessage; index += 1) {
        const emoji = { emoji_name: '+1', emoji_code: `${index}`, reaction_type: 'unicode_emoji' } as const;
        reactions.insert(tx, { message_id, user_id: server.user('tanaka'), ...emoji });
      }
    });
    expect(await refused('suzuki', engawa)).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'Too many reactions to this message (limit: 500).',
    });
    await takeBack('sato', engawa);
    await react('suzuki', engawa);
  });
});

const takeAway = statement<{ name: string }>()((query, value) =>
  query.updateTable('realm_emoji').set({ deactivated: 1 }).where('name', '=', value.name),
);

describe('DELETE /messages/{id}/reactions', () => {
  it('[R7.6] takes one’s own reaction back and leaves those of others, and tells everyone', async () => {
    const { server, message_id, react, takeBack, shown, queueOf } = await said();
    await react('suzuki', thumbsUp);
    await react('sato', thumbsUp);
    const tanaka = await queueOf('tanaka');
    expect(await takeBack('sato', { emoji_code: '1f44d' })).toEqual({});
    expect(await shown()).toEqual([{ ...thumbsUp, user_id: server.user('suzuki') }]);
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
  ])('finds it by %s', async (_, emoji, asked) => {
    const { react, takeBack, shown } = await said();
    await react('sato', emoji);
    await takeBack('sato', asked);
    expect(await shown()).toEqual([]);
  });

  it.each([
    ['was never made', { emoji_code: '1f389' }],
    ['is another’s', thumbsUp],
    ['is of another type, Unicode unless it is said', { emoji_name: 'engawa' }],
    ['is of no type that there is', { ...engawa, reaction_type: 'emoji' }],
  ])('refuses one that %s', async (_, asked) => {
    const { message_id, as, react } = await said();
    await react('suzuki', thumbsUp);
    await react('sato', engawa);
    expect(await as('sato').refused(removeReaction, { message_id, ...asked })).toMatchObject({
      status: 400,
      code: 'REACTION_DOES_NOT_EXIST',
      msg: "Reaction doesn't exist.",
    });
  });

  it.each([
    ['At least one of the following arguments must be present: emoji_name, emoji_code', {}],
    ["Emoji 'no_such' does not exist", { emoji_name: 'no_such' }],
  ])('says what is wrong: %s', async (msg, asked) => {
    const { message_id, as } = await said();
    expect(await as('sato').refused(removeReaction, { message_id, ...asked })).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      msg,
    });
  });

  it('is gone for good, also when it was made and taken back again and again', async () => {
    const { react, takeBack, shown } = await said();
    for (let times = 0; times < 3; times += 1) {
      await react('sato', thumbsUp);
      await takeBack('sato', thumbsUp);
    }
    expect(await shown()).toEqual([]);
  });
});

describe('[R6.1] a message that one may not read', () => {
  it.each([
    ['to an outsider', async () => 'ito'],
    [
      'to one who left',
      async (server: eg.Server) => {
        await leaves(server, 'suzuki', eg.general);
        return 'suzuki';
      },
    ],
  ])('takes no reactions and gives none back: %s', async (_, outsider) => {
    const { server, message_id, as, refused, react, shown } = await said();
    await react('suzuki', thumbsUp);
    const name = await outsider(server);
    const missing = await refused(name, thumbsUp, 987);
    expect(missing).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Invalid message(s)' });
    expect(await refused(name, thumbsUp)).toEqual(missing);
    // Not even that the emoji would be wrong is said.
    expect(await refused(name, { emoji_name: 'no_such' })).toEqual(missing);
    for (const asked of [thumbsUp, {}]) {
      expect(await as(name).refused(removeReaction, { message_id, ...asked })).toEqual(missing);
    }
    expect(await shown()).toHaveLength(1);
  });

  it('is also one from before a stay in a stream without shared history', async () => {
    const { server, refused } = await said({ stream: eg.personnel });
    await joins(server, 'ito', eg.personnel);
    expect(await refused('ito', thumbsUp)).toMatchObject({ msg: 'Invalid message(s)' });
  });

  it('is one that was deleted', async () => {
    const { server, message_id, refused } = await said();
    const { database } = fileOf(server);
    await database.write((tx) => messages.blank(tx, message_id, 1));
    expect(await refused('tanaka', thumbsUp)).toMatchObject({ msg: 'Invalid message(s)' });
  });

  it('tells of no reactions: not to an outsider, nor to those who came later or have left', async () => {
    const { server, react, queueOf } = await said({ stream: eg.personnel });
    const [suzuki, ito, sato] = [await queueOf('suzuki'), await queueOf('ito'), await queueOf('sato')];
    await react('tanaka', thumbsUp);
    await joins(server, 'ito', eg.personnel);
    await react('tanaka', engawa);
    await leaves(server, 'sato', eg.personnel);
    await react('tanaka', zulip);
    for (const queue of [suzuki, ito, sato]) expect(await queue.take()).toEqual([]);
  });

  it('tells one who joined a stream with shared history of what is reacted from then on', async () => {
    const { server, react, queueOf } = await said();
    const ito = await queueOf('ito');
    await react('sato', thumbsUp);
    await joins(server, 'ito', eg.general);
    await react('sato', engawa);
    expect(await ito.take()).toMatchObject([{ emoji_name: 'engawa' }]);
  });
});

it('a queue that hears late of a message and of a reaction to it hears of the reaction once', async () => {
  const { server, as, react } = await said();
  const sato = await queueOf(as('sato'));
  const { id } = await as('tanaka').ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content: '庭' });
  await as('suzuki').ok(addReaction, { message_id: id, ...thumbsUp });
  await react('suzuki', engawa);
  expect(await sato.take()).toMatchObject([
    { type: 'message', message: { id, reactions: [] } },
    { type: 'reaction', message_id: id, user_id: server.user('suzuki') },
    { type: 'reaction', emoji_name: 'engawa' },
  ]);
});

it('a queue that polls slowly hears a thousand reactions in order, each once', async () => {
  const { react, takeBack, queueOf } = await said();
  const sato = await queueOf('sato');
  for (let times = 0; times < 600; times += 1) {
    await react('tanaka', thumbsUp);
    await takeBack('tanaka', thumbsUp);
  }
  const heard: string[] = [];
  for (let events = await sato.take(); events.length > 0; events = await sato.take()) {
    heard.push(...events.map((event) => (event.type === 'reaction' ? event.op : event.type)));
  }
  expect(heard).toEqual(Array.from({ length: 600 }, () => ['add', 'remove']).flat());
});

it('a queue that hears late hears nothing of reactions to a message that is gone', async () => {
  const { message_id, as, react } = await said();
  const sato = await queueOf(as('sato'));
  await react('tanaka', thumbsUp);
  await as('tanaka').ok(deleteMessage, { message_id });
  expect((await sato.take()).map(({ type }) => type)).toEqual(['delete_message', 'stream']);
});

it('a reaction in a public stream is heard by all but guests', async () => {
  const open = { ...eg.stream('掲示板', ['tanaka']), invite_only: false };
  const organisation = eg.organisation({ streams: [...eg.organisation().streams, open] });
  const { react, refused, queueOf } = await said({ stream: open.name, organisation });
  const [ito, takahashi] = [await queueOf('ito'), await queueOf('takahashi')];
  await react('suzuki', thumbsUp);
  expect(await ito.take()).toMatchObject([{ emoji_name: '+1' }]);
  expect(await takahashi.take()).toEqual([]);
  expect(await refused('takahashi', engawa)).toMatchObject({ msg: 'Invalid message(s)' });
});

it('a reaction to a direct message is heard by those who take part', async () => {
  const { server, as, queueOf } = await said();
  const to = addressDirect([server.user('ito')]);
  const { id: message_id } = await as('tanaka').ok(sendMessage, { type: 'direct', to, content: '内緒' });
  const [tanaka, ito, sato] = [await queueOf('tanaka'), await queueOf('ito'), await queueOf('sato')];
  await as('ito').ok(addReaction, { message_id, ...thumbsUp });
  for (const queue of [tanaka, ito]) expect(await queue.take()).toMatchObject([{ op: 'add', message_id }]);
  expect(await sato.take()).toEqual([]);
  const refusal = await as('sato').refused(addReaction, { message_id, ...thumbsUp });
  expect(refusal).toMatchObject({ msg: 'Invalid message(s)' });
});

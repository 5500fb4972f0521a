import {
  type ParametersIn,
  getEvents,
  getMessages,
  getStream,
  getStreams,
  getSubscriptions,
  maxSubscriptionsPerCall,
  registerQueue,
  roles,
  sendMessage,
  subscribe,
  unsubscribe,
  updateMessageFlags,
  updateSubscriptions,
  updateUser,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { statement } from '../schema.ts';
import { audit, company, inside, leaver, outside, sales, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';

type Wanted = Omit<ParametersIn<typeof subscribe>, 'subscriptions'>;

const wanted = (names: readonly string[], more: Wanted) => ({
  subscriptions: names.map((name) => ({ name })),
  ...more,
});

/** Somebody who asks for streams. */
async function asking(name: string) {
  const server = await company();
  const client = eg.signIn(server, name);
  return {
    server,
    client,
    subscribes: (names: readonly string[], more: Wanted = {}) => client.ok(subscribe, wanted(names, more)),
    subscribesInVain: async (names: readonly string[], more: Wanted = {}) =>
      (await client.refused(subscribe, wanted(names, more))).msg,
    async streamCalled(stream: string) {
      const { streams } = await eg.signIn(server, outside.owner).ok(getStreams, { include_all_active: true });
      return streams.find((each) => each.name === stream);
    },
  };
}

const deactivate = statement<{ id: number }>()((query, value) =>
  query.updateTable('user').set({ is_active: 0 }).where('id', '=', value.id),
);

describe('POST /users/me/subscriptions', () => {
  it('[R7.6] subscribes me to what is there and makes what is not', async () => {
    const { server, client, subscribes } = await asking(outside.member);
    const me = server.user(outside.member);
    expect(await subscribes([square, '企画'])).toEqual({ subscribed: { [me]: [square, '企画'] }, already_subscribed: {} });
    expect(await subscribes([square, '総務'])).toEqual({
      subscribed: { [me]: ['総務'] },
      already_subscribed: { [me]: [square] },
    });
    const { subscriptions } = await client.ok(getSubscriptions, {});
    expect(subscriptions.map(({ name }) => name)).toEqual([square, '企画', '総務']);
  });

  it('[R2.7.2] subscribes those whom it names, by id or email, each once, and me only if I am among them', async () => {
    const { server, client, subscribes } = await asking('ito');
    const [suzuki, mori] = [server.user('suzuki'), server.user('mori')];
    expect(await subscribes([sales, '企画'], { principals: [suzuki, mori, suzuki] })).toEqual({
      subscribed: { [suzuki]: [sales, '企画'], [mori]: ['企画'] },
      already_subscribed: { [mori]: [sales] },
    });
    expect(await subscribes(['総務'], { principals: ['Suzuki@example.com'] })).toMatchObject({
      subscribed: { [suzuki]: ['総務'] },
    });
    const { subscriptions } = await client.ok(getSubscriptions, {});
    expect(subscriptions.map(({ name }) => name)).toEqual([square, sales, audit]);
  });

  it('names me where it names nobody', async () => {
    const { server, subscribes } = await asking('suzuki');
    expect(await subscribes(['企画'], { principals: [] })).toMatchObject({
      subscribed: { [server.user('suzuki')]: ['企画'] },
    });
  });

  it('takes names as the same that differ in case, width or space around them', async () => {
    const { server, subscribes, streamCalled } = await asking('suzuki');
    const me = server.user('suzuki');
    expect(await subscribes([' Lunch ', 'LUNCH', 'ｌｕｎｃｈ'])).toMatchObject({ subscribed: { [me]: ['Lunch'] } });
    expect(await subscribes(['lunch'])).toMatchObject({ already_subscribed: { [me]: ['Lunch'] } });
    expect(await streamCalled('Lunch')).toMatchObject({ creator_id: me });
  });

  it('takes a description on one line, and a colour', async () => {
    const { client, streamCalled } = await asking('suzuki');
    const subscriptions = [{ name: '企画', description: '一行\n二行 <b>', color: '#A0B1C2' }];
    await client.ok(subscribe, { subscriptions });
    expect(await streamCalled('企画')).toMatchObject({
      description: '一行 二行 <b>',
      rendered_description: '一行 二行 &#60;b&#62;',
    });
    const {
      subscriptions: [mine],
    } = await client.ok(getSubscriptions, {});
    expect(mine).toMatchObject({ color: '#a0b1c2' });
  });

  it.each<[string, Wanted, { invite_only: boolean; history_public_to_subscribers: boolean }]>([
    ['nothing is said', {}, { invite_only: true, history_public_to_subscribers: true }],
    [
      'only its history is to be closed',
      { history_public_to_subscribers: false },
      { invite_only: true, history_public_to_subscribers: false },
    ],
    ['it is to be private', { invite_only: true }, { invite_only: true, history_public_to_subscribers: false }],
    [
      'it is to be private with a shared history',
      { invite_only: true, history_public_to_subscribers: true },
      { invite_only: true, history_public_to_subscribers: true },
    ],
    ['it is to be public', { invite_only: false }, { invite_only: false, history_public_to_subscribers: true }],
  ])('[R6.1] makes a stream as it is asked to: %s', async (_, asked, expected) => {
    const { subscribes, streamCalled } = await asking(outside.administrator);
    await subscribes(['企画'], asked);
    expect(await streamCalled('企画')).toMatchObject(expected);
  });

  it('[R6.1] [R6.3] makes public streams for administrators only', async () => {
    for (const who of [outside.moderator, outside.member]) {
      const { subscribesInVain, streamCalled } = await asking(who);
      expect(await subscribesInVain(['企画'], { invite_only: false })).toBe('Insufficient permission');
      expect(await streamCalled('企画')).toBeUndefined();
    }
  });

  it('[R6.3] makes nothing for guests, and says the same to them whatever they name', async () => {
    for (const who of [outside.guest, inside.guest]) {
      const { subscribesInVain, streamCalled } = await asking(who);
      for (const name of ['企画', square, sales]) {
        expect(await subscribesInVain([name])).toBe('Not allowed for guest users');
        const others = { principals: [eg.emailOf('suzuki')] };
        expect(await subscribesInVain([name], others)).toBe('Not allowed for guest users');
      }
      expect(await streamCalled('企画')).toBeUndefined();
    }
  });

  it('[R6.1] makes no second stream of a name that one has which the caller cannot see, nor tells more', async () => {
    for (const who of [outside.owner, outside.administrator, outside.moderator, outside.member, leaver]) {
      const { client, subscribesInVain } = await asking(who);
      expect(await subscribesInVain([` ${sales}　`])).toBe(`Unable to access stream (${sales}).`);
      const besides = await subscribesInVain(['企画', sales], { invite_only: true });
      expect(besides).toBe(`Unable to access stream (${sales}).`);
      const { streams } = await client.ok(getStreams, {});
      expect(streams.map(({ name }) => name)).toEqual([square]);
    }
  });

  it('[R6.1] lists what it cannot enter where that is not to be fatal, and does the rest', async () => {
    const { server, subscribes } = await asking('suzuki');
    expect(await subscribes([sales, square, audit, '企画'], { authorization_errors_fatal: false })).toEqual({
      subscribed: { [server.user('suzuki')]: [square, '企画'] },
      already_subscribed: {},
      unauthorized: [sales, audit],
    });
    expect(await subscribes([square], { authorization_errors_fatal: false })).toMatchObject({ unauthorized: [] });
  });

  it('does all or nothing', async () => {
    const { client, subscribesInVain, streamCalled } = await asking('suzuki');
    const refusal = await subscribesInVain([square, '企画', '営業\u0007部']);
    expect(refusal).toBe('Invalid character in stream name, at position 3!');
    expect(await client.ok(getSubscriptions, {})).toEqual({ subscriptions: [] });
    expect(await streamCalled('企画')).toBeUndefined();
  });

  it.each<[string, string]>([
    ['', "Stream name can't be empty!"],
    [' 　\t', "Stream name can't be empty!"],
    ['縁'.repeat(61), 'Stream name too long (limit: 60 characters).'],
    ['a\nb', 'Invalid character in stream name, at position 2!'],
    ['😀\u0000', 'Invalid character in stream name, at position 2!'],
  ])('refuses the name %j', async (name, msg) => {
    const { subscribesInVain } = await asking('suzuki');
    expect(await subscribesInVain([name])).toBe(msg);
  });

  it('[R2.7.2] makes no second stream of a name by what nobody sees in it', async () => {
    const { server, subscribes, subscribesInVain } = await asking('suzuki');
    const mine = (names: string[]) => ({ [server.user('suzuki')]: names });
    expect(await subscribes(['\u202e企画'])).toMatchObject({ subscribed: mine(['企画']) });
    expect(await subscribes(['企\u200b画'])).toMatchObject({ subscribed: {}, already_subscribed: mine(['企画']) });
    expect(await subscribesInVain(['\u200b\u2060'])).toBe("Stream name can't be empty!");
  });

  it('counts characters, not their halves', async () => {
    const { client, subscribes } = await asking('suzuki');
    await subscribes(['😀'.repeat(60)]);
    const [fits, tooLong] = [1024, 1025].map((length) => '😀'.repeat(length));
    const described = { name: '企画', description: tooLong };
    expect(await client.refused(subscribe, { subscriptions: [described] })).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'description is too long (limit: 1024 characters)',
    });
    await client.ok(subscribe, { subscriptions: [{ ...described, description: fits }] });
  });

  it('refuses to subscribe one who is not there', async () => {
    const { subscribesInVain } = await asking('suzuki');
    expect(await subscribesInVain([square], { principals: [987] })).toBe('No such user');
    expect(await subscribesInVain([square], { principals: ['nobody@example.com'] })).toBe('No such user');
  });

  it('refuses to subscribe one who is deactivated', async () => {
    const { server, subscribesInVain } = await asking('suzuki');
    await fileOf(server).database.write((tx) => tx.run(deactivate, { id: server.user('kato') }));
    expect(await subscribesInVain([square], { principals: [server.user('kato')] })).toBe('User is deactivated');
  });

  it.each<[Wanted, string]>([
    [{ is_default_stream: true }, 'A default stream cannot be private.'],
    [{ is_default_stream: true, invite_only: false }, 'Default streams are disabled in this organization.'],
    [{ is_web_public: true }, 'Web-public streams are disabled in this organization.'],
    [{ announce: true }, 'Announcements of new streams are disabled in this organization.'],
    [{ stream_post_policy: 2 }, 'Posting policies of streams are disabled in this organization.'],
    [{ message_retention_days: 30 }, 'Retention periods of streams are disabled in this organization.'],
    [{ message_retention_days: 'unlimited' }, 'Retention periods of streams are disabled in this organization.'],
    [{ can_remove_subscribers_group: 1 }, 'Groups who may remove subscribers are disabled in this organization.'],
    [{ invite_only: false, history_public_to_subscribers: false }, 'A public stream shares its history.'],
  ])('refuses in words what it does not offer: %j', async (asked, msg) => {
    const { subscribes, subscribesInVain } = await asking(outside.administrator);
    expect(await subscribesInVain(['企画'], asked)).toBe(msg);
    // It is said of new streams only.
    await subscribes([square], asked);
  });

  it('takes the defaults when they are said', async () => {
    const { subscribes } = await asking('suzuki');
    await subscribes(['企画'], {
      is_web_public: false,
      is_default_stream: false,
      announce: false,
      stream_post_policy: 1,
      message_retention_days: 'realm_default',
    });
  });

  it.each<[string, string]>([
    ['[{"name":"a","colour":"#aabbcc"}]', 'Unexpected arguments: colour'],
    ['[{"name":"a","color":"red"}]', 'color is not a valid hex color code'],
    ['[{"name":5}]', 'subscriptions[0]["name"] is not a string'],
    ['{"name":"a"}', 'subscriptions is not a list'],
  ])('refuses %s', async (subscriptions, msg) => {
    const { client } = await asking('suzuki');
    const form = { subscriptions };
    const refusal = eg.refusal(await client.raw({ method: 'POST', path: '/users/me/subscriptions', form }));
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  });

  it('begins a bounded number of subscriptions at once', async () => {
    const people = Array.from({ length: 21 }, (_, index) => eg.person(`p${index}`, `人 ${index}`, 400));
    const organisation = eg.organisation();
    const server = await eg.server({ organisation: { ...organisation, users: [...organisation.users, ...people] } });
    const suzuki = eg.signIn(server, 'suzuki');
    const principals = people.map(({ email }) => email);
    const subscriptions = Array.from({ length: 100 }, (_, index) => ({ name: `s${index}` }));
    expect(await suzuki.refused(subscribe, { subscriptions, principals })).toMatchObject({
      status: 400,
      msg: `Too many subscriptions in one call (limit: ${maxSubscriptionsPerCall}).`,
    });
    const { subscribed } = await suzuki.ok(subscribe, { subscriptions, principals: principals.slice(1) });
    expect(Object.values(subscribed).flat()).toHaveLength(2000);
  });
});

describe('DELETE /users/me/subscriptions', () => {
  it('[R7.6] ends my subscriptions, and says where I had none', async () => {
    const { server, client } = await asking(inside.member);
    expect(await client.ok(unsubscribe, { subscriptions: [` ${sales}`, sales, square] })).toEqual({
      removed: [sales, square],
      not_removed: [],
    });
    expect(await client.ok(unsubscribe, { subscriptions: [square] })).toEqual({ removed: [], not_removed: [square] });
    const { subscriptions } = await client.ok(getSubscriptions, {});
    expect(subscriptions.map(({ stream_id }) => stream_id)).toEqual([server.stream(audit)]);
  });

  it('takes itself as a principal', async () => {
    const { server, client } = await asking(inside.guest);
    const principals = [server.user(inside.guest)];
    expect(await client.ok(unsubscribe, { subscriptions: [square], principals })).toMatchObject({ removed: [square] });
  });

  it('[R6.3] ends those of others for administrators, also where these are not inside', async () => {
    const { server, client } = await asking(outside.administrator);
    const principals = [server.user('ito'), server.user('suzuki')];
    expect(await client.ok(unsubscribe, { subscriptions: [sales, square], principals })).toEqual({
      removed: [sales, square],
      not_removed: [sales, square],
    });
    for (const who of [outside.moderator, inside.member, inside.guest]) {
      const refusal = await eg.signIn(server, who).refused(unsubscribe, { subscriptions: [square], principals });
      expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Insufficient permission' });
    }
  });

  it('[R6.3] refuses that to one who ceased to be an administrator just before it, in the same turn', async () => {
    const { server, client } = await asking(outside.administrator);
    const [, refusal] = await Promise.all([
      eg.signIn(server, 'tanaka').ok(updateUser, { user_id: server.user('sato'), role: roles.member }),
      client.refused(unsubscribe, { subscriptions: [square], principals: [server.user('ito')] }),
    ]);
    expect(refusal).toMatchObject({ msg: 'Insufficient permission' });
  });

  it('[R6.1] names all that are not there, and with them those that I cannot see', async () => {
    const { client } = await asking('suzuki');
    const refusal = await client.refused(unsubscribe, { subscriptions: [square, '企画 ', sales] });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: `Stream(s) (企画, ${sales}) do not exist` });
  });

  it('refuses to take out one who is not there at all', async () => {
    const { client } = await asking(outside.administrator);
    const refusal = await client.refused(unsubscribe, { subscriptions: [square], principals: [987] });
    expect(refusal).toMatchObject({ msg: 'No such user' });
  });

  it('closes a private stream with its last active subscriber, and its name is free', async () => {
    const { server, client, subscribes } = await asking(inside.member);
    await client.ok(unsubscribe, { subscriptions: [sales] });
    await fileOf(server).database.write((tx) => tx.run(deactivate, { id: server.user('mori') }));
    await client.ok(unsubscribe, { subscriptions: [audit] });
    const tanaka = eg.signIn(server, 'tanaka');
    expect(await tanaka.ok(getStream, { stream_id: server.stream(sales) })).toMatchObject({ stream: { name: sales } });
    const closed = await tanaka.refused(getStream, { stream_id: server.stream(audit) });
    expect(closed).toMatchObject({ msg: 'Invalid stream ID' });
    await subscribes([audit]);
    const { subscriptions } = await client.ok(getSubscriptions, {});
    expect(subscriptions.map(({ name }) => name)).toEqual([square, audit]);
    expect(subscriptions[1]?.stream_id).not.toBe(server.stream(audit));
  });

  it('leaves a public stream open, whoever leaves', async () => {
    const { server, client } = await asking(outside.administrator);
    const principals = [inside.member, inside.guest].map(server.user);
    await client.ok(unsubscribe, { subscriptions: [square], principals });
    const { stream } = await client.ok(getStream, { stream_id: server.stream(square) });
    expect(stream).toMatchObject({ name: square });
  });
});

describe('PATCH /users/me/subscriptions', () => {
  it('[R7.6] begins some and ends others in one change', async () => {
    const { server, client } = await asking(inside.member);
    const me = server.user(inside.member);
    const add = [{ name: '企画', description: '来年' }, { name: square }];
    expect(await client.ok(updateSubscriptions, { add, delete: [sales] })).toEqual({
      subscribed: { [me]: ['企画'] },
      already_subscribed: { [me]: [square] },
      removed: [sales],
      not_removed: [],
    });
  });

  it('does both or neither', async () => {
    const { client, streamCalled } = await asking(inside.member);
    const refusal = await client.refused(updateSubscriptions, { add: [{ name: '企画' }], delete: ['ない'] });
    expect(refusal).toMatchObject({ msg: 'Stream(s) (ない) do not exist' });
    expect(await streamCalled('企画')).toBeUndefined();
  });

  it('asks for something to do', async () => {
    const { client } = await asking(inside.member);
    expect(await client.refused(updateSubscriptions, {})).toMatchObject({
      status: 400,
      code: 'BAD_REQUEST',
      msg: 'Nothing to do. Specify at least one of "add" or "delete".',
    });
  });

  it('[R6.3] lets a guest leave, and not come', async () => {
    const { client } = await asking(inside.guest);
    const refusal = await client.refused(updateSubscriptions, { add: [{ name: '企画' }], delete: [sales] });
    expect(refusal).toMatchObject({ msg: 'Not allowed for guest users' });
    expect(await client.ok(updateSubscriptions, { delete: [sales] })).toMatchObject({ removed: [sales] });
  });
});

describe('one who leaves and comes back', () => {
  it.each([sales, audit])('[R4.6] has read what was unread in %s, on every device', async (to) => {
    const { server, client: ito } = await asking(inside.member);
    const suzuki = eg.signIn(server, 'suzuki');
    const subscribes = (client: eg.Client, name: string) =>
      client.ok(subscribe, { subscriptions: [{ name: to }], principals: [eg.emailOf(name)] });
    const says = async (content: string) => (await suzuki.ok(sendMessage, { type: 'stream', to, topic: 't', content })).id;
    const unread = async () => {
      const { unread_msgs } = await ito.ok(registerQueue, { fetch_event_types: ['message', 'update_message_flags'] });
      return unread_msgs?.streams.flatMap(({ unread_message_ids }) => unread_message_ids);
    };

    await subscribes(ito, 'suzuki');
    const [read, left] = [await says('読んだ'), await says('まだ')];
    await ito.ok(updateMessageFlags, { messages: [read], op: 'add', flag: 'read' });
    expect(await unread()).toEqual([left]);

    const queue = await ito.ok(registerQueue, { event_types: ['update_message_flags'] });
    await ito.ok(unsubscribe, { subscriptions: [to] });
    const { events } = await ito.ok(getEvents, { ...queue, dont_block: true });
    expect(events).toMatchObject([{ op: 'add', flag: 'read', messages: [left] }]);
    expect(await unread()).toEqual([]);
    const meanwhile = await says('留守');

    await subscribes(suzuki, 'ito');
    expect(await unread()).toEqual([]);
    const again = await says('再び');
    expect(await unread()).toEqual([again]);

    const narrow = [{ operator: 'stream', operand: to }];
    const asked = { anchor: 'newest', num_before: 4, num_after: 0, narrow };
    const { messages } = await ito.ok(getMessages, asked);
    const ids = messages.map(({ id }) => id);
    expect(ids.includes(meanwhile)).toBe(to === sales);
    expect(ids.slice(-1)).toEqual([again]);
  });
});

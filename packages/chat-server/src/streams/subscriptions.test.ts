import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { audit, company, inside, leaver, outside, sales, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';

type Options = Omit<api.ParametersIn<typeof api.subscribe>, 'subscriptions'>;

const requestFor = (names: readonly string[], more: Options) => ({
  subscriptions: names.map((name) => ({ name })),
  ...more,
});

async function setup(name: string) {
  const server = await company();
  const client = eg.signIn(server, name);
  return {
    server,
    client,
    subscribeTo: (names: readonly string[], more: Options = {}) => client.ok(api.subscribe, requestFor(names, more)),
    subscribeRefused: async (names: readonly string[], more: Options = {}) =>
      (await client.refused(api.subscribe, requestFor(names, more))).msg,
    async streamCalled(stream: string) {
      const { streams } = await eg.signIn(server, outside.owner).ok(api.getStreams, { include_all_active: true });
      return streams.find((each) => each.name === stream);
    },
  };
}

it('[R7.6] POST /users/me/subscriptions subscribes the caller to existing streams and creates those that do not exist', async () => {
  const { server, client, subscribeTo } = await setup(outside.member);
  const me = server.user(outside.member);
  expect(await subscribeTo([square, '企画'])).toEqual({ subscribed: { [me]: [square, '企画'] }, already_subscribed: {} });
  expect(await subscribeTo([square, '総務'])).toEqual({
    subscribed: { [me]: ['総務'] },
    already_subscribed: { [me]: [square] },
  });
  const { subscriptions } = await client.ok(api.getSubscriptions, {});
  expect(subscriptions.map(({ name }) => name)).toEqual([square, '企画', '総務']);
});

it('[R2.7.2] POST /users/me/subscriptions with principals subscribes each of them once, and the caller only if they are among them', async () => {
  const { server, client, subscribeTo } = await setup('ito');
  const [suzuki, mori] = [server.user('suzuki'), server.user('mori')];
  expect(await subscribeTo([sales, '企画'], { principals: [suzuki, mori, suzuki] })).toEqual({
    subscribed: { [suzuki]: [sales, '企画'], [mori]: ['企画'] },
    already_subscribed: { [mori]: [sales] },
  });
  expect(await subscribeTo(['総務'], { principals: ['Suzuki@example.com'] })).toMatchObject({
    subscribed: { [suzuki]: ['総務'] },
  });
  const { subscriptions } = await client.ok(api.getSubscriptions, {});
  expect(subscriptions.map(({ name }) => name)).toEqual([square, sales, audit]);
});

it('POST /users/me/subscriptions subscribes the caller if the list of principals is empty', async () => {
  const { server, subscribeTo } = await setup('suzuki');
  expect(await subscribeTo(['企画'], { principals: [] })).toMatchObject({
    subscribed: { [server.user('suzuki')]: ['企画'] },
  });
});

it('POST /users/me/subscriptions finds a stream whose name differs only in case, width or surrounding space', async () => {
  const { server, subscribeTo, streamCalled } = await setup('suzuki');
  const me = server.user('suzuki');
  expect(await subscribeTo([' Lunch ', 'LUNCH', 'ｌｕｎｃｈ'])).toMatchObject({ subscribed: { [me]: ['Lunch'] } });
  expect(await subscribeTo(['lunch'])).toMatchObject({ already_subscribed: { [me]: ['Lunch'] } });
  expect(await streamCalled('Lunch')).toMatchObject({ creator_id: me });
});

it('POST /users/me/subscriptions stores a stream’s description as one line and its colour in lower case', async () => {
  const { client, streamCalled } = await setup('suzuki');
  const subscriptions = [{ name: '企画', description: '一行\n二行 <b>', color: '#A0B1C2' }];
  await client.ok(api.subscribe, { subscriptions });
  expect(await streamCalled('企画')).toMatchObject({
    description: '一行 二行 <b>',
    rendered_description: '一行 二行 &#60;b&#62;',
  });
  const {
    subscriptions: [mine],
  } = await client.ok(api.getSubscriptions, {});
  expect(mine).toMatchObject({ color: '#a0b1c2' });
});

it.each<[string, Options, { invite_only: boolean; history_public_to_subscribers: boolean }]>([
  ['no option is given', {}, { invite_only: true, history_public_to_subscribers: true }],
  [
    'only the history is to be hidden',
    { history_public_to_subscribers: false },
    { invite_only: true, history_public_to_subscribers: false },
  ],
  ['only invite_only is set', { invite_only: true }, { invite_only: true, history_public_to_subscribers: false }],
  [
    'it is private with a shared history',
    { invite_only: true, history_public_to_subscribers: true },
    { invite_only: true, history_public_to_subscribers: true },
  ],
  ['it is public', { invite_only: false }, { invite_only: false, history_public_to_subscribers: true }],
])('[R6.1] POST /users/me/subscriptions creates a stream with the right privacy when %s', async (_, request, expected) => {
  const { subscribeTo, streamCalled } = await setup(outside.administrator);
  await subscribeTo(['企画'], request);
  expect(await streamCalled('企画')).toMatchObject(expected);
});

it('[R6.1] [R6.3] POST /users/me/subscriptions lets only administrators create a public stream', async () => {
  for (const who of [outside.moderator, outside.member]) {
    const { subscribeRefused, streamCalled } = await setup(who);
    expect(await subscribeRefused(['企画'], { invite_only: false })).toBe('Insufficient permission');
    expect(await streamCalled('企画')).toBeUndefined();
  }
});

it('[R6.3] POST /users/me/subscriptions refuses a guest with the same error for existing and missing streams', async () => {
  for (const who of [outside.guest, inside.guest]) {
    const { subscribeRefused, streamCalled } = await setup(who);
    for (const name of ['企画', square, sales]) {
      expect(await subscribeRefused([name])).toBe('Not allowed for guest users');
      const others = { principals: [eg.emailOf('suzuki')] };
      expect(await subscribeRefused([name], others)).toBe('Not allowed for guest users');
    }
    expect(await streamCalled('企画')).toBeUndefined();
  }
});

it('[R6.1] POST /users/me/subscriptions refuses the name of a stream that the caller cannot see, and creates no stream', async () => {
  for (const who of [outside.owner, outside.administrator, outside.moderator, outside.member, leaver]) {
    const { client, subscribeRefused } = await setup(who);
    expect(await subscribeRefused([` ${sales}　`])).toBe(`Unable to access stream (${sales}).`);
    const besides = await subscribeRefused(['企画', sales], { invite_only: true });
    expect(besides).toBe(`Unable to access stream (${sales}).`);
    const { streams } = await client.ok(api.getStreams, {});
    expect(streams.map(({ name }) => name)).toEqual([square]);
  }
});

it('[R6.1] A member who names a private stream that they cannot see learns that the name is taken, and nothing else', async () => {
  const { server, client, streamCalled } = await setup('suzuki');
  const refusal = { result: 'error', status: 400, code: 'BAD_REQUEST' };
  const create = (name: string) => client.refused(api.subscribe, requestFor([name], {}));
  // Name, members, history and creator of the two private streams differ.
  for (const name of [sales, audit]) {
    expect(await create(name)).toEqual({ ...refusal, msg: `Unable to access stream (${name}).` });
  }
  await client.ok(api.subscribe, requestFor(['私の板'], {}));
  const own = (await streamCalled('私の板'))?.stream_id ?? 0;
  expect(await client.refused(api.updateStream, { stream_id: own, new_name: sales })).toEqual({
    ...refusal,
    msg: `Stream name '${sales}' is already taken.`,
  });
  // Other calls answer for a private stream as for a missing one.
  const asked = async (stream: string) => {
    const id = await client.refused(api.getStreamId, { stream });
    const left = await client.refused(api.unsubscribe, { subscriptions: [stream] });
    return JSON.stringify([id, left]).replaceAll(stream, 'NAME');
  };
  expect(await asked(sales)).toBe(await asked('どこにもない'));

  // A closed stream leaves no trace: its name is free.
  await eg.signIn(server, outside.owner).ok(api.deleteStream, { stream_id: server.stream(sales) });
  await client.ok(api.updateStream, { stream_id: own, new_name: sales });
});

it('[R6.1] Without authorization_errors_fatal, POST /users/me/subscriptions subscribes to the allowed streams and lists the others as unauthorized', async () => {
  const { server, subscribeTo } = await setup('suzuki');
  expect(await subscribeTo([sales, square, audit, '企画'], { authorization_errors_fatal: false })).toEqual({
    subscribed: { [server.user('suzuki')]: [square, '企画'] },
    already_subscribed: {},
    unauthorized: [sales, audit],
  });
  expect(await subscribeTo([square], { authorization_errors_fatal: false })).toMatchObject({ unauthorized: [] });
});

it('POST /users/me/subscriptions changes nothing if one of the stream names is invalid', async () => {
  const { client, subscribeRefused, streamCalled } = await setup('suzuki');
  const refusal = await subscribeRefused([square, '企画', '営業\u0007部']);
  expect(refusal).toBe('Invalid character in stream name, at position 3!');
  expect(await client.ok(api.getSubscriptions, {})).toEqual({ subscriptions: [] });
  expect(await streamCalled('企画')).toBeUndefined();
});

it.each<[string, string]>([
  ['', "Stream name can't be empty!"],
  [' 　\t', "Stream name can't be empty!"],
  ['縁'.repeat(61), 'Stream name too long (limit: 60 characters).'],
  ['a\nb', 'Invalid character in stream name, at position 2!'],
  ['😀\u0000', 'Invalid character in stream name, at position 2!'],
])('POST /users/me/subscriptions refuses the stream name %j', async (name, msg) => {
  const { subscribeRefused } = await setup('suzuki');
  expect(await subscribeRefused([name])).toBe(msg);
});

it('[R2.7.2] POST /users/me/subscriptions removes invisible characters from stream names', async () => {
  const { server, subscribeTo, subscribeRefused } = await setup('suzuki');
  const mine = (names: string[]) => ({ [server.user('suzuki')]: names });
  expect(await subscribeTo(['\u202e企画'])).toMatchObject({ subscribed: mine(['企画']) });
  expect(await subscribeTo(['企\u200b画'])).toMatchObject({ subscribed: {}, already_subscribed: mine(['企画']) });
  expect(await subscribeRefused(['\u200b\u2060'])).toBe("Stream name can't be empty!");
});

it('The length limits of stream names and descriptions count characters, not UTF-16 units', async () => {
  const { client, subscribeTo } = await setup('suzuki');
  await subscribeTo(['😀'.repeat(60)]);
  const [fits, tooLong] = [1024, 1025].map((length) => '😀'.repeat(length));
  const described = { name: '企画', description: tooLong };
  expect(await client.refused(api.subscribe, { subscriptions: [described] })).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    msg: 'description is too long (limit: 1024 characters)',
  });
  await client.ok(api.subscribe, { subscriptions: [{ ...described, description: fits }] });
});

it('POST /users/me/subscriptions refuses an unknown principal', async () => {
  const { subscribeRefused } = await setup('suzuki');
  expect(await subscribeRefused([square], { principals: [987] })).toBe('No such user');
  expect(await subscribeRefused([square], { principals: ['nobody@example.com'] })).toBe('No such user');
});

it('POST /users/me/subscriptions refuses a deactivated principal', async () => {
  const { server, subscribeRefused } = await setup('suzuki');
  await eg.signIn(server, 'tanaka').ok(api.deactivateUser, { user_id: server.user('kato') });
  expect(await subscribeRefused([square], { principals: [server.user('kato')] })).toBe('User is deactivated');
});

it.each<[Options, string]>([
  [{ is_default_stream: true }, 'A default stream cannot be private.'],
  [{ is_web_public: true }, 'Web-public streams are disabled in this organization.'],
  [{ announce: true }, 'Announcements of new streams are disabled in this organization.'],
  [{ stream_post_policy: 2 }, 'Posting policies of streams are disabled in this organization.'],
  [{ message_retention_days: 30 }, 'Retention periods of streams are disabled in this organization.'],
  [{ message_retention_days: 'unlimited' }, 'Retention periods of streams are disabled in this organization.'],
  [{ can_remove_subscribers_group: 1 }, 'Groups who may remove subscribers are disabled in this organization.'],
  [{ invite_only: false, history_public_to_subscribers: false }, 'A public stream shares its history.'],
])('POST /users/me/subscriptions refuses %j for a new stream and says which feature is disabled', async (request, msg) => {
  const { subscribeTo, subscribeRefused } = await setup(outside.administrator);
  expect(await subscribeRefused(['企画'], request)).toBe(msg);
  // Existing streams ignore the option.
  await subscribeTo([square], request);
});

it('POST /users/me/subscriptions accepts parameters that are given with their default values', async () => {
  const { subscribeTo } = await setup('suzuki');
  await subscribeTo(['企画'], {
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
])('POST /users/me/subscriptions refuses %s as the parameter “subscriptions”', async (subscriptions, msg) => {
  const { client } = await setup('suzuki');
  const form = { subscriptions };
  const refusal = eg.refusal(await client.raw({ method: 'POST', path: '/users/me/subscriptions', form }));
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
});

it('POST /users/me/subscriptions refuses a call that would begin more than maxSubscriptionsPerCall subscriptions', async () => {
  const people = Array.from({ length: 21 }, (_, index) => eg.person(`p${index}`, `人 ${index}`, 400));
  const organisation = eg.organisation();
  const server = await eg.server({ organisation: { ...organisation, users: [...organisation.users, ...people] } });
  const suzuki = eg.signIn(server, 'suzuki');
  const principals = people.map(({ email }) => email);
  const subscriptions = Array.from({ length: 100 }, (_, index) => ({ name: `s${index}` }));
  expect(await suzuki.refused(api.subscribe, { subscriptions, principals })).toMatchObject({
    status: 400,
    msg: `Too many subscriptions in one call (limit: ${api.maxSubscriptionsPerCall}).`,
  });
  const { subscribed } = await suzuki.ok(api.subscribe, { subscriptions, principals: principals.slice(1) });
  expect(Object.values(subscribed).flat()).toHaveLength(2000);
});

it('[R7.6] DELETE /users/me/subscriptions ends the caller’s subscriptions, and lists streams to which they were not subscribed as not_removed', async () => {
  const { server, client } = await setup(inside.member);
  expect(await client.ok(api.unsubscribe, { subscriptions: [` ${sales}`, sales, square] })).toEqual({
    removed: [sales, square],
    not_removed: [],
  });
  expect(await client.ok(api.unsubscribe, { subscriptions: [square] })).toEqual({ removed: [], not_removed: [square] });
  const { subscriptions } = await client.ok(api.getSubscriptions, {});
  expect(subscriptions.map(({ stream_id }) => stream_id)).toEqual([server.stream(audit)]);
});

it('DELETE /users/me/subscriptions accepts the caller as the only principal', async () => {
  const { server, client } = await setup(inside.guest);
  const principals = [server.user(inside.guest)];
  expect(await client.ok(api.unsubscribe, { subscriptions: [square], principals })).toMatchObject({ removed: [square] });
});

it('[R6.3] Among members who are not the creator, only administrators can remove others from a stream', async () => {
  const { server, client } = await setup(outside.administrator);
  const principals = [server.user('ito'), server.user('suzuki')];
  const refusalTo = (who: string) => eg.signIn(server, who).refused(api.unsubscribe, { subscriptions: [square], principals });
  const refusal = { status: 400, code: 'BAD_REQUEST', msg: 'Insufficient permission' };
  expect(await client.ok(api.unsubscribe, { subscriptions: [sales, square], principals })).toEqual({
    removed: [sales, square],
    not_removed: [sales, square],
  });
  for (const who of [outside.moderator, inside.member]) expect(await refusalTo(who)).toMatchObject(refusal);
  // The guest shares no conversation with suzuki.
  expect(await refusalTo(inside.guest)).toMatchObject({ ...refusal, msg: 'No such user' });
});

it('[R6.3] DELETE /users/me/subscriptions for others is refused to an administrator whose demotion arrived just before the call', async () => {
  const { server, client } = await setup(outside.administrator);
  const [, refusal] = await Promise.all([
    eg.signIn(server, 'tanaka').ok(api.updateUser, { user_id: server.user('sato'), role: api.roles.member }),
    client.refused(api.unsubscribe, { subscriptions: [square], principals: [server.user('ito')] }),
  ]);
  expect(refusal).toMatchObject({ msg: 'Insufficient permission' });
});

it('[R6.1] DELETE /users/me/subscriptions has an error that names all streams that do not exist or that the caller cannot see', async () => {
  const { client } = await setup('suzuki');
  const refusal = await client.refused(api.unsubscribe, { subscriptions: [square, '企画 ', sales] });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: `Stream(s) (企画, ${sales}) do not exist` });
});

it('DELETE /users/me/subscriptions refuses an unknown principal', async () => {
  const { client } = await setup(outside.administrator);
  const refusal = await client.refused(api.unsubscribe, { subscriptions: [square], principals: [987] });
  expect(refusal).toMatchObject({ msg: 'No such user' });
});

it('When the last active subscriber leaves a private stream, it closes, and a new stream can have its name', async () => {
  const { server, client, subscribeTo } = await setup(inside.member);
  await client.ok(api.unsubscribe, { subscriptions: [sales] });
  await eg.signIn(server, 'tanaka').ok(api.deactivateUser, { user_id: server.user('mori') });
  await client.ok(api.unsubscribe, { subscriptions: [audit] });
  const tanaka = eg.signIn(server, 'tanaka');
  expect(await tanaka.ok(api.getStream, { stream_id: server.stream(sales) })).toMatchObject({ stream: { name: sales } });
  const closed = await tanaka.refused(api.getStream, { stream_id: server.stream(audit) });
  expect(closed).toMatchObject({ msg: 'Invalid stream ID' });
  await subscribeTo([audit]);
  const { subscriptions } = await client.ok(api.getSubscriptions, {});
  expect(subscriptions.map(({ name }) => name)).toEqual([square, audit]);
  expect(subscriptions[1]?.stream_id).not.toBe(server.stream(audit));
});

it('A public stream stays open when its last subscriber leaves', async () => {
  const { server, client } = await setup(outside.administrator);
  const principals = [inside.member, inside.guest].map(server.user);
  await client.ok(api.unsubscribe, { subscriptions: [square], principals });
  const { stream } = await client.ok(api.getStream, { stream_id: server.stream(square) });
  expect(stream).toMatchObject({ name: square });
});

it('[R7.6] PATCH /users/me/subscriptions adds and removes subscriptions in one call', async () => {
  const { server, client } = await setup(inside.member);
  const me = server.user(inside.member);
  const add = [{ name: '企画', description: '来年' }, { name: square }];
  expect(await client.ok(api.updateSubscriptions, { add, delete: [sales] })).toEqual({
    subscribed: { [me]: ['企画'] },
    already_subscribed: { [me]: [square] },
    removed: [sales],
    not_removed: [],
  });
});

it('PATCH /users/me/subscriptions adds nothing if a stream to remove does not exist', async () => {
  const { client, streamCalled } = await setup(inside.member);
  const refusal = await client.refused(api.updateSubscriptions, { add: [{ name: '企画' }], delete: ['ない'] });
  expect(refusal).toMatchObject({ msg: 'Stream(s) (ない) do not exist' });
  expect(await streamCalled('企画')).toBeUndefined();
});

it('PATCH /users/me/subscriptions refuses a call without "add" and "delete"', async () => {
  const { client } = await setup(inside.member);
  expect(await client.refused(api.updateSubscriptions, {})).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    msg: 'Nothing to do. Specify at least one of "add" or "delete".',
  });
});

it('[R6.3] PATCH /users/me/subscriptions lets a guest leave streams but not join any', async () => {
  const { client } = await setup(inside.guest);
  const refusal = await client.refused(api.updateSubscriptions, { add: [{ name: '企画' }], delete: [sales] });
  expect(refusal).toMatchObject({ msg: 'Not allowed for guest users' });
  expect(await client.ok(api.updateSubscriptions, { delete: [sales] })).toMatchObject({ removed: [sales] });
});

it.each([sales, audit])(
  '[R4.6] When a member leaves %s and joins again, all its earlier messages are read on all their devices',
  async (to) => {
    const { server, client: ito } = await setup(inside.member);
    const suzuki = eg.signIn(server, 'suzuki');
    const subscribeTo = (client: eg.Client, name: string) =>
      client.ok(api.subscribe, { subscriptions: [{ name: to }], principals: [eg.emailOf(name)] });
    const send = async (content: string) => (await suzuki.ok(api.sendMessage, { type: 'stream', to, topic: 't', content })).id;
    const unread = async () => {
      const { unread_msgs } = await ito.ok(api.registerQueue, { fetch_event_types: ['message', 'update_message_flags'] });
      return unread_msgs?.streams.flatMap(({ unread_message_ids }) => unread_message_ids);
    };

    await subscribeTo(ito, 'suzuki');
    const [read, left] = [await send('読んだ'), await send('まだ')];
    await ito.ok(api.updateMessageFlags, { messages: [read], op: 'add', flag: 'read' });
    expect(await unread()).toEqual([left]);

    const queue = await ito.ok(api.registerQueue, { event_types: ['update_message_flags'] });
    await ito.ok(api.unsubscribe, { subscriptions: [to] });
    const { events } = await ito.ok(api.getEvents, { ...queue, dont_block: true });
    expect(events).toMatchObject([{ op: 'add', flag: 'read', messages: [left] }]);
    expect(await unread()).toEqual([]);
    const meanwhile = await send('留守');

    await subscribeTo(suzuki, 'ito');
    const announced = meanwhile + 1;
    expect(await unread()).toEqual([announced]);
    const again = await send('再び');
    expect(await unread()).toEqual([announced, again]);

    const narrow = [{ operator: 'stream', operand: to }];
    const request = { anchor: 'newest', num_before: 4, num_after: 0, narrow };
    const { messages } = await ito.ok(api.getMessages, request);
    const ids = messages.map(({ id }) => id);
    expect(ids.includes(meanwhile)).toBe(to === sales);
    expect(ids.slice(-1)).toEqual([again]);
  },
);

import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { company, inside, leaver, outside, sales, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

async function setup() {
  const server = await company();
  const as = (name: string) => eg.signIn(server, name);
  const id = server.stream(sales);
  const set = (name: string, property: string, value: unknown, stream_id = id) =>
    as(name).ok(api.updateSubscriptionProperties, { subscription_data: [{ stream_id, property, value }] });
  const now = async (name: string) => {
    const { subscriptions } = await as(name).ok(api.getSubscriptions, {});
    return subscriptions.find(({ stream_id }) => stream_id === id);
  };
  const send = (name: string, content: string) =>
    as(name).ok(api.sendMessage, { type: 'stream', to: sales, topic: '連絡', content });
  return { server, as, id, set, now, send };
}

it('[R2.11.2] When a member mutes a stream, only their devices get events: first the old property in_home_view, then is_muted', async () => {
  const { as, id, set, now } = await setup();
  const [mine, others] = [await queueOf(as('ito')), await queueOf(as(inside.guest))];
  await set('ito', 'is_muted', true);
  expect(await mine.take()).toMatchObject([
    { type: 'subscription', op: 'update', stream_id: id, property: 'in_home_view', value: false },
    { type: 'subscription', op: 'update', stream_id: id, property: 'is_muted', value: true },
  ]);
  expect(await others.take()).toEqual([]);
  expect(await now('ito')).toMatchObject({ is_muted: true, in_home_view: false });
  await set('ito', 'is_muted', true);
  expect(await mine.take(), 'an unchanged value publishes no event').toEqual([]);
  await set('ito', 'in_home_view', true);
  expect(await now('ito')).toMatchObject({ is_muted: false, in_home_view: true });
});

it('[R2.11.2] POST /register lists the unread messages of a muted stream but does not count them', async () => {
  const { as, set, send } = await setup();
  await send('ito', 'お知らせ');
  const unread = async () => (await as(inside.guest).ok(api.registerQueue, {})).unread_msgs;
  const before = await unread();
  expect(before?.count).toBe(1);
  await set(inside.guest, 'is_muted', true);
  expect(await unread()).toEqual({ ...before, count: 0 });
});

it.each([
  ['pin_to_top', true],
  ['color', '#76ce90'],
  ['desktop_notifications', true],
  ['audible_notifications', false],
  ['push_notifications', false],
  ['email_notifications', true],
  ['wildcard_mentions_notify', false],
  ['put_away', true],
])('A subscription stores %s and sends the change to the devices of the member', async (property, value) => {
  const { as, id, set, now } = await setup();
  const mine = await queueOf(as('ito'), { event_types: ['subscription'] });
  await set('ito', property, value);
  expect(await mine.take()).toMatchObject([{ op: 'update', stream_id: id, property, value }]);
  expect(await now('ito')).toMatchObject({ [property]: value });
});

it('For a notification setting of null, a client without notification_settings_null gets the value that is in effect', async () => {
  const { as, set } = await setup();
  const knowing = { client_capabilities: { notification_settings_null: true } };
  const [old, new_] = [await queueOf(as('ito')), await queueOf(as('ito'), knowing)];
  const visible = async (request: object) =>
    (await as('ito').ok(api.registerQueue, request)).subscriptions?.map((each) => each.email_notifications);
  expect([await visible({}), await visible(knowing)]).toEqual([
    [false, false, false],
    [null, null, null],
  ]);
  await set('ito', 'email_notifications', true);
  await set('ito', 'email_notifications', null);
  expect((await old.take()).at(-1)).toMatchObject({ property: 'email_notifications', value: false });
  expect((await new_.take()).at(-1)).toMatchObject({ property: 'email_notifications', value: null });
});

it('[R2.11.2] desktop_notifications of a stream is off by default, until the member enables notifications for every stream', async () => {
  const { as, set, now } = await setup();
  const usual = async () => {
    const { subscriptions = [], unsubscribed = [] } = await as('ito').ok(api.registerQueue, {});
    return [...subscriptions, ...unsubscribed].map((each) => each.desktop_notifications);
  };
  const mine = await queueOf(as('ito'), { event_types: ['subscription'] });
  const unset = async () => {
    await set('ito', 'desktop_notifications', true);
    await set('ito', 'desktop_notifications', null);
    return (await mine.take()).at(-1);
  };
  expect(new Set(await usual())).toEqual(new Set([false]));
  expect(await unset()).toMatchObject({ property: 'desktop_notifications', value: false });
  await as('ito').ok(api.updateSettings, { enable_stream_desktop_notifications: true });
  expect(new Set(await usual())).toEqual(new Set([true]));
  expect(await unset()).toMatchObject({ property: 'desktop_notifications', value: true });
  await set('ito', 'desktop_notifications', false);
  expect(await now('ito'), 'the setting of the stream overrides the default').toMatchObject({ desktop_notifications: false });
  expect(new Set(await usual())).toEqual(new Set([true, false]));
});

it('PATCH /users/me/subscriptions/{stream_id} sets one property and accepts a colour with or without JSON quotes', async () => {
  const { as, id, now } = await setup();
  const patch = (property: string, value: string) =>
    as('ito').ok(api.updateSubscriptionProperty, { stream_id: id, property, value });
  await patch('color', '#BD86E5');
  await patch('color', '"#bd86e5"');
  await patch('pin_to_top', 'true');
  expect(await now('ito')).toMatchObject({ color: '#bd86e5', pin_to_top: true });
});

it.each([
  ['narrowness', true, 'Unknown subscription property: narrowness'],
  ['is_muted', 'true', 'is_muted is not a boolean'],
  ['is_muted', null, 'is_muted is not a boolean'],
  ['desktop_notifications', 1, 'desktop_notifications is not a boolean'],
  ['color', 'red', 'color is not a valid hex color code'],
  ['color', true, 'color is not a valid hex color code'],
])(
  'POST /users/me/subscriptions/properties refuses %s %j and then also ignores the valid properties of the call',
  async (property, value, msg) => {
    const { as, id, now } = await setup();
    const before = await now('ito');
    const subscription_data = [
      { stream_id: id, property: 'pin_to_top', value: true },
      { stream_id: id, property, value },
    ];
    const refusal = await as('ito').refused(api.updateSubscriptionProperties, { subscription_data });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
    expect(await now('ito')).toEqual(before);
  },
);

it('[R6.1] POST /users/me/subscriptions/properties answers "Not subscribed" for a stream that the member left, never joined or that does not exist', async () => {
  const { server, as, id } = await setup();
  for (const name of [leaver, outside.owner]) {
    for (const stream_id of [id, server.stream(square), 987_654]) {
      const subscription_data = [{ stream_id, property: 'is_muted', value: true }];
      const refusal = await as(name).refused(api.updateSubscriptionProperties, { subscription_data });
      expect(refusal).toMatchObject({ msg: `Not subscribed to stream id ${stream_id}` });
    }
  }
});

it('A subscription keeps its properties when the member is deactivated and reactivated', async () => {
  const { server, as, set, now } = await setup();
  await set('ito', 'put_away', true);
  await set('ito', 'desktop_notifications', true);
  await as(outside.owner).ok(api.deactivateUser, { user_id: server.user('ito') });
  await as(outside.owner).ok(api.reactivateUser, { user_id: server.user('ito') });
  expect(await now('ito')).toMatchObject({ put_away: true, desktop_notifications: true });
});

async function setupArchived() {
  const at = await setup();
  const principals = [at.server.user('suzuki')];
  await at.as('ito').ok(api.subscribe, { subscriptions: [{ name: sales }], principals });
  for (const name of ['ito', 'suzuki', inside.guest]) await at.set(name, 'put_away', true);
  const archived = async () => {
    const each = await Promise.all(['ito', 'suzuki', inside.guest].map(at.now));
    return each.map((subscription) => subscription?.put_away);
  };
  return { ...at, archived };
}

it('[R2.11.3] A stream that a member archived in their own list stays archived when messages arrive that do not mention the member', async () => {
  const { send, archived } = await setupArchived();
  await send('ito', '通常の連絡です。@_**鈴木 一郎** は休みです。');
  expect(await archived()).toEqual([true, true, true]);
});

it('[R2.11.3] When a message mentions a member, the stream that they archived returns to their list first, and to no other member’s list', async () => {
  const { as, id, send, archived } = await setupArchived();
  const [mine, others] = [await queueOf(as('suzuki')), await queueOf(as(inside.guest))];
  const { id: messageId } = await send('ito', '@**鈴木 一郎** 確認をお願いします');
  expect(await mine.take()).toMatchObject([
    { type: 'subscription', op: 'update', stream_id: id, property: 'put_away', value: false },
    { type: 'message', message: { id: messageId }, flags: ['mentioned'] },
  ]);
  expect(await others.take()).toMatchObject([{ type: 'message' }]);
  expect(await archived()).toEqual([true, false, true]);
});

it('[R2.11.3] When a message mentions @**all**, the stream returns to the lists of all members who archived it, except the sender’s', async () => {
  const { as, send, archived } = await setupArchived();
  const mine = await queueOf(as(inside.guest), { event_types: ['subscription'] });
  await send('ito', '@**all** 集合');
  expect(await archived()).toEqual([true, false, false]);
  const [event] = await mine.take();
  expect(event).toMatchObject({ op: 'update', property: 'put_away', value: false });
  expect(event, 'the event does not reveal the other mentioned members').not.toHaveProperty('user_ids');
});

it('[R2.11.3] An archived stream returns to a member’s list when an edit adds a mention of them, but not when the mention was there before', async () => {
  const { as, set, send, archived } = await setupArchived();
  const { id: message_id } = await send('ito', '確認をお願いします');
  await as('ito').ok(api.editMessage, { message_id, content: '@**鈴木 一郎** 確認をお願いします' });
  expect(await archived()).toEqual([true, false, true]);
  await set('suzuki', 'put_away', true);
  await as('ito').ok(api.editMessage, { message_id, content: '@**鈴木 一郎** 確認をお願いします。' });
  expect(await archived()).toEqual([true, true, true]);
});

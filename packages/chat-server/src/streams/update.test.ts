import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { company, inside, outside, sales, square } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

/** ito created the streams and subscribes to them, suzuki is a member and sato an administrator outside. */
async function setup() {
  const server = await company();
  const as = (name: string) => eg.signIn(server, name);
  const streamNow = async (name: string, id: number) => {
    const { subscriptions } = await as(name).ok(api.getSubscriptions, { include_subscribers: true });
    return subscriptions.find((each) => each.stream_id === id);
  };
  return { server, as, id: server.stream(sales), streamNow };
}

const mustBe = { status: 400, code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization administrator' };

it('[R2.11.1] When the creator renames a stream, every subscriber gets an event with the new name', async () => {
  const { as, id, streamNow } = await setup();
  const received = await queueOf(as(inside.guest), { event_types: ['stream'] });
  const unheard = await queueOf(as(outside.member), { event_types: ['stream'] });
  await as('ito').ok(api.updateStream, { stream_id: id, new_name: ' 営業本部 ' });
  expect(await received.take()).toMatchObject([
    { type: 'stream', op: 'update', stream_id: id, property: 'name', value: '営業本部' },
  ]);
  expect(await unheard.take()).toEqual([]);
  expect(await streamNow(inside.guest, id)).toMatchObject({ name: '営業本部' });
});

it('[R2.11.1] PATCH /streams/{stream_id} changes the description and escapes HTML in the rendered description', async () => {
  const { as, id, streamNow } = await setup();
  const received = await queueOf(as('ito'), { event_types: ['stream'] });
  await as('ito').ok(api.updateStream, { stream_id: id, description: '<b>受注</b>\n見積' });
  const [event] = await received.take();
  expect(event).toMatchObject({ op: 'update', property: 'description', value: '<b>受注</b> 見積' });
  expect(await streamNow('ito', id)).toMatchObject({
    description: '<b>受注</b> 見積',
    rendered_description: '&#60;b&#62;受注&#60;/b&#62; 見積',
  });
  await as('ito').ok(api.updateStream, { stream_id: id, description: '<b>受注</b> 見積' });
  expect(await received.take(), 'an unchanged description publishes no event').toEqual([]);
});

it('[R2.11.1] Only the creator and administrators can change a stream', async () => {
  const { as, id } = await setup();
  for (const name of [outside.owner, outside.administrator]) {
    await as(name).ok(api.updateStream, { stream_id: id, description: `${name}より` });
  }
  for (const name of [inside.guest, outside.moderator, outside.member]) {
    expect(await as(name).refused(api.updateStream, { stream_id: id, description: '' })).toMatchObject(mustBe);
    expect(await as(name).refused(api.updateStream, { stream_id: 987_654, description: '' })).toMatchObject(mustBe);
  }
  const missing = { stream_id: 987_654, description: '' };
  expect(await as(outside.owner).refused(api.updateStream, missing)).toMatchObject({ msg: 'Invalid stream ID' });
});

it('[R2.11.1] A creator who has left the stream or become a guest cannot change it', async () => {
  const { server, as, id } = await setup();
  await as('ito').ok(api.unsubscribe, { subscriptions: [sales] });
  expect(await as('ito').refused(api.updateStream, { stream_id: id, description: '' })).toMatchObject(mustBe);
  const other = server.stream(square);
  await as(outside.owner).ok(api.updateUser, { user_id: server.user('ito'), role: api.roles.guest });
  expect(await as('ito').refused(api.updateStream, { stream_id: other, description: '' })).toMatchObject(mustBe);
});

it.each([
  [{ new_name: sales }, 'Stream already has that name!'],
  [{ new_name: square }, `Stream name '${square}' is already taken.`],
  [{ new_name: '　' }, "Stream name can't be empty!"],
  [{ new_name: '名'.repeat(61) }, 'Stream name too long (limit: 60 characters).'],
  [{ description: '説'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
  [{ is_private: false }, 'Access, posting and retention of a stream cannot be changed.'],
  [{ stream_post_policy: 2 }, 'Access, posting and retention of a stream cannot be changed.'],
])('PATCH /streams/{stream_id} refuses %j with an error that says what is wrong', async (request, msg) => {
  const { as, id } = await setup();
  expect(await as('ito').refused(api.updateStream, { stream_id: id, ...request })).toMatchObject({ status: 400, msg });
});

it('PATCH /streams/{stream_id} accepts settings that the stream already has, and a new name that differs only in case', async () => {
  const { server, as } = await setup();
  const id = server.stream(sales);
  await as('ito').ok(api.updateStream, { stream_id: id, is_private: true, stream_post_policy: 1, new_name: 'Sales' });
  await as('ito').ok(api.updateStream, { stream_id: id, new_name: 'SALES' });
  const { streams } = await as('ito').ok(api.getStreams, {});
  expect(streams.map(({ name }) => name)).toContain('SALES');
});

it('[R2.11.4] The creator of a stream can close it, and other subscribers cannot', async () => {
  const { as, id } = await setup();
  expect(await as(inside.guest).refused(api.deleteStream, { stream_id: id })).toMatchObject(mustBe);
  const received = await queueOf(as(inside.guest), { event_types: ['stream'] });
  await as('ito').ok(api.deleteStream, { stream_id: id });
  expect(await received.take()).toMatchObject([{ op: 'delete', stream_ids: [id] }]);
});

it('[R2.11.1] The creator of a stream can remove other subscribers, and other members cannot', async () => {
  const { server, as, id, streamNow } = await setup();
  const [guest, kato] = [server.user(inside.guest), server.user('kato')];
  await as('ito').ok(api.subscribe, { subscriptions: [{ name: sales }], principals: [kato] });
  const removing = { subscriptions: [sales], principals: [guest] };
  expect(await as('kato').refused(api.unsubscribe, removing)).toMatchObject({ msg: 'Insufficient permission' });
  expect(await as(outside.member).refused(api.unsubscribe, removing)).toMatchObject({ msg: 'Insufficient permission' });
  const unknown = { ...removing, subscriptions: ['どこにもない'] };
  expect(await as('ito').refused(api.unsubscribe, unknown)).toMatchObject({ msg: 'Insufficient permission' });
  expect(await as('ito').ok(api.unsubscribe, removing)).toEqual({ removed: [sales], not_removed: [] });
  expect((await streamNow('ito', id))?.subscribers).not.toContain(guest);
});

async function bound() {
  const server = await eg.server({ bound: { [eg.general]: ['suzuki'] } });
  return { id: server.stream(eg.general), as: (name: string) => eg.signIn(server, name), server };
}

it('[R2.11.1] The stream of a department cannot be renamed, even by an owner, but its description can be changed', async () => {
  const { as, id } = await bound();
  const msg = 'A bound stream cannot be renamed.';
  expect(await as('tanaka').refused(api.updateStream, { stream_id: id, new_name: '総務' })).toMatchObject({ msg });
  await as('tanaka').ok(api.updateStream, { stream_id: id, description: '総務の連絡' });
});

it('[R2.11.4] The stream of a department cannot be closed', async () => {
  const { as, id } = await bound();
  const msg = 'A bound stream cannot be archived.';
  expect(await as('tanaka').refused(api.deleteStream, { stream_id: id })).toMatchObject({ msg });
});

it('[R2.11.1] Members of a department cannot leave the stream of the department, but other subscribers can', async () => {
  const { as, server, id } = await bound();
  const msg = 'Members cannot leave a stream that is bound to what they belong to.';
  const leaving = { subscriptions: [eg.general] };
  expect(await as('suzuki').refused(api.unsubscribe, leaving)).toMatchObject({ msg });
  const removing = { ...leaving, principals: [server.user('suzuki')] };
  expect(await as('tanaka').refused(api.unsubscribe, removing)).toMatchObject({ msg });
  await as('sato').ok(api.unsubscribe, leaving);
  const { streams = [] } = await as('suzuki').ok(api.registerQueue, { fetch_event_types: ['stream'] });
  expect(streams.map(({ stream_id }) => stream_id)).toContain(id);
});

it('[R2.11.1] The creator and administrators can set a stream’s picture, and all subscribers get an event about it', async () => {
  const { server, as, id, streamNow } = await setup();
  const received = await queueOf(as(inside.guest), { event_types: ['stream'] });
  const setPicture = (name: string, url: string | null) => server.setStreamPicture(server.user(name), id, url);
  expect(await setPicture(inside.guest, '/x.png')).toBe(false);
  expect(await setPicture(outside.member, '/x.png')).toBe(false);
  expect(await setPicture('ito', '/api/streams/1.png')).toBe(true);
  expect(await received.take()).toMatchObject([{ op: 'update', property: 'picture_url', value: '/api/streams/1.png' }]);
  expect(await streamNow(inside.guest, id)).toMatchObject({ picture_url: '/api/streams/1.png' });
  expect(await setPicture(outside.administrator, null)).toBe(true);
  expect(await streamNow(inside.guest, id)).toMatchObject({ picture_url: null });
});

it('[R6.1] Only members who can see a stream can see its picture', async () => {
  const { server, id } = await setup();
  const sees = (name: string) => server.seesStream(server.user(name), id);
  expect(['ito', inside.guest, outside.owner, outside.member].map(sees)).toEqual([true, true, false, false]);
});

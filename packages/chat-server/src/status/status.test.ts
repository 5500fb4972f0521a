import { busyEmoji, deactivateUser, getUserStatus, maxStatusSeconds, registerQueue, updateStatus } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const request = { fetch_event_types: ['user_status'] };

async function setup() {
  const server = await eg.server();
  const suzuki = eg.signIn(server, 'suzuki');
  const sato = eg.signIn(server, 'sato');
  const user_id = server.user('suzuki');
  return {
    server,
    suzuki,
    sato,
    user_id,
    now: () => Math.floor(server.clock.now() / 1000),
    queue: await queueOf(sato, { event_types: ['user_status'] }),
    statusOf: async () => (await sato.ok(getUserStatus, { user_id })).status,
    listedStatus: async () => (await sato.ok(registerQueue, request)).user_status?.[user_id],
  };
}

it('[R2.25.2] [R2.24.1] [R7.6] Others see a member’s status and get an event about it, and the server has the status after a restart', async () => {
  const { server, suzuki, user_id, queue, statusOf, listedStatus } = await setup();
  expect([await statusOf(), await listedStatus()]).toEqual([{}, undefined]);
  await suzuki.ok(updateStatus, { status_text: ' 会議中\n ', ...busyEmoji });
  const status = { status_text: '会議中', ...busyEmoji };
  expect([await statusOf(), await listedStatus()]).toEqual([status, status]);
  const event = { type: 'user_status', user_id, ...status, scheduled_end_time: null };
  expect(await queue.take()).toEqual([{ id: queue.cursor, ...event }]);
  await server.restart();
  expect([await statusOf(), await listedStatus()]).toEqual([status, status]);
});

it('POST /users/me/status changes only the given fields and removes a field that is given empty', async () => {
  const { suzuki, statusOf, queue } = await setup();
  await suzuki.ok(updateStatus, { status_text: '外出中' });
  await suzuki.ok(updateStatus, { emoji_name: 'car' });
  expect(await statusOf()).toMatchObject({ status_text: '外出中', emoji_name: 'car', reaction_type: 'unicode_emoji' });
  await suzuki.ok(updateStatus, { status_text: '' });
  expect(await statusOf()).toMatchObject({ emoji_name: 'car' });
  expect(await statusOf()).not.toHaveProperty('status_text');
  await suzuki.ok(updateStatus, { emoji_name: '', emoji_code: '', reaction_type: '' });
  expect(await statusOf()).toEqual({});
  expect((await queue.take()).at(-1)).toMatchObject({ status_text: '', emoji_name: '', emoji_code: '' });
});

it('POST /users/me/status publishes no event if the status stays equal', async () => {
  const { suzuki, queue } = await setup();
  await suzuki.ok(updateStatus, { status_text: '' });
  await suzuki.ok(updateStatus, { status_text: '外出中' });
  await queue.take();
  await suzuki.ok(updateStatus, { status_text: '外出中' });
  expect(await queue.take()).toEqual([]);
});

it('A member can set a custom emoji of the organisation as their status', async () => {
  const { suzuki, statusOf } = await setup();
  await suzuki.ok(updateStatus, { emoji_name: 'engawa' });
  expect(await statusOf()).toMatchObject({ emoji_name: 'engawa', reaction_type: 'realm_emoji' });
});

it('The server removes a status at its end time and publishes an event', async () => {
  const { server, suzuki, statusOf, queue, now } = await setup();
  const scheduled_end_time = now() + 600;
  await suzuki.ok(updateStatus, { status_text: '外出中', scheduled_end_time });
  expect(await statusOf()).toEqual({ status_text: '外出中', scheduled_end_time });
  expect(await queue.take()).toMatchObject([{ scheduled_end_time }]);
  await server.clock.advance(599);
  expect(await queue.take()).toEqual([]);
  await server.clock.advance(6);
  expect(await statusOf()).toEqual({});
  expect(await queue.take()).toMatchObject([{ status_text: '', scheduled_end_time: null }]);
});

it('If a status ends while the server is down, the server removes it within seconds after its next start', async () => {
  const { server, suzuki, listedStatus, now } = await setup();
  await suzuki.ok(updateStatus, { status_text: '外出中', scheduled_end_time: now() + 60 });
  await server.close();
  await server.clock.jump(61);
  await server.restart();
  await server.clock.advance(6);
  expect(await listedStatus()).toBeUndefined();
});

it('A new status stays when the end time of the status before it passes', async () => {
  const { server, suzuki, statusOf, now } = await setup();
  await suzuki.ok(updateStatus, { status_text: '外出中', scheduled_end_time: now() + 60 });
  await suzuki.ok(updateStatus, { status_text: '会議中' });
  await server.clock.advance(70);
  expect(await statusOf()).toEqual({ status_text: '会議中' });
  await suzuki.ok(updateStatus, { scheduled_end_time: now() + 60 });
  expect(await statusOf()).toMatchObject({ status_text: '会議中', scheduled_end_time: now() + 60 });
});

it('No endpoint returns the status of a deactivated member', async () => {
  const { server, suzuki, listedStatus, statusOf, user_id } = await setup();
  await suzuki.ok(updateStatus, { status_text: '外出中' });
  await eg.signIn(server, 'tanaka').ok(deactivateUser, { user_id });
  expect([await listedStatus(), await statusOf()]).toEqual([undefined, {}]);
});

it.each([
  ['Client did not pass any new values.', {}],
  ['status_text is too long (limit: 60 characters)', { status_text: '長'.repeat(61) }],
  ["Emoji 'no_such' does not exist", { emoji_name: 'no_such' }],
  ['Invalid emoji code.', { emoji_name: 'car', emoji_code: 'zzz', reaction_type: 'unicode_emoji' }],
  ['Client must pass emoji_name if they pass either emoji_code or reaction_type.', { emoji_code: '26d4' }],
  ['scheduled_end_time is not in the future.', { status_text: '昔', scheduled_end_time: 1 }],
])('POST /users/me/status answers “%s” to an invalid status and changes nothing', async (msg, wrong) => {
  const { suzuki, statusOf, queue } = await setup();
  expect(await suzuki.refused(updateStatus, wrong)).toMatchObject({ status: 400, msg });
  expect(await statusOf()).toEqual({});
  expect(await queue.take()).toEqual([]);
});

it('[R6.1] POST /users/me/status refuses an end time that is more than a year and a day ahead', async () => {
  const { suzuki, statusOf, now } = await setup();
  const last = now() + maxStatusSeconds;
  for (const scheduled_end_time of [last + 1, Number.MAX_SAFE_INTEGER]) {
    const refusal = await suzuki.refused(updateStatus, { status_text: '休暇', scheduled_end_time });
    expect(refusal).toMatchObject({ status: 400, msg: expect.stringContaining('scheduled_end_time is too far in the future') });
  }
  expect(await statusOf()).toEqual({});
  await suzuki.ok(updateStatus, { status_text: '休暇', scheduled_end_time: last });
  expect(await statusOf()).toEqual({ status_text: '休暇', scheduled_end_time: last });
});

it('The limit of sixty characters for a status counts an emoji as one character', async () => {
  const { suzuki, statusOf } = await setup();
  await suzuki.ok(updateStatus, { status_text: '🍵'.repeat(60) });
  expect(await statusOf()).toEqual({ status_text: '🍵'.repeat(60) });
});

it('GET /users/{id}/status refuses the id of an unknown user', async () => {
  const { sato } = await setup();
  expect(await sato.refused(getUserStatus, { user_id: 987 })).toMatchObject({ msg: 'No such user' });
});

import { busyEmoji, deactivateUser, getUserStatus, maxStatusSeconds, registerQueue, updateStatus } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const asked = { fetch_event_types: ['user_status'] };

async function office() {
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
    seen: async () => (await sato.ok(getUserStatus, { user_id })).status,
    listed: async () => (await sato.ok(registerQueue, asked)).user_status?.[user_id],
  };
}

describe('a status', () => {
  it('[R2.25.2] [R2.24.1] [R7.6] is seen by others, who hear of it, also after a restart', async () => {
    const { server, suzuki, user_id, queue, seen, listed } = await office();
    expect([await seen(), await listed()]).toEqual([{}, undefined]);
    await suzuki.ok(updateStatus, { status_text: ' 会議中\n ', ...busyEmoji });
    const status = { status_text: '会議中', ...busyEmoji };
    expect([await seen(), await listed()]).toEqual([status, status]);
    const told = { type: 'user_status', user_id, ...status, scheduled_end_time: null };
    expect(await queue.take()).toEqual([{ id: queue.cursor, ...told }]);
    await server.restart();
    expect([await seen(), await listed()]).toEqual([status, status]);
  });

  it('changes by what is named, and goes with what is empty', async () => {
    const { suzuki, seen, queue } = await office();
    await suzuki.ok(updateStatus, { status_text: '外出中' });
    await suzuki.ok(updateStatus, { emoji_name: 'car' });
    expect(await seen()).toMatchObject({ status_text: '外出中', emoji_name: 'car', reaction_type: 'unicode_emoji' });
    await suzuki.ok(updateStatus, { status_text: '' });
    expect(await seen()).toMatchObject({ emoji_name: 'car' });
    expect(await seen()).not.toHaveProperty('status_text');
    await suzuki.ok(updateStatus, { emoji_name: '', emoji_code: '', reaction_type: '' });
    expect(await seen()).toEqual({});
    expect((await queue.take()).at(-1)).toMatchObject({ status_text: '', emoji_name: '', emoji_code: '' });
  });

  it('that is so already is told to nobody', async () => {
    const { suzuki, queue } = await office();
    await suzuki.ok(updateStatus, { status_text: '' });
    await suzuki.ok(updateStatus, { status_text: '外出中' });
    await queue.take();
    await suzuki.ok(updateStatus, { status_text: '外出中' });
    expect(await queue.take()).toEqual([]);
  });

  it('may be an emoji of the organisation’s own', async () => {
    const { suzuki, seen } = await office();
    await suzuki.ok(updateStatus, { emoji_name: 'engawa' });
    expect(await seen()).toMatchObject({ emoji_name: 'engawa', reaction_type: 'realm_emoji' });
  });

  it('ends by itself, and everyone hears of it', async () => {
    const { server, suzuki, seen, queue, now } = await office();
    const scheduled_end_time = now() + 600;
    await suzuki.ok(updateStatus, { status_text: '外出中', scheduled_end_time });
    expect(await seen()).toEqual({ status_text: '外出中', scheduled_end_time });
    expect(await queue.take()).toMatchObject([{ scheduled_end_time }]);
    await server.clock.pass(599);
    expect(await queue.take()).toEqual([]);
    await server.clock.pass(6);
    expect(await seen()).toEqual({});
    expect(await queue.take()).toMatchObject([{ status_text: '', scheduled_end_time: null }]);
  });

  it('that was to end while the server was down ends when it is back', async () => {
    const { server, suzuki, listed, now } = await office();
    await suzuki.ok(updateStatus, { status_text: '外出中', scheduled_end_time: now() + 60 });
    const closed = server.restart();
    await closed;
    await server.clock.jump(61);
    expect(await listed()).toBeUndefined();
  });

  it('that is new does not end with the one before', async () => {
    const { server, suzuki, seen, now } = await office();
    await suzuki.ok(updateStatus, { status_text: '外出中', scheduled_end_time: now() + 60 });
    await suzuki.ok(updateStatus, { status_text: '会議中' });
    await server.clock.pass(70);
    expect(await seen()).toEqual({ status_text: '会議中' });
    await suzuki.ok(updateStatus, { scheduled_end_time: now() + 60 });
    expect(await seen()).toMatchObject({ status_text: '会議中', scheduled_end_time: now() + 60 });
  });

  it('of one who was deactivated is neither listed nor answered', async () => {
    const { server, suzuki, listed, seen, user_id } = await office();
    await suzuki.ok(updateStatus, { status_text: '外出中' });
    await eg.signIn(server, 'tanaka').ok(deactivateUser, { user_id });
    expect([await listed(), await seen()]).toEqual([undefined, {}]);
  });

  it.each([
    ['Client did not pass any new values.', {}],
    ['status_text is too long (limit: 60 characters)', { status_text: '長'.repeat(61) }],
    ["Emoji 'no_such' does not exist", { emoji_name: 'no_such' }],
    ['Invalid emoji code.', { emoji_name: 'car', emoji_code: 'zzz', reaction_type: 'unicode_emoji' }],
    ['Client must pass emoji_name if they pass either emoji_code or reaction_type.', { emoji_code: '26d4' }],
    ['scheduled_end_time is not in the future.', { status_text: '昔', scheduled_end_time: 1 }],
  ])('is refused with “%s”, and then nothing changes', async (msg, wrong) => {
    const { suzuki, seen, queue } = await office();
    expect(await suzuki.refused(updateStatus, wrong)).toMatchObject({ status: 400, msg });
    expect(await seen()).toEqual({});
    expect(await queue.take()).toEqual([]);
  });

  it('[R6.1] ends within a year and a day, or never', async () => {
    const { suzuki, seen, now } = await office();
    const last = now() + maxStatusSeconds;
    for (const scheduled_end_time of [last + 1, Number.MAX_SAFE_INTEGER]) {
      const refusal = await suzuki.refused(updateStatus, { status_text: '休暇', scheduled_end_time });
      expect(refusal).toMatchObject({ status: 400, msg: expect.stringContaining('scheduled_end_time is too far in the future') });
    }
    expect(await seen()).toEqual({});
    await suzuki.ok(updateStatus, { status_text: '休暇', scheduled_end_time: last });
    expect(await seen()).toEqual({ status_text: '休暇', scheduled_end_time: last });
  });

  it('of sixty characters is taken, whatever their size', async () => {
    const { suzuki, seen } = await office();
    await suzuki.ok(updateStatus, { status_text: '🍵'.repeat(60) });
    expect(await seen()).toEqual({ status_text: '🍵'.repeat(60) });
  });

  it('of somebody who is not there is refused', async () => {
    const { sato } = await office();
    expect(await sato.refused(getUserStatus, { user_id: 987 })).toMatchObject({ msg: 'No such user' });
  });
});

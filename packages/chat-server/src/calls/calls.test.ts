import { busyEmoji, editMessage, getMessage, getMessages, updateStatus, updateSubscriptionProperties } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { leaves } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';

const call = { id: 'abcdefghijklmnop', kind: 'audio' } as const;
const content = '音声通話を開始しました。';

async function setup() {
  const server = await eg.server();
  const { calls } = server.running();
  const participants = [server.user('tanaka'), server.user('sato')].toSorted((one, other) => one - other);
  return { server, calls, general: server.stream(eg.general), participants, as: (name: string) => eg.signIn(server, name) };
}

describe('announcement of a call', () => {
  it('[R2.10] The message that announces a call names the call, and its text says so to clients that do not know calls', async () => {
    const { server, calls, general, as } = await setup();
    const message_id = await calls.announce(server.user('tanaka'), general, call, content);
    const { message } = await as('sato').ok(getMessage, { message_id, apply_markdown: false });
    expect(message).toMatchObject({ sender_id: server.user('tanaka'), content, call, stream_id: general });
    expect(message.notice).toBeUndefined();
  });

  it('[R2.10] The message that announces a call is unread for the others and read for the caller', async () => {
    const { server, calls, participants, as } = await setup();
    const id = await calls.announce(server.user('tanaka'), participants, call, content);
    const newest = { anchor: 'newest', num_before: 1, num_after: 0 };
    expect((await as('tanaka').ok(getMessages, newest)).messages).toMatchObject([{ id, flags: ['read'] }]);
    expect((await as('sato').ok(getMessages, newest)).messages).toMatchObject([{ id, flags: [] }]);
  });

  it('[R2.10] The caller cannot edit the message that announces a call', async () => {
    const { server, calls, general, as } = await setup();
    const message_id = await calls.announce(server.user('tanaka'), general, call, content);
    const refusal = await as('tanaka').refused(editMessage, { message_id, content: '会議は中止です' });
    expect(refusal.status).toBe(400);
  });

  it('[R6.1] A member who may not write in a stream cannot announce a call there, as if the stream did not exist', async () => {
    const { server, calls, general } = await setup();
    const announce = (stream: number) => calls.announce(server.user('ito'), stream, call, content);
    await expect(announce(general)).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    await expect(announce(987)).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
  });
});

describe('members of a call’s conversation', () => {
  it('[R6.1] A member may join calls of a stream until they leave the stream', async () => {
    const { server, calls, general } = await setup();
    const suzuki = server.user('suzuki');
    expect([calls.mayJoin(suzuki, general), calls.isIn(suzuki, general)]).toEqual([true, true]);
    expect(calls.mayJoin(server.user('ito'), general)).toBe(false);
    await leaves(server, 'suzuki', eg.general);
    expect([calls.mayJoin(suzuki, general), calls.isIn(suzuki, general)]).toEqual([false, false]);
  });

  it('[R6.1] Only the participants of a direct conversation may join its call, once the conversation has a message', async () => {
    const { server, calls, participants } = await setup();
    expect(calls.mayJoin(server.user('sato'), participants)).toBe(false);
    await calls.announce(server.user('tanaka'), participants, call, content);
    const joining = ['tanaka', 'sato', 'suzuki'].map((name) => calls.mayJoin(server.user(name), participants));
    expect(joining).toEqual([true, true, false]);
    expect(calls.members(participants, 10)).toEqual(participants);
  });

  it('[R2.10] A member who is busy or has muted the stream is not rung', async () => {
    const { server, calls, general, as } = await setup();
    const rung = () => ['tanaka', 'sato', 'suzuki'].filter((name) => calls.mayBeRung(server.user(name), general));
    expect(rung()).toEqual(['tanaka', 'sato', 'suzuki']);
    await as('sato').ok(updateStatus, { status_text: '会議中', ...busyEmoji });
    await as('suzuki').ok(updateSubscriptionProperties, {
      subscription_data: [{ stream_id: general, property: 'is_muted', value: true }],
    });
    expect(rung()).toEqual(['tanaka']);
  });

  it('[R6.1] A guest sees only the users with whom they share a conversation, and a deactivated user sees nobody', async () => {
    const { server, calls } = await setup();
    const ids = ['tanaka', 'ito', 'takahashi'].map((name) => server.user(name));
    expect([...calls.seenBy(server.user('takahashi'))(ids)].toSorted()).toEqual([ids[0], ids[2]].toSorted());
    expect([...calls.seenBy(server.user('tanaka'))(ids)]).toEqual(ids);
    expect([...calls.seenBy(987)(ids)]).toEqual([]);
  });
});

it('[R2.10] A newer state of a call replaces an older one that a queue has not received', async () => {
  const { calls, general, as } = await setup();
  const queue = await queueOf(as('sato'), { event_types: ['call'] });
  calls.publish(general, () => ({ state: 'ongoing' }));
  calls.publish(general, () => ({ state: 'ended' }));
  expect(await queue.take()).toEqual([{ id: queue.cursor, type: 'call', call: { state: 'ended' } }]);
});

it('[R6.1] The participants of a direct conversation receive the state of its call, and nobody else', async () => {
  const { server, calls, participants, as } = await setup();
  await calls.announce(server.user('tanaka'), participants, call, content);
  const queues = await Promise.all(['tanaka', 'sato', 'suzuki'].map((name) => queueOf(as(name), { event_types: ['call'] })));
  calls.publish(participants, (viewer) => ({ viewer }));
  const received = await Promise.all(
    queues.map(async (queue) => (await queue.take()).map((event) => 'call' in event && event.call)),
  );
  expect(received).toEqual([[{ viewer: server.user('tanaka') }], [{ viewer: server.user('sato') }], []]);
});

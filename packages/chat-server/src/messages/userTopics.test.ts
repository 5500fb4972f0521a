import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const topics = { fetch_event_types: ['user_topic'] };
const counts = { fetch_event_types: ['message', 'update_message_flags'] };
const { none, muted, unmuted, followed } = api.visibilityPolicies;

async function setup() {
  const server = await eg.server();
  const [sato, tanaka] = [eg.signIn(server, 'sato'), eg.signIn(server, 'tanaka')];
  const stream_id = server.stream(eg.general);
  const send = async (topic: string, content = topic) =>
    (await tanaka.ok(api.sendMessage, { type: 'stream', to: eg.general, topic, content })).id;
  const set = (topic: string, visibility_policy: 0 | 1 | 2 | 3) =>
    sato.ok(api.updateUserTopic, { stream_id, topic, visibility_policy });
  const count = async () => (await sato.ok(api.registerQueue, counts)).unread_msgs?.count;
  const first = async (narrow: api.ParametersIn<typeof api.getMessages>['narrow'] = []) =>
    (await sato.ok(api.getMessages, { anchor: 'first_unread', num_before: 0, num_after: 0, narrow })).anchor;
  const found = async (operator: string, operand: string) => {
    const narrow = [{ operator, operand }];
    const { messages } = await sato.ok(api.getMessages, { anchor: 'newest', num_before: 99, num_after: 0, narrow });
    return messages.map(({ subject }) => subject);
  };
  return { server, sato, stream_id, send, set, count, first, found };
}

it('A muted topic does not count as unread and is no first unread message, in any letter case, until it is unmuted', async () => {
  const { sato, send, set, count, first, found } = await setup();
  const lunch = await send('Lunch');
  const budget = await send('予算');
  expect([await count(), await first()]).toEqual([2, lunch]);
  await set('LUNCH', muted);
  expect([await count(), await first()]).toEqual([1, budget]);
  expect([await found('is', 'muted'), await found('in', 'home')]).toEqual([['Lunch'], ['予算']]);
  const { unread_msgs } = await sato.ok(api.registerQueue, counts);
  expect(unread_msgs?.streams.map(({ topic }) => topic)).toEqual(['Lunch', '予算']);
  await set('lunch', none);
  expect([await count(), await first(), await found('is', 'muted')]).toEqual([2, lunch, []]);
});

it('is:muted and is:followed find a topic whose lower case Unicode composes differently', async () => {
  const { send, set, found } = await setup();
  const topic = 'J\u030cazz';
  await send(topic);
  await set(topic, muted);
  expect(await found('is', 'muted')).toEqual([topic]);
  await set(topic, followed);
  expect(await found('is', 'followed')).toEqual([topic]);
});

it('In a muted stream unmuted and followed topics count as unread, and is:followed finds the followed ones', async () => {
  const { sato, stream_id, send, set, count, found } = await setup();
  for (const topic of ['昼食', '予算', '休暇']) await send(topic);
  const subscription_data = [{ stream_id, property: 'is_muted', value: true }];
  await sato.ok(api.updateSubscriptionProperties, { subscription_data });
  expect(await count()).toBe(0);
  await set('昼食', unmuted);
  await set('予算', followed);
  expect(await count()).toBe(2);
  expect([await found('is', 'followed'), await found('is', 'muted')]).toEqual([['予算'], ['休暇']]);
});

it('POST /register lists the choices for topics, which remain after a restart, except for streams that the member cannot see', async () => {
  const { server, sato, stream_id, set } = await setup();
  await set('昼食', muted);
  await set('予算', followed);
  await server.restart();
  const last_updated = Math.floor(server.clock.now() / 1000);
  const choice = (topic_name: string, visibility_policy: number) => ({ stream_id, topic_name, last_updated, visibility_policy });
  expect((await sato.ok(api.registerQueue, topics)).user_topics).toEqual([choice('予算', followed), choice('昼食', muted)]);
  const old = await sato.ok(api.registerQueue, { fetch_event_types: ['muted_topics'] });
  expect(old.muted_topics).toEqual([[eg.general, '昼食', last_updated]]);
  const both = await sato.ok(api.registerQueue, { fetch_event_types: ['muted_topics', 'user_topic'] });
  expect(both).not.toHaveProperty('muted_topics');
  await sato.ok(api.unsubscribe, { subscriptions: [eg.general] });
  expect((await sato.ok(api.registerQueue, topics)).user_topics).toEqual([]);
  expect((await eg.signIn(server, 'tanaka').ok(api.registerQueue, topics)).user_topics).toEqual([]);
});

it('A queue for all events receives both the list of muted topics and the changed topic', async () => {
  const { sato, set } = await setup();
  const queue = await queueOf(sato);
  await set('昼食', muted);
  expect((await queue.take()).map(({ type }) => type)).toEqual(['muted_topics', 'user_topic']);
});

it.each<[string, object, string]>([
  ['an unknown policy', { visibility_policy: 4 }, 'Invalid visibility_policy'],
  ['an empty topic', { topic: ' ' }, 'Topics are required in this organization'],
  ['an unknown stream', { stream_id: 987_654 }, 'Invalid stream ID'],
])('POST /user_topics refuses %s', async (_, change, msg) => {
  const { sato, stream_id } = await setup();
  const call = { stream_id, topic: '昼食', visibility_policy: 1 as const, ...change };
  expect(await sato.refused(api.updateUserTopic, call)).toMatchObject({ status: 400, msg });
});

it('PATCH /users/me/subscriptions/muted_topics needs the name or the id of a stream, not both', async () => {
  const { sato, stream_id } = await setup();
  const mute = { topic: '昼食', op: 'add' as const };
  expect(await sato.refused(api.muteTopic, mute)).toMatchObject({ msg: "Please supply 'stream'." });
  const both = { ...mute, stream_id, stream: eg.general };
  expect(await sato.refused(api.muteTopic, both)).toMatchObject({ msg: "Please choose one: 'stream' or 'stream_id'." });
  await sato.ok(api.muteTopic, { ...mute, stream_id });
  await sato.ok(api.muteTopic, { ...mute, stream: eg.general });
  expect((await sato.ok(api.registerQueue, topics)).user_topics).toHaveLength(1);
  await sato.ok(api.muteTopic, { stream: eg.general, topic: '昼食', op: 'remove' });
  expect((await sato.ok(api.registerQueue, topics)).user_topics).toEqual([]);
});

it('A member chooses something for at most 2,000 topics', async () => {
  const { sato, stream_id, set } = await setup();
  for (let first = 0; first < api.maxUserTopics; first += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, index) => set(`話題 ${first + index}`, muted)));
  }
  const more = { stream_id, topic: 'もう一つ', visibility_policy: muted };
  expect(await sato.refused(api.updateUserTopic, more)).toMatchObject({ msg: 'Too many topics with a setting (limit: 2000).' });
  await set('話題 7', followed);
});

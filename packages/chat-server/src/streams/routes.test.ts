import { getSubscriptions, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { joins, leaves } from '../testing/membership.ts';

it('[R7.6] [R7.7] GET /users/me/subscriptions lists the caller’s streams, with their subscribers if include_subscribers is set', async () => {
  const server = await eg.server();
  const { subscriptions } = await eg.signIn(server, 'sato').ok(getSubscriptions, { include_subscribers: true });
  expect(subscriptions).toMatchObject([
    {
      stream_id: server.stream(eg.general),
      name: eg.general,
      description: '総務部の連絡',
      invite_only: true,
      history_public_to_subscribers: true,
      subscribers: ['tanaka', 'sato', 'suzuki', 'takahashi'].map(server.user),
    },
    {
      stream_id: server.stream(eg.personnel),
      name: eg.personnel,
      history_public_to_subscribers: false,
      subscribers: ['tanaka', 'sato'].map(server.user),
    },
  ]);
});

it('GET /users/me/subscriptions omits subscribers by default', async () => {
  const { subscriptions } = await eg.signIn(await eg.server(), 'sato').ok(getSubscriptions, {});
  for (const subscription of subscriptions) expect(subscription).not.toHaveProperty('subscribers');
});

it('[R6.1] GET /users/me/subscriptions lists no streams that only other members subscribe to', async () => {
  const server = await eg.server();
  const { subscriptions } = await eg.signIn(server, 'ito').ok(getSubscriptions, { include_subscribers: true });
  expect(subscriptions).toEqual([]);
});

it('GET /users/me/subscriptions returns a different default colour for each stream of a member', async () => {
  const { subscriptions } = await eg.signIn(await eg.server(), 'tanaka').ok(getSubscriptions, {});
  expect(new Set(subscriptions.map(({ color }) => color)).size).toBe(3);
});

it('GET /users/me/subscriptions returns the id of the first message of each stream', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const first = async () => (await tanaka.ok(getSubscriptions, {})).subscriptions[0]?.first_message_id;
  expect(await first()).toBeNull();
  const { id } = await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'first' });
  await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'second' });
  expect(await first()).toBe(id);
});

it('GET /users/me/subscriptions lists a stream from when the member joins it until they leave it', async () => {
  const server = await eg.server();
  const ito = eg.signIn(server, 'ito');
  const names = async () => (await ito.ok(getSubscriptions, {})).subscriptions.map(({ name }) => name);
  await joins(server, 'ito', eg.personnel);
  await joins(server, 'ito', eg.personnel);
  expect(await names()).toEqual([eg.personnel]);
  await leaves(server, 'ito', eg.personnel);
  expect(await names()).toEqual([]);
});

it('The rendered description of a stream escapes HTML', async () => {
  const organisation = eg.organisation();
  const [stream] = organisation.streams;
  if (!stream) throw new Error('this test needs a stream');
  const server = await eg.server({
    organisation: { ...organisation, streams: [{ ...stream, description: `<img src=x onerror="a()"> & 'b'` }] },
  });
  const { subscriptions } = await eg.signIn(server, 'sato').ok(getSubscriptions, {});
  expect(subscriptions[0]?.rendered_description).toBe('&#60;img src=x onerror=&#34;a()&#34;&#62; &#38; &#39;b&#39;');
});

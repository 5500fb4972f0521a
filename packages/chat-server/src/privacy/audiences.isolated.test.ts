import * as api from '@engawa/protocol';
import { expect, it, vi } from 'vitest';
import * as settingsStore from '../settings/store.ts';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const picture = '/avatars/suzuki.png';
const everyone = { audience: 'everyone' } as const;
const nobody = { audience: 'nobody' } as const;

/** suzuki chooses audiences. sato belongs to a department and takahashi, a guest, to one below. tanaka belongs to none. */
async function setup() {
  const departments = { D1: ['sato', 'takahashi'], D2: [] };
  const server = await eg.server({ departments });
  const as = (name: string) => eg.signIn(server, name);
  const user_id = server.user('suzuki');
  const pictureFor = async (name: string) => (await as(name).ok(api.getUser, { user_id })).user.avatar_url;
  return {
    server,
    as,
    user_id,
    id: server.user,
    suzuki: as('suzuki'),
    register: (name: string, type: string) => queueOf(as(name), { event_types: [type] }),
    setAudience: (change: AudienceChange) => as('suzuki').ok(api.updateSettings, change),
    pictures: async (...names: string[]) => Promise.all(names.map(pictureFor)),
    selected: (who: Partial<api.Audience>) => ({ audience: 'selected' as const, user_ids: [], departments: [], ...who }),
  };
}

type AudienceChange = Partial<
  Record<'photo_audience' | 'status_audience' | 'groups_audience', Partial<api.Audience> & Pick<api.Audience, 'audience'>>
>;

const into = (name: string, ...principals: number[]) => ({ subscriptions: [{ name }], principals });

it('[R2.25.3] A member’s picture is visible only to the selected members and departments (with those below them), whatever the viewer’s role', async () => {
  const { setAudience, selected, pictures, id } = await setup();
  const names = ['tanaka', 'sato', 'takahashi', 'ito', 'suzuki'];
  expect(await pictures(...names)).toEqual([picture, picture, picture, picture, picture]);
  await setAudience({ photo_audience: selected({ user_ids: [id('ito')] }) });
  expect(await pictures(...names)).toEqual([null, null, null, picture, picture]);
  await setAudience({ photo_audience: selected({ departments: ['D1'] }) });
  expect(await pictures(...names)).toEqual([null, picture, picture, null, picture]);
  await setAudience({ photo_audience: selected({ departments: ['D2'], user_ids: [id('tanaka')] }) });
  expect(await pictures(...names)).toEqual([picture, null, null, null, picture]);
  await setAudience({ photo_audience: nobody });
  expect(await pictures(...names)).toEqual([null, null, null, null, picture]);
});

it('[R2.25.3] A picture that is hidden from a member is hidden in user lists and in messages', async () => {
  const { as, setAudience, selected, suzuki, user_id, id } = await setup();
  await suzuki.ok(api.sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'はい' });
  await setAudience({ photo_audience: selected({ user_ids: [id('sato')] }) });
  const visibleTo = async (name: string) => {
    const { members } = await as(name).ok(api.getUsers, {});
    const { realm_users = [] } = await as(name).ok(api.registerQueue, { fetch_event_types: ['realm_user'] });
    const { messages } = await as(name).ok(api.getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
    const listed = [members, realm_users].map((list) => list.find((user) => user.user_id === user_id)?.avatar_url);
    return [...listed, ...messages.map((message) => message.avatar_url)];
  };
  expect(await visibleTo('sato')).toEqual([picture, picture, picture]);
  expect(await visibleTo('tanaka')).toEqual([null, null, null]);
  expect(await visibleTo('suzuki')).toEqual([picture, picture, picture]);
});

it('[R2.25.3] Only members who can see a member’s picture get an event about a new picture, and others see no new version number', async () => {
  const { server, as, setAudience, selected, register, id, user_id } = await setup();
  await setAudience({ photo_audience: selected({ user_ids: [id('sato')] }) });
  const [sato, tanaka] = [await register('sato', 'realm_user'), await register('tanaka', 'realm_user')];
  await server.setAvatar('suzuki', '/avatars/new.png');
  expect(await sato.take()).toMatchObject([{ person: { user_id, avatar_url: '/avatars/new.png', avatar_version: 2 } }]);
  expect(await tanaka.take()).toEqual([]);
  const { user } = await as('tanaka').ok(api.getUser, { user_id });
  expect(user).toMatchObject({ avatar_url: null, avatar_version: 1 });
});

it('[R2.25.3] When a member changes who can see their picture, only those who gain or lose the right get an event', async () => {
  const { setAudience, selected, register, id, user_id } = await setup();
  const queues = new Map<string, Awaited<ReturnType<typeof register>>>();
  for (const name of ['tanaka', 'sato', 'ito', 'suzuki']) queues.set(name, await register(name, 'realm_user'));
  const received = async () => {
    const all: [string, unknown][] = [];
    for (const [name, queue] of queues) {
      for (const event of await queue.take()) {
        if (event.type === 'realm_user') all.push([name, event.person]);
      }
    }
    return all;
  };
  const waiting = queues.get('ito')?.wait();
  await setAudience({ photo_audience: selected({ user_ids: [id('sato')] }) });
  const gone = { user_id, avatar_url: null, avatar_url_medium: null, avatar_source: 'G', avatar_version: 1 };
  const there = { user_id, avatar_url: picture, avatar_url_medium: picture, avatar_source: 'U', avatar_version: 1 };
  expect(await waiting).toMatchObject([{ person: gone }]);
  expect(await received()).toEqual([['tanaka', gone]]);
  await setAudience({ photo_audience: selected({ user_ids: [id('sato'), id('ito')] }) });
  expect(await received()).toEqual([['ito', there]]);
  await setAudience({ photo_audience: everyone });
  expect(await received()).toEqual([['tanaka', there]]);
});

it('[R2.25.3] A picture that was replaced while it was hidden is never sent, even to members who may see the picture after it', async () => {
  const { server, setAudience, register } = await setup();
  await setAudience({ photo_audience: nobody });
  const tanaka = await register('tanaka', 'realm_user');
  await server.setAvatar('suzuki', '/avatars/withheld.png');
  await server.setAvatar('suzuki', '/avatars/open.png');
  await setAudience({ photo_audience: everyone });
  const events = JSON.stringify(await tanaka.take());
  expect(events).toContain('/avatars/open.png');
  expect(events).not.toContain('/avatars/withheld.png');
});

it('[R2.25.3] The server looks up a picture’s audience once per message, however many polls wait for the message', async () => {
  const { server, as, setAudience, selected, suzuki, id } = await setup();
  await setAudience({ photo_audience: selected({ user_ids: [id('sato')] }) });
  const queues = await Promise.all(['sato', 'sato', 'sato', 'tanaka', 'tanaka', 'tanaka'].map((name) => queueOf(as(name))));
  const polls = queues.map((queue) => queue.wait());
  await settled();
  const lookups = vi.spyOn(settingsStore.settings, 'get');
  await suzuki.ok(api.sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'はい' });
  const received = await Promise.all(polls);
  expect(lookups.mock.calls.filter(([, , name]) => name === 'photo_audience')).toHaveLength(1);
  lookups.mockRestore();
  const shownPictures = received.flat().map((event) => (event.type === 'message' ? event.message.avatar_url : undefined));
  expect(shownPictures).toEqual([picture, picture, picture, null, null, null]);
  expect(server.reports()).toEqual([]);
});

it('[R2.25.3] Only the members selected by its owner see a status and get its events', async () => {
  const { as, suzuki, setAudience, selected, register, user_id, id } = await setup();
  const [sato, tanaka] = [await register('sato', 'user_status'), await register('tanaka', 'user_status')];
  await setAudience({ status_audience: selected({ departments: ['D1'] }) });
  expect(await tanaka.take()).toMatchObject([{ user_id, status_text: '' }]);
  await suzuki.ok(api.updateStatus, { status_text: '会議中' });
  expect(await sato.take()).toMatchObject([{ user_id, status_text: '会議中' }]);
  expect(await tanaka.take()).toEqual([]);
  const visibleTo = async (name: string) => {
    const { user_status } = await as(name).ok(api.registerQueue, { fetch_event_types: ['user_status'] });
    return [(await as(name).ok(api.getUserStatus, { user_id })).status, user_status?.[user_id]];
  };
  const status = { status_text: '会議中' };
  for (const name of ['sato', 'takahashi', 'suzuki']) expect(await visibleTo(name)).toEqual([status, status]);
  for (const name of ['tanaka', 'ito']) expect(await visibleTo(name)).toEqual([{}, undefined]);

  await setAudience({ status_audience: selected({ user_ids: [id('tanaka')] }) });
  expect(await sato.take()).toMatchObject([{ user_id, status_text: '' }]);
  expect((await tanaka.take()).at(-1)).toMatchObject({ user_id, status_text: '会議中' });
});

const room = '新しい部屋';

it('[R2.25.3] Only selected members can add a member to a stream; a refused call names the members who do not allow it and adds nobody', async () => {
  const { as, suzuki, setAudience, selected, id } = await setup();
  await setAudience({ groups_audience: selected({ user_ids: [id('sato')] }) });
  const refusal = await as('tanaka').refused(api.subscribe, into(room, id('ito'), id('suzuki')));
  expect(refusal).toMatchObject({ status: 400, code: 'GROUP_NOT_WANTED', user_ids: [id('suzuki')] });
  for (const name of ['tanaka', 'ito', 'suzuki']) {
    const { subscriptions } = await as(name).ok(api.getSubscriptions, {});
    expect(subscriptions.map((each) => each.name)).not.toContain(room);
  }
  const done = await as('sato').ok(api.subscribe, into(room, id('ito'), id('suzuki')));
  expect(done.subscribed).toEqual({ [id('ito')]: [room], [id('suzuki')]: [room] });
  expect((await suzuki.ok(api.getSubscriptions, {})).subscriptions.map((each) => each.name)).toContain(room);
});

it('[R2.25.3] A member whom nobody may add to groups can stay in their streams and join others on their own', async () => {
  const { as, suzuki, setAudience, id } = await setup();
  await setAudience({ groups_audience: nobody });
  const again = await as('tanaka').ok(api.subscribe, into(eg.general, id('suzuki')));
  expect(again.already_subscribed).toEqual({ [id('suzuki')]: [eg.general] });
  await suzuki.ok(api.subscribe, { subscriptions: [{ name: room }] });
});

it('[R2.25.3] With a member who allows no groups, others can start direct conversations of two but not of three, and use existing ones', async () => {
  const { as, suzuki, setAudience, id } = await setup();
  const message = (...names: string[]) => ({ type: 'direct', to: api.addressDirect(names.map(id)), content: 'はい' });
  await as('tanaka').ok(api.sendMessage, message('suzuki', 'ito'));
  await setAudience({ groups_audience: nobody });
  await as('tanaka').ok(api.sendMessage, message('suzuki', 'ito'));
  await as('ito').ok(api.sendMessage, message('suzuki', 'tanaka'));
  await as('sato').ok(api.sendMessage, message('suzuki'));
  const refusal = await as('sato').refused(api.sendMessage, message('suzuki', 'ito'));
  expect(refusal).toMatchObject({ status: 400, code: 'GROUP_NOT_WANTED', user_ids: [id('suzuki')] });
  await suzuki.ok(api.sendMessage, message('sato', 'ito'));
  await as('sato').ok(api.sendMessage, message('suzuki', 'ito'));
  await as('sato').ok(api.sendMessage, { type: 'stream', to: api.addressStream(eg.general), topic: 't', content: 'はい' });
});

it('[R2.25.3] POST /typing is refused for a direct conversation that the sender could not start because a member allows no groups', async () => {
  const { as, suzuki, setAudience, register, id } = await setup();
  await setAudience({ groups_audience: nobody });
  const received = await register('suzuki', 'typing');
  const types = (...names: string[]) => ({ op: 'start', to: api.addressDirect(names.map(id)) });
  const refusal = await as('sato').refused(api.setTypingStatus, types('suzuki', 'ito'));
  expect(refusal).toMatchObject({ status: 400, code: 'GROUP_NOT_WANTED', user_ids: [id('suzuki')] });
  expect(await received.take()).toEqual([]);
  await as('sato').ok(api.setTypingStatus, types('suzuki'));
  expect(await received.take()).toHaveLength(1);
  await suzuki.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([id('sato'), id('ito')]), content: 'はい' });
  await as('sato').ok(api.setTypingStatus, types('suzuki', 'ito'));
  expect(await received.take()).toHaveLength(1);
});

import {
  type Audience,
  addressDirect,
  addressStream,
  getMessages,
  getSubscriptions,
  getUser,
  getUserStatus,
  getUsers,
  registerQueue,
  sendMessage,
  setTypingStatus,
  subscribe,
  updateSettings,
  updateStatus,
} from '@engawa/protocol';
import { describe, expect, it, vi } from 'vitest';
import * as settingsStore from '../settings/store.ts';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const picture = '/avatars/suzuki.png';
const everyone = { audience: 'everyone' } as const;
const nobody = { audience: 'nobody' } as const;

/** 鈴木, who chooses; 佐藤 is in the department 営業 and 高橋, a guest, below it; 田中 is in none. */
async function office() {
  const departments = { D1: ['sato', 'takahashi'], D2: [] };
  const server = await eg.server({ departments });
  const as = (name: string) => eg.signIn(server, name);
  const user_id = server.user('suzuki');
  const pictureFor = async (name: string) => (await as(name).ok(getUser, { user_id })).user.avatar_url;
  return {
    server,
    as,
    user_id,
    id: server.user,
    suzuki: as('suzuki'),
    listening: (name: string, type: string) => queueOf(as(name), { event_types: [type] }),
    chooses: (change: Parameters<typeof choose>[1]) => choose(as('suzuki'), change),
    pictures: async (...names: string[]) => Promise.all(names.map(pictureFor)),
    selects: (who: Partial<Audience>) => ({ audience: 'selected' as const, user_ids: [], departments: [], ...who }),
  };
}

type Change = Partial<
  Record<'photo_audience' | 'status_audience' | 'groups_audience', Partial<Audience> & Pick<Audience, 'audience'>>
>;
const choose = (client: eg.Client, change: Change) => client.ok(updateSettings, change);

const into = (name: string, ...principals: number[]) => ({ subscriptions: [{ name }], principals });

describe('[R2.25.3] a picture', () => {
  it('is shown to those who were selected: members, and departments with those below, whatever their role', async () => {
    const { chooses, selects, pictures, id } = await office();
    const names = ['tanaka', 'sato', 'takahashi', 'ito', 'suzuki'];
    expect(await pictures(...names)).toEqual([picture, picture, picture, picture, picture]);
    await chooses({ photo_audience: selects({ user_ids: [id('ito')] }) });
    expect(await pictures(...names)).toEqual([null, null, null, picture, picture]);
    await chooses({ photo_audience: selects({ departments: ['D1'] }) });
    expect(await pictures(...names)).toEqual([null, picture, picture, null, picture]);
    await chooses({ photo_audience: selects({ departments: ['D2'], user_ids: [id('tanaka')] }) });
    expect(await pictures(...names)).toEqual([picture, null, null, null, picture]);
    await chooses({ photo_audience: nobody });
    expect(await pictures(...names)).toEqual([null, null, null, null, picture]);
  });

  it('is withheld from lists and from messages alike', async () => {
    const { as, chooses, selects, suzuki, user_id, id } = await office();
    await suzuki.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'はい' });
    await chooses({ photo_audience: selects({ user_ids: [id('sato')] }) });
    const seenBy = async (name: string) => {
      const { members } = await as(name).ok(getUsers, {});
      const { realm_users = [] } = await as(name).ok(registerQueue, { fetch_event_types: ['realm_user'] });
      const { messages } = await as(name).ok(getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
      const listed = [members, realm_users].map((list) => list.find((user) => user.user_id === user_id)?.avatar_url);
      return [...listed, ...messages.map((message) => message.avatar_url)];
    };
    expect(await seenBy('sato')).toEqual([picture, picture, picture]);
    expect(await seenBy('tanaka')).toEqual([null, null, null]);
    expect(await seenBy('suzuki')).toEqual([picture, picture, picture]);
  });

  it('is told of to those alone who see it, and looks to the others like none that there ever was', async () => {
    const { server, as, chooses, selects, listening, id, user_id } = await office();
    await chooses({ photo_audience: selects({ user_ids: [id('sato')] }) });
    const [sato, tanaka] = [await listening('sato', 'realm_user'), await listening('tanaka', 'realm_user')];
    await server.setAvatar('suzuki', '/avatars/new.png');
    expect(await sato.take()).toMatchObject([{ person: { user_id, avatar_url: '/avatars/new.png', avatar_version: 2 } }]);
    expect(await tanaka.take()).toEqual([]);
    const { user } = await as('tanaka').ok(getUser, { user_id });
    expect(user).toMatchObject({ avatar_url: null, avatar_version: 1 });
  });

  it('is told of at once to those who gain or lose it, and to nobody else', async () => {
    const { chooses, selects, listening, id, user_id } = await office();
    const queues = new Map<string, Awaited<ReturnType<typeof listening>>>();
    for (const name of ['tanaka', 'sato', 'ito', 'suzuki']) queues.set(name, await listening(name, 'realm_user'));
    const heard = async () => {
      const all: [string, unknown][] = [];
      for (const [name, queue] of queues) {
        for (const event of await queue.take()) {
          if (event.type === 'realm_user') all.push([name, event.person]);
        }
      }
      return all;
    };
    const waiting = queues.get('ito')?.wait();
    await chooses({ photo_audience: selects({ user_ids: [id('sato')] }) });
    const gone = { user_id, avatar_url: null, avatar_url_medium: null, avatar_source: 'G', avatar_version: 1 };
    const there = { user_id, avatar_url: picture, avatar_url_medium: picture, avatar_source: 'U', avatar_version: 1 };
    expect(await waiting).toMatchObject([{ person: gone }]);
    expect(await heard()).toEqual([['tanaka', gone]]);
    await chooses({ photo_audience: selects({ user_ids: [id('sato'), id('ito')] }) });
    expect(await heard()).toEqual([['ito', there]]);
    await chooses({ photo_audience: everyone });
    expect(await heard()).toEqual([['tanaka', there]]);
  });

  it('that was withheld when it changed is never told of, also to who may see the next one', async () => {
    const { server, chooses, listening } = await office();
    await chooses({ photo_audience: nobody });
    const tanaka = await listening('tanaka', 'realm_user');
    await server.setAvatar('suzuki', '/avatars/withheld.png');
    await server.setAvatar('suzuki', '/avatars/open.png');
    await chooses({ photo_audience: everyone });
    const told = JSON.stringify(await tanaka.take());
    expect(told).toContain('/avatars/open.png');
    expect(told).not.toContain('/avatars/withheld.png');
  });

  it('costs a message that many wait for one look at its sender’s audience, and at most two texts', async () => {
    const { server, as, chooses, selects, suzuki, id } = await office();
    await chooses({ photo_audience: selects({ user_ids: [id('sato')] }) });
    const queues = await Promise.all(['sato', 'sato', 'sato', 'tanaka', 'tanaka', 'tanaka'].map((name) => queueOf(as(name))));
    const polls = queues.map((queue) => queue.wait());
    await settled();
    const looks = vi.spyOn(settingsStore.settings, 'get');
    await suzuki.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content: 'はい' });
    const heard = await Promise.all(polls);
    expect(looks.mock.calls.filter(([, , name]) => name === 'photo_audience')).toHaveLength(1);
    looks.mockRestore();
    const shown = heard.flat().map((event) => (event.type === 'message' ? event.message.avatar_url : undefined));
    expect(shown).toEqual([picture, picture, picture, null, null, null]);
    expect(server.reports()).toEqual([]);
  });
});

describe('[R2.25.3] a status', () => {
  it('is shown to those who were selected, and told of to them alone', async () => {
    const { as, suzuki, chooses, selects, listening, user_id, id } = await office();
    const [sato, tanaka] = [await listening('sato', 'user_status'), await listening('tanaka', 'user_status')];
    await chooses({ status_audience: selects({ departments: ['D1'] }) });
    expect(await tanaka.take()).toMatchObject([{ user_id, status_text: '' }]);
    await suzuki.ok(updateStatus, { status_text: '会議中' });
    expect(await sato.take()).toMatchObject([{ user_id, status_text: '会議中' }]);
    expect(await tanaka.take()).toEqual([]);
    const seenBy = async (name: string) => {
      const { user_status } = await as(name).ok(registerQueue, { fetch_event_types: ['user_status'] });
      return [(await as(name).ok(getUserStatus, { user_id })).status, user_status?.[user_id]];
    };
    const status = { status_text: '会議中' };
    for (const name of ['sato', 'takahashi', 'suzuki']) expect(await seenBy(name)).toEqual([status, status]);
    for (const name of ['tanaka', 'ito']) expect(await seenBy(name)).toEqual([{}, undefined]);

    await chooses({ status_audience: selects({ user_ids: [id('tanaka')] }) });
    expect(await sato.take()).toMatchObject([{ user_id, status_text: '' }]);
    expect((await tanaka.take()).at(-1)).toMatchObject({ user_id, status_text: '会議中' });
  });
});

describe('[R2.25.3] who may bring a member into a group', () => {
  const room = '新しい部屋';

  it('is who was selected; others are refused with the names of those who do not want it, and nothing changes', async () => {
    const { as, suzuki, chooses, selects, id } = await office();
    await chooses({ groups_audience: selects({ user_ids: [id('sato')] }) });
    const refusal = await as('tanaka').refused(subscribe, into(room, id('ito'), id('suzuki')));
    expect(refusal).toMatchObject({ status: 400, code: 'GROUP_NOT_WANTED', user_ids: [id('suzuki')] });
    for (const name of ['tanaka', 'ito', 'suzuki']) {
      const { subscriptions } = await as(name).ok(getSubscriptions, {});
      expect(subscriptions.map((each) => each.name)).not.toContain(room);
    }
    const done = await as('sato').ok(subscribe, into(room, id('ito'), id('suzuki')));
    expect(done.subscribed).toEqual({ [id('ito')]: [room], [id('suzuki')]: [room] });
    expect((await suzuki.ok(getSubscriptions, {})).subscriptions.map((each) => each.name)).toContain(room);
  });

  it('is not asked of who is in it already, nor of who enters it by themselves', async () => {
    const { as, suzuki, chooses, id } = await office();
    await chooses({ groups_audience: nobody });
    const again = await as('tanaka').ok(subscribe, into(eg.general, id('suzuki')));
    expect(again.already_subscribed).toEqual({ [id('suzuki')]: [eg.general] });
    await suzuki.ok(subscribe, { subscriptions: [{ name: room }] });
  });

  it('goes for a direct conversation of three as well, but not for one that is there, nor for one of two', async () => {
    const { as, suzuki, chooses, id } = await office();
    const says = (...names: string[]) => ({ type: 'direct', to: addressDirect(names.map(id)), content: 'はい' });
    await as('tanaka').ok(sendMessage, says('suzuki', 'ito'));
    await chooses({ groups_audience: nobody });
    await as('tanaka').ok(sendMessage, says('suzuki', 'ito'));
    await as('ito').ok(sendMessage, says('suzuki', 'tanaka'));
    await as('sato').ok(sendMessage, says('suzuki'));
    const refusal = await as('sato').refused(sendMessage, says('suzuki', 'ito'));
    expect(refusal).toMatchObject({ status: 400, code: 'GROUP_NOT_WANTED', user_ids: [id('suzuki')] });
    await suzuki.ok(sendMessage, says('sato', 'ito'));
    await as('sato').ok(sendMessage, says('suzuki', 'ito'));
    await as('sato').ok(sendMessage, { type: 'stream', to: addressStream(eg.general), topic: 't', content: 'はい' });
  });

  it('goes for saying that one types as well: nobody hears of it who could not be written to', async () => {
    const { as, suzuki, chooses, listening, id } = await office();
    await chooses({ groups_audience: nobody });
    const heard = await listening('suzuki', 'typing');
    const types = (...names: string[]) => ({ op: 'start', to: addressDirect(names.map(id)) });
    const refusal = await as('sato').refused(setTypingStatus, types('suzuki', 'ito'));
    expect(refusal).toMatchObject({ status: 400, code: 'GROUP_NOT_WANTED', user_ids: [id('suzuki')] });
    expect(await heard.take()).toEqual([]);
    await as('sato').ok(setTypingStatus, types('suzuki'));
    expect(await heard.take()).toHaveLength(1);
    await suzuki.ok(sendMessage, { type: 'direct', to: addressDirect([id('sato'), id('ito')]), content: 'はい' });
    await as('sato').ok(setTypingStatus, types('suzuki', 'ito'));
    expect(await heard.take()).toHaveLength(1);
  });
});

import * as api from '@engawa/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { EphemeralEvents } from '../events/ephemeral.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { resultOf } from '../testing/steps.ts';
import { users } from '../identity/store.ts';
import { Presence } from './presence.ts';
import { presenceState } from './routes.ts';
import { presences } from './store.ts';

const atOnce = { client_capabilities: { simplified_presence_events: true }, event_types: ['presence'] };
const snapshot = { fetch_event_types: ['presence'], slim_presence: true };
const active = { status: 'active', slim_presence: true };

async function setup(organisation = eg.organisation()) {
  const server = await eg.server({ organisation });
  const now = () => Math.floor(server.clock.now() / 1000);
  const as = (name: string) => eg.signIn(server, name);
  return {
    server,
    now,
    as,
    id: server.user,
    becomeActive: (name: string, status = 'active') => as(name).ok(api.updatePresence, { ...active, status }),
    tick: () => server.clock.advance(api.presenceBatchSeconds),
    queueOf: (name: string) => queueOf(as(name), atOnce),
    /** The presence of a member as each endpoint returns it. */
    async presenceSeenBy(name: string, of: string): Promise<readonly unknown[]> {
      const slim = (answer: api.AnswerOut<typeof api.updatePresence>) => answer.presences?.[server.user(of)];
      const one = await as(name).raw({ path: `/users/${server.user(of)}/presence` });
      return [
        slim(await as(name).ok(api.registerQueue, snapshot)),
        slim(await as(name).ok(api.updatePresence, { ...active, last_update_id: -1 })),
        (await as(name).ok(api.updatePresence, { status: 'active' })).presences?.[eg.emailOf(of)],
        (await as(name).ok(api.getRealmPresence, {})).presences[eg.emailOf(of)],
        one.status === 200 ? JSON.parse(one.text).presence : undefined,
      ];
    },
  };
}

const nothing = [undefined, undefined, undefined, undefined, undefined];

it('[R2.20.2] [R7.6] Every endpoint that returns a member’s presence has the times when they were last active and last connected', async () => {
  const { becomeActive, tick, presenceSeenBy, now } = await setup();
  const activeAt = now();
  await becomeActive('suzuki');
  await tick();
  await becomeActive('suzuki', 'idle');
  const view = { client: 'website', status: 'active', timestamp: activeAt };
  const slim = { active_timestamp: activeAt, idle_timestamp: now() };
  const legacy = { aggregated: view, website: { ...view, pushable: false } };
  const one = { status: 'active', timestamp: activeAt };
  expect(await presenceSeenBy('sato', 'suzuki')).toEqual([slim, slim, legacy, legacy, { aggregated: one, website: one }]);
});

it('GET /users/{id}/presence reports a member as offline when no activity arrived for 200 seconds', async () => {
  const { server, becomeActive, as, id } = await setup();
  await becomeActive('suzuki');
  const status = async () => {
    const { presence } = await as('sato').ok(api.getUserPresence, { user_id: id('suzuki') });
    expect(await as('sato').ok(api.getUserPresenceByEmail, { email: 'suzuki@example.com' })).toEqual({ presence });
    return presence['aggregated']?.status;
  };
  await server.clock.jump(api.presenceSeconds.offline - 1);
  expect(await status()).toBe('active');
  await server.clock.jump(1);
  expect(await status()).toBe('offline');
});

it('[R2.20.2] Others get a presence event when a member comes online, and the next one when they return after being offline', async () => {
  const { server, becomeActive, tick, queueOf: register, id, now } = await setup();
  const sato = await register('sato');
  const event = (at: number) => ({
    id: sato.cursor,
    type: 'presence',
    presences: { [id('suzuki')]: { active_timestamp: at, idle_timestamp: at } },
  });
  const first = now();
  await becomeActive('suzuki');
  expect(await sato.take()).toEqual([]);
  await tick();
  expect(await sato.take()).toEqual([event(first)]);
  await server.clock.jump(api.presenceSeconds.ping);
  await becomeActive('suzuki');
  await tick();
  expect(await sato.take()).toEqual([]);
  await server.clock.jump(api.presenceSeconds.offline);
  const second = now();
  await becomeActive('suzuki');
  await tick();
  expect(await sato.take()).toEqual([event(second)]);
});

it('When several members come online within five seconds, one presence event with all of them answers the waiting polls', async () => {
  const { becomeActive, tick, queueOf: register, id } = await setup();
  const waiting = (await register('sato')).wait();
  for (const name of ['suzuki', 'ito']) await becomeActive(name);
  await tick();
  const [event, ...others] = await waiting;
  expect(others).toEqual([]);
  expect(event).toMatchObject({ type: 'presence', presences: { [id('suzuki')]: {}, [id('ito')]: {} } });
});

it('POST /users/me/presence returns only presence that has changed since the update that the caller names', async () => {
  const { server, becomeActive, tick, as, id, now } = await setup();
  const update = (last_update_id: number) => as('sato').ok(api.updatePresence, { status: 'idle', last_update_id });
  await becomeActive('suzuki');
  await becomeActive('ito');
  await tick();
  const first = await update(-1);
  expect(Object.keys(first.presences ?? {})).toEqual(expect.arrayContaining([`${id('suzuki')}`, `${id('ito')}`]));
  await server.clock.jump(api.presenceSeconds.ping);
  await becomeActive('ito');
  await tick();
  const second = await update(first.presence_last_update_id ?? 0);
  expect(second.presences?.[id('ito')]).toMatchObject({ active_timestamp: now() - api.presenceBatchSeconds });
  expect(second.presences).not.toHaveProperty(`${id('suzuki')}`);
  await tick();
  expect((await update(second.presence_last_update_id ?? 0)).presences).not.toHaveProperty(`${id('ito')}`);
});

it('[R2.20.2] After a restart the server still knows when members were last online, and its presence update ids do not fall', async () => {
  const { server, becomeActive, tick, as, presenceSeenBy, now } = await setup();
  const activeAt = now();
  await becomeActive('suzuki');
  await tick();
  const { presence_last_update_id = 0 } = await as('sato').ok(api.updatePresence, { ...active, last_update_id: -1 });
  await server.restart();
  expect((await presenceSeenBy('sato', 'suzuki'))[0]).toEqual({ active_timestamp: activeAt, idle_timestamp: activeAt });
  const later = await as('sato').ok(api.updatePresence, { ...active, last_update_id: presence_last_update_id });
  expect(later.presence_last_update_id).toBeGreaterThanOrEqual(presence_last_update_id);
});

it('The server no longer reports a member’s presence fourteen days after they were last online', async () => {
  const { server, becomeActive, presenceSeenBy } = await setup();
  await becomeActive('suzuki');
  await server.clock.jump(14 * 24 * 60 * 60 - api.presenceBatchSeconds);
  expect((await presenceSeenBy('sato', 'suzuki'))[0]).toBeDefined();
  await server.clock.jump(api.presenceBatchSeconds);
  expect(await presenceSeenBy('sato', 'suzuki')).toEqual(nothing);
  await server.restart();
  expect(await presenceSeenBy('sato', 'suzuki')).toEqual(nothing);
});

it('POST /users/me/presence with ping_only records the caller’s presence but returns no presence of others', async () => {
  const { as, presenceSeenBy } = await setup();
  expect(await as('suzuki').ok(api.updatePresence, { ...active, ping_only: true })).toEqual({});
  expect((await presenceSeenBy('sato', 'suzuki'))[0]).toBeDefined();
});

it('The presence endpoints refuse an invalid call with an error that says what is wrong', async () => {
  const { as, id } = await setup();
  expect(await as('suzuki').refused(api.updatePresence, { status: 'away' })).toMatchObject({ msg: 'Invalid status: away' });
  expect(await as('suzuki').refused(api.getUserPresence, { user_id: 987 })).toMatchObject({ msg: 'No such user' });
  const user_id = id('ito');
  const msg = `No presence data for ${user_id}`;
  expect(await as('suzuki').refused(api.getUserPresence, { user_id })).toMatchObject({ msg });
});

it('[R2.25.2] [R2.25.3] A member who hides their presence becomes absent for others, also after a restart, and sees no presence of others', async () => {
  const { server, as, becomeActive, tick, presenceSeenBy, queueOf: register, id } = await setup();
  for (const name of ['suzuki', 'sato']) await becomeActive(name);
  await tick();
  const [sato, suzuki] = [await register('sato'), await register('suzuki')];
  for (const queue of [sato, suzuki]) expect(await queue.take()).toHaveLength(1);
  const { presence_last_update_id = 0 } = await as('sato').ok(api.updatePresence, { ...active, last_update_id: -1 });
  await as('suzuki').ok(api.updateSettings, { presence_enabled: false });
  await becomeActive('suzuki');
  expect(await presenceSeenBy('sato', 'suzuki')).toEqual(nothing);
  expect(await presenceSeenBy('suzuki', 'sato')).toEqual(nothing);
  expect(await presenceSeenBy('tanaka', 'suzuki')).toEqual(nothing);

  await tick();
  const gone = { active_timestamp: 0, idle_timestamp: 0 };
  expect(await sato.take()).toMatchObject([{ presences: { [id('suzuki')]: gone } }]);
  expect(await suzuki.take()).toEqual([]);
  const delta = await as('sato').ok(api.updatePresence, { ...active, last_update_id: presence_last_update_id });
  expect(delta.presences?.[id('suzuki')]).toEqual(gone);

  await server.restart();
  expect(await presenceSeenBy('sato', 'suzuki')).toEqual(nothing);
  await as('suzuki').ok(api.updateSettings, { presence_enabled: true });
  expect(await presenceSeenBy('sato', 'suzuki')).toEqual(nothing);
  await becomeActive('suzuki');
  await tick();
  expect((await presenceSeenBy('sato', 'suzuki'))[0]).toMatchObject({ active_timestamp: expect.any(Number) });
  expect((await presenceSeenBy('suzuki', 'sato'))[0]).toBeDefined();
});

it('[R2.25.3] A queue that polls only after a member hid their presence does not receive the earlier times of this member', async () => {
  const { as, becomeActive, tick, queueOf: register, id } = await setup();
  const [sato, ito] = [await register('sato'), await register('ito')];
  await becomeActive('suzuki');
  await tick();
  expect(await sato.take()).toMatchObject([{ presences: { [id('suzuki')]: { active_timestamp: expect.any(Number) } } }]);
  await as('suzuki').ok(api.updateSettings, { presence_enabled: false });
  const gone = { active_timestamp: 0, idle_timestamp: 0 };
  expect(await ito.take()).toMatchObject([{ presences: { [id('suzuki')]: gone } }]);
});

it('[R2.25.3] A member who hides presence or disables typing events sends none, but still receives those of others', async () => {
  const { as, id, server } = await setup();
  const sato = await queueOf(as('sato'), { client_capabilities: { stream_typing_notifications: true } });
  const received = async () => (await sato.take()).filter(({ type }) => type === 'typing');
  const startTyping = async () => {
    await as('suzuki').ok(api.setTypingStatus, { op: 'start', to: api.addressDirect([id('sato')]) });
    const topic = '昼食';
    await as('suzuki').ok(api.setTypingStatus, { op: 'start', type: 'stream', stream_id: server.stream(eg.general), topic });
  };
  await startTyping();
  expect(await received()).toMatchObject([{ message_type: 'direct' }, { message_type: 'stream' }]);
  await as('suzuki').ok(api.updateSettings, { send_private_typing_notifications: false });
  await startTyping();
  expect(await received()).toMatchObject([{ message_type: 'stream' }]);
  await as('suzuki').ok(api.updateSettings, {
    send_private_typing_notifications: true,
    send_stream_typing_notifications: false,
  });
  await startTyping();
  expect(await received()).toMatchObject([{ message_type: 'direct' }]);
  await as('suzuki').ok(api.updateSettings, { send_stream_typing_notifications: true });
  await startTyping();
  await as('suzuki').ok(api.updateSettings, { presence_enabled: false });
  await startTyping();
  expect(await received()).toEqual([]);
  const suzuki = await queueOf(as('suzuki'));
  await as('sato').ok(api.setTypingStatus, { op: 'start', to: api.addressDirect([id('suzuki')]) });
  expect(await suzuki.take()).toMatchObject([{ type: 'typing' }]);
});

it('Others no longer see the presence of a deactivated member, and a reactivation does not restore it', async () => {
  const { as, becomeActive, tick, presenceSeenBy, queueOf: register, id } = await setup();
  await becomeActive('suzuki');
  await tick();
  const sato = await register('sato');
  await sato.take();
  await as('tanaka').ok(api.deactivateUser, { user_id: id('suzuki') });
  await tick();
  expect(await sato.take()).toMatchObject([{ presences: { [id('suzuki')]: { active_timestamp: 0 } } }]);
  expect(await presenceSeenBy('sato', 'suzuki')).toEqual(nothing);
  await as('tanaka').ok(api.reactivateUser, { user_id: id('suzuki') });
  expect(await presenceSeenBy('sato', 'suzuki')).toEqual(nothing);
});

it('The presence in a registration has no entry for a user who was created after its snapshot began', async () => {
  const { server, as } = await setup();
  const { database } = fileOf(server);
  const presence = new Presence(database, new EphemeralEvents(server.clock), server.clock);
  onTestFinished(() => presence.close());
  const member = eg.memberOf(server, 'sato', api.roles.member);
  const steps = database.longSnapshot(function* (reader) {
    users.all(reader);
    yield;
    return Object.keys(presenceState(reader, presence, member, false, 0).presences);
  });
  steps.next();
  const email = eg.emailOf('haruno');
  const { user_id = 0 } = await as('sato').ok(api.createUser, { email, full_name: '春野 桜', password: 'hanamizake' });
  for (const id of [user_id, server.user('suzuki')]) presence.note(id, true);
  expect(resultOf(steps)).toEqual([eg.emailOf('suzuki')]);
});

it('Presence events and answers have at most a fixed number of members, and the others are sent in later events', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const ephemeral = new EphemeralEvents(server.clock);
  const presence = new Presence(database, ephemeral, server.clock);
  onTestFinished(() => presence.close());
  const published: number[] = [];
  ephemeral.onPublish(({ texts }) => {
    const options = {
      apply_markdown: false,
      narrow: [],
      all_public_streams: false,
      bulk_message_deletion: false,
      include_deactivated_groups: false,
      linkifier_url_template: false,
      notification_settings_null: false,
    };
    const capable = { ...options, stream_typing_notifications: false, simplified_presence_events: true, slim_presence: true };
    const member = eg.memberOf(server, 'tanaka', api.roles.owner);
    const queue = { id: '', member, options: capable, began: 0, lifespan: 0 };
    for (const text of texts(database.reader, queue)) published.push(Object.keys(JSON.parse(text).presences).length);
  });
  const many = api.maxPresencesPerAnswer + 1;
  for (let userId = 1; userId <= many; userId += 1) presence.note(userId, true);
  const ticks = Math.ceil(many / api.maxPresencesPerBatch);
  for (let tick = 0; tick <= ticks; tick += 1) await server.clock.jump(api.presenceBatchSeconds);
  expect(published).toHaveLength(ticks);
  expect(Math.max(...published)).toBe(api.maxPresencesPerBatch);
  expect(published.reduce((sum, count) => sum + count, 0)).toBe(many);
  expect(presence.since(-1).size).toBe(api.maxPresencesPerAnswer);
  expect(presence.since(presence.updateId).size).toBe(0);
});

it('Presence reuses the answer to an equal request, but stores only a limited number of answers', async () => {
  const server = await eg.server();
  const presence = new Presence(fileOf(server).database, new EphemeralEvents(server.clock), server.clock);
  onTestFinished(() => presence.close());
  let written = 0;
  const answerFor = (update: number) => presence.shared(`true ${update}`, () => `${(written += 1)}`);
  const texts = Array.from({ length: 1000 }, (_, update) => answerFor(update));
  expect(answerFor(999)).toBe(texts[999]);
  expect(written).toBe(1000);
  answerFor(0);
  expect(written).toBe(1001);
});

it('The server saves the presence of all members even if they are more than one transaction takes', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const many = 2001;
  await database.write((tx) => {
    for (let each = 0; each < many; each += 1) {
      const person = eg.person(`member-${each}`, `社員 ${each}`, api.roles.member);
      users.insert(tx, { ...person, is_bot: 0, password: '' });
    }
  });
  const all = users.all(database.reader).map(({ id }) => id);
  const presence = new Presence(database, new EphemeralEvents(server.clock), server.clock);
  for (const id of all) presence.note(id, true);
  await presence.save();
  presence.close();
  expect(presences.since(database.reader, 0)).toHaveLength(all.length);
});

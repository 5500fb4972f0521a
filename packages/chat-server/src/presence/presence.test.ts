import {
  type AnswerOut,
  deactivateUser,
  getRealmPresence,
  getUserPresence,
  maxPresencesPerAnswer,
  maxPresencesPerBatch,
  presenceSeconds,
  presenceBatchSeconds,
  reactivateUser,
  registerQueue,
  roles,
  setTypingStatus,
  addressDirect,
  updatePresence,
  updateSettings,
} from '@engawa/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EphemeralEvents } from '../events/ephemeral.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { users } from '../identity/store.ts';
import { Presence } from './presence.ts';
import { presences } from './store.ts';

const atOnce = { client_capabilities: { simplified_presence_events: true }, event_types: ['presence'] };
const snapshot = { fetch_event_types: ['presence'], slim_presence: true };
const active = { status: 'active', slim_presence: true };

async function office(organisation = eg.organisation()) {
  const server = await eg.server({ organisation });
  const now = () => Math.floor(server.clock.now() / 1000);
  const as = (name: string) => eg.signIn(server, name);
  return {
    server,
    now,
    as,
    id: server.user,
    comes: (name: string, status = 'active') => as(name).ok(updatePresence, { ...active, status }),
    tick: () => server.clock.pass(presenceBatchSeconds),
    queueOf: (name: string) => queueOf(as(name), atOnce),
    /** What a member learns of another by each way of asking. */
    async learns(name: string, of: string): Promise<readonly unknown[]> {
      const slim = (answer: AnswerOut<typeof updatePresence>) => answer.presences?.[server.user(of)];
      const one = await as(name).raw({ path: `/users/${server.user(of)}/presence` });
      return [
        slim(await as(name).ok(registerQueue, snapshot)),
        slim(await as(name).ok(updatePresence, { ...active, last_update_id: -1 })),
        (await as(name).ok(updatePresence, { status: 'active' })).presences?.[eg.emailOf(of)],
        (await as(name).ok(getRealmPresence, {})).presences[eg.emailOf(of)],
        one.status === 200 ? JSON.parse(one.text).presence : undefined,
      ];
    },
  };
}

const nothing = [undefined, undefined, undefined, undefined, undefined];

describe('presence', () => {
  it('[R2.20.2] [R7.6] is when a member was last active and last connected, by every way of asking', async () => {
    const { comes, tick, learns, now } = await office();
    const came = now();
    await comes('suzuki');
    await tick();
    await comes('suzuki', 'idle');
    const view = { client: 'website', status: 'active', timestamp: came };
    const slim = { active_timestamp: came, idle_timestamp: now() };
    const legacy = { aggregated: view, website: { ...view, pushable: false } };
    const one = { status: 'active', timestamp: came };
    expect(await learns('sato', 'suzuki')).toEqual([slim, slim, legacy, legacy, { aggregated: one, website: one }]);
  });

  it('of one alone is offline after a while', async () => {
    const { server, comes, as, id } = await office();
    await comes('suzuki');
    const status = async () => (await as('sato').ok(getUserPresence, { user_id: id('suzuki') })).presence['aggregated']?.status;
    await server.clock.jump(presenceSeconds.offline - 1);
    expect(await status()).toBe('active');
    await server.clock.jump(1);
    expect(await status()).toBe('offline');
  });

  it('[R2.20.2] is told when somebody comes, once, and again when they come after they were gone', async () => {
    const { server, comes, tick, queueOf: listening, id, now } = await office();
    const sato = await listening('sato');
    const told = (at: number) => ({
      id: sato.cursor,
      type: 'presence',
      presences: { [id('suzuki')]: { active_timestamp: at, idle_timestamp: at } },
    });
    const first = now();
    await comes('suzuki');
    expect(await sato.take()).toEqual([]);
    await tick();
    expect(await sato.take()).toEqual([told(first)]);
    await server.clock.jump(presenceSeconds.ping);
    await comes('suzuki');
    await tick();
    expect(await sato.take()).toEqual([]);
    await server.clock.jump(presenceSeconds.offline);
    const second = now();
    await comes('suzuki');
    await tick();
    expect(await sato.take()).toEqual([told(second)]);
  });

  it('tells of all who come within a tick at once, and answers a poll that waits', async () => {
    const { comes, tick, queueOf: listening, id } = await office();
    const waiting = (await listening('sato')).wait();
    for (const name of ['suzuki', 'ito']) await comes(name);
    await tick();
    const [told, ...others] = await waiting;
    expect(others).toEqual([]);
    expect(told).toMatchObject({ type: 'presence', presences: { [id('suzuki')]: {}, [id('ito')]: {} } });
  });

  it('is given again only where there is something new since the update that was answered last', async () => {
    const { server, comes, tick, as, id, now } = await office();
    const asks = (last_update_id: number) => as('sato').ok(updatePresence, { status: 'idle', last_update_id });
    await comes('suzuki');
    await comes('ito');
    await tick();
    const first = await asks(-1);
    expect(Object.keys(first.presences ?? {})).toEqual(expect.arrayContaining([`${id('suzuki')}`, `${id('ito')}`]));
    await server.clock.jump(presenceSeconds.ping);
    await comes('ito');
    await tick();
    const second = await asks(first.presence_last_update_id ?? 0);
    expect(second.presences?.[id('ito')]).toMatchObject({ active_timestamp: now() - presenceBatchSeconds });
    expect(second.presences).not.toHaveProperty(`${id('suzuki')}`);
    await tick();
    expect((await asks(second.presence_last_update_id ?? 0)).presences).not.toHaveProperty(`${id('ito')}`);
  });

  it('[R2.20.2] outlives a restart, and its updates go on from there', async () => {
    const { server, comes, tick, as, learns, now } = await office();
    const came = now();
    await comes('suzuki');
    await tick();
    const { presence_last_update_id = 0 } = await as('sato').ok(updatePresence, { ...active, last_update_id: -1 });
    await server.restart();
    expect((await learns('sato', 'suzuki'))[0]).toEqual({ active_timestamp: came, idle_timestamp: came });
    const later = await as('sato').ok(updatePresence, { ...active, last_update_id: presence_last_update_id });
    expect(later.presence_last_update_id).toBeGreaterThanOrEqual(presence_last_update_id);
  });

  it('is of the last fourteen days', async () => {
    const { server, comes, learns } = await office();
    await comes('suzuki');
    await server.clock.jump(14 * 24 * 60 * 60 - presenceBatchSeconds);
    expect((await learns('sato', 'suzuki'))[0]).toBeDefined();
    await server.clock.jump(presenceBatchSeconds);
    expect(await learns('sato', 'suzuki')).toEqual(nothing);
    await server.restart();
    expect(await learns('sato', 'suzuki')).toEqual(nothing);
  });

  it('answers nothing to a client that only says to be there', async () => {
    const { as, learns } = await office();
    expect(await as('suzuki').ok(updatePresence, { ...active, ping_only: true })).toEqual({});
    expect((await learns('sato', 'suzuki'))[0]).toBeDefined();
  });

  it('says what is wrong', async () => {
    const { as, id } = await office();
    expect(await as('suzuki').refused(updatePresence, { status: 'away' })).toMatchObject({ msg: 'Invalid status: away' });
    expect(await as('suzuki').refused(getUserPresence, { user_id: 987 })).toMatchObject({ msg: 'No such user' });
    const user_id = id('ito');
    const msg = `No presence data for ${user_id}`;
    expect(await as('suzuki').refused(getUserPresence, { user_id })).toMatchObject({ msg });
  });
});

describe('who shows it to nobody', () => {
  it('[R2.25.2] [R2.25.3] is gone for the others at once, and after a restart, and is shown nobody either', async () => {
    const { server, as, comes, tick, learns, queueOf: listening, id } = await office();
    for (const name of ['suzuki', 'sato']) await comes(name);
    await tick();
    const [sato, suzuki] = [await listening('sato'), await listening('suzuki')];
    for (const queue of [sato, suzuki]) expect(await queue.take()).toHaveLength(1);
    const { presence_last_update_id = 0 } = await as('sato').ok(updatePresence, { ...active, last_update_id: -1 });
    await as('suzuki').ok(updateSettings, { presence_enabled: false });
    await comes('suzuki');
    expect(await learns('sato', 'suzuki')).toEqual(nothing);
    expect(await learns('suzuki', 'sato')).toEqual(nothing);
    expect(await learns('tanaka', 'suzuki')).toEqual(nothing);

    await tick();
    const gone = { active_timestamp: 0, idle_timestamp: 0 };
    expect(await sato.take()).toMatchObject([{ presences: { [id('suzuki')]: gone } }]);
    expect(await suzuki.take()).toEqual([]);
    const delta = await as('sato').ok(updatePresence, { ...active, last_update_id: presence_last_update_id });
    expect(delta.presences?.[id('suzuki')]).toEqual(gone);

    await server.restart();
    expect(await learns('sato', 'suzuki')).toEqual(nothing);
    await as('suzuki').ok(updateSettings, { presence_enabled: true });
    expect(await learns('sato', 'suzuki')).toEqual(nothing);
    await comes('suzuki');
    await tick();
    expect((await learns('sato', 'suzuki'))[0]).toMatchObject({ active_timestamp: expect.any(Number) });
    expect((await learns('suzuki', 'sato'))[0]).toBeDefined();
  });

  it('[R2.25.3] is not heard to have come by a queue that comes late for it', async () => {
    const { as, comes, tick, queueOf: listening, id } = await office();
    const [sato, ito] = [await listening('sato'), await listening('ito')];
    await comes('suzuki');
    await tick();
    expect(await sato.take()).toMatchObject([{ presences: { [id('suzuki')]: { active_timestamp: expect.any(Number) } } }]);
    await as('suzuki').ok(updateSettings, { presence_enabled: false });
    const gone = { active_timestamp: 0, idle_timestamp: 0 };
    expect(await ito.take()).toMatchObject([{ presences: { [id('suzuki')]: gone } }]);
  });

  it('[R2.25.3] is not told to type, nor who does not tell it, and is told of the others all the same', async () => {
    const { as, id, server } = await office();
    const sato = await queueOf(as('sato'), { client_capabilities: { stream_typing_notifications: true } });
    const heard = async () => (await sato.take()).filter(({ type }) => type === 'typing');
    const types = async () => {
      await as('suzuki').ok(setTypingStatus, { op: 'start', to: addressDirect([id('sato')]) });
      const topic = '昼食';
      await as('suzuki').ok(setTypingStatus, { op: 'start', type: 'stream', stream_id: server.stream(eg.general), topic });
    };
    await types();
    expect(await heard()).toMatchObject([{ message_type: 'direct' }, { message_type: 'stream' }]);
    await as('suzuki').ok(updateSettings, { send_private_typing_notifications: false });
    await types();
    expect(await heard()).toMatchObject([{ message_type: 'stream' }]);
    await as('suzuki').ok(updateSettings, { send_private_typing_notifications: true, send_stream_typing_notifications: false });
    await types();
    expect(await heard()).toMatchObject([{ message_type: 'direct' }]);
    await as('suzuki').ok(updateSettings, { send_stream_typing_notifications: true });
    await types();
    await as('suzuki').ok(updateSettings, { presence_enabled: false });
    await types();
    expect(await heard()).toEqual([]);
    const suzuki = await queueOf(as('suzuki'));
    await as('sato').ok(setTypingStatus, { op: 'start', to: addressDirect([id('suzuki')]) });
    expect(await suzuki.take()).toMatchObject([{ type: 'typing' }]);
  });

  it('is also who was deactivated, of whom nothing is left', async () => {
    const { as, comes, tick, learns, queueOf: listening, id } = await office();
    await comes('suzuki');
    await tick();
    const sato = await listening('sato');
    await sato.take();
    await as('tanaka').ok(deactivateUser, { user_id: id('suzuki') });
    await tick();
    expect(await sato.take()).toMatchObject([{ presences: { [id('suzuki')]: { active_timestamp: 0 } } }]);
    expect(await learns('sato', 'suzuki')).toEqual(nothing);
    await as('tanaka').ok(reactivateUser, { user_id: id('suzuki') });
    expect(await learns('sato', 'suzuki')).toEqual(nothing);
  });
});

it('of many is told in bounded parts, each once, and answered by what is new', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const ephemeral = new EphemeralEvents(server.clock);
  const presence = new Presence(database, ephemeral, server.clock);
  onTestFinished(() => presence.close());
  const told: number[] = [];
  ephemeral.onPublish(({ texts }) => {
    const options = {
      apply_markdown: false,
      narrow: [],
      all_public_streams: false,
      bulk_message_deletion: false,
      notification_settings_null: false,
    };
    const capable = { ...options, stream_typing_notifications: false, simplified_presence_events: true, slim_presence: true };
    for (const text of texts(capable)) told.push(Object.keys(JSON.parse(text).presences).length);
  });
  const many = maxPresencesPerAnswer + 1;
  for (let userId = 1; userId <= many; userId += 1) presence.note(userId, true);
  const ticks = Math.ceil(many / maxPresencesPerBatch);
  for (let tick = 0; tick <= ticks; tick += 1) await server.clock.jump(presenceBatchSeconds);
  expect(told).toHaveLength(ticks);
  expect(Math.max(...told)).toBe(maxPresencesPerBatch);
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(many);
  expect(presence.since(-1).size).toBe(maxPresencesPerAnswer);
  expect(presence.since(presence.updateId).size).toBe(0);
});

it('keeps a bounded number of the texts that many share', async () => {
  const server = await eg.server();
  const presence = new Presence(fileOf(server).database, new EphemeralEvents(server.clock), server.clock);
  onTestFinished(() => presence.close());
  let written = 0;
  const ask = (update: number) => presence.shared(`true ${update}`, () => `${(written += 1)}`);
  const texts = Array.from({ length: 1000 }, (_, update) => ask(update));
  expect(ask(999)).toBe(texts[999]);
  expect(written).toBe(1000);
  ask(0);
  expect(written).toBe(1001);
});

it('of more than are written down at once is written down whole', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const many = 2001;
  await database.write((tx) => {
    for (let each = 0; each < many; each += 1) {
      const person = eg.person(`member-${each}`, `社員 ${each}`, roles.member);
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

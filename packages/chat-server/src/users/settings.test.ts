import { getOwnUser, getUser, registerQueue, sendMessage, updateNotificationSettings, updateSettings } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';
import { defaults } from '../settings/store.ts';
import { mostFormerNames } from '../identity/formerNames.ts';

describe('PATCH /settings', () => {
  it('[R7.6] [R4.12] When a member renames themselves, everyone gets an event', async () => {
    const server = await eg.server();
    const user_id = server.user('suzuki');
    const queue = await queueOf(eg.signIn(server, 'takahashi'));
    await eg.signIn(server, 'suzuki').ok(updateSettings, { full_name: ' 鈴木 三郎 ' });
    expect(await queue.take()).toEqual([
      { id: queue.cursor, type: 'realm_user', op: 'update', person: { user_id, full_name: '鈴木 三郎' } },
    ]);
    expect(await eg.signIn(server, 'sato').ok(getUser, { user_id })).toMatchObject({ user: { full_name: '鈴木 三郎' } });
  });

  it('[R4.12] The server stores the latest former names of a member, each once and in order', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const names = [...Array.from({ length: mostFormerNames }, (_, index) => `鈴木 ${index}`), '鈴木 1', '鈴木 終'];
    for (const full_name of names) await suzuki.ok(updateSettings, { full_name });
    const { former_names = [] } = await eg.signIn(server, 'sato').ok(registerQueue, { fetch_event_types: ['realm_user'] });
    const user_id = server.user('suzuki');
    const expected = ['鈴木 0', ...names.slice(2, mostFormerNames), '鈴木 1'];
    expect(former_names).toEqual(expected.map((name) => ({ user_id, name })));
  });

  it('[R4.12] When a member changes their email address, everyone gets an event', async () => {
    const server = await eg.server();
    const user_id = server.user('suzuki');
    const queue = await queueOf(eg.signIn(server, 'takahashi'));
    await eg.signIn(server, 'suzuki').ok(updateSettings, { email: ' Saburo@example.com ' });
    expect(await queue.take()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id, delivery_email: 'Saburo@example.com' } },
      { type: 'realm_user', op: 'update', person: { user_id, new_email: 'Saburo@example.com' } },
    ]);
    const { user } = await eg.signIn(server, 'sato').ok(getUser, { user_id });
    expect(user).toMatchObject({ email: 'Saburo@example.com', delivery_email: 'Saburo@example.com' });
  });

  it('After a member changed their email address, their API keys work only with the new address', async () => {
    const server = await eg.server();
    await eg.signIn(server, 'suzuki').ok(updateSettings, { email: 'saburo@example.com' });
    const renamed = eg.withKey(server, 'saburo@example.com', server.key('suzuki'));
    expect(await renamed.ok(getOwnUser, {})).toMatchObject({ user_id: server.user('suzuki') });
    const refusal = await eg.signIn(server, 'suzuki').refused(getOwnUser, {});
    expect(refusal).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
  });

  it('PATCH /settings refuses a new email and changes nothing if only administrators may change emails', async () => {
    const server = await eg.server({ emailChanges: 'administrators' });
    const msg = 'Email address changes are disabled in this organization.';
    for (const name of ['suzuki', 'tanaka']) {
      const member = eg.signIn(server, name);
      const before = await member.ok(getOwnUser, {});
      const request = { full_name: '誰か 別人', email: 'elsewhere@example.com' };
      expect(await member.refused(updateSettings, request)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
      expect(await member.ok(getOwnUser, {})).toEqual(before);
      await member.ok(updateSettings, { full_name: `${before.full_name} 改`, email: before.email });
      expect(await member.ok(getOwnUser, {})).toMatchObject({ email: before.email, full_name: `${before.full_name} 改` });
    }
  });

  it('A member’s queues continue after the member changed their email address', async () => {
    const server = await eg.server();
    const queue = await queueOf(eg.signIn(server, 'suzuki'), { event_types: ['message'] });
    await eg.signIn(server, 'suzuki').ok(updateSettings, { email: 'saburo@example.com' });
    await eg.signIn(server, 'tanaka').ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content: '続き' });
    const renamed = eg.withKey(server, 'saburo@example.com', server.key('suzuki'));
    const path = `/events?queue_id=${queue.id}&last_event_id=${queue.cursor}&dont_block=true`;
    expect(JSON.parse((await renamed.raw({ path })).text)).toMatchObject({ events: [{ message: { content: '続き' } }] });
  });

  it('When a member changes their time zone, everyone gets an event', async () => {
    const server = await eg.server();
    const queue = await queueOf(eg.signIn(server, 'takahashi'));
    const suzuki = eg.signIn(server, 'suzuki');
    await suzuki.ok(updateSettings, { timezone: 'Europe/Berlin' });
    const person = { user_id: server.user('suzuki'), email: eg.emailOf('suzuki'), timezone: 'Europe/Berlin' };
    expect(await queue.take()).toMatchObject([{ type: 'realm_user', op: 'update', person }]);
    expect(await suzuki.ok(getOwnUser, {})).toMatchObject({ timezone: 'Europe/Berlin' });
  });

  it('PATCH /settings accepts the member’s own email in another case', async () => {
    const server = await eg.server();
    await eg.signIn(server, 'suzuki').ok(updateSettings, { email: 'Suzuki@Example.com' });
    expect(await eg.signIn(server, 'suzuki').ok(getOwnUser, {})).toMatchObject({ email: 'Suzuki@Example.com' });
  });

  it('[R2.25.1] [R2.25.2] When a member stops sending read receipts, their own devices get an event', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const queue = await queueOf(suzuki);
    const request = { fetch_event_types: ['user_settings'] };
    expect(await suzuki.ok(registerQueue, request)).toMatchObject({ user_settings: { send_read_receipts: true } });
    await suzuki.ok(updateSettings, { send_read_receipts: false });
    await suzuki.ok(updateSettings, { send_read_receipts: false });
    const event = { type: 'user_settings', op: 'update', property: 'send_read_receipts', value: false };
    expect(await queue.take()).toEqual([{ id: queue.cursor, ...event }]);
    await server.restart();
    expect(await suzuki.ok(registerQueue, request)).toMatchObject({ user_settings: { send_read_receipts: false } });
  });

  const chosen = {
    presence_enabled: false,
    send_private_typing_notifications: false,
    send_stream_typing_notifications: false,
    enter_sends: false,
    color_scheme: 2,
    default_language: 'en',
    enable_desktop_notifications: false,
    enable_stream_desktop_notifications: true,
    enable_sounds: false,
    notification_sound: 'ding',
    twenty_four_hour_time: false,
    pm_content_in_desktop_notifications: false,
    display_emoji_reaction_users: false,
    emojiset: 'twitter',
    starred_message_counts: false,
    compact_messages: true,
    photo_audience: { audience: 'nobody', user_ids: [], departments: [] },
    status_audience: { audience: 'selected', user_ids: [], departments: ['D1'] },
    groups_audience: { audience: 'selected', user_ids: [], departments: [] },
  } as const;
  const request = { fetch_event_types: ['user_settings'] };

  it('[R2.25.1] [R4.11] A new member has the default value of every setting, including the light theme', async () => {
    const { user_settings } = await eg.signIn(await eg.server(), 'suzuki').ok(registerQueue, request);
    expect(user_settings).toEqual(defaults);
    expect(user_settings).toMatchObject({ color_scheme: 3, default_language: 'ja', enter_sends: true });
  });

  it.each(Object.entries(chosen))(
    '[R2.25.1] PATCH /settings stores %s and sends it in an event to the member’s own devices only',
    async (property, value) => {
      const server = await eg.server({ departments: { D1: ['sato'] } });
      const suzuki = eg.signIn(server, 'suzuki');
      const own = await queueOf(suzuki);
      const others = await queueOf(eg.signIn(server, 'sato'), { event_types: ['user_settings'] });
      await suzuki.ok(updateSettings, { [property]: value });
      await suzuki.ok(updateSettings, { [property]: value });
      const received = (await own.take()).filter(({ type }) => type === 'user_settings');
      expect(received).toMatchObject([{ op: 'update', property, value }]);
      expect(await others.take()).toEqual([]);
      await server.restart();
      expect((await suzuki.ok(registerQueue, request)).user_settings).toEqual({ ...defaults, [property]: value });
      expect((await eg.signIn(server, 'sato').ok(registerQueue, request)).user_settings).toEqual(defaults);
    },
  );

  it('PATCH /settings/notifications changes the settings of PATCH /settings, and lists what it does not support', async () => {
    const suzuki = eg.signIn(await eg.server(), 'suzuki');
    await suzuki.ok(updateNotificationSettings, { enable_sounds: false, pm_content_in_desktop_notifications: false });
    const changed = { enable_sounds: false, pm_content_in_desktop_notifications: false };
    expect((await suzuki.ok(registerQueue, request)).user_settings).toEqual({ ...defaults, ...changed });
    const query = { enable_offline_email_notifications: 'true' };
    const { status, text } = await suzuki.raw({ method: 'PATCH', path: '/settings/notifications', query });
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { ignored_parameters_unsupported: ['enable_offline_email_notifications'] },
    ]);
  });

  it('[R2.25.1] PATCH /settings can set a setting back to its default', async () => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    await suzuki.ok(updateSettings, { enter_sends: false, color_scheme: 2 });
    await suzuki.ok(updateSettings, { enter_sends: true, color_scheme: 3 });
    expect((await suzuki.ok(registerQueue, request)).user_settings).toEqual(defaults);
  });

  it('[R2.25.3] The server stores the selected members and departments of an audience also while the audience is nobody', async () => {
    const server = await eg.server({ departments: { D1: [], D2: [] } });
    const suzuki = eg.signIn(server, 'suzuki');
    const [tanaka, sato] = [server.user('tanaka'), server.user('sato')];
    const departments = ['D2', 'D1', 'D2'];
    const user_ids = [sato, tanaka, sato];
    await suzuki.ok(updateSettings, { photo_audience: { audience: 'nobody', user_ids, departments } });
    const { user_settings } = await suzuki.ok(registerQueue, request);
    const expected = { audience: 'nobody', user_ids: [tanaka, sato], departments: ['D1', 'D2'] };
    expect(user_settings?.photo_audience).toEqual(expected);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['presence_enabled is not a boolean', { presence_enabled: '1' }],
    ['Invalid color_scheme', { color_scheme: '4' }],
    ['Invalid default_language', { default_language: 'tlh' }],
    ['Invalid emojiset', { emojiset: 'apple' }],
    ["Invalid notification sound 'gong'", { notification_sound: 'gong' }],
    ['Invalid photo_audience', { photo_audience: '{"audience":"friends"}' }],
    ['Invalid user ID 987', { photo_audience: '{"audience":"selected","user_ids":[987]}' }],
    ["Invalid department 'D9'", { status_audience: '{"audience":"selected","departments":["D9"]}' }],
    ['Argument "groups_audience" is not valid JSON.', { groups_audience: 'nobody' }],
    ['Invalid groups_audience', { groups_audience: `{"audience":"nobody","user_ids":[${'1,'.repeat(1000)}1]}` }],
  ])('PATCH /settings answers “%s” to an invalid setting and changes nothing', async (msg, query) => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const reply = await suzuki.raw({ method: 'PATCH', path: '/settings', query: { enter_sends: 'false', ...query } });
    expect(eg.refusal(reply)).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
    expect((await suzuki.ok(registerQueue, request)).user_settings).toEqual(defaults);
  });

  it('PATCH /settings publishes no event if no value changes', async () => {
    const server = await eg.server();
    const queue = await queueOf(eg.signIn(server, 'takahashi'));
    const same = { full_name: '鈴木 一郎', email: eg.emailOf('suzuki'), timezone: 'Asia/Tokyo' };
    await eg.signIn(server, 'suzuki').ok(updateSettings, same);
    await eg.signIn(server, 'suzuki').ok(updateSettings, {});
    expect(await queue.take()).toEqual([]);
  });

  it.each([
    ['Name too short!', { full_name: '鈴' }],
    ['Invalid characters in name!', { full_name: '鈴木|7' }],
    ['Invalid address.', { email: 'saburo' }],
    ['Invalid address.', { email: '' }],
    ['Invalid address.', { email: 'a:b@example.com' }],
    ["Email 'SATO@example.com' already in use", { email: 'SATO@example.com' }],
    ['timezone is not a recognized time zone', { timezone: 'Asia/Engawa' }],
    ['timezone is not a recognized time zone', { timezone: '+09:00' }],
    ['timezone is not a recognized time zone', { timezone: 'asia/tokyo' }],
  ])('PATCH /settings answers “%s” to an invalid profile and changes nothing', async (msg, request) => {
    const server = await eg.server();
    const suzuki = eg.signIn(server, 'suzuki');
    const queue = await queueOf(eg.signIn(server, 'takahashi'));
    const refusal = await suzuki.refused(updateSettings, { full_name: '鈴木 三郎', timezone: 'UTC', ...request });
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
    expect(await queue.take()).toEqual([]);
    expect(await suzuki.ok(getOwnUser, {})).toMatchObject({ full_name: '鈴木 一郎', timezone: 'Asia/Tokyo' });
  });

  it('If two members request the same email address at once, PATCH /settings accepts only one of them', async () => {
    const server = await eg.server();
    const request = { method: 'PATCH', path: '/settings', query: { email: 'wanted@example.com' } };
    const replies = await Promise.all(['suzuki', 'ito'].map((name) => eg.signIn(server, name).raw(request)));
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
  });
});

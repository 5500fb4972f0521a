/**
 * Measured facts about a real server (8.0-dev, feature level 218): things that it lacks, refuses, ignores or does differently. The
 * double must not be kinder. Each test states one fact.
 */
import { once } from 'node:events';
import { connect as connectPlainly } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { connect, fetchApiKey } from '@engawa/client';
import { afterAll, describe, expect, it } from 'vitest';
import { waitingPoll } from '../waitingPoll.ts';
import { type Fields, fieldsOf, isFields, listOf } from './fields.ts';
import { type Zulip, startZulip } from './zulip.ts';
import { startZulipProcess } from './zulipProcess.ts';

const zulip = await startZulip({ callsPerMinute: 100_000 });
afterAll(() => zulip.close());

type Form = Readonly<Record<string, string>>;

/** The demo's address for signing in. */
const addressOf = (name: string) => `${name}@engawa.example`;

interface Caller {
  readonly authorization: string;
  (
    call: string,
    form?: Form,
    headers?: Form,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>;
  /** The fields of an answer, also of a refusal. */
  ask(call: string, form?: Form, headers?: Form): Promise<Fields>;
}

async function signIn(name: string, at: Pick<Zulip, 'url'> = zulip): Promise<Caller> {
  const { api_key, email } = await fetchApiKey(connect({ realm: at.url }), { username: addressOf(name), password: 'demo' });
  return callerWith(basic(email, api_key), at);
}

const basic = (address: string, key: string) => `Basic ${Buffer.from(`${address}:${key}`).toString('base64')}`;

function callerWith(authorization: string, at: Pick<Zulip, 'url'> = zulip): Caller {
  const call = async (named: string, form: Form = {}, headers: Form = {}) => {
    const [method = '', path = ''] = named.split(' ');
    const isInQuery = method === 'GET' || method === 'DELETE';
    const url = `${at.url}/api/v1${path}${isInQuery ? `?${String(new URLSearchParams(form))}` : ''}`;
    const body = isInQuery ? {} : { body: new URLSearchParams(form) };
    const response = await fetch(url, { method, headers: { authorization, ...headers }, ...body });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return Object.assign(call, {
    authorization,
    ask: async (...asked: Parameters<typeof call>) => fieldsOf((await call(...asked)).text),
  });
}

const tanaka = await signIn('tanaka');
const suzuki = await signIn('suzuki');
const owner = await signIn('takahashi.koichi');

/** A stream of all three. */
const chat = '雑談・縁側';
const inChat = { type: 'stream', to: chat, topic: 'stream events' };
const send = async (content: string, by = tanaka, more: Form = {}, headers: Form = {}): Promise<number> =>
  Number((await by.ask('POST /messages', { ...inChat, content, ...more }, headers))['id']);
const messageOf = async (id: number, by = tanaka): Promise<Fields> =>
  fieldsIn(await by.ask(`GET /messages/${id}`, { apply_markdown: 'false' }), 'message');
const fieldsIn = (fields: Fields, name: string): Fields => (isFields(fields[name]) ? fields[name] : {});
const idOf = async (by: Caller) => Number((await by.ask('GET /users/me'))['user_id']);
const changeRealm = (name: string, value: number) => owner.ask('PATCH /realm', { [name]: String(value) });
const streamOf = async (name: string) => Number((await tanaka.ask('GET /get_stream_id', { stream: name }))['stream_id']);

const allCapabilities = JSON.stringify({
  notification_settings_null: true,
  bulk_message_deletion: true,
  simplified_presence_events: true,
});

async function register(by: Caller, form: Form = {}) {
  return by.ask('POST /register', { client_capabilities: allCapabilities, client_gravatar: 'false', ...form });
}

async function poll(by: Caller, queue: Fields, last = -1, dont_block = 'true') {
  return by.ask('GET /events', { queue_id: String(queue['queue_id']), last_event_id: String(last), dont_block });
}

/** The events that a member's queue receives from an action. */
async function heardBy(by: Caller, types: readonly string[], act: () => Promise<unknown>): Promise<readonly Fields[]> {
  const queue = await register(by, { event_types: JSON.stringify(types), fetch_event_types: '[]' });
  await act();
  return listOf((await poll(by, queue))['events']).filter(isFields);
}

const narrowed = (...terms: readonly Fields[]) => ({
  anchor: 'newest',
  num_before: '3',
  num_after: '0',
  narrow: JSON.stringify(terms),
});
const search = (operand: string) => ({ operator: 'search', operand });

/** A member's call, and the fields of its answer that the fact is about. */
type Fact = readonly [call: string, form: Form, answer: Fields];

const bad = (msg: string) => ({ msg, code: 'BAD_REQUEST' });
const principal = { msg: 'Must be an organization administrator', code: 'UNAUTHORIZED_PRINCIPAL' };
const properties = (property: string, value: unknown) => ({
  subscription_data: JSON.stringify([{ stream_id: 1, property, value }]),
});

const refused: readonly Fact[] = [
  [
    'POST /register',
    { client_capabilities: '{"stream_typing_notifications":true}' },
    bad('notification_settings_null key is missing from client_capabilities'),
  ],
  [
    'POST /register',
    { client_capabilities: '{"notification_settings_null":true}' },
    bad('bulk_message_deletion key is missing from client_capabilities'),
  ],
  ['GET /messages', { anchor: 'date', anchor_date: '2026-11-24', num_before: '3', num_after: '0' }, bad('Invalid anchor')],
  ['GET /messages', { message_ids: '[1]' }, { var_name: 'num_before', code: 'REQUEST_VARIABLE_MISSING' }],
  ['GET /messages', narrowed({ operator: 'in', operand: 'own' }), { desc: "unknown 'in' operand own", code: 'BAD_NARROW' }],
  [
    'GET /messages',
    narrowed({ operator: 'channel', operand: chat }),
    { msg: 'Invalid narrow operator: unknown operator channel', code: 'BAD_NARROW' },
  ],
  ['GET /messages', narrowed(search('')), bad('elem["operand"] cannot be blank.')],
  ['GET /messages', narrowed(search('   ')), bad('elem["operand"] cannot be blank.')],
  [
    'GET /messages',
    narrowed({ operator: 'sender', operand: addressOf('suzuki') }),
    { desc: `unknown user ${addressOf('suzuki')}`, code: 'BAD_NARROW' },
  ],
  ['POST /messages', { ...inChat, type: 'channel', content: 'x' }, bad('Invalid type')],
  [
    'POST /messages',
    { ...inChat, to: 'Nowhere', content: 'x' },
    { msg: "Stream 'Nowhere' does not exist", stream: 'Nowhere', code: 'STREAM_DOES_NOT_EXIST' },
  ],
  [
    'POST /users/me/subscriptions/properties',
    properties('audible_notifications', null),
    bad('subscription_data[0]["value"] is not an allowed_type'),
  ],
  ['POST /users/me/subscriptions/properties', properties('put_away', true), bad('Unknown subscription property: put_away')],
  ['PATCH /users/me/subscriptions/1', { property: 'pin_to_top', value: 'false' }, bad('pin_to_top is not a boolean')],
  ['GET /messages/999999', {}, bad('Invalid message(s)')],
  ['GET /users/99999', {}, bad('No such user')],
  ['PATCH /realm', { enable_read_receipts: 'false' }, principal],
  [
    'GET /events',
    { queue_id: 'x', last_event_id: '-1' },
    { msg: 'Bad event queue ID: x', queue_id: 'x', code: 'BAD_EVENT_QUEUE_ID' },
  ],
];

describe('refused', () => {
  it.each(refused)('A real server refuses %s with %j', async (call, form, answer) => {
    const { status, text } = await tanaka(call, form);
    expect({ status, ...fieldsOf(text) }).toMatchObject({ status: 400, result: 'error', ...answer });
  });

  it('A member may not delete an own message until the organisation allows it, which an event of the type realm reports', async () => {
    const id = await send('to delete');
    expect(await tanaka.ask(`DELETE /messages/${id}`)).toMatchObject(bad("You don't have permission to delete this message"));
    expect(await register(tanaka)).toMatchObject({ realm_delete_own_message_policy: 2 });
    expect(await heardBy(tanaka, ['realm'], () => changeRealm('delete_own_message_policy', 1))).toEqual([
      { id: 0, type: 'realm', op: 'update', property: 'delete_own_message_policy', value: 1 },
    ]);
    expect(await tanaka.ask(`DELETE /messages/${id}`)).toEqual({ result: 'success', msg: '' });
    await changeRealm('delete_own_message_policy', 2);
  });

  it('The call for several properties changes a property that the call for one property refuses', async () => {
    const stream = { stream_id: await streamOf(chat), property: 'pin_to_top', value: false };
    const several = { subscription_data: JSON.stringify([stream]) };
    expect(await tanaka.ask('POST /users/me/subscriptions/properties', several)).toEqual({ result: 'success', msg: '' });
  });

  it('A reaction that exists, or does not exist, is refused with a special code', async () => {
    const call = `/messages/${await send('to react to')}/reactions`;
    const emoji = { emoji_name: 'thumbs_up' };
    await suzuki.ask(`POST ${call}`, emoji);
    expect(await suzuki.ask(`POST ${call}`, emoji)).toMatchObject({ code: 'REACTION_ALREADY_EXISTS' });
    await suzuki.ask(`DELETE ${call}`, emoji);
    expect(await suzuki.ask(`DELETE ${call}`, emoji)).toMatchObject({ code: 'REACTION_DOES_NOT_EXIST' });
  });

  it('A refusal for a reason that only our server has carries the general code', async () => {
    const renaming = tanaka.ask('PATCH /settings', { full_name: '鈴木 健太' });
    expect(await renaming).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  it('A member may not change, archive or remove others from a stream, even one that they created', async () => {
    const [name, principals] = ['新しい企画', JSON.stringify([await idOf(tanaka), await idOf(suzuki)])];
    const stream = { subscriptions: JSON.stringify([{ name }]), principals, invite_only: 'true' };
    await tanaka.ask('POST /users/me/subscriptions', stream);
    const id = await streamOf(name);
    expect(await tanaka.ask(`PATCH /streams/${id}`, { description: 'x' })).toMatchObject(principal);
    expect(await tanaka.ask(`DELETE /streams/${id}`)).toMatchObject(principal);
    const removal = { subscriptions: JSON.stringify([name]), principals: JSON.stringify([await idOf(suzuki)]) };
    expect(await tanaka.ask('DELETE /users/me/subscriptions', removal)).toMatchObject(bad('Insufficient permission'));
  });
});

describe('absent', () => {
  it.each([
    'GET /users/me/pointer',
    'PUT /users/me/pointer',
    'POST /users/me/pointer',
    'GET /read_receipts',
    'GET /users/6/status',
    'POST /users/me/emoji_uses',
    'GET /nonsense',
    'GET /users/me/',
  ])('%s is answered with an HTML page and status 404', async (call) => {
    const { status, headers, text } = await tanaka(call);
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('Page not found');
  });

  it('A path that is not below /api/v1 is answered with an HTML page, too', async () => {
    const { status, headers } = await fetch(`${zulip.url}/api/department/tree`);
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('GET /realm/filters is refused with 405 and no code', async () => {
    const { status, headers, text } = await tanaka('GET /realm/filters');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(fieldsOf(text)).toEqual({ result: 'error', msg: 'Method Not Allowed', allowed_methods: ['POST'] });
  });

  /** See `Ours` in packages/protocol/src, and what came to Zulip after level 218. */
  const later = `server_software server_extensions realm_url former_names realm_read_receipts read_receipts pointer put_away
    picture_url creator_id is_archived is_recently_active deleted notice call oldest_examined unread_user_ids withheld_user_ids
    scheduled_end_time revision compact_messages photo_audience status_audience groups_audience frequent_emoji
    presence_last_update_id realm_topics_policy realm_empty_topic_display_name last_moved_timestamp
    ignored_because_not_subscribed_channels`.split(/\s+/);

  it('No answer or event has a key of ours or of a later version', async () => {
    const id = await send('a tour');
    const queue = await register(tanaka, { include_subscribers: 'true' });
    await tanaka.ask('POST /users/me/status', { status_text: '会議中' });
    await tanaka.ask('POST /drafts', { drafts: '[{"type":"","to":[],"topic":"","content":"draft"}]' });
    await tanaka.ask('POST /users/me/subscriptions', { subscriptions: '[{"name":"見学"}]', invite_only: 'true' });
    await owner.ask('PATCH /realm', { message_content_edit_limit_seconds: '3600', message_content_delete_limit_seconds: '3600' });
    await owner.ask('PATCH /realm', { enable_read_receipts: 'false' });
    await owner.ask('PATCH /realm', { enable_read_receipts: 'true' });
    const page = await tanaka.ask('GET /messages', narrowed());
    const calls = [
      'GET /server_settings',
      'GET /users',
      'GET /users/me',
      'GET /users/1',
      'GET /streams',
      'GET /streams/1',
      'GET /users/me/subscriptions',
      'GET /users/me/1/topics',
      'GET /drafts',
      `GET /messages/${id}`,
      `GET /messages/${id}/history`,
      `GET /messages/${id}/read_receipts`,
      'GET /realm/emoji',
      'GET /realm/linkifiers',
      'GET /realm/presence',
    ];
    const answers = [queue, page, await poll(tanaka, queue), ...(await Promise.all(calls.map((call) => tanaka.ask(call))))];
    expect(answers.filter(({ result }) => result !== 'success')).toEqual([]);
    const seen = new Set<string>();
    JSON.stringify(answers, (key, value: unknown) => {
      seen.add(key);
      return value;
    });
    expect(later.filter((key) => seen.has(key))).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining(['email_address', 'realm_uri', 'full_name', 'content']));
  });

  it('server_settings and register say version 8.0-dev and feature level 218', async () => {
    const version = { zulip_version: '8.0-dev+git', zulip_feature_level: 218, zulip_merge_base: '' };
    expect(await tanaka.ask('GET /server_settings')).toMatchObject({ ...version, realm_uri: zulip.url });
    expect(await register(tanaka)).toMatchObject({ ...version, realm_uri: zulip.url, last_event_id: -1 });
  });
});

describe('ignored', () => {
  const status = { status_text: 'x', scheduled_end_time: '1795485225' };
  const ignored: readonly (readonly [call: string, form: Form, names: readonly string[]])[] = [
    ['POST /messages', { ...inChat, content: 'x', client_message_id: crypto.randomUUID() }, ['client_message_id']],
    ['POST /messages', { ...inChat, content: 'x', read_by_sender: 'true' }, ['read_by_sender']],
    ['GET /messages', { ...narrowed(), include_deleted: 'true' }, ['include_deleted']],
    ['GET /streams', { exclude_archived: 'false' }, ['exclude_archived']],
    ['POST /users/me/status', status, ['scheduled_end_time']],
    ['POST /users/me/presence', { status: 'active', last_update_id: '-1' }, ['last_update_id']],
    ['PATCH /settings', { photo_audience: '{"audience":"everyone"}' }, ['photo_audience']],
    ['GET /users/me', { whatever: 'x' }, ['whatever']],
  ];

  it.each(ignored)('%s with %j succeeds and names what it ignored', async (call, form, names) => {
    expect(await tanaka.ask(call, form)).toMatchObject({ result: 'success', ignored_parameters_unsupported: names });
  });

  it('PATCH /realm names what it ignored', async () => {
    const answer = await owner.ask('PATCH /realm', { read_receipts: 'all' });
    expect(answer).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['read_receipts'] });
  });

  it('`client` is never named as ignored', async () => {
    expect(await tanaka.ask('GET /streams', { client: 'Engawa' })).not.toHaveProperty('ignored_parameters_unsupported');
  });

  it('Two messages with the same client_message_id are two messages', async () => {
    const twice = { client_message_id: crypto.randomUUID() };
    expect(await send('once', tanaka, twice)).not.toBe(await send('once', tanaka, twice));
  });

  it('An edit with the hash of another text wins', async () => {
    const id = await send('first');
    const answer = await tanaka.ask(`PATCH /messages/${id}`, { content: 'second', prev_content_sha256: 'f'.repeat(64) });
    expect(answer).toMatchObject({ result: 'success', ignored_parameters_unsupported: ['prev_content_sha256'] });
    expect(await messageOf(id)).toMatchObject({ content: 'second' });
  });

  it('A deleted message is not found with include_deleted', async () => {
    const id = await send('soon deleted');
    await owner.ask(`DELETE /messages/${id}`);
    const { messages } = await tanaka.ask('GET /messages', { ...narrowed(), include_deleted: 'true' });
    expect(listOf(messages)).not.toContainEqual(expect.objectContaining({ id }));
  });
});

describe('two addresses', () => {
  it('A member signs in with one address and is shown with another one', async () => {
    const answer = await tanaka.ask('POST /fetch_api_key', { username: 'TANAKA@engawa.example', password: 'demo' });
    expect(answer).toMatchObject({ email: addressOf('tanaka'), user_id: 6 });
    const me = { email: 'user6@zulip.example', delivery_email: addressOf('tanaka') };
    expect(await tanaka.ask('GET /users/me')).toMatchObject(me);
    expect(await register(tanaka)).toMatchObject(me);
  });

  it('Nobody else is told the address for signing in', async () => {
    const user = fieldsIn(await suzuki.ask('GET /users/6'), 'user');
    expect(user).toMatchObject({ email: 'user6@zulip.example', delivery_email: null });
    const everything = await Promise.all(
      ['GET /users', 'POST /register', 'GET /users/me/subscriptions'].map((call) => suzuki(call)),
    );
    expect(everything.map(({ text }) => text).join('')).not.toContain(addressOf('tanaka'));
  });

  it('A new member is one event, without the address for signing in', async () => {
    const member = { email: addressOf('haruno'), full_name: '春野 桜', password: 'hanamizake' };
    const events = await heardBy(tanaka, ['realm_user'], () => owner.ask('POST /users', member));
    expect(events).toMatchObject([{ op: 'add', person: { full_name: '春野 桜', delivery_email: null } }]);
    expect(events).toHaveLength(1);
  });

  it('Basic authorization needs the address for signing in', async () => {
    const key = Buffer.from(tanaka.authorization.slice('Basic '.length), 'base64').toString().split(':')[1] ?? '';
    const { status, headers, text } = await callerWith(basic('user6@zulip.example', key))('GET /users/me');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Basic realm="zulip"']);
    expect(fieldsOf(text)).toEqual({ result: 'error', msg: 'Invalid API key', code: 'UNAUTHORIZED' });
  });

  it('A sender narrow takes the shown address and the id', async () => {
    const id = await send('by tanaka');
    for (const operand of ['user6@zulip.example', 6]) {
      const { messages } = await suzuki.ask('GET /messages', narrowed({ operator: 'sender', operand }));
      expect(listOf(messages).at(-1)).toMatchObject({ id });
    }
  });

  it('The answer to subscribing names members by the shown address', async () => {
    const answer = await tanaka.ask('POST /users/me/subscriptions', { subscriptions: '[{"name":"名簿"}]', principals: '[6,7]' });
    expect(answer).toMatchObject({
      subscribed: { 'user6@zulip.example': ['名簿'], 'user7@zulip.example': ['名簿'] },
      already_subscribed: {},
    });
  });

  it.each([
    ['without invite_only', {}, { invite_only: false, history_public_to_subscribers: true }],
    ['with invite_only', { invite_only: 'true' }, { invite_only: true, history_public_to_subscribers: false }],
  ])('A new stream %s is %j', async (name, form, stream) => {
    const events = await heardBy(tanaka, ['stream'], () =>
      tanaka.ask('POST /users/me/subscriptions', { subscriptions: JSON.stringify([{ name }]), ...form }),
    );
    expect(events).toMatchObject([{ op: 'create', streams: [{ name, ...stream }] }]);
  });

  it('Each subscription has a secret address for posting by mail, and a renaming reports the new one first', async () => {
    const stream_id = await streamOf('名簿');
    const { subscriptions } = await tanaka.ask('GET /users/me/subscriptions');
    for (const each of listOf(subscriptions)) {
      expect(each).toHaveProperty('email_address', expect.stringMatching(/^.*\.[0-9a-f]{32}\.show-sender@zulip\.example$/));
    }
    const rename = () => owner.ask(`PATCH /streams/${stream_id}`, { new_name: '新しい名簿' });
    expect(await heardBy(tanaka, ['stream'], rename)).toMatchObject([
      { op: 'update', property: 'email_address', value: expect.stringContaining('show-sender') },
      { op: 'update', property: 'name', value: '新しい名簿' },
    ]);
  });
});

describe('keys', () => {
  const refusals: readonly (readonly [string, string | undefined, Fields])[] = [
    ['no header', undefined, { status: 401, msg: 'Not logged in: API authentication or user session required' }],
    [
      'another scheme',
      'Bearer x',
      { status: 400, msg: 'This endpoint requires HTTP basic authentication.', code: 'BAD_REQUEST' },
    ],
    ['a malformed key', basic(addressOf('tanaka'), 'x'), { status: 401, msg: 'Malformed API key' }],
    ['a wrong key', basic(addressOf('tanaka'), 'a'.repeat(32)), { status: 401, msg: 'Invalid API key' }],
    ['an unknown address', basic('nobody@zulip.com', 'a'.repeat(32)), { status: 401, msg: 'Invalid API key' }],
  ];

  it.each(refusals)('A call with %s is refused', async (_, authorization, expected) => {
    const headers = authorization === undefined ? {} : { authorization };
    const response = await fetch(`${zulip.url}/api/v1/users/me`, { headers });
    expect({ status: response.status, ...fieldsOf(await response.text()) }).toEqual({
      result: 'error',
      code: 'UNAUTHORIZED',
      ...expected,
    });
  });

  it('A wrong password is refused with 401, for an unknown address as for a known one', async () => {
    for (const username of [addressOf('suzuki'), 'nobody@zulip.com', 'user7@zulip.example']) {
      const { status, text } = await tanaka('POST /fetch_api_key', { username, password: 'wrong' });
      expect([status, fieldsOf(text)]).toEqual([
        401,
        { result: 'error', msg: 'Your username or password is incorrect', code: 'AUTHENTICATION_FAILED' },
      ]);
    }
  });

  it('A member has one key on all devices, which lasts until it is regenerated and then ends everywhere', async () => {
    const [phone, computer] = [await signIn('kondo'), await signIn('kondo')];
    expect(phone.authorization).toBe(computer.authorization);
    const { api_key } = await computer.ask('POST /users/me/api_key/regenerate');
    expect((await phone('GET /users/me')).status).toBe(401);
    expect(await idOf(callerWith(basic(addressOf('kondo'), String(api_key))))).toBeGreaterThan(0);
  });

  it('A deactivated member is refused with USER_DEACTIVATED, and events remove and add them', async () => {
    const maeda = await signIn('maeda');
    const id = await idOf(maeda);
    const ended = await heardBy(tanaka, ['realm_user'], () => owner.ask(`DELETE /users/${id}`));
    expect(ended).toEqual([{ id: 0, type: 'realm_user', op: 'remove', person: { user_id: id, full_name: '前田 智之' } }]);
    const refusal = { status: 401, code: 'USER_DEACTIVATED', msg: 'Account is deactivated' };
    const { status, text } = await maeda('GET /users/me');
    expect({ status, ...fieldsOf(text) }).toMatchObject(refusal);
    const again = await heardBy(tanaka, ['realm_user'], () => owner.ask(`POST /users/${id}/reactivate`));
    expect(again).toMatchObject([{ op: 'add', person: { user_id: id, full_name: '前田 智之', is_active: true } }]);
  });
});

describe('messages', () => {
  it.each([
    ['Engawa/1.0', 'Engawa', []],
    ['node', 'node', []],
    ['Engawa desktop app/1.0 (Linux)', 'Engawa desktop app', ['read']],
    ['ZulipMobile/1.0', 'ZulipMobile', ['read']],
  ])('An own message with the User-Agent %s comes from %s and has the flags %j', async (agent, client, flags) => {
    const sent = () => send('own', tanaka, {}, { 'user-agent': agent });
    const [event] = await heardBy(tanaka, ['message'], sent);
    expect(event).toMatchObject({ flags, message: { client } });
  });

  it('A text is Zulip markup, whichever client sent it', async () => {
    const id = await send('**bold** *x* :tada:', tanaka, {}, { 'user-agent': 'Engawa/1.0' });
    const { content } = fieldsIn(await tanaka.ask(`GET /messages/${id}`), 'message');
    expect(content).toMatch(/^<p><strong>bold<\/strong> <em>x<\/em> <span .*class="emoji emoji-1f389".*:tada:<\/span><\/p>$/);
  });

  it('The earlier messages of the organisation come from Zulip’s own client', async () => {
    const { messages } = await tanaka.ask('GET /messages', { anchor: 'oldest', num_before: '0', num_after: '3' });
    expect(listOf(messages)).toMatchObject([{ client: 'website' }, { client: 'website' }, { client: 'website' }]);
  });

  it('A long text is cut to 10,000 characters and a long topic to 60, with success', async () => {
    const id = await send('x'.repeat(10_001), tanaka, { topic: 't'.repeat(80) });
    const { content, subject } = await messageOf(id);
    expect(content).toBe(`${'x'.repeat(10_000 - 20)}\n[message truncated]`);
    expect(subject).toBe(`${'t'.repeat(57)}...`);
  });

  it('Space at the end of a text goes, space at its beginning stays', async () => {
    expect(await messageOf(await send(' two  \n\n lines \n'))).toMatchObject({ content: ' two  \n\n lines' });
  });

  it('An edit to an empty text leaves the text (deleted)', async () => {
    const id = await send('away');
    expect(await tanaka.ask(`PATCH /messages/${id}`, { content: '' })).toEqual({ result: 'success', msg: '' });
    expect(await messageOf(id)).toMatchObject({ content: '(deleted)' });
  });

  it('Read receipts are one call per message and name only the readers', async () => {
    const id = await send('receipt');
    await suzuki.ask('POST /messages/flags', { messages: `[${id}]`, op: 'add', flag: 'read' });
    const answer = await tanaka.ask(`GET /messages/${id}/read_receipts`);
    expect(answer).toEqual({ result: 'success', msg: '', user_ids: [await idOf(suzuki)] });
  });
});

describe('search', async () => {
  const japanese = await send('お疲れさまです。会議室の予約をお願いします 縁側', owner);
  const english = await send('hello from Engawa', owner);
  const plural = await send('Reservations of meeting rooms', owner);
  const spaced = await send('会議 室 予約', owner);
  const all = [japanese, english, plural, spaced];

  it.each([
    ['hello', [english]],
    ['Engaw', []],
    ['reservation', [plural]],
    ['meeting hello', []],
    ['"from Engawa"', [english]],
    ['会議室', []],
    ['予約', [spaced]],
    ['お疲れさまです', [japanese]],
    ['会議室の予約をお願いします', [japanese]],
    ['縁側', [japanese]],
    ['the', []],
  ])('A search for %s finds whole words only, and an unspaced run of Japanese is one word', async (operand, ids) => {
    const { messages } = await tanaka.ask('GET /messages', { ...narrowed(search(operand)), num_before: '100' });
    const found = listOf(messages).flatMap((message) => (isFields(message) ? Number(message['id']) : []));
    expect(found.filter((id) => all.includes(id))).toEqual(ids);
  });
});

describe('queues', () => {
  it('An event of a new role names the role only', async () => {
    const id = await idOf(await signIn('ogawa'));
    expect(await heardBy(tanaka, ['realm_user'], () => owner.ask(`PATCH /users/${id}`, { role: '300' }))).toEqual([
      { id: 0, type: 'realm_user', op: 'update', person: { user_id: id, role: 300 } },
    ]);
  });

  it('The ids of a queue begin at 0 and have no gaps', async () => {
    const queue = await register(tanaka, { event_types: '["message"]' });
    await send('first');
    await tanaka.ask('POST /users/me/status', { status_text: 'not for this queue' });
    await send('second');
    expect((await poll(tanaka, queue))['events']).toMatchObject([{ id: 0 }, { id: 1 }]);
    expect((await poll(tanaka, queue, 0))['events']).toMatchObject([{ id: 1 }]);
    expect(await poll(tanaka, queue, 7)).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  it('A second poll ends the first one with success and no events', async () => {
    const queue = await register(tanaka, { event_types: '["message"]' });
    const both = [poll(tanaka, queue, -1, 'false'), poll(tanaka, queue, -1, 'false')];
    expect(await Promise.race(both)).toMatchObject({ result: 'success', events: [] });
    await tanaka.ask('DELETE /events', { queue_id: String(queue['queue_id']) });
    await Promise.all(both);
  });

  it('Deleting a queue ends its poll with success and no events', async () => {
    const queue = await register(tanaka, { event_types: '["message"]' });
    const { answer } = await waitingPoll(() => poll(tanaka, queue, -1, 'false'));
    expect(await tanaka.ask('DELETE /events', { queue_id: String(queue['queue_id']) })).toEqual({ result: 'success', msg: '' });
    expect(await answer).toMatchObject({ result: 'success', events: [] });
  });

  it('Foreign, unknown, deleted and expired queues are refused alike', async () => {
    const [foreign, deleted, expired] = [
      await register(suzuki),
      await register(tanaka),
      await register(tanaka, { queue_lifespan_secs: '0' }),
    ];
    await tanaka.ask('DELETE /events', { queue_id: String(deleted['queue_id']) });
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const queue_id of [foreign, deleted, expired, { queue_id: 'x' }].map((each) => each['queue_id'])) {
      const refusal = { result: 'error', msg: `Bad event queue ID: ${String(queue_id)}`, queue_id, code: 'BAD_EVENT_QUEUE_ID' };
      expect(await poll(tanaka, { queue_id })).toEqual(refusal);
      expect(await tanaka.ask('DELETE /events', { queue_id: String(queue_id) })).toEqual(refusal);
    }
  });

  it('Presence events have the old form only', async () => {
    const queue = await register(tanaka, { event_types: '["presence"]' });
    await suzuki.ask('POST /users/me/presence', { status: 'active', new_user_input: 'true' });
    const [event] = listOf((await poll(tanaka, queue, -1, 'false'))['events']);
    const email: unknown = expect.stringMatching(/^user\d+@zulip\.example$/);
    expect(event).toMatchObject({ user_id: expect.any(Number), email, presence: { website: { status: 'active' } } });
    expect(event).not.toHaveProperty('presences');
  });

  it('A new edit limit comes as update_dict, a new deletion limit as update', async () => {
    expect(await heardBy(tanaka, ['realm'], () => changeRealm('message_content_edit_limit_seconds', 1800))).toMatchObject([
      { op: 'update_dict', property: 'default', data: { message_content_edit_limit_seconds: 1800 } },
    ]);
    expect(await heardBy(tanaka, ['realm'], () => changeRealm('message_content_delete_limit_seconds', 1800))).toMatchObject([
      { op: 'update', property: 'message_content_delete_limit_seconds', value: 1800 },
    ]);
  });

  it('The language of a member is English until they change it', async () => {
    expect(fieldsIn(await register(suzuki), 'user_settings')).toMatchObject({ default_language: 'en' });
  });
});

/** The folders of all members' pictures. */
async function pictureFolders(client_gravatar: string): Promise<Set<string>> {
  const { members } = await tanaka.ask('GET /users', { client_gravatar });
  return new Set(listOf(members).map((user) => String(isFields(user) && user['avatar_url']).replace(/[\w.=-]+(\?.*)?$/, '')));
}

describe('pictures and uploads', () => {
  it('A picture is below /user_avatars or at Gravatar, which a client may ask to leave out', async () => {
    expect(await pictureFolders('false')).toEqual(new Set(['/user_avatars/2/', 'https://secure.gravatar.com/avatar/']));
    expect(await pictureFolders('true')).toEqual(new Set(['/user_avatars/2/', '']));
    expect(await suzuki.ask('GET /users/me')).toMatchObject({ avatar_url: expect.stringContaining('gravatar.com') });
    const picture = await fetch(`${zulip.url}/user_avatars/2/0000000000000000000000000000000000000006.png`);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  it('An upload is answered to who reads a message of it, and for a minute at a temporary path to everyone', async () => {
    const form = new FormData();
    form.set('file', new File(['hello 日本'], 'メモ.txt', { type: 'text/plain' }));
    const headers = { authorization: tanaka.authorization };
    const answer = await fetch(`${zulip.url}/api/v1/user_uploads`, { method: 'POST', headers, body: form });
    const uri = String(fieldsOf(await answer.text())['uri']);
    expect(uri).toMatch(/^\/user_uploads\/2\/\w+\/[\w-]+\/メモ\.txt$/);
    expect(await (await fetch(zulip.url + uri, { headers })).text()).toBe('hello 日本');
    expect((await fetch(zulip.url + uri)).status).toBe(401);
    const asSuzuki = { headers: { authorization: suzuki.authorization } };
    expect((await fetch(zulip.url + uri, asSuzuki)).status).toBe(403);
    await send(`[メモ.txt](${uri})`);
    expect((await fetch(zulip.url + uri, asSuzuki)).status).toBe(200);
    const { url } = await tanaka.ask(`GET ${uri}`);
    expect(await (await fetch(zulip.url + String(url))).text()).toBe('hello 日本');
  });
});

describe('with a server of its own', () => {
  it('More than 200 calls of a member in a minute are refused with seconds that have decimals', async () => {
    const limited = await startZulip();
    const [member, other] = [await signIn('tanaka', limited), await signIn('suzuki', limited)];
    for (let made = 0; made < 200; made += 1) expect((await member('GET /users/me')).status).toBe(200);
    const { status, headers, text } = await member('GET /users/me');
    expect([status, headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+\.\d+$/)]);
    const seconds = Number(headers.get('retry-after'));
    const refusal = { result: 'error', msg: 'API usage exceeded rate limit', code: 'RATE_LIMIT_HIT', 'retry-after': seconds };
    expect(fieldsOf(text)).toEqual(refusal);
    expect((await other('GET /users/me')).status).toBe(200);
    await limited.close();
  });

  it('A poll without events gets a heartbeat with the next id', async () => {
    const quick = await startZulip({ heartbeatSeconds: 0.05 });
    const member = await signIn('tanaka', quick);
    const queue = await register(member, { event_types: '["message"]' });
    expect(await poll(member, queue, -1, 'false')).toMatchObject({ events: [{ type: 'heartbeat', id: 0 }] });
    expect(await poll(member, queue, 0, 'false')).toMatchObject({ events: [{ type: 'heartbeat', id: 1 }] });
    await quick.close();
  });
});

describe('faults', async () => {
  const failing = await startZulip();
  afterAll(() => failing.close());
  const member = await signIn('tanaka', failing);

  it('While it is down nothing listens, and after that it has the same data on the same port', async () => {
    await failing.fail({ down: true });
    await expect(member('GET /users/me')).rejects.toThrow('fetch failed');
    await failing.fail();
    expect(await member.ask('GET /users/me')).toMatchObject({ user_id: 6 });
  });

  it.each([
    ['badGateway', { badGateway: true }, 502, '<h1>502 Bad Gateway</h1>'],
    ['rateLimited', { rateLimited: true }, 429, '"code":"RATE_LIMIT_HIT"'],
    ['refusedKeys', { refusedKeys: [addressOf('tanaka')] }, 401, '"msg":"Invalid API key"'],
    ['emptyAnswers', { emptyAnswers: true }, 200, '{"result":"success","msg":""}\n'],
    ['unknownKeys', { unknownKeys: true }, 200, '"from_a_later_version"'],
  ])('The fault %s answers calls until it ends', async (_, faults, expected, content) => {
    await failing.fail(faults);
    const { status, text } = await member('GET /users/me');
    await failing.fail();
    expect([status, text]).toEqual([expected, expect.stringContaining(content)]);
    expect(await member.ask('GET /users/me')).toMatchObject({ user_id: 6 });
  });

  it('A message whose answer is lost is sent', async () => {
    const queue = await register(member, { event_types: '["message"]' });
    await failing.fail({ lostAnswers: ['POST /messages'] });
    await expect(member('POST /messages', { ...inChat, content: 'no answer' })).rejects.toThrow('fetch failed');
    expect(await poll(member, queue)).toMatchObject({ events: [{ message: { content: 'no answer' } }] });
    await failing.fail();
  });

  it('A delay lasts at least as long as it says', async () => {
    await failing.fail({ delay: 100 });
    const began = performance.now();
    await member('GET /users/me');
    expect(performance.now() - began).toBeGreaterThan(99);
    await failing.fail();
  });

  it('A restart ends all connections and queues, and keeps keys and messages', async () => {
    const id = await send('before the restart', member);
    const queue = await register(member);
    const waiting = poll(member, queue, -1, 'false').catch((error: unknown) => String(error));
    await member('GET /users/me');
    failing.restart();
    expect(await waiting).toContain('fetch failed');
    expect(await poll(member, queue)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect(fieldsIn(await member.ask(`GET /messages/${id}`), 'message')).toMatchObject({ id });
  });

  it('An event of a type that nobody knows reaches the polls that wait', async () => {
    const queue = await register(member, { event_types: '["message"]' });
    const waiting = poll(member, queue, -1, 'false');
    await member('GET /users/me');
    failing.say({ type: 'from_a_later_version', op: 'unheard' });
    expect(await waiting).toMatchObject({ events: [{ type: 'from_a_later_version', op: 'unheard', id: 0 }] });
  });

  it('A client that leaves in the middle of a call does no harm', async () => {
    const socket = connectPlainly(Number(new URL(failing.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\ntype=');
    await member('GET /users/me');
    socket.destroy();
    expect(await member.ask('GET /users/me')).toMatchObject({ user_id: 6 });
  });

  it('The calls that arrive are listed with the name of their client', async () => {
    failing.received.splice(0);
    await member('GET /users/me', {}, { 'user-agent': 'Engawa desktop app/1.0' });
    expect(failing.received).toEqual([{ call: 'GET /users/me', client: 'Engawa desktop app' }]);
  });

  it('With https the certificate is the right one until a fault shows another one', async () => {
    const secure = await startZulip({ secure: true });
    const shown = () =>
      new Promise((resolve, reject) => {
        const socket = connectSecurely({ port: Number(new URL(secure.url).port), rejectUnauthorized: false }, () => {
          resolve(socket.getPeerCertificate().subject.CN);
          socket.destroy();
        }).once('error', reject);
      });
    expect(await shown()).toBe('first.engawa.example');
    await secure.fail({ wrongCertificate: true });
    expect(await shown()).toBe('second.engawa.example');
    await secure.close();
  });

  it('As a separate process it obeys the same orders', async () => {
    const separate = await startZulipProcess({ callsPerMinute: 1000 });
    const caller = await signIn('tanaka', separate);
    await separate.fail({ badGateway: true });
    expect((await caller('GET /users/me')).status).toBe(502);
    await separate.fail();
    const queue = await register(caller, { event_types: '["message"]' });
    await separate.say({ type: 'from_a_later_version' });
    expect(await poll(caller, queue)).toMatchObject({ events: [{ type: 'from_a_later_version' }] });
    await separate.restart();
    expect(await poll(caller, queue)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect(await separate.received()).toContainEqual({ call: 'POST /register', client: 'node' });
    await separate.close();
  });
});

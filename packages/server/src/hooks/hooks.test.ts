import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type Message,
  createBot,
  deactivateBot,
  deactivateUser,
  deleteMessage,
  deleteStream,
  editMessage,
  getBots,
  getMessages,
  getOwnUser,
  getStreamId,
  maxMessageLength,
  messageCard,
  sendMessage,
  subscribe,
  unsubscribe,
  updateBot,
} from '@engawa/protocol';
import {
  type Hook,
  type HookSecrets,
  hook,
  hookPaths,
  hookRate,
  hookSecrets,
  hooks,
  maxHookPayload,
} from '@engawa/protocol/hooks';
import type { InjectOptions } from 'fastify';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type RunningProduct, fromOwnPage, runProduct } from '../testing/product.ts';

const admin = 'takahashi.koichi';
let product: RunningProduct;
async function run(environment: Readonly<Record<string, string>>) {
  const running = await runProduct({ LOG_LEVEL: 'debug', ...environment });
  onTestFinished(() => running.close());
  product = running;
}
beforeEach(() => run({ RATE_LIMIT: 'none' }));

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function ask(name: string, method: Method, url: string, payload?: object) {
  const headers = { host: 'localhost', ...fromOwnPage, authorization: await product.basicOf(name) };
  return product.app.inject({ method, url, headers, ...(payload && { payload }) });
}

const idOf = async (name: string) => (await product.call(name, getOwnUser, {})).user_id;

async function group(name: string, others = ['sato']) {
  const principals = await Promise.all(['tanaka', ...others].map(idOf));
  await product.call('tanaka', subscribe, { subscriptions: [{ name }], principals, invite_only: true });
  return (await product.call('tanaka', getStreamId, { stream: name })).stream_id;
}

async function create(name: string, streamId: number, change: object = {}): Promise<HookSecrets> {
  const answer = await ask('tanaka', 'POST', hookPaths.hooks, { name, stream_id: streamId, topic: '通知', ...change });
  expect(answer.statusCode, answer.body).toBe(200);
  return hookSecrets.parse(answer.json());
}

const listed = async (name = 'tanaka'): Promise<Hook[]> => hooks.parse((await ask(name, 'GET', hookPaths.hooks)).json()).hooks;

/** Sends a request as another program does: without a cookie and without any header of a browser. */
async function post(address: string, body: object | string, headers: InjectOptions['headers'] = {}) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const type = { 'content-type': 'application/json' };
  const { pathname, search } = new URL(address);
  const answer = await product.app.inject({
    method: 'POST',
    url: pathname + search,
    headers: { host: 'localhost', ...type, ...headers },
    payload,
  });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
}

async function messagesIn(streamId: number, name = 'tanaka'): Promise<readonly Message[]> {
  const narrow = [{ operator: 'stream', operand: streamId }] as const;
  const { messages } = await product.call(name, getMessages, {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [...narrow],
    apply_markdown: false,
  });
  return messages;
}

const payload = (name: string) => readFileSync(new URL(`incoming/payloads/${name}.json`, import.meta.url), 'utf8');

/** Another program refuses this change of the database. */
function refuse(file: string, change: string): void {
  const beside = new DatabaseSync(join(product.dataDirectory, file));
  onTestFinished(() => beside.close());
  beside.exec(`CREATE TRIGGER refused BEFORE ${change} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
}

const createdBots = async () => (await product.call('tanaka', getBots, {})).bots;
const logged = (name: string) => product.log.filter(({ event }) => event === name);

describe('POST /api/hooks', () => {
  it('A hook that cannot be stored leaves no active bot, and its name is free again', async () => {
    const stream = await group('監視');
    refuse('engawa.db', 'INSERT ON hook');
    const body = { name: '監視くん', stream_id: stream, topic: '通知' };
    for (const _ of ['first', 'second']) {
      expect(await ask('tanaka', 'POST', hookPaths.hooks, body)).toMatchObject({ statusCode: 503 });
    }
    expect(await createdBots()).toEqual([]);
    expect(await listed()).toEqual([]);
    expect(logged('hook_bot_left')).toEqual([]);
  });

  it('If neither the hook can be stored nor its bot be deactivated, the log names the bot, and the call fails with the error of the hook', async () => {
    const stream = await group('監視');
    const other = new DatabaseSync(join(product.dataDirectory, 'engawa.db'));
    onTestFinished(() => other.close());
    refuse('chat/chat.db', 'UPDATE OF is_active ON user');
    other.exec('BEGIN IMMEDIATE');
    const answer = await ask('tanaka', 'POST', hookPaths.hooks, { name: '監視くん', stream_id: stream, topic: '通知' });
    expect([answer.statusCode, answer.json()]).toMatchObject([503, { code: 'STORAGE_LOCKED' }]);
    const [bot] = await createdBots();
    expect(logged('hook_bot_left')).toMatchObject([{ level: 'error', bot: bot?.user_id }]);
  });
});

describe('POST /hooks/{token}', () => {
  it('A post becomes a message of the bot of the hook, with text for all clients and cards for ours', async () => {
    const stream = await group('監視');
    const { address, hook: made } = await create('監視くん', stream);
    expect(await post(address, payload('slackAttachment'))).toMatchObject({ status: 200, text: 'ok' });
    const message = (await messagesIn(stream)).at(-1);
    expect(message).toMatchObject({ sender_id: made.id, sender_full_name: '監視くん', subject: '通知', client: 'Webhook' });
    expect(message?.content).toContain('**[title](https://api.slack.com/)**');
    expect(message?.cards?.[1]).toMatchObject({ color: '#36a64f' });
    expect((await listed())[0]).toMatchObject({ name: '監視くん', owner_id: await idOf('tanaka'), used: expect.any(Number) });
  });

  it('The field `payload` of a form, JSON without its content type, and JSON with another one are accepted', async () => {
    const stream = await group('監視');
    const { address } = await create('監視くん', stream);
    const form = `payload=${encodeURIComponent('{"text":"form &amp; field"}')}`;
    for (const [body, type] of [
      [form, 'application/x-www-form-urlencoded'],
      ['{"text":"as curl sends it"}', 'application/x-www-form-urlencoded'],
      ['{"text":"plain"}', 'text/plain'],
    ] as const) {
      expect(await post(address, body, { 'content-type': type })).toMatchObject({ status: 200, text: 'ok' });
    }
    expect((await messagesIn(stream)).slice(-3).map(({ content }) => content)).toEqual([
      'form & field',
      'as curl sends it',
      'plain',
    ]);
  });

  it.each([
    ['no JSON', 'text=hello', 400, 'invalid_payload'],
    ['an empty body', '', 400, 'invalid_payload'],
    ['JSON that is no object', '["a"]', 400, 'invalid_payload'],
    ['JSON that is nested too deeply', '['.repeat(50_000) + ']'.repeat(50_000), 400, 'invalid_payload'],
    ['a broken block', '{"blocks":[{"type":"section","text":7}]}', 400, 'invalid_payload'],
    ['no text', '{"username":"x"}', 400, 'no_text'],
    ['blank text', '{"text":" \\n "}', 400, 'no_text'],
    ['too many bytes', JSON.stringify({ text: 'あ'.repeat(maxHookPayload / 3) }), 413, 'payload_too_large'],
  ])('A post with %s is refused by Slack’s code, which its owner sees', async (_, body, status, code) => {
    const { address } = await create('監視くん', await group('監視'));
    expect(await post(address, body)).toMatchObject({
      status,
      text: code,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
    expect((await listed())[0]?.last_error).toEqual({ code, time: expect.any(Number) });
  });

  it('Null characters and halves of surrogate pairs in a payload are stored as valid text', async () => {
    const stream = await group('監視');
    const { address } = await create('監視くん', stream);
    expect(await post(address, '{"text":"a\\u0000b \\ud83d c"}')).toMatchObject({ status: 200 });
    expect((await messagesIn(stream)).at(-1)?.content).toBe('ab \ufffd c');
  });

  it('Null characters and halves of surrogate pairs in the names of a payload are stored as valid text', async () => {
    const stream = await group('監視');
    const { external, api_key } = await create('監視くん', stream);
    const alert = { status: 'firing', labels: { 'ho\0st \ud83d': 'web 1', alertname: '容量' } };
    const body = { status: 'firing', alerts: [alert] };
    const { status } = await post(`${external}alertmanager?api_key=${api_key}&stream=${stream}`, body);
    expect([status, (await messagesIn(stream)).at(-1)?.content]).toEqual([
      200,
      expect.stringContaining('**host \ufffd**: web 1'),
    ]);
  });

  it('A message that is too long is cut with a visible note', async () => {
    const stream = await group('監視');
    const { address } = await create('監視くん', stream);
    expect(await post(address, { text: 'long line\n'.repeat(2000) })).toMatchObject({ status: 200 });
    const { content = '', cards } = (await messagesIn(stream)).at(-1) ?? {};
    expect([...content].length).toBeLessThanOrEqual(maxMessageLength);
    expect(content).toMatch(/（長すぎるため、続きは省略しました）$/);
    expect(messageCard.parse(cards?.at(-1)).parts.at(-1)).toMatchObject({ kind: 'note' });
  });

  it('A post that mentions everybody and a member mentions nobody', async () => {
    const stream = await group('監視');
    const { address } = await create('監視くん', stream);
    await post(address, {
      text: '<!channel> @**all** <@U1|佐藤> @**佐藤 美咲**',
      attachments: [{ title: '@**all**', text: '@**all**' }],
    });
    const message = (await messagesIn(stream, 'sato')).at(-1);
    expect(message?.content).toContain('@channel');
    expect(message?.flags?.filter((flag) => flag.includes('mentioned'))).toEqual([]);
  });

  it('An unknown address, a renewed one and a deleted one answer no_service before the body is read', async () => {
    const { address, hook: made } = await create('監視くん', await group('監視'));
    const renewed = hookSecrets.parse((await ask('tanaka', 'POST', hookPaths.renew(made.id), {})).json());
    const tooLong = 'x'.repeat(2 * maxHookPayload);
    for (const at of ['http://localhost/hooks/x', `http://localhost/hooks/${'a'.repeat(43)}`, address]) {
      expect(await post(at, tooLong)).toMatchObject({ status: 404, text: 'no_service' });
    }
    expect(await post(renewed.address, { text: 'new' })).toMatchObject({ status: 200 });
    expect((await ask('tanaka', 'DELETE', hookPaths.hook(made.id))).statusCode).toBe(200);
    expect(await post(renewed.address, { text: 'new' })).toMatchObject({ status: 404, text: 'no_service' });
  });

  it('A hook has no more rights than its owner has now: after the owner left the private stream it answers channel_not_found', async () => {
    const stream = await group('監視');
    const { address } = await create('監視くん', stream);
    await product.call('tanaka', unsubscribe, { subscriptions: ['監視'] });
    expect(await post(address, { text: 'x' })).toMatchObject({ status: 404, text: 'channel_not_found' });
    expect((await listed())[0]?.last_error?.code).toBe('channel_not_found');
    expect((await messagesIn(stream, 'sato')).filter(({ notice }) => !notice)).toEqual([]);
  });

  it('A hook answers channel_is_archived for an archived stream, and no_service when its bot or owner is deactivated', async () => {
    const stream = await group('監視');
    const { address, hook: made } = await create('監視くん', stream);
    const other = await create('もう一つ', stream);
    await product.call('tanaka', deactivateBot, { bot_id: other.hook.id });
    expect(await post(other.address, { text: 'x' })).toMatchObject({ status: 404, text: 'no_service' });
    await product.call('tanaka', deleteStream, { stream_id: stream });
    expect(await post(address, { text: 'x' })).toMatchObject({ status: 410, text: 'channel_is_archived' });
    await product.call(admin, deactivateUser, { user_id: await idOf('tanaka') });
    expect(await post(address, { text: 'x' })).toMatchObject({ status: 404, text: 'no_service' });
    const all = hooks.parse((await ask(admin, 'GET', '/api/administration/hooks')).json()).hooks;
    expect(all.map(({ id, is_active }) => [id, is_active])).toEqual([
      [made.id, false],
      [other.hook.id, false],
    ]);
  });

  it('A hook that gets 10,000 posts in a minute answers most with 429 and Retry-After, and limits neither other hooks nor its owner', async () => {
    await run({});
    const stream = await group('監視');
    const [noisy, quiet] = [await create('嵐の中', stream), await create('静か', stream)];
    const counts = new Map<number, number>();
    for (let round = 0; round < 100; round += 1) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => post(noisy.address, { text: 'アラート' })));
      for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(counts)).toEqual({ 200: hookRate.calls, 429: 10_000 - hookRate.calls });
    await product.call('tanaka', sendMessage, { type: 'stream', to: '監視', topic: '通知', content: '対応します' });
    expect(await post(quiet.address, { text: 'x' })).toMatchObject({ status: 200 });
    const limited = await post(noisy.address, { text: 'x' });
    expect(limited).toMatchObject({ status: 429, text: 'rate_limited' });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    product.pass(61_000);
    expect(await post(noisy.address, { text: 'x' })).toMatchObject({ status: 200 });
  }, 120_000);

  it('Neither the log nor the metrics contain a token or a key', async () => {
    const { address, api_key } = await create('監視くん', await group('監視'));
    await post(address, { text: 'x' });
    await post(address, '{');
    await post(`http://localhost/api/v1/external/zabbix?api_key=${api_key}`, payload('zabbix'));
    const token = address.slice(address.lastIndexOf('/') + 1);
    const metrics = await product.app.inject({ url: '/metrics', headers: { host: 'localhost' } });
    const written = JSON.stringify(product.log) + metrics.body;
    expect(metrics.body).toContain('/hooks/:token');
    expect([written.includes(token), written.includes(api_key)]).toEqual([false, false]);
  });
});

describe('POST /api/v1/external/{format}', () => {
  it.each([
    ['redmine', 'redminePlugin', 'bug #191: Found a bug'],
    ['redmine', 'redmineCore', 'Bug #1: Cannot print recipes'],
    ['backlog', 'backlogIssue', 'TEST-100 test issue'],
    ['zabbix', 'zabbix', 'Zabbix agent on www.example.com is unreachable'],
    ['grafana', 'grafana', 'High memory usage'],
    ['alertmanager', 'alertmanager', 'ProbeFailure'],
    ['gitlab', 'gitlabMergeRequest', '!1 MS-Viewport'],
    ['slack_incoming', 'dellOpenManage', 'The power supply is lost'],
  ])(
    'A payload of %s (%s) is posted with the key of a bot, to the stream and topic of the address',
    async (format, name, text) => {
      const stream = await group('監視');
      const { external, api_key, hook: made } = await create('監視くん', stream);
      const answer = await post(
        `${external}${format}?api_key=${api_key}&stream=${encodeURIComponent('監視')}&topic=a`,
        payload(name),
      );
      expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { result: 'success', msg: '' }]);
      const message = (await messagesIn(stream)).at(-1);
      expect(message).toMatchObject({ sender_id: made.id, subject: 'a' });
      expect(message?.content).toContain(text);
      expect(message?.cards).not.toEqual([]);
    },
  );

  it('Without a topic the payload names it, a stream can be an id, and without a stream the owner gets a direct message', async () => {
    const stream = await group('監視');
    const { external, api_key, hook: made } = await create('監視くん', stream);
    await post(`${external}gitlab?api_key=${api_key}&stream=${stream}`, payload('gitlabPush'));
    expect((await messagesIn(stream)).at(-1)).toMatchObject({ subject: 'Diaspora' });
    expect(await post(`${external}gitlab?api_key=${api_key}`, payload('gitlabPush'))).toMatchObject({ status: 200 });
    const { messages } = await product.call('tanaka', getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(messages[0]).toMatchObject({ type: 'private', sender_id: made.id });
  });

  it('Refusals have the form and the codes of the chat API, and the owner of a hook sees them', async () => {
    const stream = await group('監視');
    const { external, api_key } = await create('監視くん', stream);
    const generic = await product.call('tanaka', createBot, { full_name: '別の用途', short_name: 'generic', bot_type: 1 });
    const good = payload('zabbix');
    for (const [at, body, status, code] of [
      [`zabbix?api_key=${'A'.repeat(32)}`, good, 401, 'INVALID_API_KEY'],
      ['zabbix', good, 401, 'INVALID_API_KEY'],
      [`zabbix?api_key=${generic.api_key}`, good, 401, 'INVALID_API_KEY'],
      [`unknown?api_key=${api_key}`, good, 404, 'NOT_FOUND'],
      [`zabbix?api_key=${api_key}&stream=none`, good, 400, 'STREAM_DOES_NOT_EXIST'],
      [`zabbix?api_key=${api_key}&stream=${stream}&topic=%00`, good, 400, 'BAD_REQUEST'],
      [`zabbix?api_key=${api_key}`, '{"a":1}', 400, 'BAD_REQUEST'],
      [`zabbix?api_key=${api_key}`, 'x'.repeat(maxHookPayload + 1), 413, 'PAYLOAD_TOO_LARGE'],
    ] as const) {
      const answer = await post(external + at, body);
      expect([at, answer.status, JSON.parse(answer.text)]).toMatchObject([at, status, { result: 'error', code }]);
    }
    expect((await listed())[0]?.last_error?.code).toBe('payload_too_large');
  });

  it('Posts with a key count together with those at the address of the hook, and then answer 429', async () => {
    const stream = await group('監視');
    const { external, address, api_key } = await create('監視くん', stream);
    for (let times = 0; times < hookRate.calls; times += 1) await post(address, { text: 'x' });
    const answer = await post(`${external}zabbix?api_key=${api_key}&stream=${stream}`, payload('zabbix'));
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([429, { code: 'RATE_LIMIT_HIT' }]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('management of hooks', () => {
  it('The address is in the answers of the creation and of the renewal, and nothing shows it again', async () => {
    const { address, api_key, hook: made } = await create('監視くん', await group('監視'));
    expect(address).toMatch(/^http:\/\/[^/]+\/hooks\/[\w-]{43}$/);
    const list = await ask('tanaka', 'GET', hookPaths.hooks);
    expect(list.body).not.toContain(address.slice(-43));
    expect(list.body).not.toContain(api_key);
    expect(list.headers['cache-control']).toBe('no-store');
    expect(await listed('sato')).toEqual([]);
    expect((await ask('sato', 'DELETE', hookPaths.hook(made.id))).statusCode).toBe(404);
  });

  it('A change of a hook renames its bot and moves the next messages, to no stream in which the owner cannot write', async () => {
    const [one, two] = [await group('監視'), await group('開発')];
    const { address, hook: made } = await create('監視くん', one);
    const changed = await ask('tanaka', 'PATCH', hookPaths.hook(made.id), { name: '見張り番', stream_id: two, topic: '別の話' });
    expect(hook.parse(changed.json().hook)).toMatchObject({ name: '見張り番', stream_id: two, topic: '別の話' });
    await post(address, { text: 'x' });
    expect((await messagesIn(two)).at(-1)).toMatchObject({ sender_full_name: '見張り番', subject: '別の話' });
    await product.call('sato', subscribe, { subscriptions: [{ name: '佐藤だけ' }], invite_only: true });
    const { stream_id: hidden } = await product.call('sato', getStreamId, { stream: '佐藤だけ' });
    expect((await ask('tanaka', 'PATCH', hookPaths.hook(made.id), { stream_id: hidden })).statusCode).toBe(404);
    expect((await ask('tanaka', 'POST', hookPaths.hooks, { name: 'x y', stream_id: hidden, topic: 'a' })).statusCode).toBe(404);
  });

  it('An administrator changes and deletes another member’s hook but gets no address of it', async () => {
    const stream = await group('監視');
    const { hook: made } = await create('監視くん', stream);
    expect((await ask(admin, 'PATCH', hookPaths.hook(made.id), { topic: '片付け' })).statusCode).toBe(200);
    expect((await ask(admin, 'POST', hookPaths.renew(made.id), {})).statusCode).toBe(404);
    expect((await ask(admin, 'DELETE', hookPaths.hook(made.id))).statusCode).toBe(200);
    expect(await listed()).toEqual([]);
  });

  it('The address of a hook ends when its bot gets another owner, who renews it and whose rights it follows', async () => {
    const stream = await group('監視');
    const { address, hook: made } = await create('監視くん', stream);
    await product.call(admin, updateBot, { bot_id: made.id, bot_owner_id: await idOf('sato') });
    expect([(await listed()).length, (await listed('sato')).length]).toEqual([0, 1]);
    expect(await post(address, { text: 'x' })).toMatchObject({ status: 404, text: 'no_service' });
    const renewed = hookSecrets.parse((await ask('sato', 'POST', hookPaths.renew(made.id), {})).json());
    expect(await post(renewed.address, { text: 'x' })).toMatchObject({ status: 200 });
    await product.call('sato', unsubscribe, { subscriptions: ['監視'] });
    expect(await post(renewed.address, { text: 'x' })).toMatchObject({ status: 404, text: 'channel_not_found' });
  });

  it('An administrator cannot move another member’s hook into a stream that only that member is in', async () => {
    const { hook: made } = await create('監視くん', await group('監視'));
    await product.call('tanaka', subscribe, { subscriptions: [{ name: '田中だけ' }], invite_only: true });
    const { stream_id } = await product.call('tanaka', getStreamId, { stream: '田中だけ' });
    expect((await ask(admin, 'PATCH', hookPaths.hook(made.id), { stream_id })).statusCode).toBe(404);
    expect((await ask('tanaka', 'PATCH', hookPaths.hook(made.id), { stream_id })).statusCode).toBe(200);
  });

  it('Names, topics and ids of a wrong form are refused', async () => {
    const stream = await group('監視');
    for (const change of [
      { name: '' },
      { name: 'x' },
      { topic: ' ' },
      { topic: 'a\nb' },
      { topic: 'a'.repeat(61) },
      { stream_id: 'x' },
    ]) {
      const asked = { name: '監視くん', stream_id: stream, topic: 'a', ...change };
      expect((await ask('tanaka', 'POST', hookPaths.hooks, asked)).statusCode, JSON.stringify(change)).toBe(400);
    }
    expect(await listed()).toEqual([]);
  });

  it('The message of a hook cannot be edited, and a deleted one keeps neither text nor cards', async () => {
    const stream = await group('監視', [admin]);
    const { address } = await create('監視くん', stream);
    await post(address, { text: '消える文' });
    const { id = 0 } = (await messagesIn(stream)).at(-1) ?? {};
    await expect(product.call('tanaka', editMessage, { message_id: id, content: 'x' })).rejects.toThrow();
    await product.call(admin, deleteMessage, { message_id: id });
    const database = new DatabaseSync(join(product.dataDirectory, 'chat', 'chat.db'), { readOnly: true });
    onTestFinished(() => database.close());
    expect(database.prepare('SELECT content, notice FROM message WHERE id = ?').get(id)).toEqual({ content: '', notice: null });
  });
});

it('A broken payload is never answered by a server error', async () => {
  const stream = await group('監視');
  const created = await Promise.all(Array.from({ length: 8 }, (_, index) => create(`監視 ${index}`, stream)));
  const { external, api_key } = created[0] ?? (await create('監視くん', stream));
  const formats = ['redmine', 'backlog', 'zabbix', 'grafana', 'gitlab', 'slack_incoming'];
  const names = ['redminePlugin', 'backlogUpdate', 'zabbix', 'grafana', 'gitlabPush', 'slackAttachment', 'dellOpenManage'];
  let state = 7;
  const number = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const values: readonly unknown[] = [
    null,
    0,
    -1,
    1e300,
    '',
    'x',
    '\u0000',
    '@**all**',
    '<!channel>',
    [],
    {},
    [[]],
    true,
    '9'.repeat(400),
  ];
  const mutated = (value: unknown): unknown => {
    if (number(12) === 0) return values[number(values.length)];
    if (Array.isArray(value)) return value.map(mutated);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).flatMap(([key, each]) => (number(20) === 0 ? [] : [[key, mutated(each)]])));
  };
  for (let times = 0; times < 400; times += 1) {
    const body: unknown = mutated(JSON.parse(payload(names[number(names.length)] ?? 'zabbix')));
    const text = JSON.stringify(body) ?? '';
    const cut = number(10) === 0 ? text.slice(0, number(text.length + 1)) : text;
    const at = number(2) === 0 ? created[number(created.length)]?.address : undefined;
    const address = at ?? `${external}${formats[number(formats.length)]}?api_key=${api_key}&stream=${stream}`;
    const { status } = await post(address, cut);
    expect([200, 400, 429], `${status} ${address} ${cut}`).toContain(status);
    if (status === 429) product.pass(61_000);
  }
}, 60_000);

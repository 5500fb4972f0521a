/** The product in front of the double of a real Zulip, which has none of what `keep` stores. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Database } from '@engawa/chat-server/database';
import {
  type Connection,
  connect,
  countEmojiUse,
  createDrafts,
  deleteDraft,
  deleteMessage,
  editDraft,
  fetchApiKey,
  getDrafts,
  getEvents,
  getMessages,
  getSubscriptions,
  registerQueue,
  sendMessage,
  subscribe,
  unsubscribe,
  updateSettings,
  updateSubscriptionProperties,
} from '@engawa/client';
import { type Message, defaultRateLimits } from '@engawa/protocol';
import type { LiveEvent } from '@engawa/protocol/live';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from '../../../database/migrations.ts';
import { startZulip } from '../../../testing/zulip/zulip.ts';
import type { RequestChat } from '../../backend.ts';
import { connectionsTo } from '../../connections.ts';
import { keep, keptCapabilities } from './keep.ts';

const zulip = await startZulip({ callsPerMinute: 10_000, heartbeatSeconds: 1 });
const directory = mkdtempSync(join(tmpdir(), 'kept-'));
const file = join(directory, 'engawa.db');
let database = new Database(file, { migrations });
afterAll(async () => {
  database.close();
  rmSync(directory, { recursive: true });
  await zulip.close();
});

/** The addresses of all calls to the double. */
const asked: string[] = [];

/** Calls the double. */
const request: RequestChat = async ({ method, url, headers, body, signal, memberId }) => {
  asked.push(url);
  const read = Buffer.from((await body(Infinity)) ?? '');
  const sent = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  const answer = await fetch(`${zulip.url}${url}`, {
    method,
    headers: Object.fromEntries(sent.filter(([name]) => name !== 'host' && name !== 'content-length')),
    ...(read.length > 0 ? { body: read } : {}),
    signal,
  });
  const answered = Object.fromEntries(answer.headers);
  return { status: answer.status, headers: answered, body: await answer.bytes(), memberId };
};

let published: { readonly to: readonly number[]; readonly event: LiveEvent }[] = [];
const log: unknown[] = [];

const start = () =>
  keep(request, {
    database,
    now: Date.now,
    rateLimits: 'none',
    publish: (userIds, event) => published.push({ to: [...userIds], event }),
    log: (event) => log.push(event),
  });
let kept = start();
beforeEach(() => {
  published = [];
});

/** Ends the process and starts it again: what is only in memory is gone. */
function restart(): void {
  database.close();
  database = new Database(file, { migrations });
  kept = start();
}

interface Eg {
  readonly id: number;
  /** Through the product. */
  readonly connection: Connection;
  /** Zulip itself, as the member's other programs reach it. */
  readonly direct: Connection;
}

async function signedIn(name: string): Promise<Eg> {
  const {
    api_key,
    email,
    user_id: id = 0,
  } = await fetchApiKey(connect({ realm: zulip.url }), {
    username: `${name}@engawa.example`,
    password: 'demo',
  });
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
  const as = (chat: RequestChat) => connectionsTo((call) => chat({ ...call, memberId: id }))(authorization);
  return { id, connection: as((call) => kept(call)), direct: as(request) };
}

const tanaka = await signedIn('tanaka');
const suzuki = await signedIn('suzuki');
const admin = await signedIn('nakamura');

const clients = { notification_settings_null: true, bulk_message_deletion: true };
const stateOf = ({ connection }: Eg, fetch_event_types: string[]) =>
  registerQueue(connection, { event_types: [], fetch_event_types, client_capabilities: clients });
const queueOf = ({ connection }: Eg, event_types: string[]) =>
  registerQueue(connection, { event_types, fetch_event_types: [], client_capabilities: clients });
const eventsOf = async ({ connection }: Eg, { queue_id, last_event_id }: Awaited<ReturnType<typeof queueOf>>) =>
  (await getEvents(connection, { queue_id, last_event_id, dont_block: true })).events;
const newest = { anchor: 'newest', num_before: 20, num_after: 0, include_deleted: true, apply_markdown: false };
const deletedIn = (messages: readonly Message[]) => messages.filter(({ deleted }) => deleted).map(({ id }) => id);

describe('drafts', () => {
  const draft = { type: 'private' as const, to: [suzuki.id], topic: '', content: '書きかけ' };

  it('[R7.8] A draft in front of a Zulip has a revision, so that a device does not overwrite the text of another one', async () => {
    const { ids } = await createDrafts(tanaka.connection, { drafts: [draft] });
    const [id = 0] = ids;
    await editDraft(tanaka.connection, { draft_id: id, draft: { ...draft, content: '書きかけです' }, revision: 0 });
    const late = editDraft(tanaka.connection, { draft_id: id, draft: { ...draft, content: '別の端末' }, revision: 0 });
    await expect(late).rejects.toMatchObject({ code: 'EXPECTATION_MISMATCH' });
    restart();
    expect(await getDrafts(tanaka.connection, {})).toMatchObject({
      count: 1,
      drafts: [{ id, content: '書きかけです', revision: 1 }],
    });
    expect((await stateOf(tanaka, ['drafts'])).drafts).toMatchObject([{ id, revision: 1 }]);
    await deleteDraft(tanaka.connection, { draft_id: id, revision: 1 });
    expect(published.map(({ to, event }) => [to, event])).toMatchObject([
      [[tanaka.id], { type: 'drafts', op: 'add', drafts: [{ id, content: '書きかけ' }] }],
      [[tanaka.id], { type: 'drafts', op: 'update', draft: { id, revision: 1 } }],
      [[tanaka.id], { type: 'drafts', op: 'remove', draft_id: id }],
    ]);
  });

  it('[R7.8] A member cannot read, change or delete the drafts of another member in front of a Zulip', async () => {
    const { ids } = await createDrafts(tanaka.connection, { drafts: [draft] });
    const [id = 0] = ids;
    expect((await getDrafts(suzuki.connection, {})).drafts).toEqual([]);
    expect((await stateOf(suzuki, ['drafts'])).drafts).toEqual([]);
    await expect(editDraft(suzuki.connection, { draft_id: id, draft })).rejects.toMatchObject({ status: 404 });
    await expect(deleteDraft(suzuki.connection, { draft_id: id })).rejects.toMatchObject({ status: 404 });
    await deleteDraft(tanaka.connection, { draft_id: id });
  });

  it('[R7.8] The drafts that a member writes in Zulip’s own clients are not mixed with those of the product', async () => {
    const queue = await queueOf(tanaka, ['drafts']);
    await createDrafts(tanaka.direct, { drafts: [{ ...draft, content: 'Zulip で' }] });
    expect((await getDrafts(tanaka.connection, {})).drafts).toEqual([]);
    expect((await stateOf(tanaka, ['drafts'])).drafts).toEqual([]);
    expect(await eventsOf(tanaka, queue)).toMatchObject([{ type: 'heartbeat', id: 0 }]);
  });

  it('[R7.8] A member who turns drafts off has none in front of a Zulip, and no draft is accepted', async () => {
    await createDrafts(tanaka.connection, { drafts: [draft] });
    await updateSettings(tanaka.connection, { enable_drafts_synchronization: false });
    await expect(createDrafts(tanaka.connection, { drafts: [draft] })).rejects.toThrow('disabled synchronizing drafts');
    await updateSettings(tanaka.connection, { enable_drafts_synchronization: true });
    expect((await getDrafts(tanaka.connection, {})).drafts).toEqual([]);
  });

  it('[R7.8] A caller whose key Zulip refuses gets no drafts from the product either', async () => {
    await zulip.fail({ refusedKeys: ['suzuki@engawa.example'] });
    kept = start();
    await expect(getDrafts(suzuki.connection, {})).rejects.toMatchObject({ status: 401 });
    await zulip.fail();
  });
});

describe('settings', () => {
  it('[R7.8] The density and the emoji that a member uses most outlive a restart in front of a Zulip', async () => {
    await updateSettings(tanaka.connection, { compact_messages: true });
    await countEmojiUse(tanaka.connection, { emoji: 'tada' });
    await countEmojiUse(tanaka.connection, { emoji: 'tada' });
    restart();
    const { user_settings } = await stateOf(tanaka, ['user_settings']);
    expect(user_settings).toMatchObject({ compact_messages: true, frequent_emoji: { tada: 2 } });
    expect((await stateOf(suzuki, ['user_settings'])).user_settings).toMatchObject({
      compact_messages: false,
      frequent_emoji: {},
    });
    expect(published.map(({ event }) => event)).toMatchObject([
      { type: 'user_settings', op: 'update', property: 'compact_messages', value: true },
      { property: 'frequent_emoji', value: { tada: 1 } },
      { property: 'frequent_emoji', value: { tada: 2 } },
    ]);
  });

  it('[R7.8] A change of settings reaches Zulip without those that only the product has', async () => {
    await updateSettings(tanaka.connection, { compact_messages: false, enter_sends: false });
    const { user_settings } = await registerQueue(tanaka.direct, {
      fetch_event_types: ['user_settings'],
      client_capabilities: clients,
    });
    expect(user_settings?.enter_sends).toBe(false);
    const { user_settings: shown } = await stateOf(tanaka, ['user_settings']);
    expect(shown).toMatchObject({ compact_messages: false, enter_sends: false });
  });

  it('[R7.8] The language of the screens is not that of Zulip, and there is none until the member chooses it', async () => {
    expect((await stateOf(suzuki, ['user_settings'])).user_settings).not.toHaveProperty('default_language');
    const queue = await queueOf(suzuki, ['user_settings']);
    await updateSettings(suzuki.direct, { default_language: 'ja' });
    await updateSettings(suzuki.connection, { default_language: 'en' });
    expect((await eventsOf(suzuki, queue)).map(({ type }) => type)).toEqual(['heartbeat']);
    expect((await stateOf(suzuki, ['user_settings'])).user_settings?.default_language).toBe('en');
    await expect(updateSettings(suzuki.connection, { default_language: 'de' })).rejects.toThrow('Invalid default_language');
  });
});

describe('archive', async () => {
  const name = '新卒研修 2026';
  const listed = async ({ connection }: Eg) => {
    const { subscriptions } = await getSubscriptions(connection, {});
    return subscriptions.find((each) => each.name === name);
  };
  const streamId = (await listed(tanaka))?.stream_id ?? 0;
  const archive = ({ connection }: Eg, value: boolean) =>
    updateSubscriptionProperties(connection, {
      subscription_data: [
        { stream_id: streamId, property: 'put_away', value },
        { stream_id: streamId, property: 'pin_to_top', value: false },
      ],
    });

  const say = (content: string) =>
    sendMessage(admin.connection, { type: 'stream', to: JSON.stringify(streamId), topic: 'stream events', content });

  it('[R7.8] A member archives a stream in front of a Zulip, for themselves only, and on all their devices', async () => {
    await archive(tanaka, true);
    expect(published).toEqual([
      { to: [tanaka.id], event: { type: 'subscription', op: 'update', stream_id: streamId, property: 'put_away', value: true } },
    ]);
    restart();
    expect((await listed(tanaka))?.put_away).toBe(true);
    expect((await listed(admin))?.put_away).toBeUndefined();
    await archive(tanaka, false);
    expect((await listed(tanaka))?.put_away).toBeUndefined();
    expect(published).toHaveLength(2);
  });

  it('[R7.8] A stream that the member cannot read cannot be archived', async () => {
    const [subscription_data] = [[{ stream_id: 999_999, property: 'put_away', value: true }]];
    await expect(updateSubscriptionProperties(tanaka.connection, { subscription_data })).rejects.toMatchObject({ status: 400 });
    const wrong = [{ stream_id: streamId, property: 'put_away', value: 'yes' }];
    const refused = updateSubscriptionProperties(tanaka.connection, { subscription_data: wrong });
    await expect(refused).rejects.toThrow('put_away is not a boolean');
    expect(published).toEqual([]);
  });

  it('[R7.8] A mention brings an archived stream back to the list of the mentioned member', async () => {
    const queue = await queueOf(tanaka, ['message']);
    await archive(tanaka, true);
    await say('静かに');
    await eventsOf(tanaka, queue);
    expect((await listed(tanaka))?.put_away).toBe(true);
    await say('@**田中 翔** 見てください');
    await eventsOf(tanaka, queue);
    expect((await listed(tanaka))?.put_away).toBeUndefined();
    expect(published.at(-1)?.event).toMatchObject({ property: 'put_away', value: false });
  });

  it('[R7.8] A mention while the member was away brings an archived stream back, and an earlier one does not', async () => {
    await archive(tanaka, true);
    await stateOf(tanaka, ['message', 'update_message_flags']);
    expect((await listed(tanaka))?.put_away).toBe(true);
    await say('@**田中 翔** もう一度');
    await stateOf(tanaka, ['message', 'update_message_flags']);
    expect((await listed(tanaka))?.put_away).toBeUndefined();
  });

  it('[R7.8] A member reads on when the disk of the product is full', async () => {
    const queue = await queueOf(tanaka, ['message']);
    await archive(tanaka, true);
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec("CREATE TRIGGER full BEFORE DELETE ON put_away BEGIN SELECT RAISE(ABORT, 'full'); END");
    const logged = log.length;
    await say('@**田中 翔** 満杯');
    expect((await eventsOf(tanaka, queue)).map(({ type }) => type)).toContain('message');
    await stateOf(tanaka, ['message', 'update_message_flags']);
    expect(log.splice(logged)).toEqual([1, 2].map(() => expect.objectContaining({ event: 'archive_not_updated' })));
    other.exec('DROP TRIGGER full');
    await stateOf(tanaka, ['message', 'update_message_flags']);
    expect((await listed(tanaka))?.put_away).toBeUndefined();
  });

  it('[R7.8] A member who leaves a stream and subscribes again has it in their list', async () => {
    await archive(tanaka, true);
    const queue = await queueOf(tanaka, ['subscription']);
    await unsubscribe(tanaka.direct, { subscriptions: [name] });
    await eventsOf(tanaka, queue);
    await subscribe(admin.direct, { subscriptions: [{ name }], principals: [tanaka.id] });
    expect((await listed(tanaka))?.put_away).toBeUndefined();
    await archive(tanaka, true);
    await unsubscribe(tanaka.direct, { subscriptions: [name] });
    expect(await listed(tanaka)).toBeUndefined();
    await subscribe(admin.direct, { subscriptions: [{ name }], principals: [tanaka.id] });
    expect((await listed(tanaka))?.put_away).toBeUndefined();
  });
});

describe('deleted messages', () => {
  const stream = '新卒研修 2026';
  const narrow = [{ operator: 'stream', operand: stream }];
  const send = ({ connection }: Eg, content: string, to = stream) =>
    sendMessage(connection, { type: 'stream', to, topic: 'stream events', content });
  const pageFor = ({ connection }: Eg, where: object = {}) => getMessages(connection, { ...newest, narrow, ...where });

  it('[R7.8] A message that is deleted through the product keeps its place, without its text, after a restart', async () => {
    const { id: before } = await send(tanaka, '前');
    const { id } = await send(tanaka, '消える文章');
    const { id: after } = await send(admin, '後');
    await deleteMessage(admin.connection, { message_id: id });
    restart();
    const { messages } = await pageFor(tanaka);
    expect(messages.slice(-3)).toMatchObject([
      { id: before },
      { id, deleted: true, content: '', sender_id: tanaka.id },
      { id: after },
    ]);
    expect(JSON.stringify(messages)).not.toContain('消える文章');
    const ofAll = await getMessages(tanaka.connection, newest);
    expect(ofAll.messages.at(-2)).toMatchObject({ id, deleted: true, display_recipient: stream });
  });

  it('[R7.8] A message that is deleted in another client keeps its place once a member’s poll reports it', async () => {
    const queue = await queueOf(tanaka, ['message', 'delete_message']);
    const { id } = await send(admin, '別の画面から消す');
    await eventsOf(tanaka, queue);
    await deleteMessage(admin.direct, { message_id: id });
    expect(deletedIn((await pageFor(tanaka)).messages)).not.toContain(id);
    expect((await eventsOf(tanaka, { ...queue, last_event_id: 0 })).map(({ type }) => type)).toContain('delete_message');
    await eventsOf(tanaka, { ...queue, last_event_id: 0 });
    expect(deletedIn((await pageFor(tanaka)).messages)).toContain(id);
    expect(log).toEqual([]);
  });

  it('[R7.8] Only a client that asks for deleted messages gets them, and Zulip is not asked for them', async () => {
    const { id } = await send(tanaka, '古いクライアント');
    await deleteMessage(admin.connection, { message_id: id });
    expect(deletedIn((await pageFor(tanaka, { include_deleted: false })).messages)).toEqual([]);
    const searched = await pageFor(tanaka, { narrow: [...narrow, { operator: 'sender', operand: tanaka.id }] });
    expect(deletedIn(searched.messages)).toEqual([]);
    expect(deletedIn((await pageFor(tanaka)).messages)).toContain(id);
    expect(asked.filter((url) => url.includes('include_deleted=true'))).toEqual([]);
  });

  it('[R7.8] Pages that follow each other have every deleted message exactly once', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 12; count += 1) ids.push((await send(tanaka, `その ${count}`)).id);
    const gone = ids.filter((_, index) => index % 3 !== 0);
    for (const message_id of gone) await deleteMessage(admin.connection, { message_id });
    const seen: number[] = [];
    let anchor = 'newest';
    for (let pages = 0; pages < 3; pages += 1) {
      const { messages } = await pageFor(tanaka, { anchor, num_before: 2, include_anchor: pages === 0 });
      seen.unshift(...messages.map(({ id }) => id));
      anchor = String(messages[0]?.id);
    }
    expect(seen.filter((id) => id >= (ids[0] ?? 0))).toEqual(ids);
    const up = await pageFor(tanaka, { anchor: String(ids[0]), num_before: 0, num_after: 1, include_anchor: false });
    expect(up.messages.map(({ id }) => id)).toEqual(ids.slice(1, 4));
  });

  it('[R7.8] A deleted message is not shown to members who are not in the stream, nor to one who has left it', async () => {
    const { id: first } = await send(tanaka, '残る');
    const { id } = await send(admin, '秘密');
    await deleteMessage(admin.connection, { message_id: id });
    expect(deletedIn((await pageFor(tanaka)).messages)).toContain(id);
    const others = await getMessages(suzuki.connection, { ...newest, narrow }).catch(() => ({ messages: [] }));
    expect(others.messages).toEqual([]);
    const all = await getMessages(suzuki.connection, { ...newest, num_before: 1000 });
    expect(deletedIn(all.messages)).not.toContain(id);
    await unsubscribe(tanaka.direct, { subscriptions: [stream] });
    // A real Zulip still answers what a former member once received.
    const asReal: RequestChat = async (call) => {
      const answer = await request(call);
      if (!call.url.startsWith('/api/v1/messages?')) return answer;
      const { messages } = await getMessages(admin.direct, { ...newest, include_deleted: false, narrow });
      const once = messages.filter((message) => message.id <= first);
      const page = { result: 'success', msg: '', anchor: first, found_anchor: true, found_oldest: true, found_newest: true };
      return { ...answer, status: 200, body: Buffer.from(JSON.stringify({ ...page, messages: once })) };
    };
    kept = keep(asReal, {
      database,
      now: Date.now,
      rateLimits: 'none',
      publish: () => undefined,
      log: () => undefined,
    });
    const { messages } = await pageFor(tanaka);
    expect(messages.at(-1)?.id).toBe(first);
    expect(deletedIn(messages)).toEqual([]);
    restart();
    await subscribe(admin.direct, { subscriptions: [{ name: stream }], principals: [tanaka.id] });
  });

  it('[R7.8] A deleted direct message keeps its place for its participants, and for nobody else', async () => {
    const between = (one: Eg, other: Eg) => ({ ...newest, narrow: [{ operator: 'dm', operand: [one.id, other.id] }] });
    const say = (content: string) => sendMessage(admin.connection, { type: 'direct', to: JSON.stringify([tanaka.id]), content });
    await say('残る');
    const { id } = await say('消す');
    await deleteMessage(admin.connection, { message_id: id });
    expect(deletedIn((await getMessages(tanaka.connection, between(tanaka, admin))).messages)).toEqual([id]);
    expect(deletedIn((await getMessages(suzuki.connection, between(suzuki, admin))).messages)).toEqual([]);
    expect(deletedIn((await getMessages(suzuki.connection, { ...newest, num_before: 1000 })).messages)).toEqual([]);
  });
});

describe('other calls', () => {
  it('[R7.8] If Zulip does not answer or answers something unknown, the product says so and stores nothing', async () => {
    const subscription_data = [{ stream_id: 1, property: 'put_away', value: true }];
    kept = start();
    await zulip.fail({ emptyAnswers: true });
    await expect(getDrafts(tanaka.connection, {})).rejects.toMatchObject({ status: 502, code: 'CHAT_SERVER_UNAVAILABLE' });
    await zulip.fail();
    await getDrafts(tanaka.connection, {});
    await zulip.fail({ emptyAnswers: true });
    const archiving = updateSubscriptionProperties(tanaka.connection, { subscription_data });
    await expect(archiving).rejects.toMatchObject({ status: 502, code: 'CHAT_SERVER_UNAVAILABLE' });
    await zulip.fail({ badGateway: true });
    const failing = updateSubscriptionProperties(tanaka.connection, { subscription_data });
    await expect(failing).rejects.toMatchObject({ status: 502 });
    await zulip.fail();
    expect(published).toEqual([]);
  });

  it('[R7.8] Keys that no version of the API describes change nothing about what the product adds', async () => {
    await zulip.fail({ unknownKeys: true });
    const { user_settings, drafts } = await stateOf(tanaka, ['user_settings', 'drafts']);
    expect([user_settings?.compact_messages, drafts]).toEqual([false, []]);
    const { id } = await sendMessage(admin.connection, { type: 'direct', to: JSON.stringify([tanaka.id]), content: '消す' });
    await deleteMessage(admin.connection, { message_id: id });
    const narrow = [{ operator: 'dm', operand: [admin.id] }];
    expect(deletedIn((await getMessages(tanaka.connection, { ...newest, narrow })).messages)).toContain(id);
    await zulip.fail();
  });

  it('[R7.8] The capabilities list everything that the product adds to a Zulip', () => {
    expect(keptCapabilities).toEqual(['put_away', 'include_deleted', 'draft_revisions', 'own_settings']);
  });

  it('[R7.8] The calls that the product answers itself are limited for each member', async () => {
    kept = keep(request, {
      database,
      now: Date.now,
      rateLimits: { ...defaultRateLimits, member: { calls: 2, seconds: 60 } },
      publish: () => undefined,
      log: () => undefined,
    });
    await getDrafts(tanaka.connection, {});
    await getDrafts(tanaka.connection, {});
    await expect(getDrafts(tanaka.connection, {})).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
    await getDrafts(suzuki.connection, {});
    restart();
  });
});

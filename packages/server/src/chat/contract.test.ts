import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  addAlertWords,
  addReaction,
  addressDirect,
  type Connection,
  connect,
  createUser,
  deleteMessage,
  deleteQueue,
  deleteStream,
  editMessage,
  type Fetch,
  fetchApiKey,
  getAlertWords,
  getEvents,
  getMessage,
  getMessageHistory,
  getMessages,
  getOwnUser,
  getPointer,
  getRealmEmoji,
  getRealmFilters,
  getServerSettings,
  getStreamId,
  getStreams,
  getSubscriptions,
  getTopics,
  getUsers,
  registerQueue,
  removeReaction,
  renderMessage,
  sendMessage,
  setTypingStatus,
  subscribe,
  unsubscribe,
  updateMessageFlags,
  updatePointer,
} from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { basicAuthorization } from './connections.ts';
import { emailOf, runProduct } from '../testing/product.ts';
import { waitingPoll } from '../testing/waitingPoll.ts';
import { shownAddress } from '../testing/zulip/organisation.ts';
import { startZulip } from '../testing/zulip/zulip.ts';

/** A chat server with the demo organisation, an emoji of 田中 and a linkifier. Members sign in with `emailOf` and the password `demo`. */
interface Backend {
  readonly url: string;
  /** The address that it says it has: in front of a Zulip, that one's. */
  readonly realmUri: string;
  /** Whether it is a Zulip, which lacks the calls of versions before 3.0 and of ours. */
  readonly isZulip: boolean;
  /** The address of a member as others see it. */
  shownEmail(name: string, userId: number): string;
  close(): Promise<void>;
}

async function startEmbedded(): Promise<Backend> {
  const product = await runProduct({ RATE_LIMIT: 'none' });
  const database = new DatabaseSync(join(product.dataDirectory, 'chat', 'chat.db'));
  database
    .prepare('INSERT INTO realm_emoji (name, source_url, author_id) SELECT ?, ?, id FROM user WHERE email = ?')
    .run('engawa', '/emoji/engawa.png', emailOf('tanaka'));
  database
    .prepare('INSERT INTO linkifier (pattern, url_template) VALUES (?, ?)')
    .run('#(?P<id>[0-9]+)', 'https://tickets.example/{id}');
  database.close();
  return { url: product.address, realmUri: product.address, isZulip: false, shownEmail: emailOf, close: () => product.close() };
}

async function startZulipBackend(): Promise<Backend> {
  const zulip = await startZulip({ callsPerMinute: 100_000 });
  const { username = '', apiKey = '' } = await signIn(zulip.url, 'takahashi.koichi');
  const changed = await fetch(`${zulip.url}/api/v1/realm`, {
    method: 'PATCH',
    headers: { authorization: basicAuthorization(username, apiKey) },
    body: new URLSearchParams({ delete_own_message_policy: '1' }),
  });
  if (!changed.ok) throw new Error(`members may not delete their messages: ${changed.status}`);
  return {
    url: zulip.url,
    realmUri: zulip.url,
    isZulip: true,
    shownEmail: (_, id) => shownAddress(id),
    close: () => zulip.close(),
  };
}

async function signIn(realm: string, name: string): Promise<Connection> {
  const credentials = { username: emailOf(name), password: 'demo' };
  const { api_key: apiKey, email: username } = await fetchApiKey(connect({ realm }), credentials);
  return connect({ realm, username, apiKey });
}

async function startProductBefore(): Promise<Backend> {
  const zulip = await startZulipBackend();
  const product = await runProduct({ RATE_LIMIT: 'none', ZULIP_SITE: zulip.url });
  return {
    ...zulip,
    url: product.address,
    async close() {
      await product.close();
      await zulip.close();
    },
  };
}

const backends = [
  { title: '[R7.6] The embedded chat server', start: startEmbedded },
  { title: '[R7.8] A Zulip', start: startZulipBackend },
  { title: '[R7.8] The product in front of a Zulip', start: startProductBefore },
];

const idOf = async (member: Connection): Promise<number> => (await getOwnUser(member, {})).user_id;
const messageSeenBy = async (member: Connection, message_id: number) =>
  (await getMessage(member, { message_id, apply_markdown: false })).message;

/** The events of a type that a member's queue receives from an action. */
async function heardBy(member: Connection, type: string, done: () => Promise<unknown>): Promise<ServerEvent[]> {
  const { queue_id, last_event_id } = await registerQueue(member, { event_types: [type] });
  await done();
  return (await getEvents(member, { queue_id, last_event_id, dont_block: true })).events;
}

/** A private stream with a unique name and its first subscriber. */
async function streamOf(member: Connection, name: string): Promise<number> {
  await subscribe(member, { subscriptions: [{ name }], invite_only: true, history_public_to_subscribers: true });
  return (await getStreamId(member, { stream: name })).stream_id;
}

const namesOf = (streams: readonly { readonly name: string }[]) => streams.map(({ name }) => name);
const subscriptionsOf = async (member: Connection) => namesOf((await getSubscriptions(member, {})).subscriptions);

describe.each(backends)('$title', async ({ start }) => {
  const { url, realmUri, isZulip, shownEmail, close } = await start();
  afterAll(close);

  /** The stream of 田中, 佐藤 and 鈴木. */
  const room = 'プロダクト開発部';
  const topic = 'stream events';
  const connectionOf = (name: string) => signIn(url, name);
  const tanaka = await connectionOf('tanaka');
  const sato = await connectionOf('sato');
  const suzuki = await connectionOf('suzuki');
  const owner = await connectionOf('takahashi.koichi');
  /** 中島 is not subscribed. */
  const outsider = await connectionOf('nakajima');

  const say = async (content: string, sender = tanaka): Promise<number> =>
    (await sendMessage(sender, { type: 'stream', to: room, topic, content })).id;
  describe('calls of the screens', () => {
    it('[R7.7] The calls that the web client makes are sent and answered exactly as the specification shows', async () => {
      const trace: unknown[] = [];
      const recording: Fetch = async (input, init) => {
        const { pathname, searchParams } = new URL(String(input));
        const sent = new URLSearchParams(init?.body instanceof URLSearchParams ? init.body : searchParams);
        trace.push([`${init?.method} ${pathname}`, Object.fromEntries(sent)]);
        return fetch(input, init);
      };
      const [realm, username] = [url, emailOf('tanaka')];

      const { api_key: apiKey } = await fetchApiKey(connect({ realm, fetch: recording }), { username, password: 'demo' });
      const member = connect({ realm, username, apiKey, fetch: recording });
      const { queue_id, last_event_id } = await registerQueue(member, { event_types: ['message'] });
      const { subscriptions } = await getSubscriptions(member, { include_subscribers: true });
      const narrow = [{ operator: 'stream', operand: room }];
      const page = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false, narrow };
      const { messages } = await getMessages(member, page);
      const { id } = await sendMessage(member, { to: room, type: 'stream', topic, content: 'おはようございます' });
      const { events } = await getEvents(member, { queue_id, last_event_id });

      expect(trace).toEqual([
        ['POST /api/v1/fetch_api_key', { username, password: 'demo' }],
        ['POST /api/v1/register', { event_types: '["message"]' }],
        ['GET /api/v1/users/me/subscriptions', { include_subscribers: 'true' }],
        [
          'GET /api/v1/messages',
          {
            anchor: 'newest',
            num_before: '20',
            num_after: '0',
            apply_markdown: 'false',
            narrow: `[{"operator":"stream","operand":"${room}"}]`,
          },
        ],
        ['POST /api/v1/messages', { to: room, type: 'stream', topic: 'stream events', content: 'おはようございます' }],
        ['GET /api/v1/events', { queue_id, last_event_id: String(last_event_id) }],
      ]);
      expect(subscriptions.find(({ name }) => name === room)?.subscribers).toContain(await idOf(sato));
      expect(messages).toHaveLength(20);
      expect(new Set(messages.map(({ display_recipient }) => display_recipient))).toEqual(new Set([room]));
      expect(events).toMatchObject([{ type: 'message', message: { id, content: 'おはようございます' } }]);
    });

    it('[R7.6] POST /fetch_api_key returns an API key for a username and its password, and refuses a wrong password', async () => {
      const nobody = connect({ realm: url });
      const username = emailOf('suzuki');
      const { api_key: apiKey, email } = await fetchApiKey(nobody, { username, password: 'demo' });
      expect(email).toBe(username);
      const signedIn = connect({ realm: url, username, apiKey });
      expect((await getOwnUser(signedIn, {})).full_name).toBe('鈴木 健太');
      const wrong = fetchApiKey(nobody, { username, password: 'demo?' });
      await expect(wrong).rejects.toMatchObject({ status: 401, code: 'AUTHENTICATION_FAILED' });
    });

    it('[R7.6] POST /register creates a queue that receives only the named event types', async () => {
      const { queue_id, last_event_id } = await registerQueue(sato, { event_types: ['message'] });
      const message_id = await say('聞こえますか');
      await addReaction(tanaka, { message_id, emoji_name: 'tea' });
      const { events } = await getEvents(sato, { queue_id, last_event_id, dont_block: true });
      expect(events).toMatchObject([{ type: 'message', message: { id: message_id } }]);
    });

    it("[R7.6, R3.8] GET /users/me/subscriptions lists the member's streams, with subscribers on request", async () => {
      const { subscriptions } = await getSubscriptions(tanaka, { include_subscribers: true });
      const mine = subscriptions.find(({ name }) => name === room);
      expect(mine?.subscribers).toEqual(expect.arrayContaining([await idOf(tanaka), await idOf(sato)]));
      expect(mine?.subscribers).not.toContain(await idOf(outsider));
      const without = await getSubscriptions(tanaka, {});
      expect(without.subscriptions.filter(({ subscribers }) => subscribers !== undefined)).toEqual([]);
      expect(await subscriptionsOf(outsider)).not.toContain(room);
    });

    it('[R7.6] GET /messages returns messages around an anchor, restricted by a narrow, as text or HTML', async () => {
      const [first, second, third] = [await say('*一*'), await say('*二*'), await say('*三*')];
      const around = { anchor: String(second), narrow: [{ operator: 'stream', operand: room }] };
      const before = await getMessages(sato, { ...around, num_before: 1, num_after: 0, apply_markdown: false });
      expect(before.messages.map(({ id, content }) => [id, content])).toEqual([
        [first, '*一*'],
        [second, '*二*'],
      ]);
      const after = await getMessages(sato, { ...around, num_before: 0, num_after: 5 });
      expect(after.messages.map(({ id }) => id)).toEqual([second, third]);
      expect(after.messages[1]?.content).toBe('<p><em>三</em></p>');
      expect(after).toMatchObject({ found_anchor: true, found_newest: true });
      const elsewhere = { ...around, narrow: [{ operator: 'stream', operand: '雑談・縁側' }] };
      expect((await getMessages(sato, { ...elsewhere, num_before: 0, num_after: 0 })).messages).toEqual([]);
    });

    it("[R7.6] POST /messages sends a message to a stream, and only the stream's members see it, under its topic", async () => {
      const { id } = await sendMessage(tanaka, { to: room, type: 'stream', topic, content: '資料を置きました' });
      expect(await messageSeenBy(sato, id)).toMatchObject({
        sender_full_name: '田中 翔',
        display_recipient: room,
        subject: topic,
        content: '資料を置きました',
      });
      await expect(messageSeenBy(outsider, id)).rejects.toThrow('Invalid message(s)');
    });

    it('[R7.6] GET /events waits for events, and returns them again until the client acknowledges them', async () => {
      const { queue_id, last_event_id } = await registerQueue(sato, { event_types: ['message'] });
      const waiting = getEvents(sato, { queue_id, last_event_id });
      const id = await say('お待たせしました');
      const { events } = await waiting;
      expect(events).toMatchObject([{ type: 'message', message: { id } }]);
      const poll = { queue_id, dont_block: true };
      expect((await getEvents(sato, { ...poll, last_event_id })).events).toEqual(events);
      expect((await getEvents(sato, { ...poll, last_event_id: events[0]?.id ?? 0 })).events).toEqual([]);
    });

    it('[R7.6] DELETE /events ends a queue and answers the poll that waits for its events', async () => {
      const { queue_id, last_event_id } = await registerQueue(sato, { event_types: ['message'] });
      const { answer } = await waitingPoll(() => getEvents(sato, { queue_id, last_event_id }));
      await deleteQueue(sato, { queue_id });
      expect((await answer).events).toEqual([]);
      const gone = getEvents(sato, { queue_id, last_event_id, dont_block: true });
      await expect(gone).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', data: { queue_id } });
    });
  });

  describe('users', () => {
    it('[R7.6] GET /users returns all members to every member', async () => {
      const { members } = await getUsers(outsider, { client_gravatar: false });
      expect(members).toContainEqual(
        expect.objectContaining({ email: shownEmail('tanaka', await idOf(tanaka)), full_name: '田中 翔' }),
      );
      expect(members.length).toBeGreaterThan(39);
    });

    it('[R7.6] POST /users creates a member who can sign in, and all members receive an event', async () => {
      const [email, full_name, password] = [emailOf('haruno'), '春野 桜', 'hanamizake'];
      const heard = await heardBy(sato, 'realm_user', () => createUser(owner, { email, full_name, password }));
      expect(heard).toMatchObject([{ type: 'realm_user', op: 'add', person: { full_name } }]);
      const { api_key } = await fetchApiKey(connect({ realm: url }), { username: email, password });
      const haruno = connect({ realm: url, username: email, apiKey: api_key });
      const { user_id, ...user } = await getOwnUser(haruno, {});
      expect(user).toMatchObject({ email: shownEmail('haruno', user_id), full_name });
      const refused = createUser(tanaka, { email: emailOf('natsuno'), full_name: '夏野 海', password });
      await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    });

    it('[R7.6] GET /users/me returns the calling member and the id of their newest message', async () => {
      const max_message_id = await say('これが最新');
      expect(await getOwnUser(sato, {})).toMatchObject({ full_name: '佐藤 美咲', max_message_id });
    });

    it.skipIf(isZulip)(
      '[R7.6, R3.8] POST /users/me/pointer stores the reading position, and GET returns it to all devices of the member',
      async () => {
        const pointer = await say('ここまで読みました');
        expect((await getPointer(sato, {})).pointer).toBeLessThan(pointer);
        const heard = await heardBy(sato, 'pointer', () => updatePointer(sato, { pointer }));
        expect(heard).toMatchObject([{ type: 'pointer', pointer }]);
        expect(await getPointer(sato, {})).toEqual({ pointer });
        expect((await getPointer(suzuki, {})).pointer).not.toBe(pointer);
      },
    );

    it("[R7.6, R3.8] GET /users/me/alert_words lists the member's alert words, and messages with them are flagged for this member only", async () => {
      await addAlertWords(sato, { alert_words: ['納期', '見積'] });
      expect(await getAlertWords(sato, {})).toEqual({ alert_words: ['納期', '見積'] });
      const id = await say('納期は金曜日です');
      expect((await messageSeenBy(sato, id)).flags).toContain('has_alert_word');
      expect((await messageSeenBy(suzuki, id)).flags).not.toContain('has_alert_word');
    });

    it("[R3.8] POST /register returns the member's subscriptions and alert words", async () => {
      await addAlertWords(suzuki, { alert_words: ['縁側'] });
      const types = ['alert_words', 'subscription'];
      const { alert_words, subscriptions = [] } = await registerQueue(suzuki, { fetch_event_types: types });
      expect(alert_words).toEqual(['縁側']);
      expect(namesOf(subscriptions)).toEqual(await subscriptionsOf(suzuki));
    });

    it.skipIf(isZulip)("[R3.8] POST /register returns the member's pointer", async () => {
      await updatePointer(suzuki, { pointer: await say('鈴木さんが読んだ所') });
      const { pointer } = await registerQueue(suzuki, { fetch_event_types: ['pointer'] });
      expect({ pointer }).toEqual(await getPointer(suzuki, {}));
    });

    it.runIf(isZulip)(
      '[R7.8] A Zulip has no pointer and no GET /realm/filters, which its versions 3.0 and 4.0 replaced',
      async () => {
        await expect(getPointer(sato, {})).rejects.toMatchObject({ status: 404 });
        await expect(updatePointer(sato, { pointer: 1 })).rejects.toMatchObject({ status: 404 });
        await expect(getRealmFilters(sato, {})).rejects.toMatchObject({ status: 405 });
      },
    );
  });

  describe('streams', () => {
    it('[R7.6] POST /users/me/subscriptions creates a stream and subscribes other members, who receive an event', async () => {
      const name = '新製品の準備';
      const streams = [{ name, description: '発売まで', color: '#76ce90' }];
      const made = await subscribe(tanaka, { subscriptions: streams, invite_only: true });
      expect(Object.values(made.subscribed)).toEqual([[name]]);
      expect((await getSubscriptions(tanaka, {})).subscriptions).toContainEqual(expect.objectContaining(streams[0]));
      const bringing = { subscriptions: [{ name }], principals: [await idOf(sato)] };
      const heard = await heardBy(sato, 'subscription', () => subscribe(tanaka, bringing));
      expect(heard).toMatchObject([{ op: 'add', subscriptions: [{ name, description: '発売まで' }] }]);
      expect(await subscriptionsOf(sato)).toContain(name);
      expect(await subscriptionsOf(outsider)).not.toContain(name);
    });

    it('[R7.6] DELETE /users/me/subscriptions unsubscribes a member, who then cannot read the stream', async () => {
      const name = '歓迎会の幹事';
      await streamOf(tanaka, name);
      await subscribe(tanaka, { subscriptions: [{ name }], principals: [shownEmail('sato', await idOf(sato))] });
      const { id } = await sendMessage(tanaka, { type: 'stream', to: name, topic, content: '会場を決めました' });
      const heard = await heardBy(sato, 'subscription', async () => {
        expect(await unsubscribe(sato, { subscriptions: [name] })).toEqual({ removed: [name], not_removed: [] });
      });
      expect(heard).toMatchObject([{ op: 'remove', subscriptions: [{ name }] }]);
      expect(await subscriptionsOf(sato)).not.toContain(name);
      await expect(messageSeenBy(sato, id)).rejects.toThrow('Invalid message(s)');
    });

    it('[R7.6] GET /streams lists the streams that the member can see, and all streams for administrators', async () => {
      await streamOf(tanaka, '田中だけの部屋');
      expect(namesOf((await getStreams(tanaka, {})).streams)).toEqual(expect.arrayContaining([room, '田中だけの部屋']));
      expect(namesOf((await getStreams(sato, {})).streams)).not.toContain('田中だけの部屋');
      expect((await getStreams(sato, { include_subscribed: false })).streams).toEqual([]);
      expect(namesOf((await getStreams(owner, { include_all_active: true })).streams)).toContain('田中だけの部屋');
      await expect(getStreams(sato, { include_all_active: true })).rejects.toThrow('User not authorized for this query');
    });

    it('[R7.6] GET /get_stream_id returns the id of a stream that the member can see, by its name', async () => {
      const { subscriptions } = await getSubscriptions(tanaka, {});
      const stream_id = subscriptions.find(({ name }) => name === room)?.stream_id;
      expect(await getStreamId(tanaka, { stream: room })).toEqual({ stream_id });
      await expect(getStreamId(outsider, { stream: room })).rejects.toThrow(`Invalid stream name '${room}'`);
    });

    it('[R7.6] GET /users/me/{stream_id}/topics lists the topics of a stream, the one with the newest message first', async () => {
      const to = '話題の多い部屋';
      const stream_id = await streamOf(tanaka, to);
      const send = async (name: string) => sendMessage(tanaka, { type: 'stream', to, topic: name, content: 'はい' });
      const [lunch, budget] = [await send('昼食'), await send('予算')];
      expect(await getTopics(tanaka, { stream_id })).toEqual({
        topics: [
          { name: '予算', max_id: budget.id },
          { name: '昼食', max_id: lunch.id },
          // The announcement of the new stream.
          { name: topic, max_id: lunch.id - 1 },
        ],
      });
      await expect(getTopics(sato, { stream_id })).rejects.toThrow('Invalid stream ID');
    });

    it("[R7.6] DELETE /streams/{stream_id} lets only the stream's creator and administrators archive it", async () => {
      const name = '終わった計画';
      const stream_id = await streamOf(tanaka, name);
      await expect(deleteStream(sato, { stream_id })).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
      const heard = await heardBy(tanaka, 'stream', () => deleteStream(owner, { stream_id }));
      expect(heard).toMatchObject([{ type: 'stream', op: 'delete', streams: [{ stream_id, name }] }]);
      expect(await subscriptionsOf(tanaka)).not.toContain(name);
      const late = sendMessage(tanaka, { type: 'stream', to: name, topic, content: 'まだいますか' });
      await expect(late).rejects.toMatchObject({ code: 'STREAM_DOES_NOT_EXIST' });
    });
  });

  describe('messages', () => {
    it('[R7.6] POST /messages/render returns the message as HTML and escapes HTML tags in it', async () => {
      const { rendered } = await renderMessage(tanaka, { content: '`code` <script> https://example.com/' });
      expect(rendered).toContain('<code>code</code>');
      expect(rendered).toContain('<a href="https://example.com/"');
      expect(rendered).not.toContain('<script>');
    });

    it('[R7.6] GET /messages/{message_id} returns a message as HTML or as its original text', async () => {
      const message_id = await say('`npm ci`');
      const { message, raw_content } = await getMessage(sato, { message_id });
      expect(message).toMatchObject({ id: message_id, sender_full_name: '田中 翔', content: '<p><code>npm ci</code></p>' });
      expect(raw_content).toBe('`npm ci`');
      expect((await messageSeenBy(sato, message_id)).content).toBe('`npm ci`');
    });

    it('[R7.6] PATCH /messages/{message_id} changes content and topic of a message, and its recipients receive an event', async () => {
      const message_id = await say('10 時から');
      const heard = await heardBy(sato, 'update_message', async () => {
        await editMessage(tanaka, { message_id, content: '11 時から' });
        await editMessage(tanaka, { message_id, topic: '打ち合わせ', propagate_mode: 'change_one' });
      });
      expect(heard).toMatchObject([
        { type: 'update_message', message_id, content: '11 時から', orig_content: '10 時から' },
        { type: 'update_message', message_id, subject: '打ち合わせ', orig_subject: topic },
      ]);
      expect(await messageSeenBy(sato, message_id)).toMatchObject({ content: '11 時から', subject: '打ち合わせ' });
      const refused = editMessage(sato, { message_id, content: '私が直しました' });
      await expect(refused).rejects.toThrow("You don't have permission to edit this message");
    });

    it('[R7.6] DELETE /messages/{message_id} deletes a message, and its recipients receive an event', async () => {
      const message_id = await say('間違えました');
      const refused = deleteMessage(suzuki, { message_id });
      await expect(refused).rejects.toThrow("You don't have permission to delete this message");
      const heard = await heardBy(sato, 'delete_message', () => deleteMessage(tanaka, { message_id }));
      expect(heard).toMatchObject([{ type: 'delete_message', message_id, message_type: 'stream', topic }]);
      for (const member of [tanaka, sato]) {
        await expect(messageSeenBy(member, message_id)).rejects.toThrow('Invalid message(s)');
      }
    });

    it('[R7.6] GET /messages/{message_id}/history lists the earlier contents of a message, the oldest first', async () => {
      const message_id = await say('案');
      await editMessage(tanaka, { message_id, content: '決定稿' });
      const { message_history } = await getMessageHistory(sato, { message_id });
      expect(message_history).toMatchObject([
        { content: '案', topic, user_id: await idOf(tanaka) },
        { content: '決定稿', prev_content: '案' },
      ]);
    });

    it("[R7.6] POST and DELETE /messages/{message_id}/reactions add and remove the member's reaction, and all recipients receive an event", async () => {
      const message_id = await say('できました');
      const user_id = await idOf(sato);
      const tea = { emoji_name: 'tea', emoji_code: '1f375', reaction_type: 'unicode_emoji' };
      const added = await heardBy(tanaka, 'reaction', () => addReaction(sato, { message_id, ...tea }));
      expect(added).toMatchObject([{ type: 'reaction', op: 'add', message_id, user_id, ...tea }]);
      expect((await messageSeenBy(tanaka, message_id)).reactions).toEqual([{ ...tea, user_id }]);
      const removed = await heardBy(tanaka, 'reaction', () => removeReaction(sato, { message_id, emoji_name: 'tea' }));
      expect(removed).toMatchObject([{ type: 'reaction', op: 'remove', message_id, user_id, ...tea }]);
      expect((await messageSeenBy(tanaka, message_id)).reactions).toEqual([]);
    });

    it("[R7.6] POST /messages/flags sets and clears a member's flag on all their devices", async () => {
      const messages = [await say('一つ目'), await say('二つ目')];
      const starring = (op: 'add' | 'remove') => updateMessageFlags(sato, { messages, op, flag: 'starred' });
      const flags = async (member: Connection) => (await messageSeenBy(member, messages[1] ?? 0)).flags;
      const set = await heardBy(sato, 'update_message_flags', () => starring('add'));
      expect(set).toMatchObject([{ type: 'update_message_flags', op: 'add', flag: 'starred', messages }]);
      expect(await flags(sato)).toContain('starred');
      expect(await flags(suzuki)).not.toContain('starred');
      const taken = await heardBy(sato, 'update_message_flags', () => starring('remove'));
      expect(taken).toMatchObject([{ op: 'remove', flag: 'starred', messages }]);
      expect(await flags(sato)).not.toContain('starred');
    });

    it('[R7.6, R3.8] POST /typing sends an event to the recipients of a direct message and to nobody else', async () => {
      const user_id = await idOf(tanaka);
      const sender = { user_id, email: shownEmail('tanaka', user_id) };
      const typingTo = (...to: readonly number[]) => ({
        tell: () => setTypingStatus(tanaka, { op: 'start', to: addressDirect(to) }),
        told: [
          {
            type: 'typing',
            op: 'start',
            sender,
            recipients: [sender.user_id, ...to].toSorted((a, b) => a - b).map((user_id) => ({ user_id })),
          },
        ],
      });
      const toOne = typingTo(await idOf(owner));
      expect(await heardBy(owner, 'typing', toOne.tell)).toMatchObject(toOne.told);
      const toSeveral = typingTo(await idOf(sato), await idOf(suzuki));
      expect(await heardBy(sato, 'typing', toSeveral.tell)).toMatchObject(toSeveral.told);
      expect(await heardBy(suzuki, 'typing', toSeveral.tell)).toMatchObject(toSeveral.told);
      expect(await heardBy(outsider, 'typing', toSeveral.tell)).toEqual([]);
    });
  });

  describe('organisation', () => {
    it('[R7.6] GET /realm/emoji lists the custom emoji of the organisation, and members can react with them', async () => {
      const { emoji } = await getRealmEmoji(outsider, {});
      expect(Object.values(emoji)).toMatchObject([
        { name: 'engawa', source_url: expect.any(String), author_id: await idOf(tanaka), deactivated: false },
      ]);
      const message_id = await say('縁側の絵文字');
      await addReaction(sato, { message_id, emoji_name: 'engawa' });
      expect((await messageSeenBy(tanaka, message_id)).reactions).toMatchObject([
        { emoji_name: 'engawa', emoji_code: Object.keys(emoji)[0], reaction_type: 'realm_emoji' },
      ]);
    });

    it.skipIf(isZulip)(
      '[R7.6] GET /realm/filters lists the patterns that become links in messages, with their target addresses',
      async () => {
        const { filters } = await getRealmFilters(outsider, {});
        expect(filters).toEqual([['#(?P<id>[0-9]+)', 'https://tickets.example/%(id)s', expect.any(Number)]]);
      },
    );

    it('[R7.6] GET /server_settings describes the server, also to callers without credentials', async () => {
      expect(await getServerSettings(connect({ realm: url }), {})).toMatchObject({
        realm_uri: realmUri,
        realm_name: '株式会社 縁側',
        ...(isZulip ? {} : { server_software: 'Engawa' }),
        authentication_methods: { password: true },
      });
    });
  });
});

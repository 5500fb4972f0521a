import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnswerOut,
  addAlertWords,
  addReaction,
  createUser,
  deleteMessage,
  deleteQueue,
  deleteStream,
  editMessage,
  type Endpoint,
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
  type Parameters,
  registerQueue,
  removeReaction,
  renderMessage,
  sendMessage,
  setTypingStatus,
  subscribe,
  unsubscribe,
  updateMessageFlags,
  updatePointer,
} from '@engawa/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import zulip, { type ZulipJs } from 'zulip-js';
import { emailOf, runProductForFile } from './testing/product.ts';

const product = await runProductForFile({ RATE_LIMIT: 'none' });

const signIn = (name: string) => zulip({ realm: product.address, username: emailOf(name), password: 'demo' });
interface Members {
  readonly tanaka: ZulipJs;
  readonly sato: ZulipJs;
  /** 髙橋 浩一, who has administrator rights. */
  readonly owner: ZulipJs;
}
const members: Members = {
  tanaka: await signIn('tanaka'),
  sato: await signIn('sato'),
  owner: await signIn('takahashi.koichi'),
};

/** Contains 田中 and 佐藤, but not 髙橋 浩一. */
const stream = 'プロダクト開発部';

/** A successful answer, parsed by the protocol's schema. */
async function ok<P extends Parameters, A extends Endpoint['answer']>(
  endpoint: Endpoint<P, A>,
  call: Promise<unknown>,
): Promise<AnswerOut<Endpoint<P, A>>> {
  const answer = await call;
  expect(answer).toMatchObject({ result: 'success', msg: '' });
  return endpoint.answer.parse(answer);
}

async function say({ messages }: ZulipJs, content: string, to = stream): Promise<number> {
  const sent = messages.send({ to, type: 'stream', subject: 'stream events', content });
  return (await ok(sendMessage, sent)).id;
}

const messageSeenBy = async ({ messages }: ZulipJs, message_id: number) =>
  (await ok(getMessage, messages.getById({ message_id, apply_markdown: false }))).message;

const profileOf = ({ users }: ZulipJs) => ok(getOwnUser, users.me.getProfile());

const subscriptionsOf = async ({ streams }: ZulipJs) =>
  (await ok(getSubscriptions, streams.subscriptions.retrieve())).subscriptions.map(({ name }) => name);

/** Creates a stream with a unique name. */
async function streamOf({ users, streams }: ZulipJs, name: string): Promise<number> {
  await ok(subscribe, users.me.subscriptions.add({ subscriptions: [{ name }] }));
  return (await ok(getStreamId, streams.getStreamId(name))).stream_id;
}

/** The events of a type that a member's queue receives from an action. */
async function heardBy({ queues, events }: ZulipJs, type: string, done: () => Promise<unknown>) {
  const { queue_id, last_event_id } = await ok(registerQueue, queues.register({ event_types: [type] }));
  await done();
  return (await ok(getEvents, events.retrieve({ queue_id, last_event_id, dont_block: true }))).events;
}

const tea = { emoji_name: 'tea', emoji_code: '1f375', reaction_type: 'unicode_emoji' };

/** The use of each method, by its name. `chat/contract.test.ts` proves what the calls do. */
const methods: Readonly<Record<string, (members: Members) => Promise<void>>> = {
  async 'accounts.retrieve'({ tanaka }) {
    const { api_key: apiKey } = await ok(fetchApiKey, tanaka.accounts.retrieve());
    const { username } = tanaka.config;
    const byKey = await zulip({ realm: product.address, username, apiKey });
    expect((await profileOf(byKey)).email).toBe(username);
  },

  async callEndpoint({ tanaka }) {
    const parameters = { to: stream, type: 'stream', topic: 'stream events', content: '直接呼びました' };
    const { id } = await ok(sendMessage, tanaka.callEndpoint('/messages', 'POST', parameters));
    const { message } = await ok(getMessage, tanaka.callEndpoint(`messages/${id}`));
    expect(message.content).toBe('<p>直接呼びました</p>');
  },

  async 'emojis.retrieve'({ owner }) {
    await ok(getRealmEmoji, owner.emojis.retrieve());
  },

  async 'events.retrieve'({ tanaka, sato }) {
    const { queue_id, last_event_id } = await ok(registerQueue, sato.queues.register({ event_types: ['message'] }));
    const waiting = ok(getEvents, sato.events.retrieve({ queue_id, last_event_id, dont_block: false }));
    const id = await say(tanaka, 'お待たせしました');
    expect((await waiting).events).toMatchObject([{ type: 'message', message: { id, content: 'お待たせしました' } }]);
  },

  async 'filters.retrieve'({ owner }) {
    await ok(getRealmFilters, owner.filters.retrieve());
  },

  async 'messages.send'({ tanaka, sato }) {
    const id = await say(tanaka, 'zulip-js から、こんにちは');
    expect(await messageSeenBy(sato, id)).toMatchObject({ display_recipient: stream, subject: 'stream events' });
    const direct = tanaka.messages.send({ to: emailOf('sato'), type: 'private', content: '二人だけの話' });
    expect((await messageSeenBy(sato, (await ok(sendMessage, direct)).id)).type).toBe('private');
  },

  async 'messages.retrieve'({ tanaka, sato }) {
    const ids = [await say(tanaka, '一つ目'), await say(tanaka, '二つ目')];
    const narrow = [{ operator: 'stream', operand: stream }];
    const asked = { anchor: 'newest', num_before: 2, num_after: 0, apply_markdown: false, narrow };
    const { messages } = await ok(getMessages, sato.messages.retrieve(asked));
    expect(messages.map(({ id }) => id)).toEqual(ids);
  },

  async 'messages.render'({ tanaka }) {
    const html = { rendered: '<p><code>縁側</code></p>' };
    expect(await ok(renderMessage, tanaka.messages.render('`縁側`'))).toEqual(html);
    expect(await ok(renderMessage, tanaka.messages.render({ content: '`縁側`' }))).toEqual(html);
  },

  async 'messages.update'({ tanaka, sato }) {
    const message_id = await say(tanaka, '10 時から');
    await ok(editMessage, tanaka.messages.update({ message_id, content: '11 時から', subject: '打ち合わせ' }));
    expect(await messageSeenBy(sato, message_id)).toMatchObject({ content: '11 時から', subject: '打ち合わせ' });
  },

  async 'messages.getById'({ tanaka, sato }) {
    const message_id = await say(tanaka, '`npm ci`');
    expect((await ok(getMessage, sato.messages.getById({ message_id }))).message.id).toBe(message_id);
  },

  async 'messages.getHistoryById'({ tanaka, sato }) {
    const message_id = await say(tanaka, '案');
    const { message_history } = await ok(getMessageHistory, sato.messages.getHistoryById({ message_id }));
    expect(message_history).toMatchObject([{ content: '案' }]);
  },

  async 'messages.deleteById'({ tanaka, sato }) {
    const message_id = await say(tanaka, '間違えました');
    await ok(deleteMessage, tanaka.messages.deleteById({ message_id }));
    expect(await sato.messages.getById({ message_id })).toMatchObject({ result: 'error', msg: 'Invalid message(s)' });
  },

  async 'messages.deleteReactionById'({ tanaka, sato }) {
    const message_id = await say(tanaka, 'できました');
    await ok(addReaction, sato.reactions.add({ message_id, ...tea }));
    await ok(removeReaction, sato.messages.deleteReactionById({ message_id, ...tea }));
    expect((await messageSeenBy(tanaka, message_id)).reactions).toEqual([]);
  },

  async 'messages.flags.add'({ tanaka, sato }) {
    const id = await say(tanaka, 'あとで読む');
    const starred = { messages: [id], flag: 'starred' };
    expect(await ok(updateMessageFlags, sato.messages.flags.add(starred))).toMatchObject({ messages: [id] });
    expect((await messageSeenBy(sato, id)).flags).toContain('starred');
  },

  async 'messages.flags.remove'({ tanaka, sato }) {
    const id = await say(tanaka, 'もう読んだ');
    const read = { messages: [id], flag: 'read' };
    await ok(updateMessageFlags, sato.messages.flags.add(read));
    await ok(updateMessageFlags, sato.messages.flags.remove(read));
    expect((await messageSeenBy(sato, id)).flags).not.toContain('read');
  },

  async 'queues.register'({ tanaka, sato }) {
    const heard = await heardBy(sato, 'reaction', async () => {
      const message_id = await say(tanaka, 'これは届かない');
      await ok(addReaction, tanaka.reactions.add({ message_id, ...tea }));
    });
    expect(heard).toMatchObject([{ type: 'reaction', op: 'add', ...tea }]);
  },

  async 'queues.deregister'({ sato }) {
    const { queue_id, last_event_id } = await ok(registerQueue, sato.queues.register());
    await ok(deleteQueue, sato.queues.deregister({ queue_id }));
    const gone = await sato.events.retrieve({ queue_id, last_event_id, dont_block: true });
    expect(gone).toMatchObject({ result: 'error', code: 'BAD_EVENT_QUEUE_ID', queue_id });
  },

  async 'reactions.add'({ tanaka, sato }) {
    const message_id = await say(tanaka, 'できました');
    await ok(addReaction, sato.reactions.add({ message_id, ...tea }));
    expect((await messageSeenBy(tanaka, message_id)).reactions).toMatchObject([tea]);
  },

  async 'reactions.remove'({ tanaka, sato }) {
    const message_id = await say(tanaka, 'できました');
    await ok(addReaction, sato.reactions.add({ message_id, ...tea }));
    await ok(removeReaction, sato.reactions.remove({ message_id, ...tea }));
    expect((await messageSeenBy(tanaka, message_id)).reactions).toEqual([]);
  },

  async 'server.settings'({ tanaka }) {
    await ok(getServerSettings, tanaka.server.settings());
  },

  async 'streams.retrieve'({ tanaka }) {
    expect((await ok(getStreams, tanaka.streams.retrieve())).streams).not.toEqual([]);
    expect((await ok(getStreams, tanaka.streams.retrieve({ include_subscribed: false }))).streams).toEqual([]);
  },

  async 'streams.getStreamId'({ tanaka }) {
    const { stream_id } = await messageSeenBy(tanaka, await say(tanaka, 'ここです'));
    expect(await ok(getStreamId, tanaka.streams.getStreamId(stream))).toEqual({ stream_id });
    expect(await ok(getStreamId, tanaka.streams.getStreamId({ stream }))).toEqual({ stream_id });
  },

  async 'streams.deleteById'({ tanaka }) {
    const stream_id = await streamOf(tanaka, '終わった計画');
    await ok(deleteStream, tanaka.streams.deleteById({ stream_id }));
    expect(await subscriptionsOf(tanaka)).not.toContain('終わった計画');
  },

  async 'streams.subscriptions.retrieve'({ tanaka }) {
    const asked = tanaka.streams.subscriptions.retrieve({ include_subscribers: true });
    const { subscriptions } = await ok(getSubscriptions, asked);
    const { user_id } = await profileOf(tanaka);
    expect(subscriptions.find(({ name }) => name === stream)?.subscribers).toContain(user_id);
  },

  async 'streams.topics.retrieve'({ tanaka }) {
    const stream_id = await streamOf(tanaka, '話題の部屋');
    const max_id = await say(tanaka, 'はじめまして', '話題の部屋');
    const { topics } = await ok(getTopics, tanaka.streams.topics.retrieve({ stream_id }));
    expect(topics).toEqual([{ name: 'stream events', max_id }]);
  },

  async 'typing.send'({ tanaka, sato }) {
    const { user_id } = await profileOf(sato);
    const recipients = expect.arrayContaining([expect.objectContaining({ email: emailOf('sato') })]);
    for (const to of [emailOf('sato'), [user_id], [user_id, (await profileOf(tanaka)).user_id]]) {
      const tell = () => ok(setTypingStatus, tanaka.typing.send({ op: 'start', to }));
      expect(await heardBy(sato, 'typing', tell)).toMatchObject([{ type: 'typing', op: 'start', recipients }]);
    }
  },

  async 'users.retrieve'({ tanaka }) {
    const found = await ok(getUsers, tanaka.users.retrieve({ client_gravatar: false }));
    expect(found.members.map(({ full_name }) => full_name)).toContain('佐藤 美咲');
  },

  async 'users.create'({ owner }) {
    const asked = { email: emailOf('haruno'), full_name: '春野 桜', password: 'hanamizake', short_name: 'haruno' };
    await ok(createUser, owner.users.create(asked));
    const { email: username, password } = asked;
    const haruno = await zulip({ realm: product.address, username, password });
    expect((await profileOf(haruno)).full_name).toBe('春野 桜');
  },

  async 'users.me.getProfile'({ tanaka }) {
    expect((await profileOf(tanaka)).email).toBe(emailOf('tanaka'));
  },

  async 'users.me.alertWords.retrieve'({ sato }) {
    await product.call('sato', addAlertWords, { alert_words: ['納期'] });
    expect(await ok(getAlertWords, sato.users.me.alertWords.retrieve())).toEqual({ alert_words: ['納期'] });
  },

  async 'users.me.pointer.retrieve'({ owner }) {
    expect(await ok(getPointer, owner.users.me.pointer.retrieve())).toEqual({ pointer: -1 });
  },

  async 'users.me.pointer.update'({ tanaka, sato }) {
    const pointer = await say(tanaka, 'ここまで読みました');
    await ok(updatePointer, sato.users.me.pointer.update(pointer));
    expect(await ok(getPointer, sato.users.me.pointer.retrieve())).toEqual({ pointer });
  },

  async 'users.me.subscriptions.add'({ tanaka, sato }) {
    const asked = { subscriptions: [{ name: '歓迎会の幹事' }], principals: [emailOf('sato')] };
    await ok(subscribe, tanaka.users.me.subscriptions.add(asked));
    expect(await subscriptionsOf(sato)).toContain('歓迎会の幹事');
  },

  async 'users.me.subscriptions.remove'({ tanaka }) {
    await streamOf(tanaka, '静かな部屋');
    const asked = { subscriptions: JSON.stringify(['静かな部屋']) };
    await ok(unsubscribe, tanaka.users.me.subscriptions.remove(asked));
    expect(await subscriptionsOf(tanaka)).not.toContain('静かな部屋');
  },

  async callOnEachEvent({ tanaka, sato }) {
    const heard = vi.fn<(event: unknown) => void>();
    // Its loop ends only with the process, and the closing server answers its poll.
    void sato.callOnEachEvent(heard, ['message']);
    // The client does not report when its queue exists.
    await vi.waitFor(async () => {
      await say(tanaka, 'もしもし');
      const event = { type: 'message', message: expect.objectContaining({ content: 'もしもし' }) };
      expect(heard).toHaveBeenCalledWith(expect.objectContaining(event));
    });
  },
};

function isResource(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function methodsOf(resource: object, path = ''): readonly string[] {
  return Object.entries(resource).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'function') return [path + name];
    return isResource(value) ? methodsOf(value, `${path}${name}.`) : [];
  });
}

/** Records the names of called methods. */
function noting<Resource extends object>(resource: Resource, called: Set<string>, path = ''): Resource {
  return new Proxy(resource, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      const place = path + String(name);
      if (isResource(value)) return noting(value, called, `${place}.`);
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]): unknown => {
        called.add(place);
        return Reflect.apply(value, target, given);
      };
    },
  });
}

describe('npm package zulip-js', () => {
  it.each(Object.entries(methods))(
    '[R7.6, R1.7] The server answers the npm package zulip-js as it expects: %s',
    async (name, use) => {
      const called = new Set<string>();
      const { tanaka, sato, owner } = members;
      await use({ tanaka: noting(tanaka, called), sato: noting(sato, called), owner: noting(owner, called) });
      expect([...called]).toContain(name);
    },
  );

  it('[R7.6] The tests of this file cover every method of the npm package zulip-js', () => {
    expect(Object.keys(methods).toSorted()).toEqual(methodsOf(members.tanaka).toSorted());
  });

  it('The npm package zulip-js signs in to the server with a zuliprc file of address, email and API key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engawa-zuliprc-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { username, apiKey } = members.tanaka.config;
    const zuliprc = join(folder, 'zuliprc');
    writeFileSync(zuliprc, `[api]\nemail=${username}\nkey=${apiKey}\nsite=${product.address}\n`);
    expect((await profileOf(await zulip({ zuliprc }))).email).toBe(username);
  });

  it("The npm package zulip-js receives the server's errors with result and code", async () => {
    const unknown = { to: '知らないストリーム', type: 'stream', subject: 'x', content: 'x' };
    expect(await members.tanaka.messages.send(unknown)).toMatchObject({
      result: 'error',
      code: 'STREAM_DOES_NOT_EXIST',
    });
    const wrong = await zulip({ realm: product.address, username: emailOf('tanaka'), password: 'wrong' });
    expect(await wrong.users.me.getProfile()).toMatchObject({ result: 'error', code: 'INVALID_API_KEY' });
  });
});

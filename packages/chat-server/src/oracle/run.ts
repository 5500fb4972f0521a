import * as api from '@engawa/protocol';
import { expect } from 'vitest';
import { settled } from '../testing/clock.ts';
import type * as eg from '../testing/eg.ts';
import { Clients } from './clients.ts';
import { expectFetched, isRefused } from './expectedFetch.ts';
import type { QueueClient } from './queueClient.ts';
import { QueueClients } from './queueClients.ts';
import { announce, edit, erase, react, sendRefusal, send } from './model/messages.ts';
import type { Model, Stream, User } from './model/model.ts';
import { changeAlertWords, changeRole, changeSettings, deactivate, reactivate, changeReceiptAudience } from './model/users.ts';
import { ignoredStreams, changeFlags, readable, receiptsOf, receiptsRefusal, topicsOf } from './model/reading.ts';
import { changeGroup, createGroup, creationRefusal } from './model/groups.ts';
import * as streams from './model/streams.ts';
import type { RunState } from './nextStep.ts';
import type { FetchRequest, SendRequest, Step } from './step.ts';

type Of<Does> = Extract<Step, { action: Does }>;

/** Performs steps on a server and on the model and compares the results. */
export class Run implements RunState {
  readonly model: Model;
  readonly performed: Step[] = [];
  readonly sent: SendRequest[] = [];
  readonly #clients: Clients;
  readonly #queueClients: QueueClients;
  /** Message ids by sender and `client_message_id`. */
  readonly #ids = new Map<string, number>();
  readonly #deactivatedClients = new Map<number, readonly QueueClient[]>();

  constructor(server: eg.Server, model: Model) {
    this.model = model;
    this.#clients = new Clients(server, model.users.values());
    this.#queueClients = new QueueClients(this.#clients, model);
  }

  get queueClients(): readonly QueueClient[] {
    return this.#queueClients.all;
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#clients.counts;
  }

  async perform(step: Step): Promise<void> {
    this.performed.push(step);
    const isRefused = 'member' in step && step.action !== 'compare' && !this.#actor(step).isActive;
    if (isRefused) await this.#expectRefusedAsDeactivated(step.member);
    else await this.#performAction(step);
    await settled();
    await this.#queueClients.collect();
  }

  async #expectRefusedAsDeactivated(member: number): Promise<void> {
    this.#clients.count('call while deactivated');
    expect(await this.#clients.of(member).refused(api.getOwnUser, {})).toMatchObject({ code: 'USER_DEACTIVATED' });
  }

  async #performAction(step: Step): Promise<void> {
    switch (step.action) {
      case 'sign in':
        return this.#clients.signIn(this.#actor(step));
      case 'register':
        return this.#queueClients.register(step.member, step.kind);
      case 'delete queue':
        return this.#queueClients.deleteQueueOf(step.queue);
      case 'poll':
        return this.#queueClients.poll(step);
      case 'wait':
        return this.#queueClients.wait(step.queues);
      case 'send':
        return this.#send(step.sends);
      case 'edit':
        return this.#edit(step);
      case 'delete':
        return this.#delete(step);
      case 'react':
        return this.#react(step);
      case 'change flags':
        return this.#changeFlags(step);
      case 'change alert words':
        return this.#changeAlertWords(step);
      case 'change settings':
        return this.#changeSettings(step);
      case 'change receipt audience':
        return this.#changeReceiptAudience(step);
      case 'get receipts':
        return this.#getReceipts(step);
      case 'subscribe':
        return this.#subscribe(step);
      case 'unsubscribe':
        return this.#unsubscribe(step);
      case 'set put_away':
        return this.#setPutAway(step);
      case 'close stream':
        return this.#closeStream(step);
      case 'change role':
        return this.#changeRole(step);
      case 'deactivate':
        return this.#deactivate(step);
      case 'reactivate':
        return this.#reactivate(step);
      case 'create group':
        return this.#createGroup(step);
      case 'change group':
        return this.#changeGroup(step);
      case 'fetch':
        this.#clients.count('fetch');
        return this.#fetch(this.#actor(step), step.request);
      case 'advance clock':
        return this.#advanceClock(step.seconds);
      case 'restart':
        this.#clients.count('restart');
        return this.#clients.server.restart();
      case 'compare':
        return this.#compare(this.#actor(step));
    }
  }

  async #advanceClock(seconds: number): Promise<void> {
    this.#clients.count('advance clock');
    this.model.now += seconds;
    await this.#clients.server.clock.jump(seconds);
  }

  #actor({ member }: { readonly member: number }): User {
    return this.model.user(member);
  }

  async #send(sends: readonly SendRequest[]): Promise<void> {
    const answers = await Promise.all(sends.map((request, index) => this.#sendRequest(request, index)));
    const sent = answers.flatMap((answer) => answer ?? []);
    for (const { id, request, local } of sent.toSorted((one, other) => one.id - other.id)) {
      const { member, to, topic, content, clientId, readBySender } = request;
      const earlier = this.#ids.get(`${member} ${clientId}`);
      if (earlier !== undefined) {
        this.#clients.count('send again');
        expect(id, 'a repeated send answers the first message').toBe(earlier);
        continue;
      }
      expect(this.model.messages.has(id), 'a new message has a new id').toBe(false);
      if (clientId !== undefined) this.#ids.set(`${member} ${clientId}`, id);
      this.sent.push(request);
      send(this.model, this.#actor(request), { id, to, topic, content, local, readBySender });
    }
  }

  async #sendRequest(request: SendRequest, index: number) {
    const { member, to, topic, content, clientId: client_message_id, readBySender: read_by_sender } = request;
    const sender = this.#actor(request);
    const isRepeated = sender.isActive && this.#ids.has(`${member} ${client_message_id}`);
    const refusal = isRepeated ? undefined : sendRefusal(this.model, sender, to);
    const address = 'users' in to ? api.addressDirect(to.users) : String(to.stream);
    const local = this.#localIdOf(request, index);
    const answer = await this.#clients.call(
      { action: 'send', member },
      api.sendMessage,
      {
        type: 'users' in to ? 'direct' : 'stream',
        to: address,
        topic,
        content,
        read_by_sender,
        client_message_id,
        queue_id: local?.queueId,
        local_id: local?.localId,
      },
      refusal,
    );
    return answer && { id: answer.id, request, local };
  }

  #localIdOf({ member, hasLocalId }: SendRequest, index: number) {
    const own = this.queueClients.find((client) => client.member === member);
    return hasLocalId && own ? { queueId: own.queue.id, localId: `${this.performed.length}.${index}` } : undefined;
  }

  async #edit(step: Of<'edit'>): Promise<void> {
    const { id: message_id, content, topic, mode: propagate_mode } = step;
    const refusal = edit(this.model, this.#actor(step), step);
    await this.#clients.call(step, api.editMessage, { message_id, content, topic, propagate_mode }, refusal);
  }

  async #delete(step: Of<'delete'>): Promise<void> {
    const refusal = erase(this.model, this.#actor(step), step.id);
    await this.#clients.call(step, api.deleteMessage, { message_id: step.id }, refusal);
  }

  async #react(step: Of<'react'>): Promise<void> {
    const { op, id: message_id, emoji } = step;
    const refusal = react(this.model, this.#actor(step), step);
    if (op === 'add') {
      await this.#clients.call(step, api.addReaction, { message_id, emoji_name: emoji.emoji_name }, refusal);
    } else {
      await this.#clients.call(step, api.removeReaction, { message_id, ...emoji }, refusal);
    }
  }

  async #changeFlags(step: Of<'change flags'>): Promise<void> {
    const { op, flag, ids } = step;
    const ignored = ignoredStreams(this.model, this.#actor(step), step);
    const refusal = changeFlags(this.model, this.#actor(step), step);
    const answer = await this.#clients.call(step, api.updateMessageFlags, { messages: [...ids], op, flag }, refusal);
    if (answer) expect(answer.ignored_because_not_subscribed_channels?.toSorted()).toEqual(ignored.toSorted());
  }

  async #changeAlertWords(step: Of<'change alert words'>): Promise<void> {
    changeAlertWords(this.model, this.#actor(step), step);
    const endpoint = step.op === 'add' ? api.addAlertWords : api.removeAlertWords;
    const answer = await this.#clients.call(step, endpoint, { alert_words: [...step.words] }, undefined);
    expect(answer?.alert_words).toEqual(this.#actor(step).alertWords);
  }

  async #changeSettings(step: Of<'change settings'>): Promise<void> {
    changeSettings(this.model, this.#actor(step), step);
    await this.#clients.call(step, api.updateSettings, { send_read_receipts: step.sendsReceipts }, undefined);
  }

  async #changeReceiptAudience(step: Of<'change receipt audience'>): Promise<void> {
    const refusal = changeReceiptAudience(this.model, this.#actor(step), step.audience);
    await this.#clients.call(step, api.updateRealm, { read_receipts: step.audience }, refusal);
  }

  async #getReceipts(step: Of<'get receipts'>): Promise<void> {
    const refusal = receiptsRefusal(this.model, this.#actor(step), step.id);
    const answer = await this.#clients.call(step, api.getReadReceipts, { message_id: step.id }, refusal);
    const message = this.model.messages.get(step.id);
    if (answer && message) expect(answer).toEqual(receiptsOf(this.model, message));
  }

  /** Expects correct reader counts for all messages whose receipts the member may see. */
  async #countReaders(user: User): Promise<void> {
    const visible = readable(this.model, user).filter(({ id }) => receiptsRefusal(this.model, user, id) === undefined);
    for (const messages of Map.groupBy(visible, ({ place }) => place).values()) {
      const newest = messages.slice(-api.maxMessagesPerReceiptsCall);
      const options = { messages: newest.map(({ id }) => id) };
      const { read_counts } = await this.#clients.of(user.id).ok(api.countReadReceipts, options);
      const expected = newest.map((message) => {
        return { message_id: message.id, count: receiptsOf(this.model, message).user_ids.length };
      });
      expect(read_counts).toEqual(expected);
      this.#clients.count('count readers');
    }
  }

  async #fetch(user: User, request: FetchRequest, isHtml = false): Promise<void> {
    const viewer = { model: this.model, user, isHtml };
    const client = this.#clients.of(user.id);
    const { narrow, anchor, before, after } = request;
    const options = {
      narrow: narrow.map(({ operator, operand }) => {
        return { operator, operand: typeof operand === 'object' ? [...operand] : operand };
      }),
      anchor: String(anchor),
      num_before: before,
      num_after: after,
      apply_markdown: isHtml,
    };
    if (isRefused(viewer, request)) {
      this.#clients.count('fetch refused');
      expect(await client.refused(api.getMessages, options)).toMatchObject({ code: 'BAD_NARROW' });
    } else {
      expectFetched(await client.ok(api.getMessages, options), request, viewer);
    }
  }

  async #compare(user: User): Promise<void> {
    if (!user.isActive) return;
    await this.#queueClients.compare(user);
    await this.#countReaders(user);
    await this.#fetch(user, { narrow: [], anchor: 'newest', before: all, after: 0 });
    for (const { id } of streams.visibleStreams(this.model, user)) {
      const narrow = [{ operator: 'stream', operand: id } as const];
      await this.#fetch(user, { narrow, anchor: 'oldest', before: 0, after: all }, true);
      const { topics } = await this.#clients.of(user.id).ok(api.getTopics, { stream_id: id });
      expect(topics).toEqual(topicsOf(this.model, user, id));
    }
  }

  async #subscribe(step: Of<'subscribe'>): Promise<void> {
    const { name, privacy, users } = step;
    const refusal = streams.subscribeRefusal(this.model, this.#actor(step), step);
    const options = { subscriptions: [{ name }], principals: [...users], ...privacyOptions[privacy] };
    const answer = await this.#clients.call(step, api.subscribe, options, refusal);
    if (!answer) return;
    const existing = this.model.openStream(name);
    const stream = existing ?? (await this.#createStream(step));
    const newcomers = streams.subscribe(this.model, stream, users);
    announce(this.model, this.#actor(step), stream, existing === undefined, newcomers);
    const others = users.filter((id) => !newcomers.includes(id));
    const byUser = (ids: readonly number[]) => Object.fromEntries(ids.map((id) => [id, [name]]));
    expect(answer).toEqual({ subscribed: byUser(newcomers), already_subscribed: byUser(others) });
  }

  /** The model needs the id of the new stream, which its first subscriber can ask for. */
  async #createStream({ member, name, privacy, users: [first] }: Of<'subscribe'>): Promise<Stream> {
    this.#clients.count('create stream');
    if (first === undefined) throw new TypeError('somebody is in a new stream');
    const { stream_id } = await this.#clients.of(first).ok(api.getStreamId, { stream: name });
    return streams.createStream(this.model, stream_id, member, { name, privacy });
  }

  async #unsubscribe(step: Of<'unsubscribe'>): Promise<void> {
    const { name, users } = step;
    const refusal = streams.unsubscribeRefusal(this.model, this.#actor(step), step);
    const options = { subscriptions: [name], principals: [...users] };
    const answer = await this.#clients.call(step, api.unsubscribe, options, refusal);
    const stream = this.model.openStream(name);
    if (!answer || !stream) return;
    const leavers = streams.unsubscribe(this.model, stream, users);
    expect(answer).toEqual({
      removed: leavers.length > 0 ? [name] : [],
      not_removed: leavers.length < users.length ? [name] : [],
    });
  }

  async #setPutAway(step: Of<'set put_away'>): Promise<void> {
    const { stream: stream_id, isPutAway: value } = step;
    const refusal = streams.setPutAway(this.model, this.#actor(step), stream_id, value);
    const options = { subscription_data: [{ stream_id, property: 'put_away', value }] };
    await this.#clients.call(step, api.updateSubscriptionProperties, options, refusal);
  }

  async #closeStream(step: Of<'close stream'>): Promise<void> {
    const refusal = streams.closeStream(this.model, this.#actor(step), step.stream);
    await this.#clients.call(step, api.deleteStream, { stream_id: step.stream }, refusal);
  }

  async #createGroup(step: Of<'create group'>): Promise<void> {
    const creator = this.#actor(step);
    const asked = { name: `会 ${this.performed.length}`, description: '', members: [creator.id] };
    const answer = await this.#clients.call(step, api.createUserGroup, asked, creationRefusal(creator));
    if (answer?.group_id !== undefined) createGroup(this.model, answer.group_id, creator);
  }

  async #changeGroup(step: Of<'change group'>): Promise<void> {
    const refusal = changeGroup(this.model, this.#actor(step), step);
    const change = step.op === 'add' ? { add: [step.user] } : { delete: [step.user] };
    await this.#clients.call(step, api.updateUserGroupMembers, { user_group_id: step.group, ...change }, refusal);
  }

  /** The queues of the user end with the old role, so their clients register again. */
  async #changeRole(step: Of<'change role'>): Promise<void> {
    const user = this.model.user(step.user);
    const before = user.role;
    const refusal = changeRole(this.model, this.#actor(step), user, step.role);
    await this.#clients.call(step, api.updateUser, { user_id: user.id, role: step.role }, refusal);
    if (user.role === before || !user.isActive) return;
    this.#clients.count('role changed');
    await this.#queueClients.registerEach(await this.#queueClients.end(user, 'BAD_EVENT_QUEUE_ID'));
  }

  async #deactivate(step: Of<'deactivate'>): Promise<void> {
    const user = this.model.user(step.user);
    const refusal = deactivate(this.model, this.#actor(step), user);
    await this.#clients.call(step, api.deactivateUser, { user_id: user.id }, refusal);
    if (refusal === undefined) this.#deactivatedClients.set(user.id, await this.#queueClients.end(user, 'USER_DEACTIVATED'));
  }

  async #reactivate(step: Of<'reactivate'>): Promise<void> {
    const user = this.model.user(step.user);
    const refusal = reactivate(this.model, this.#actor(step), user);
    await this.#clients.call(step, api.reactivateUser, { user_id: user.id }, refusal);
    if (refusal !== undefined) return;
    const clients = this.#deactivatedClients.get(user.id) ?? [];
    this.#deactivatedClients.delete(user.id);
    for (const { queue } of clients) expect(await queue.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    await this.#queueClients.registerEach(clients);
  }
}

/** Larger than the number of messages in a random history, so that one call returns all. */
const all = 2500;

const privacyOptions: Readonly<Record<streams.StreamPrivacy, Partial<api.ParametersIn<typeof api.subscribe>>>> = {
  default: {},
  public: { invite_only: false },
  private: { invite_only: true },
  shared: { invite_only: true, history_public_to_subscribers: true },
};

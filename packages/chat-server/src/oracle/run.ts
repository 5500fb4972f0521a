import {
  type ParametersIn,
  addAlertWords,
  addReaction,
  addressDirect,
  countReadReceipts,
  deactivateUser,
  deleteMessage,
  deleteStream,
  editMessage,
  getMessages,
  getOwnUser,
  getReadReceipts,
  getStreamId,
  getTopics,
  maxMessagesPerReceiptsCall,
  reactivateUser,
  removeAlertWords,
  removeReaction,
  sendMessage,
  subscribe,
  unsubscribe,
  updateMessageFlags,
  updateRealm,
  updateSettings,
  updateSubscriptionProperties,
  updateUser,
} from '@engawa/protocol';
import { expect } from 'vitest';
import { settled } from '../testing/clock.ts';
import type * as eg from '../testing/eg.ts';
import { Clients } from './clients.ts';
import { expectFetched, isRefused } from './fetching.ts';
import type { Follower } from './follower.ts';
import { Followers } from './followers.ts';
import { edit, erase, react, refusesSending, send } from './model/messages.ts';
import type { Model, Stream, User } from './model/model.ts';
import { changeAlertWords, changeRole, choose, deactivate, reactivate, showReceipts } from './model/people.ts';
import { ignoredStreams, mark, readable, receiptsOf, refusesReceipts, topicsOf } from './model/reading.ts';
import * as streams from './model/streams.ts';
import type { History } from './nextStep.ts';
import type { Fetching, Sending, Step } from './step.ts';

type Of<Does> = Extract<Step, { does: Does }>;

/** A history on a real server and on the model, compared all along. */
export class Run implements History {
  readonly model: Model;
  readonly performed: Step[] = [];
  /** The messages that were taken, as they were sent. */
  readonly sent: Sending[] = [];
  readonly #clients: Clients;
  readonly #followers: Followers;
  /** The message that a client's own id stands for. */
  readonly #ids = new Map<string, number>();
  /** The followers of those who are not active. */
  readonly #stranded = new Map<number, readonly Follower[]>();

  constructor(server: eg.Server, model: Model) {
    this.model = model;
    this.#clients = new Clients(server, model.users.values());
    this.#followers = new Followers(this.#clients, model);
  }

  get followers(): readonly Follower[] {
    return this.#followers.all;
  }

  get tally(): ReadonlyMap<string, number> {
    return this.#clients.tally;
  }

  async perform(step: Step): Promise<void> {
    this.performed.push(step);
    const isTurnedAway = 'member' in step && step.does !== 'compare' && !this.#by(step).isActive;
    if (isTurnedAway) await this.#turnAway(step.member);
    else await this.#do(step);
    await settled();
    await this.#followers.collect();
  }

  async #turnAway(member: number): Promise<void> {
    this.#clients.count('turn away');
    expect(await this.#clients.of(member).refused(getOwnUser, {})).toMatchObject({ code: 'USER_DEACTIVATED' });
  }

  async #do(step: Step): Promise<void> {
    switch (step.does) {
      case 'sign in':
        return this.#clients.signIn(this.#by(step));
      case 'register':
        return this.#followers.register(step.member, step.kind);
      case 'let go':
        return this.#followers.letGo(step.queue);
      case 'poll':
        return this.#followers.poll(step);
      case 'wait':
        return this.#followers.wait(step.queues);
      case 'send':
        return this.#send(step.sendings);
      case 'edit':
        return this.#edit(step);
      case 'delete':
        return this.#delete(step);
      case 'react':
        return this.#react(step);
      case 'mark':
        return this.#mark(step);
      case 'alert':
        return this.#alert(step);
      case 'choose':
        return this.#choose(step);
      case 'show receipts':
        return this.#showReceipts(step);
      case 'ask who read':
        return this.#askWhoRead(step);
      case 'subscribe':
        return this.#subscribe(step);
      case 'unsubscribe':
        return this.#unsubscribe(step);
      case 'put away':
        return this.#putAway(step);
      case 'archive':
        return this.#archive(step);
      case 'change role':
        return this.#changeRole(step);
      case 'deactivate':
        return this.#deactivate(step);
      case 'reactivate':
        return this.#reactivate(step);
      case 'fetch':
        this.#clients.count('fetch');
        return this.#fetch(this.#by(step), step.fetching);
      case 'pass':
        return this.#pass(step.seconds);
      case 'restart':
        this.#clients.count('restart');
        return this.#clients.server.restart();
      case 'compare':
        return this.#compare(this.#by(step));
    }
  }

  async #pass(seconds: number): Promise<void> {
    this.#clients.count('pass');
    this.model.now += seconds;
    await this.#clients.server.clock.jump(seconds);
  }

  #by({ member }: { readonly member: number }): User {
    return this.model.user(member);
  }

  // Messages

  async #send(sendings: readonly Sending[]): Promise<void> {
    const answers = await Promise.all(sendings.map((sending, index) => this.#sendOne(sending, index)));
    const sent = answers.flatMap((answer) => answer ?? []);
    for (const { id, sending, local } of sent.toSorted((one, other) => one.id - other.id)) {
      const { member, to, topic, content, clientId, readBySender } = sending;
      const earlier = this.#ids.get(`${member} ${clientId}`);
      if (earlier !== undefined) {
        this.#clients.count('send again');
        expect(id, 'a repeated send answers the first message').toBe(earlier);
        continue;
      }
      expect(this.model.messages.has(id), 'a new message has a new id').toBe(false);
      if (clientId !== undefined) this.#ids.set(`${member} ${clientId}`, id);
      this.sent.push(sending);
      send(this.model, this.#by(sending), { id, to, topic, content, local, readBySender });
    }
  }

  async #sendOne(sending: Sending, index: number) {
    const { member, to, topic, content, clientId: client_message_id, readBySender: read_by_sender } = sending;
    const sender = this.#by(sending);
    const isRepeated = sender.isActive && this.#ids.has(`${member} ${client_message_id}`);
    const refusal = isRepeated ? undefined : refusesSending(this.model, sender, to);
    const address = 'users' in to ? addressDirect(to.users) : String(to.stream);
    const local = this.#localMark(sending, index);
    const answer = await this.#clients.call(
      { does: 'send', member },
      sendMessage,
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
    return answer && { id: answer.id, sending, local };
  }

  #localMark({ member, marked }: Sending, index: number) {
    const own = this.followers.find((follower) => follower.member === member);
    return marked && own ? { queueId: own.queue.id, localId: `${this.performed.length}.${index}` } : undefined;
  }

  async #edit(step: Of<'edit'>): Promise<void> {
    const { id: message_id, content, topic, mode: propagate_mode } = step;
    const refusal = edit(this.model, this.#by(step), step);
    await this.#clients.call(step, editMessage, { message_id, content, topic, propagate_mode }, refusal);
  }

  async #delete(step: Of<'delete'>): Promise<void> {
    const refusal = erase(this.model, this.#by(step), step.id);
    await this.#clients.call(step, deleteMessage, { message_id: step.id }, refusal);
  }

  async #react(step: Of<'react'>): Promise<void> {
    const { op, id: message_id, emoji } = step;
    const refusal = react(this.model, this.#by(step), step);
    if (op === 'add') {
      await this.#clients.call(step, addReaction, { message_id, emoji_name: emoji.emoji_name }, refusal);
    } else {
      await this.#clients.call(step, removeReaction, { message_id, ...emoji }, refusal);
    }
  }

  // Reading

  async #mark(step: Of<'mark'>): Promise<void> {
    const { op, flag, ids } = step;
    const ignored = ignoredStreams(this.model, this.#by(step), step);
    const refusal = mark(this.model, this.#by(step), step);
    const answer = await this.#clients.call(step, updateMessageFlags, { messages: [...ids], op, flag }, refusal);
    if (answer) expect(answer.ignored_because_not_subscribed_channels?.toSorted()).toEqual(ignored.toSorted());
  }

  async #alert(step: Of<'alert'>): Promise<void> {
    changeAlertWords(this.model, this.#by(step), step);
    const endpoint = step.op === 'add' ? addAlertWords : removeAlertWords;
    const answer = await this.#clients.call(step, endpoint, { alert_words: [...step.words] }, undefined);
    expect(answer?.alert_words).toEqual(this.#by(step).alertWords);
  }

  async #choose(step: Of<'choose'>): Promise<void> {
    choose(this.model, this.#by(step), step);
    await this.#clients.call(step, updateSettings, { send_read_receipts: step.sendsReceipts }, undefined);
  }

  async #showReceipts(step: Of<'show receipts'>): Promise<void> {
    const refusal = showReceipts(this.model, this.#by(step), step.shown);
    await this.#clients.call(step, updateRealm, { read_receipts: step.shown }, refusal);
  }

  async #askWhoRead(step: Of<'ask who read'>): Promise<void> {
    const refusal = refusesReceipts(this.model, this.#by(step), step.id);
    const answer = await this.#clients.call(step, getReadReceipts, { message_id: step.id }, refusal);
    const message = this.model.messages.get(step.id);
    if (answer && message) expect(answer).toEqual(receiptsOf(this.model, message));
  }

  /** Of the messages whose readers they see, place by place. */
  async #countReaders(user: User): Promise<void> {
    const seen = readable(this.model, user).filter(({ id }) => refusesReceipts(this.model, user, id) === undefined);
    for (const messages of Map.groupBy(seen, ({ place }) => place).values()) {
      const newest = messages.slice(-maxMessagesPerReceiptsCall);
      const asking = { messages: newest.map(({ id }) => id) };
      const { read_counts } = await this.#clients.of(user.id).ok(countReadReceipts, asking);
      const expected = newest.map((message) => {
        return { message_id: message.id, count: receiptsOf(this.model, message).user_ids.length };
      });
      expect(read_counts).toEqual(expected);
      this.#clients.count('count readers');
    }
  }

  async #fetch(user: User, fetching: Fetching, isHtml = false): Promise<void> {
    const viewer = { model: this.model, user, isHtml };
    const client = this.#clients.of(user.id);
    const { narrow, anchor, before, after } = fetching;
    const asking = {
      narrow: narrow.map(({ operator, operand }) => {
        return { operator, operand: typeof operand === 'object' ? [...operand] : operand };
      }),
      anchor: String(anchor),
      num_before: before,
      num_after: after,
      apply_markdown: isHtml,
    };
    if (isRefused(viewer, fetching)) {
      this.#clients.count('fetch refused');
      expect(await client.refused(getMessages, asking)).toMatchObject({ code: 'BAD_NARROW' });
    } else {
      expectFetched(await client.ok(getMessages, asking), fetching, viewer);
    }
  }

  /** All that can be asked for, by one who is active. */
  async #compare(user: User): Promise<void> {
    if (!user.isActive) return;
    await this.#followers.compare(user);
    await this.#countReaders(user);
    await this.#fetch(user, { narrow: [], anchor: 'newest', before: all, after: 0 });
    for (const { id } of streams.seenBy(this.model, user)) {
      const narrow = [{ operator: 'stream', operand: id } as const];
      await this.#fetch(user, { narrow, anchor: 'oldest', before: 0, after: all }, true);
      const { topics } = await this.#clients.of(user.id).ok(getTopics, { stream_id: id });
      expect(topics).toEqual(topicsOf(this.model, user, id));
    }
  }

  // Streams

  async #subscribe(step: Of<'subscribe'>): Promise<void> {
    const { name, making, people } = step;
    const refusal = streams.refusesSubscribing(this.model, this.#by(step), step);
    const asking = { subscriptions: [{ name }], principals: [...people], ...inWords[making] };
    const answer = await this.#clients.call(step, subscribe, asking, refusal);
    if (!answer) return;
    const stream = this.model.openStream(name) ?? (await this.#makeStream(step));
    const newcomers = streams.subscribe(this.model, stream, people);
    const others = people.filter((id) => !newcomers.includes(id));
    const byUser = (ids: readonly number[]) => Object.fromEntries(ids.map((id) => [id, [name]]));
    expect(answer).toEqual({ subscribed: byUser(newcomers), already_subscribed: byUser(others) });
  }

  /** One who is in it can say its id. */
  async #makeStream({ member, name, making, people: [first] }: Of<'subscribe'>): Promise<Stream> {
    this.#clients.count('make stream');
    if (first === undefined) throw new TypeError('somebody is in a new stream');
    const { stream_id } = await this.#clients.of(first).ok(getStreamId, { stream: name });
    return streams.makeStream(this.model, stream_id, member, { name, making });
  }

  async #unsubscribe(step: Of<'unsubscribe'>): Promise<void> {
    const { name, people } = step;
    const refusal = streams.refusesUnsubscribing(this.model, this.#by(step), step);
    const asking = { subscriptions: [name], principals: [...people] };
    const answer = await this.#clients.call(step, unsubscribe, asking, refusal);
    const stream = this.model.openStream(name);
    if (!answer || !stream) return;
    const leavers = streams.unsubscribe(this.model, stream, people);
    expect(answer).toEqual({
      removed: leavers.length > 0 ? [name] : [],
      not_removed: leavers.length < people.length ? [name] : [],
    });
  }

  async #putAway(step: Of<'put away'>): Promise<void> {
    const { stream: stream_id, isAway: value } = step;
    const refusal = streams.putAway(this.model, this.#by(step), stream_id, value);
    const asking = { subscription_data: [{ stream_id, property: 'put_away', value }] };
    await this.#clients.call(step, updateSubscriptionProperties, asking, refusal);
  }

  async #archive(step: Of<'archive'>): Promise<void> {
    const refusal = streams.archive(this.model, this.#by(step), step.stream);
    await this.#clients.call(step, deleteStream, { stream_id: step.stream }, refusal);
  }

  // People

  /** What the clients of the user know ends with the role, and they begin again. */
  async #changeRole(step: Of<'change role'>): Promise<void> {
    const user = this.model.user(step.user);
    const before = user.role;
    const refusal = changeRole(this.model, this.#by(step), user, step.role);
    await this.#clients.call(step, updateUser, { user_id: user.id, role: step.role }, refusal);
    if (user.role === before || !user.isActive) return;
    this.#clients.count('role changed');
    await this.#followers.registerAgain(await this.#followers.end(user, 'BAD_EVENT_QUEUE_ID'));
  }

  async #deactivate(step: Of<'deactivate'>): Promise<void> {
    const user = this.model.user(step.user);
    const refusal = deactivate(this.model, this.#by(step), user);
    await this.#clients.call(step, deactivateUser, { user_id: user.id }, refusal);
    if (refusal === undefined) this.#stranded.set(user.id, await this.#followers.end(user, 'USER_DEACTIVATED'));
  }

  async #reactivate(step: Of<'reactivate'>): Promise<void> {
    const user = this.model.user(step.user);
    const refusal = reactivate(this.model, this.#by(step), user);
    await this.#clients.call(step, reactivateUser, { user_id: user.id }, refusal);
    if (refusal !== undefined) return;
    const stranded = this.#stranded.get(user.id) ?? [];
    this.#stranded.delete(user.id);
    for (const { queue } of stranded) expect(await queue.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    await this.#followers.registerAgain(stranded);
  }
}

/** As many messages as there are. */
const all = 2500;

/** What a call says of a stream that it makes. */
const inWords: Readonly<Record<streams.Making, Partial<ParametersIn<typeof subscribe>>>> = {
  unsaid: {},
  public: { invite_only: false },
  private: { invite_only: true },
  shared: { invite_only: true, history_public_to_subscribers: true },
};

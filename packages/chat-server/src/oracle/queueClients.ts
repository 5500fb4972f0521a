import {
  type Message,
  type ServerEvent,
  deleteQueue,
  getMessage,
  getMessages,
  getOwnUser,
  registerQueue,
  roles,
} from '@engawa/protocol';
import { expect } from 'vitest';
import { settled } from '../testing/clock.ts';
import { heldQueue } from '../testing/queue.ts';
import { type StatePart, afterEvent } from './afterEvent.ts';
import type { Clients } from './clients.ts';
import { expectedEvent, comparableEvent } from './expectedEvent.ts';
import { expectedHeld, expectedState } from './expectedState.ts';
import { type QueueClient, type Outcome, queueOptions, keepsState, mayDeliver } from './queueClient.ts';
import { mayRead } from './model/access.ts';
import type { Model, ModelEvent, User } from './model/model.ts';
import type { Viewer } from './expectedMessage.ts';
import { type State, clientMessageOf, inOrder, placeOf, stateOf } from './state.ts';
import type { QueueKind, Step, Term } from './step.ts';

/** Larger than the number of messages in a random history, so that one call returns all. */
const all = 2500;
const some = 30;

/** All clients with queues. Compares their events with those of the model. */
export class QueueClients {
  readonly all: QueueClient[] = [];
  readonly #clients: Clients;
  readonly #model: Model;
  /** The parts of its state that each client must fetch again, because events do not describe them completely. */
  readonly #refetching = new Map<QueueClient, ReadonlySet<StatePart>>();

  constructor(clients: Clients, model: Model) {
    this.#clients = clients;
    this.#model = model;
  }

  async register(member: number, kind: QueueKind): Promise<void> {
    const isRefused = kind === 'public' && this.#model.user(member).role === roles.guest;
    const refusal = isRefused ? 'User not authorized for this query' : undefined;
    const answer = await this.#clients.call({ action: 'register', member }, registerQueue, queueOptions[kind], refusal);
    if (!answer) return;
    this.all.push({
      member,
      kind,
      queue: heldQueue(this.#clients.of(member), answer.queue_id, answer.last_event_id),
      state: keepsState(kind) ? { ...stateOf(answer), messages: await this.#firstMessages(member, kind) } : undefined,
      position: this.#model.eventsFor(member).length,
      newest: 0,
      pendingPoll: undefined,
    });
  }

  /** The messages on a first screen: some received ones and some of public streams. */
  async #firstMessages(member: number, kind: QueueKind): Promise<State['messages']> {
    const options = { anchor: 'newest', num_before: some, num_after: 0, apply_markdown: kind === 'html' };
    const client = this.#clients.of(member);
    const received = await client.ok(getMessages, options);
    const inPublic = await client.ok(getMessages, { ...options, narrow: [['streams', 'public']] });
    const messages = [...received.messages, ...inPublic.messages];
    return new Map(messages.map((message) => [message.id, clientMessageOf(message, message.flags ?? [])]));
  }

  /** Registers new queues for clients whose queues have ended. */
  async registerEach(ended: readonly QueueClient[]): Promise<void> {
    for (const { member, kind } of ended) {
      const isGuest = this.#model.user(member).role === roles.guest;
      await this.register(member, kind === 'public' && isGuest ? 'everything' : kind);
    }
  }

  async deleteQueueOf(index: number): Promise<void> {
    const [client] = this.all.splice(index, 1);
    if (!client) return;
    const { member, queue, pendingPoll } = client;
    await this.#clients.call({ action: 'delete queue', member }, deleteQueue, { queue_id: queue.id }, undefined);
    expect(await queue.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    if (pendingPoll) this.#receiveOutcome(client, await pendingPoll);
  }

  /** Expects that the server has ended every queue of the member. @returns the clients of those queues. */
  async end({ id }: User, code: string): Promise<readonly QueueClient[]> {
    await settled();
    const ended = this.all.filter(({ member }) => member === id);
    for (const client of ended) {
      this.all.splice(this.all.indexOf(client), 1);
      if (client.pendingPoll) expect(await client.pendingPoll).toEqual({ refusal: expect.stringContaining(code) });
      expect(await client.queue.refused()).toMatchObject({ code });
    }
    return ended;
  }

  async poll({ queue: index, way }: Extract<Step, { action: 'poll' }>): Promise<void> {
    const client = this.all[index];
    if (!client) return;
    this.#clients.count(`poll ${way}`);
    const { queue, pendingPoll } = client;
    if (way === 'twice') {
      const waiting = pendingPoll ? [pendingPoll] : [];
      client.pendingPoll = allOutcomes([...waiting, outcomeOf(queue.wait()), outcomeOf(queue.wait())]);
    }
    // `peek` acknowledges nothing, so the next poll must return the same events again.
    else this.#receive(client, way === 'take' ? await queue.take() : await queue.peek());
  }

  wait(indexes: readonly number[]): void {
    this.#clients.count('wait');
    for (const [index, client] of this.all.entries()) {
      if (indexes.includes(index)) client.pendingPoll ??= outcomeOf(client.queue.wait());
    }
  }

  /** Takes the results of waiting polls that have been answered. */
  async collect(): Promise<void> {
    for (const client of this.all) await this.#collect(client);
    for (const client of this.all) await this.#refetch(client);
  }

  async #collect(client: QueueClient): Promise<void> {
    const { pendingPoll } = client;
    if (!pendingPoll) return;
    const outcome = await Promise.race([pendingPoll, Promise.resolve(undefined)]);
    if (!outcome) return;
    client.pendingPoll = undefined;
    this.#receiveOutcome(client, outcome);
  }

  #receiveOutcome(client: QueueClient, outcome: Outcome): void {
    if ('refusal' in outcome) throw new Error(`a poll was refused: ${outcome.refusal}`);
    this.#receive(client, outcome.events);
  }

  /** Expects each event to be the next deliverable event of the model. */
  #receive(client: QueueClient, events: readonly ServerEvent[]): void {
    for (const event of events) {
      // Delivery is at least once, so repeated events are skipped.
      if (event.type === 'heartbeat' || event.id <= client.newest) continue;
      client.newest = event.id;
      this.#clients.count(`receive ${event.type}`);
      if (event.type === 'realm_user') this.#clients.count(`receive realm_user ${event.op}`);
      expect(comparableEvent(event)).toEqual(this.#nextExpected(client));
      if (!client.state) continue;
      const self = { member: client.member, isHtml: client.kind === 'html' };
      const { state, refetch } = afterEvent(client.state, event, self);
      client.state = state;
      this.#refetching.set(client, (this.#refetching.get(client) ?? new Set()).union(new Set(refetch)));
    }
  }

  #nextExpected(client: QueueClient) {
    const { member, kind, queue } = client;
    const events = this.#model.eventsFor(member);
    for (let position = client.position; position < events.length; position += 1) {
      const event = events[position];
      if (!event || !mayDeliver(kind, event) || isGainedLater(event, events.slice(position + 1))) continue;
      const expected = expectedEvent(this.#viewer(client), event, queue.id);
      if (!expected) continue;
      client.position = position + 1;
      return expected;
    }
    return undefined;
  }

  async #refetch(client: QueueClient): Promise<void> {
    const { member, state } = client;
    const parts = this.#refetching.get(client);
    this.#refetching.delete(client);
    if (!state || !parts || parts.size === 0) return;
    this.#clients.count('refetch');
    client.state = {
      ...state,
      ...(parts.has('starred') ? { starred: await this.#starred(member) } : {}),
      ...(parts.has('directs') ? { directs: await this.#directs(member) } : {}),
      ...(parts.has('newest') ? { newest: await this.#newest(member) } : {}),
      ...(parts.has('mentions in HTML') && client.kind === 'html' ? { messages: await this.#rendered(member, state) } : {}),
    };
  }

  /** The held messages with their present HTML. One that is no longer readable has an event that removes it. */
  async #rendered(member: number, { messages }: State): Promise<State['messages']> {
    const rendered = [...messages].map(async ([id, message]) => {
      const { status, text } = await this.#clients.of(member).reply(getMessage, { message_id: id });
      if (status !== 200) return [id, message] as const;
      return [id, { ...message, content: getMessage.answer.parse(JSON.parse(text)).message.content }] as const;
    });
    return new Map(await Promise.all(rendered));
  }

  async #starred(member: number): Promise<State['starred']> {
    return new Set((await this.#fetch(member, 'starred')).map(({ id }) => id));
  }

  async #directs(member: number): Promise<State['directs']> {
    const messages = await this.#fetch(member, 'dm');
    return new Map(messages.map((message) => [placeOf(message, member), message.id]));
  }

  async #newest(member: number): Promise<number> {
    const { max_message_id: newest = -1 } = await this.#clients.of(member).ok(getOwnUser, {});
    return newest;
  }

  async #fetch(member: number, operand: Extract<Term, { operator: 'is' }>['operand']): Promise<readonly Message[]> {
    const options = { anchor: 'newest', num_before: all, num_after: 0, narrow: [{ operator: 'is', operand }] };
    const { messages } = await this.#clients.of(member).ok(getMessages, options);
    return messages;
  }

  /** Expects every client state of the member to equal the state of a new registration. */
  async compare({ id }: User): Promise<void> {
    for (const client of this.all) if (client.member === id) await this.#compare(client);
  }

  async #compare(client: QueueClient): Promise<void> {
    const { member, queue, kind } = client;
    for (let events = await queue.take(); events.length > 0; events = await queue.take()) this.#receive(client, events);
    await settled();
    await this.#collect(client);
    expect(this.#nextExpected(client), 'what is left to hear').toBeUndefined();
    await this.#refetch(client);

    const api = this.#clients.of(member);
    const answer = await api.ok(registerQueue, queueOptions[kind]);
    await api.ok(deleteQueue, { queue_id: answer.queue_id });
    if (!client.state) return;
    this.#clients.count('compare');
    const viewer = this.#viewer(client);
    const registered = stateOf(answer);
    expect(inOrder(registered), 'what register answers').toEqual(inOrder(expectedState(viewer)));
    expect(inOrder(client.state), 'what was followed').toEqual(inOrder(registered));
    expect(answer.unread_msgs?.count).toBe(registered.unread.size);
    for (const [id, message] of client.state.messages) this.#compareMessage(id, message, viewer);
  }

  #compareMessage(id: number, followed: unknown, viewer: Viewer): void {
    this.#clients.count('compare a message');
    const message = this.#model.messages.get(id);
    if (!message || !mayRead(viewer.user, message)) throw new Error(`a client still shows message ${id}`);
    expect(followed, `message ${id} as it was followed`).toEqual(expectedHeld(viewer, message));
  }

  #viewer({ member, kind }: QueueClient): Viewer {
    return { model: this.#model, user: this.#model.user(member), isHtml: kind === 'html' };
  }
}

/** A change of a user is not delivered if a later event brings the user as they are then. */
function isGainedLater(event: ModelEvent, later: readonly ModelEvent[]): boolean {
  if (event.type !== 'realm_user') return false;
  return later.some((each) => each.type === 'realm_user' && each.op === 'add' && each.user === event.user);
}

function outcomeOf(poll: Promise<readonly ServerEvent[]>): Promise<Outcome> {
  return poll.then(
    (events) => ({ events }),
    (error: unknown) => ({ refusal: String(error) }),
  );
}

/** The events of several polls as one result. */
async function allOutcomes(polls: readonly Promise<Outcome>[]): Promise<Outcome> {
  const outcomes = await Promise.all(polls);
  const refused = outcomes.find((outcome) => 'refusal' in outcome);
  if (refused) return refused;
  const events = outcomes.flatMap((outcome) => ('events' in outcome ? outcome.events : []));
  return { events: events.toSorted((one, other) => one.id - other.id) };
}

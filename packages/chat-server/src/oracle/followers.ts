import { type Message, type ServerEvent, deleteQueue, getMessages, getOwnUser, registerQueue, roles } from '@engawa/protocol';
import { expect } from 'vitest';
import { settled } from '../testing/clock.ts';
import { heldQueue } from '../testing/queue.ts';
import { type Part, afterEvent } from './afterEvent.ts';
import type { Clients } from './clients.ts';
import { expectedEvent, heardIn } from './expectedEvent.ts';
import { expectedHeld, expectedState } from './expectedState.ts';
import { type Follower, type Outcome, asked, isFollowing, listensTo } from './follower.ts';
import { mayRead } from './model/access.ts';
import type { Model, User } from './model/model.ts';
import type { Viewer } from './shown.ts';
import { type State, held, inOrder, placeOf, stateOf } from './state.ts';
import type { QueueKind, Step, Term } from './step.ts';

/** Many at once: as many as there are. */
const all = 2500;
/** As many as a screen holds. */
const some = 30;

/** The clients that hold queues. What they hear is compared with what their members were told. */
export class Followers {
  readonly all: Follower[] = [];
  readonly #clients: Clients;
  readonly #model: Model;
  /** What each has to ask for anew. */
  readonly #asking = new Map<Follower, ReadonlySet<Part>>();

  constructor(clients: Clients, model: Model) {
    this.#clients = clients;
    this.#model = model;
  }

  async register(member: number, kind: QueueKind): Promise<void> {
    const isRefused = kind === 'public' && this.#model.user(member).role === roles.guest;
    const refusal = isRefused ? 'User not authorized for this query' : undefined;
    const answer = await this.#clients.call({ does: 'register', member }, registerQueue, asked[kind], refusal);
    if (!answer) return;
    this.all.push({
      member,
      kind,
      queue: heldQueue(this.#clients.of(member), answer.queue_id, answer.last_event_id),
      state: isFollowing(kind) ? { ...stateOf(answer), messages: await this.#firstMessages(member, kind) } : undefined,
      position: this.#model.told(member).length,
      newest: 0,
      parked: undefined,
    });
  }

  /** What a client shows at its beginning: some of what was sent to its member, and of what everybody may read. */
  async #firstMessages(member: number, kind: QueueKind): Promise<State['messages']> {
    const asking = { anchor: 'newest', num_before: some, num_after: 0, apply_markdown: kind === 'html' };
    const client = this.#clients.of(member);
    const received = await client.ok(getMessages, asking);
    const inPublic = await client.ok(getMessages, { ...asking, narrow: [['streams', 'public']] });
    const messages = [...received.messages, ...inPublic.messages];
    return new Map(messages.map((message) => [message.id, held(message, message.flags ?? [])]));
  }

  /** Begins again for those whose queues have ended. */
  async registerAgain(ended: readonly Follower[]): Promise<void> {
    for (const { member, kind } of ended) {
      const isGuest = this.#model.user(member).role === roles.guest;
      await this.register(member, kind === 'public' && isGuest ? 'everything' : kind);
    }
  }

  async letGo(index: number): Promise<void> {
    const [follower] = this.all.splice(index, 1);
    if (!follower) return;
    const { member, queue, parked } = follower;
    await this.#clients.call({ does: 'let go', member }, deleteQueue, { queue_id: queue.id }, undefined);
    expect(await queue.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    if (parked) this.#hearOutcome(follower, await parked);
  }

  /**
   * The server has ended every queue of a member, and refuses their polls.
   * @returns whose they were.
   */
  async end({ id }: User, code: string): Promise<readonly Follower[]> {
    await settled();
    const ended = this.all.filter(({ member }) => member === id);
    for (const follower of ended) {
      this.all.splice(this.all.indexOf(follower), 1);
      if (follower.parked) expect(await follower.parked).toEqual({ refusal: expect.stringContaining(code) });
      expect(await follower.queue.refused()).toMatchObject({ code });
    }
    return ended;
  }

  async poll({ queue: index, way }: Extract<Step, { does: 'poll' }>): Promise<void> {
    const follower = this.all[index];
    if (!follower) return;
    this.#clients.count(`poll ${way}`);
    const { queue, parked } = follower;
    if (way === 'twice') {
      const waiting = parked ? [parked] : [];
      follower.parked = together([...waiting, outcomeOf(queue.wait()), outcomeOf(queue.wait())]);
    }
    // A look acknowledges nothing, so the same events come again.
    else this.#hear(follower, way === 'take' ? await queue.take() : await queue.look());
  }

  wait(indexes: readonly number[]): void {
    this.#clients.count('wait');
    for (const [index, follower] of this.all.entries()) {
      if (indexes.includes(index)) follower.parked ??= outcomeOf(follower.queue.wait());
    }
  }

  /** Takes the answers of the polls that waited, as far as they have come. */
  async collect(): Promise<void> {
    for (const follower of this.all) await this.#collect(follower);
    for (const follower of this.all) await this.#askAnew(follower);
  }

  async #collect(follower: Follower): Promise<void> {
    const { parked } = follower;
    if (!parked) return;
    const outcome = await Promise.race([parked, Promise.resolve(undefined)]);
    if (!outcome) return;
    follower.parked = undefined;
    this.#hearOutcome(follower, outcome);
  }

  #hearOutcome(follower: Follower, outcome: Outcome): void {
    if ('refusal' in outcome) throw new Error(`a poll was refused: ${outcome.refusal}`);
    this.#hear(follower, outcome.events);
  }

  /** What is heard is the next of what the member was told, as far as there is still something to tell of it. */
  #hear(follower: Follower, events: readonly ServerEvent[]): void {
    for (const event of events) {
      // At least once: what is repeated was heard already.
      if (event.type === 'heartbeat' || event.id <= follower.newest) continue;
      follower.newest = event.id;
      this.#clients.count(`hear ${event.type}`);
      expect(heardIn(event)).toEqual(this.#nextTold(follower));
      if (!follower.state) continue;
      const self = { member: follower.member, isHtml: follower.kind === 'html' };
      const { state, askAnew } = afterEvent(follower.state, event, self);
      follower.state = state;
      this.#asking.set(follower, (this.#asking.get(follower) ?? new Set()).union(new Set(askAnew)));
    }
  }

  /** Undefined when there is no more. */
  #nextTold(follower: Follower) {
    const { member, kind, queue } = follower;
    const told = this.#model.told(member);
    for (let position = follower.position; position < told.length; position += 1) {
      const telling = told[position];
      if (!telling || !listensTo(kind, telling)) continue;
      const expected = expectedEvent(this.#viewer(follower), telling, queue.id);
      if (!expected) continue;
      follower.position = position + 1;
      return expected;
    }
    return undefined;
  }

  async #askAnew(follower: Follower): Promise<void> {
    const { member, state } = follower;
    const parts = this.#asking.get(follower);
    this.#asking.delete(follower);
    if (!state || !parts || parts.size === 0) return;
    this.#clients.count('ask anew');
    follower.state = {
      ...state,
      ...(parts.has('starred') ? { starred: await this.#starred(member) } : {}),
      ...(parts.has('directs') ? { directs: await this.#directs(member) } : {}),
      ...(parts.has('newest') ? { newest: await this.#newest(member) } : {}),
    };
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

  /** All messages that are such, ascending. */
  async #fetch(member: number, operand: Extract<Term, { operator: 'is' }>['operand']): Promise<readonly Message[]> {
    const asking = { anchor: 'newest', num_before: all, num_after: 0, narrow: [{ operator: 'is', operand }] };
    const { messages } = await this.#clients.of(member).ok(getMessages, asking);
    return messages;
  }

  /** What each of a member's clients has followed is what register answers now. */
  async compare({ id }: User): Promise<void> {
    for (const follower of this.all) if (follower.member === id) await this.#compare(follower);
  }

  async #compare(follower: Follower): Promise<void> {
    const { member, queue, kind } = follower;
    for (let events = await queue.take(); events.length > 0; events = await queue.take()) this.#hear(follower, events);
    await settled();
    await this.#collect(follower);
    expect(this.#nextTold(follower), 'what is left to hear').toBeUndefined();
    await this.#askAnew(follower);

    const client = this.#clients.of(member);
    const answer = await client.ok(registerQueue, asked[kind]);
    await client.ok(deleteQueue, { queue_id: answer.queue_id });
    if (!follower.state) return;
    this.#clients.count('compare');
    const viewer = this.#viewer(follower);
    const registered = stateOf(answer);
    expect(inOrder(registered), 'what register answers').toEqual(inOrder(expectedState(viewer)));
    expect(inOrder(follower.state), 'what was followed').toEqual(inOrder(registered));
    expect(answer.unread_msgs?.count).toBe(registered.unread.size);
    for (const [id, message] of follower.state.messages) this.#compareMessage(id, message, viewer);
  }

  #compareMessage(id: number, followed: unknown, viewer: Viewer): void {
    this.#clients.count('compare a message');
    const message = this.#model.messages.get(id);
    if (!message || !mayRead(viewer.user, message)) throw new Error(`a client still shows message ${id}`);
    expect(followed, `message ${id} as it was followed`).toEqual(expectedHeld(viewer, message));
  }

  #viewer({ member, kind }: Follower): Viewer {
    return { model: this.#model, user: this.#model.user(member), isHtml: kind === 'html' };
  }
}

function outcomeOf(poll: Promise<readonly ServerEvent[]>): Promise<Outcome> {
  return poll.then(
    (events) => ({ events }),
    (error: unknown) => ({ refusal: String(error) }),
  );
}

/** What several polls have heard, as one. */
async function together(polls: readonly Promise<Outcome>[]): Promise<Outcome> {
  const outcomes = await Promise.all(polls);
  const refused = outcomes.find((outcome) => 'refusal' in outcome);
  if (refused) return refused;
  const events = outcomes.flatMap((outcome) => ('events' in outcome ? outcome.events : []));
  return { events: events.toSorted((one, other) => one.id - other.id) };
}

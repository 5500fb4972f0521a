import {
  type ParametersIn,
  type ServerEvent,
  addressStream,
  fetchApiKey,
  getMessages,
  registerQueue,
  sendMessage,
  updateMessageFlags,
} from '@engawa/protocol';
import { expect } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { joins } from '../testing/membership.ts';
import { heldQueue } from '../testing/queue.ts';
import { seeded } from '../testing/random.ts';
import {
  type Names,
  expectFetched,
  expectHeard,
  expectSameState,
  expectShown,
  expectUnreadPlaces,
  isForbidden,
} from './comparison.ts';
import { type Follower, after, stateOf } from './follower.ts';
import { Model } from './model.ts';
import { type QueueKind, type Sending, type Step, nextStep } from './step.ts';

const asked: Readonly<Record<QueueKind, ParametersIn<typeof registerQueue>>> = {
  everything: { include_subscribers: true },
  main: {
    include_subscribers: true,
    event_types: ['message', 'update_message_flags', 'subscription'],
    fetch_event_types: ['message', 'update_message_flags', 'subscription', 'starred_messages'],
  },
  messages: { event_types: ['message'] },
  html: { include_subscribers: true, apply_markdown: true },
};

/** A random history on a real server and on the model, compared all along and, for everyone, at the end. */
export async function run(seed: number, steps: number): Promise<Run> {
  const organisation = eg.organisation();
  const server = await eg.server();
  const history = new Run(server, new Model(organisation));
  const random = seeded(seed);
  for (let step = 0; step < steps; step += 1) {
    await history.perform(nextStep(random, history.model, history.sent, history.followers.length));
  }
  for (const member of history.model.members) await history.perform({ does: 'compare', member });
  return history;
}

export class Run {
  readonly model: Model;
  readonly sent: Sending[] = [];
  readonly followers: Follower[] = [];
  readonly performed: Step[] = [];
  readonly #server: eg.Server;
  readonly #clients: Map<string, eg.Client>;
  readonly #ids = new Map<string, number>();
  readonly #names: Names;

  constructor(server: eg.Server, model: Model) {
    this.#server = server;
    this.model = model;
    this.#clients = new Map(model.members.map((email) => [email, eg.signIn(server, nameOf(email))]));
    this.#names = { user: (email) => server.user(nameOf(email)), stream: server.stream };
  }

  async perform(step: Step): Promise<void> {
    this.performed.push(step);
    await this.#do(step);
    await settled();
    for (const follower of this.followers) await this.#collect(follower);
  }

  async #do(step: Step): Promise<void> {
    switch (step.does) {
      case 'sign in':
        return this.#signIn(step.member);
      case 'register':
        return this.#register(step.member, step.kind);
      case 'send':
        return this.#send(step.sendings);
      case 'mark':
        return this.#mark(step);
      case 'fetch':
        return this.#fetch(step);
      case 'poll':
        return this.#poll(step);
      case 'wait':
        return this.#wait(step.queues);
      case 'join':
        await joins(this.#server, nameOf(step.member), step.stream);
        return this.model.join(step.member, step.stream);
      case 'restart':
        return this.#server.restart();
      case 'compare':
        for (const follower of this.followers) if (follower.member === step.member) await this.#compare(follower);
    }
  }

  async #signIn(member: string): Promise<void> {
    const { api_key } = await eg.visitor(this.#server).ok(fetchApiKey, { username: member, password: eg.password });
    this.#clients.set(member, eg.withKey(this.#server, member, api_key));
  }

  async #register(member: string, kind: QueueKind): Promise<void> {
    const answer = await this.#client(member).ok(registerQueue, asked[kind]);
    const queue = heldQueue(this.#client(member), answer.queue_id, answer.last_event_id);
    const since = this.model.told(member).length;
    this.followers.push({ member, kind, queue, since, heard: [], state: stateOf(answer), parked: undefined });
  }

  async #send(sendings: readonly Sending[]): Promise<void> {
    const answers = await Promise.all(
      sendings.map(async (sending, index) => {
        const own = this.followers.find(({ member }) => member === sending.member);
        const queueId = sending.marked ? own?.queue.id : undefined;
        const local = queueId === undefined ? undefined : { queueId, localId: `${this.performed.length}.${index}` };
        const { id } = await this.#client(sending.member).ok(sendMessage, {
          type: 'stream',
          to: addressStream(sending.stream),
          topic: sending.topic,
          content: sending.content,
          read_by_sender: sending.readBySender,
          client_message_id: sending.clientId,
          queue_id: local?.queueId,
          local_id: local?.localId,
        });
        return { id, sending, local };
      }),
    );
    for (const { id, sending, local } of answers.toSorted((one, other) => one.id - other.id)) {
      const { member, stream, topic, content, clientId, readBySender } = sending;
      const earlier = this.#ids.get(`${member} ${clientId}`);
      if (earlier !== undefined) {
        expect(id, 'a repeated send answers the first message').toBe(earlier);
        continue;
      }
      expect(this.model.messages.has(id), 'a new message has a new id').toBe(false);
      if (clientId !== undefined) this.#ids.set(`${member} ${clientId}`, id);
      this.sent.push(sending);
      this.model.send({ id, stream, sender: member, topic, content, local }, readBySender);
    }
  }

  async #mark({ member, op, flag, ids }: Extract<Step, { does: 'mark' }>): Promise<void> {
    const client = this.#client(member);
    const parameters = { messages: [...ids], op, flag };
    if (this.model.mark(member, op, flag, ids)) {
      await client.ok(updateMessageFlags, parameters);
    } else {
      expect(await client.refused(updateMessageFlags, parameters)).toMatchObject({ msg: 'Invalid message(s)' });
    }
  }

  async #fetch({ fetching }: Extract<Step, { does: 'fetch' }>): Promise<void> {
    const { member, stream, topic, sender, anchor, num_before, num_after } = fetching;
    const narrow = Object.entries({ stream, topic, sender }).flatMap(([operator, operand]) =>
      operand === undefined ? [] : [{ operator, operand }],
    );
    const parameters = { anchor: String(anchor), num_before, num_after, narrow, apply_markdown: false };
    if (isForbidden(fetching, this.model)) {
      expect(await this.#client(member).refused(getMessages, parameters)).toMatchObject({ code: 'BAD_NARROW' });
    } else {
      expectFetched(await this.#client(member).ok(getMessages, parameters), fetching, this.model, this.#names);
    }
  }

  async #poll({ queue: index, way }: Extract<Step, { does: 'poll' }>): Promise<void> {
    const follower = this.followers[index];
    if (!follower) return;
    const { queue } = follower;
    const waiting = follower.parked ? [follower.parked] : [];
    if (way === 'twice') follower.parked = together([...waiting, queue.wait(), queue.wait()]);
    // A look acknowledges nothing, so the same events come again.
    else this.#hear(follower, way === 'take' ? await queue.take() : await queue.look());
  }

  #wait(queues: readonly number[]): void {
    for (const [index, follower] of this.followers.entries()) {
      if (queues.includes(index)) follower.parked ??= follower.queue.wait();
    }
  }

  /** Takes the answer of a poll that waited, if it has come. */
  async #collect(follower: Follower): Promise<void> {
    const { parked } = follower;
    if (!parked) return;
    const answer = await Promise.race([parked, Promise.resolve(undefined)]);
    if (!answer) return;
    follower.parked = undefined;
    this.#hear(follower, answer);
  }

  #hear(follower: Follower, events: readonly ServerEvent[]): void {
    for (const event of events) {
      expectShown(event, follower, this.model, this.#names);
      // At least once: what is repeated was heard already.
      if (event.id <= (follower.heard.at(-1)?.id ?? 0)) continue;
      follower.heard.push(event);
      follower.state = after(follower.state, event);
    }
  }

  async #compare(follower: Follower): Promise<void> {
    const { member, kind, queue } = follower;
    for (let events = await queue.take(); events.length > 0; events = await queue.take()) this.#hear(follower, events);
    await settled();
    await this.#collect(follower);
    const answer = await this.#client(member).ok(registerQueue, asked[kind]);
    expectHeard(follower, this.model, this.#names);
    expectSameState(follower.state, stateOf(answer), this.model, member, this.#names);
    if (answer.unread_msgs) expectUnreadPlaces(answer, this.model, member, this.#names);
  }

  #client(member: string): eg.Client {
    const client = this.#clients.get(member);
    if (!client) throw new TypeError(`${member} is not in the organisation`);
    return client;
  }
}

/** What several polls have heard, as one. */
async function together(polls: readonly Promise<ServerEvent[]>[]): Promise<ServerEvent[]> {
  return (await Promise.all(polls)).flat().toSorted((one, other) => one.id - other.id);
}

function nameOf(email: string): string {
  return email.replace('@example.com', '');
}

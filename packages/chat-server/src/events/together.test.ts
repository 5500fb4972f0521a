import * as api from '@engawa/protocol';
import { expect, it, onTestFinished, vi } from 'vitest';
import { settled } from '../testing/clock.ts';
import { company, everyone, inside, outside, streams } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { type HeldQueue, heldQueue, queueOf } from '../testing/queue.ts';
import { type Random, seeded } from '../testing/random.ts';
import { stopTaskTime } from '../testing/taskTime.ts';
import { mostBegun } from '../turns.ts';

const rounds = 100;
const emoji = ['tea', 'heart'] as const;
const fullNames = ['佐藤 花子', '鈴木 一郎', '高橋 恵', '伊藤 誠', '森 さくら', '山田 健'];
const kinds: readonly NonNullable<Parameters<typeof queueOf>[1]>[] = [
  { apply_markdown: true },
  { all_public_streams: true, apply_markdown: false },
  { event_types: ['message', 'delete_message'], narrow: [['is', 'dm']] },
];

interface Listener {
  readonly name: string;
  readonly kind: number;
  readonly client: eg.Client;
  readonly queue: HeldQueue;
}

async function register(server: eg.Server, name: string, kind: number): Promise<Listener> {
  const client = eg.signIn(server, name);
  // Guests may not use all_public_streams.
  const { is_guest: isGuest } = await client.ok(api.getOwnUser, {});
  return { name, kind, client, queue: await queueOf(client, isGuest && kinds[kind]?.all_public_streams ? {} : kinds[kind]) };
}

/** One random call. It may be refused. */
function callAtRandom(server: eg.Server, random: Random, sent: readonly number[]): Promise<unknown> {
  const name = random.pick(everyone);
  const by = eg.signIn(server, name);
  // The owner may change every stream. `inside.member` subscribes to every stream at first.
  const [owner, actor] = [eg.signIn(server, outside.owner), eg.signIn(server, random.pick([outside.owner, inside.member]))];
  const [stream, id] = [random.pick(streams), random.pick(sent.slice(-12))];
  const subscriptions = [stream];
  const principals = random.some(everyone, 0.3).map((each) => server.user(each));
  const acts = [
    () =>
      by.ok(api.sendMessage, {
        type: 'stream',
        to: api.addressStream(stream),
        topic: 't',
        content: `皆さん @**all** ${sent.length}`,
      }),
    () =>
      actor.ok(api.sendMessage, {
        type: 'stream',
        to: api.addressStream(stream),
        topic: 't',
        content: random
          .some(fullNames, 0.7)
          .map((each) => `@**${each}**`)
          .join(' と '),
      }),
    () => by.ok(api.sendMessage, { type: 'stream', to: api.addressStream(stream), topic: 't', content: `一言 ${sent.length}` }),
    () =>
      by.ok(api.sendMessage, { type: 'direct', to: api.addressDirect([server.user(random.pick(everyone))]), content: '内々に' }),
    () => actor.ok(api.subscribe, { subscriptions: [{ name: stream }], principals }),
    () => owner.ok(api.unsubscribe, { subscriptions, principals }),
    () => owner.ok(api.updateUser, { user_id: server.user('suzuki'), role: random.pick([api.roles.guest, api.roles.member]) }),
    () => actor.ok(api.editMessage, { message_id: id, topic: random.pick(['t', 'u']) }),
    () => random.pick([by, actor]).ok(api.editMessage, { message_id: id, content: '訂正' }),
    () => random.pick([by, owner]).ok(api.deleteMessage, { message_id: id }),
    () => by.ok(api.addReaction, { message_id: id, emoji_name: random.pick(emoji) }),
    () =>
      by.ok(api.updateMessageFlags, {
        messages: [id],
        op: random.pick(['add', 'remove'] as const),
        flag: random.pick(['read', 'starred'] as const),
      }),
  ];
  return random.pick(acts)();
}

/**
 * The calls of a round share one transaction, because a waiting poll must not see a state between them. One member may make them all, so
 * a round has at most `mostBegun`. A move of a whole topic has its own transaction, so it is a round alone.
 */
function callsAtRandom(server: eg.Server, random: Random, sent: readonly number[]): Promise<unknown>[] {
  if (random.below(5) > 0) return Array.from({ length: 1 + random.below(mostBegun) }, () => callAtRandom(server, random, sent));
  const actor = eg.signIn(server, random.pick([outside.owner, inside.member]));
  const [message_id, topic] = [random.pick(sent.slice(-12)), random.pick(['t', 'u'])];
  return [actor.ok(api.editMessage, { message_id, topic, propagate_mode: 'change_all' })];
}

/** The events of a single poll, or undefined if the queue has ended. */
async function receivedAlone(client: eg.Client, { id, cursor }: HeldQueue): Promise<readonly api.ServerEvent[] | undefined> {
  const query = { queue_id: id, last_event_id: String(cursor), dont_block: 'true' };
  const reply = await client.raw({ path: '/events', query });
  if (reply.status === 200) return api.getEvents.answer.parse(JSON.parse(reply.text)).events;
  expect(eg.refusal(reply).code).toBe('BAD_EVENT_QUEUE_ID');
  return undefined;
}

type Outcome = { readonly events: readonly api.ServerEvent[] } | { readonly error: unknown };

/** Polls one after the other, from the cursors of the queues on. @returns what one of the queues has received so far. */
function waitFor(listeners: readonly Listener[]): (listener: Listener) => Outcome | undefined {
  const outcomes = new Map<Listener, Outcome>();
  for (const listener of listeners) {
    const queue = heldQueue(listener.client, listener.queue.id, listener.queue.cursor);
    const poll = async (before: readonly api.ServerEvent[]): Promise<void> => {
      const events = await queue.wait();
      outcomes.set(listener, { events: [...before, ...events] });
      // An empty answer means that another poll of the queue has ended this one.
      if (events.length > 0) await poll([...before, ...events]);
    };
    poll([]).catch((error: unknown) => outcomes.set(listener, { error }));
  }
  return (listener) => outcomes.get(listener);
}

it.each([1, 2, 3, 4])(
  '[R4.4] [R4.6] Many waiting polls on several queues per member receive the same events as one poll that does not wait (seed %i)',
  async (seed) => {
    // Several turns for the calls of a round would show the state between their commits to those who wait.
    stopTaskTime();
    // While the time stands still, answers to 200 polls begin a rest, which lasts until the timer fires.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const random = seeded(seed);
    const server = await company();
    const listeners = await Promise.all(everyone.flatMap((name) => kinds.map((_, kind) => register(server, name, kind))));
    const sent = [...server.messages];
    const counts = new Map<string, number>();
    const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);

    for (let round = 0; round < rounds; round += 1) {
      // Sometimes no queue waits, sometimes few, sometimes most.
      const waiting = random.some(listeners, random.pick([0, 0.05, 0.15, 0.8, 1]));
      const outcomeOf = waitFor(waiting);
      await settled();
      await Promise.allSettled(callsAtRandom(server, random, sent));
      await settled();
      // These have missed the changes. If there is a rest now, they wait for its end.
      const late = listeners.filter((listener, index) => index % 2 === 0 && !waiting.includes(listener));
      const lateOutcomeOf = waitFor(late);
      await settled();
      vi.advanceTimersByTime(100);
      await settled();

      for (const [index, listener] of listeners.entries()) {
        const { name, kind, client, queue } = listener;
        const outcome = outcomeOf(listener) ?? lateOutcomeOf(listener);
        const waits = waiting.includes(listener) || late.includes(listener);
        const alone = await receivedAlone(client, queue);
        if (!alone) {
          count('an end');
          if (waits) expect(outcome).toHaveProperty('error');
          listeners[index] = await register(server, name, kind);
          continue;
        }
        if (waits) expect(outcome ?? { events: [] }, `${name} with ${kind} in ${round}`).toEqual({ events: alone });
        for (const event of alone) {
          count(event.type);
          if (event.type !== 'message') continue;
          // Throws if the member may not read the message.
          await client.ok(api.getMessage, { message_id: event.message.id });
          if (!sent.includes(event.message.id)) sent.push(event.message.id);
        }
        // This also ends a poll that still waits.
        await queue.take();
      }
    }
    // Guards against a run in which too little happens.
    const types = ['message', 'update_message', 'delete_message', 'reaction', 'update_message_flags', 'subscription', 'an end'];
    expect(types.filter((type) => (counts.get(type) ?? 0) < 3)).toEqual([]);
  },
);

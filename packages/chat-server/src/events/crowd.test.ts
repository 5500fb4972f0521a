import { addressDirect, addressStream, sendMessage, subscribe, unsubscribe, updateMessageFlags } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { conversations } from '../conversations/store.ts';
import { messageFlags, readStates } from '../reading/store.ts';
import { company, everyone, inside, outside, streams } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { seeded } from '../testing/random.ts';
import { Crowd } from './crowd.ts';

/** Many conversations, in which members come and go, read and are called. */
async function story() {
  const server = await company();
  const random = seeded(3);
  const keeper = eg.signIn(server, inside.member);
  const ids: number[] = [];
  for (const stream of streams) {
    for (let time = 0; time < 5; time += 1) {
      const principals = random.some(everyone, 0.5).flatMap((name) => (name === inside.member ? [] : [server.user(name)]));
      await keeper.ok(subscribe, { subscriptions: [{ name: stream }], principals });
      const content =
        random
          .some(['佐藤 花子', '鈴木 一郎', '伊藤 誠', '森 さくら'], 0.7)
          .map((name) => `@**${name}**`)
          .join(' と ') || '皆さん';
      ids.push((await keeper.ok(sendMessage, { type: 'stream', to: addressStream(stream), topic: 't', content })).id);
      await eg
        .signIn(server, outside.owner)
        .ok(unsubscribe, { subscriptions: [stream], principals: random.some(principals, 0.5) });
    }
  }
  for (const [index, name] of everyone.entries()) {
    const client = eg.signIn(server, name);
    for (const other of everyone.slice(index + 1)) {
      const to = addressDirect([server.user(other)]);
      const [outcome] = await Promise.allSettled([client.ok(sendMessage, { type: 'direct', to, content: 'こんにちは' })]);
      if (outcome.status === 'fulfilled') ids.push(outcome.value.id);
    }
    await client.ok(updateMessageFlags, { messages: random.some(ids, 0.5), op: 'add', flag: 'read' });
  }
  const { reader } = fileOf(server).database;
  const users = everyone.map((name) => server.user(name));
  const places = [
    ...new Set(users.flatMap((user) => conversations.everyStay(reader, user).map(({ conversation_id: id }) => id))),
  ];
  return { reader, users, places, ids };
}

const shown = ({
  began_event,
  ended_event,
  began_message,
  ended_message,
  shared_history,
}: ReturnType<Crowd['stays']>[number]) => ({ began_event, ended_event, began_message, ended_message, shared_history });

it('[issue 8] a crowd knows of each in it what is known of them alone, however many they are and in whatever order it is asked', async () => {
  const { reader, users, places, ids } = await story();
  const half = users.filter((_, index) => index % 2 === 0);
  for (const some of [users, half, users.slice(5, 7), ...users.map((user) => [user])]) {
    for (const order of [places, places.toReversed()]) {
      const crowd = new Crowd(reader, some);
      for (const userId of some) {
        for (const place of order) {
          const own = conversations.stays(reader, place, userId);
          expect(crowd.stays(place, userId).map(shown), `${userId} of ${some.join()} in ${place}`).toEqual(own.map(shown));
          if (own.length > 0) expect(crowd.readRanges(place, userId)).toEqual(readStates.ranges(reader, userId, place));
        }
        for (const id of ids) expect(crowd.bits(id, userId)).toBe(messageFlags.bits(reader, userId, id));
      }
    }
  }

  // A story without them would prove nothing.
  const haveRead = users.filter((user) => places.some((place) => readStates.ranges(reader, user, place).length > 1));
  const called = ids.map((id) => users.filter((user) => messageFlags.bits(reader, user, id) > 0).length);
  const returned = users.filter((user) => places.some((place) => conversations.stays(reader, place, user).length > 1));
  expect([haveRead.length, Math.max(...called), returned.length].filter((count) => count < 3)).toEqual([]);
  expect(places.length).toBeGreaterThan(20);
});

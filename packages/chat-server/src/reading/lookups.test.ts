import { addressDirect, addressStream, sendMessage, subscribe, unsubscribe, updateMessageFlags } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { type Period, memberships } from '../conversations/memberships.ts';
import { includes } from './ranges.ts';
import { messageFlags, readStates } from './store.ts';
import { company, everyone, inside, outside, streams } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { seeded } from '../testing/random.ts';
import { periodsOf } from '../conversations/lookups.ts';
import { DeliveryBatch } from '../events/batch.ts';
import { flagBits, readsIn } from './lookups.ts';

/** Many conversations in which members join, leave, read messages and are mentioned. */
async function generateHistory() {
  const server = await company();
  const random = seeded(3);
  const subscriber = eg.signIn(server, inside.member);
  const ids: number[] = [];
  for (const stream of streams) {
    for (let time = 0; time < 5; time += 1) {
      const principals = random.some(everyone, 0.5).flatMap((name) => (name === inside.member ? [] : [server.user(name)]));
      await subscriber.ok(subscribe, { subscriptions: [{ name: stream }], principals });
      const content =
        random
          .some(['佐藤 花子', '鈴木 一郎', '伊藤 誠', '森 さくら'], 0.7)
          .map((name) => `@**${name}**`)
          .join(' と ') || '皆さん';
      ids.push((await subscriber.ok(sendMessage, { type: 'stream', to: addressStream(stream), topic: 't', content })).id);
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
  const conversationIds = [
    ...new Set(users.flatMap((user) => memberships.periodsOfUser(reader, user).map(({ conversation_id: id }) => id))),
  ];
  return { reader, users, conversationIds, ids };
}

const comparable = ({ began_event, ended_event, began_message, ended_message, shared_history }: Period) => ({
  began_event,
  ended_event,
  began_message,
  ended_message,
  shared_history,
});

it('Lookups for many members at once return the same memberships, read ranges and flags as lookups for one member', async () => {
  const { reader, users, conversationIds, ids } = await generateHistory();
  const half = users.filter((_, index) => index % 2 === 0);
  for (const some of [users, half, users.slice(5, 7), ...users.map((user) => [user])]) {
    for (const order of [conversationIds, conversationIds.toReversed()]) {
      const batch = new DeliveryBatch(reader, some);
      for (const userId of some) {
        for (const conversationId of order) {
          const single = memberships.of(reader, conversationId, userId);
          expect(
            periodsOf(batch, conversationId, userId).map(comparable),
            `${userId} of ${some.join()} in ${conversationId}`,
          ).toEqual(single.map(comparable));
          if (single.length === 0) continue;
          const isRead = readsIn(batch, conversationId);
          const ranges = readStates.ranges(reader, userId, conversationId);
          expect(ids.map((id) => isRead(userId, { id, sender_id: 0, read_by_sender: 0 }))).toEqual(
            ids.map((id) => includes(ranges, id)),
          );
        }
        for (const id of ids) expect(flagBits(batch)(id, userId)).toBe(messageFlags.bits(reader, userId, id));
      }
    }
  }

  // Guards against a history that contains too few cases.
  const withGaps = users.filter((user) =>
    conversationIds.some((conversationId) => readStates.ranges(reader, user, conversationId).length > 1),
  );
  const mentions = ids.map((id) => users.filter((user) => messageFlags.bits(reader, user, id) > 0).length);
  const rejoined = users.filter((user) =>
    conversationIds.some((conversationId) => memberships.of(reader, conversationId, user).length > 1),
  );
  expect([withGaps.length, Math.max(...mentions), rejoined.length].filter((count) => count < 3)).toEqual([]);
  expect(conversationIds.length).toBeGreaterThan(20);
});

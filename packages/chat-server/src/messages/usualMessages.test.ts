import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { deliveryRules } from '../deliveryRules.ts';
import { DeliveryBatch, SharedLookups } from '../events/batch.ts';
import { type Queue, queueOptions } from '../events/queues.ts';
import { noGroups } from '../identity/groups.ts';
import { users } from '../identity/store.ts';
import { company, everyone, inside, leaver, outside, streams } from '../testing/company.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { type Random, seeded } from '../testing/random.ts';

const calls = 120;
const fullNames = ['佐藤 花子', '鈴木 一郎', '伊藤 誠', '森 さくら'];

/** Members join, leave, write, mention, read, star, edit and delete. Four hide their pictures. Some calls are refused. */
async function randomHistory(random: Random) {
  const server = await company();
  for (const name of everyone) await server.setAvatar(name, `/${name}.png`);
  for (const name of [outside.administrator, outside.moderator, outside.member, leaver]) {
    await eg.signIn(server, name).ok(api.updateSettings, { photo_audience: { audience: 'nobody' } });
  }
  const owner = eg.signIn(server, outside.owner);
  const sentFrom = await queueOf(eg.signIn(server, inside.member));
  const sent: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const [name, stream] = [random.pick(everyone), random.pick(streams)];
    const by = eg.signIn(server, name);
    const [subscriptions, messages] = [[stream], random.some(sent.slice(-20), 0.4)];
    const starring = eg.signIn(server, random.pick([inside.member, leaver]));
    const principals = random.some(everyone, 0.3).map((each) => server.user(each));
    const content = random.chance(0.3) ? `@**${random.pick(['all', ...fullNames])}**` : `一言 ${call}`;
    const place = { type: 'stream', to: api.addressStream(stream), topic: 't' } as const;
    const send = async () => void sent.push((await by.ok(api.sendMessage, { ...place, content })).id);
    const acts = [
      ...Array.from({ length: 8 }, () => send),
      () =>
        eg.signIn(server, inside.member).ok(api.sendMessage, { ...place, content, queue_id: sentFrom.id, local_id: `${call}` }),
      () => eg.signIn(server, inside.member).ok(api.subscribe, { subscriptions: [{ name: stream }], principals }),
      () => owner.ok(api.unsubscribe, { subscriptions, principals }),
      () => by.ok(api.updateMessageFlags, { messages, op: random.pick(['add', 'remove'] as const), flag: 'read' }),
      () => by.ok(api.markAllAsRead, {}),
      // One by one, because a call with a message that the member may not read is refused.
      () =>
        Promise.allSettled(
          messages.map((id) => starring.ok(api.updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' })),
        ),
      () => by.ok(api.editMessage, { message_id: messages[0] ?? 0, content: '訂正' }),
      () => owner.ok(api.deleteMessage, { message_id: messages[0] ?? 0 }),
    ];
    await Promise.allSettled([random.pick(acts)()]);
  }
  return { server, sentFrom: sentFrom.id };
}

it.each([1, 2, 3])(
  '[R4.4] [R4.6] An event that a returning member gets in bytes that members share equals what the rules decide for it alone (seed %i)',
  async (seed) => {
    const random = seeded(seed);
    const { server, sentFrom } = await randomHistory(random);
    const { database, log } = fileOf(server);
    const { reader } = database;
    const rules = deliveryRules(noGroups);
    const rows = log.after(reader, 0, 5000).filter(({ type }) => type === 'message');
    const shared = new SharedLookups();
    const counts = { foreign: 0, usual: 0, read: 0, starred: 0, received: 0, hidden: 0 };
    for (const name of everyone) {
      const id = server.user(name);
      const member = eg.memberOf(
        server,
        name,
        users.byId(reader, id)?.role === api.roles.guest ? api.roles.guest : api.roles.member,
      );
      for (const apply_markdown of [true, false]) {
        for (const [from, upTo] of [
          [0, rows.length],
          ...random.some(
            rows.map((_, at) => [at, at + 1 + random.below(20)] as const),
            0.3,
          ),
        ]) {
          const events = rows.slice(from, upTo);
          const queue: Queue = {
            id: sentFrom,
            member,
            options: queueOptions.parse({ apply_markdown, narrow: [] }),
            began: 0,
            lifespan: 0,
          };
          const userIds = random.chance(0.5) ? [id] : everyone.map((each) => server.user(each));
          const usual = rules.usual(events, queue, new DeliveryBatch(reader, userIds, shared));
          for (const [index, event] of events.entries()) {
            const alone = new DeliveryBatch(reader, [id]);
            const expected = rules.receives(event, alone)(queue)
              ? rules.serializers.get('message')?.(event, queue, alone)
              : undefined;
            const bytes = usual[index];
            if (bytes === null) expect(expected, `${name}: ${event.id}`).toBeUndefined();
            if (bytes === null) counts.foreign += 1;
            if (bytes) expect(Buffer.from(bytes).toString(), `${name}: ${event.id}`).toBe(expected);
            if (bytes) counts.usual += 1;
            if (bytes && expected?.includes('"flags":["read"]')) counts.read += 1;
            if (!bytes && expected?.includes('"starred"')) counts.starred += 1;
            if (expected !== undefined && !bytes) counts.received += 1;
            if (expected === undefined) counts.hidden += 1;
          }
        }
      }
    }
    // Guards against a history in which one of the cases is missing.
    expect(Object.entries(counts).filter(([, count]) => count < 10)).toEqual([]);
  },
);

it('A returning member who wrote some of the messages and has read all gets all in bytes that members share', async () => {
  const server = await eg.server();
  const { database, log } = fileOf(server);
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  for (let times = 0; times < 5; times += 1) {
    for (const by of [tanaka, sato]) await by.ok(api.sendMessage, eg.streamMessage('一'));
    await sato.ok(api.markAllAsRead, {});
  }
  await sato.ok(api.sendMessage, eg.streamMessage('二'));
  const events = log.after(database.reader, 0, 5000).filter(({ type }) => type === 'message');
  const queue: Queue = {
    id: 'another',
    member: eg.memberOf(server, 'sato', api.roles.member),
    options: queueOptions.parse({ apply_markdown: true, narrow: [] }),
    began: 0,
    lifespan: 0,
  };
  const usual = deliveryRules(noGroups).usual(events, queue, new DeliveryBatch(database.reader, [queue.member.id]));
  expect(usual.map((bytes) => bytes && Buffer.from(bytes).toString().includes('"flags":["read"]'))).toEqual(Array(11).fill(true));
});

it('For a returning member only as many long messages are written as one answer has', async () => {
  const server = await eg.server();
  for (let sent = 0; sent < 250; sent += 1) {
    await eg.signIn(server, 'tanaka').ok(api.sendMessage, eg.streamMessage('長'.repeat(10_000)));
  }
  const { database, log } = fileOf(server);
  const member = eg.memberOf(server, 'suzuki', api.roles.member);
  const options = queueOptions.parse({ apply_markdown: false, narrow: [] });
  const queue: Queue = { id: '', member, options, began: 0, lifespan: 0 };
  const rows = log.after(database.reader, 0, 5000).filter(({ type }) => type === 'message');
  const usual = deliveryRules(noGroups).usual(rows, queue, new DeliveryBatch(database.reader, [member.id], new SharedLookups()));
  // 34 of them are 1 MB. They are written by the hundred.
  expect(usual.filter(Boolean)).toHaveLength(100);
});

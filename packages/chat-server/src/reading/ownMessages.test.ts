import { registerQueue, sendMessage, updateMessageFlags } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { seeded } from '../testing/random.ts';
import { readStates } from './store.ts';

it.each([1, 2])(
  'A message that its sender marked as unread stays unread, and others stay read, when many messages follow (seed %i)',
  async (seed) => {
    const server = await eg.server();
    const random = seeded(seed);
    const names = ['tanaka', 'sato'] as const;
    const clients = { tanaka: eg.signIn(server, 'tanaka'), sato: eg.signIn(server, 'sato') };
    const unread = { tanaka: new Set<number>(), sato: new Set<number>() };
    const sent: number[] = [];
    const expectSame = async () => {
      for (const name of names) {
        const { unread_msgs: of } = await clients[name].ok(registerQueue, {
          fetch_event_types: ['message', 'update_message_flags'],
        });
        const listed = of?.streams.flatMap(({ unread_message_ids }) => unread_message_ids) ?? [];
        expect(listed.toSorted((one, other) => one - other)).toEqual([...unread[name]].toSorted((one, other) => one - other));
      }
    };
    for (let times = 1; times <= 2200; times += 1) {
      const name = random.pick(names);
      const other = name === 'tanaka' ? 'sato' : 'tanaka';
      const read_by_sender = !random.chance(0.05);
      const place = eg.streamMessage('一', random.chance(0.8) ? eg.general : eg.personnel);
      const { id } = await clients[name].ok(sendMessage, { ...place, read_by_sender });
      sent.push(id);
      unread[other].add(id);
      if (!read_by_sender) unread[name].add(id);
      if (random.chance(0.1)) {
        const marking = random.pick(names);
        const op = random.pick(['add', 'remove'] as const);
        const messages = random.some(sent.slice(-random.pick([5, 40, 1500])), 0.2);
        await clients[marking].ok(updateMessageFlags, { messages, op, flag: 'read' });
        for (const each of messages) unread[marking][op === 'add' ? 'delete' : 'add'](each);
      }
      if (times % 211 === 0 || id % 1000 < 2) await expectSame();
    }
  },
  60_000,
);

it('A complete block of messages is one read range of a member who has read them all and sent half of them', async () => {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const { database } = fileOf(server);
  for (let times = 0; times < 600; times += 1) {
    const { id } = await tanaka.ok(sendMessage, eg.streamMessage('一'));
    await sato.ok(updateMessageFlags, { messages: [id], op: 'add', flag: 'read' });
    await sato.ok(sendMessage, eg.streamMessage('二'));
  }
  const [userId, streamId] = [server.user('sato'), server.stream(eg.general)];
  expect(readStates.rangesOf(database.reader, streamId, [userId])(userId, 1, 1000)).toBe(true);
});

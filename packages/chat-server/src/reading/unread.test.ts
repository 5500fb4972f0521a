import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { StepClock, atOnce } from '../turns.ts';
import { unreadMessages } from './unread.ts';

const names = ['sato', 'suzuki', 'takahashi'];

async function unreadOf(server: eg.Server, name: string) {
  const { unread_msgs } = await eg.signIn(server, name).ok(api.registerQueue, {});
  return unread_msgs;
}

it.each<[string, (server: eg.Server, last: number) => Promise<unknown>]>([
  ['no change', async () => undefined],
  ['another message', (server) => eg.signIn(server, 'tanaka').ok(api.sendMessage, eg.streamMessage('もう一つ'))],
  ['a new topic', (server, last) => eg.signIn(server, 'tanaka').ok(api.editMessage, { message_id: last, topic: '別件' })],
  ['a deletion', (server, last) => eg.signIn(server, 'tanaka').ok(api.deleteMessage, { message_id: last })],
  [
    'a message that one of them read',
    (server, last) => eg.signIn(server, 'suzuki').ok(api.updateMessageFlags, { messages: [last], op: 'add', flag: 'read' }),
  ],
])(
  'Members who register one after another get the unread messages of their own registration, after %s in between',
  async (_, change) => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    let last = 0;
    for (let number = 1; number <= 5; number += 1) last = (await tanaka.ok(api.sendMessage, eg.streamMessage(`${number} 番`))).id;
    for (const name of names)
      expect((await unreadOf(server, name))?.streams.flatMap((each) => each.unread_message_ids)).toContain(last);
    await change(server, last);
    const { reader } = fileOf(server).database;
    for (const name of names) {
      expect(await unreadOf(server, name), name).toEqual(atOnce(unreadMessages(reader, server.user(name), new StepClock())));
    }
  },
);

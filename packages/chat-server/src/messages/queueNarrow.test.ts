import { addressStream, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { flagBits, messageFlags } from '../reading/store.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';

/** The messages that sato receives by this narrow. The first is unread, and she sent the second. */
async function received(operator: string, operand: string): Promise<string[]> {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const queue = await queueOf(sato, { narrow: [{ operator, operand }], event_types: ['message'] });
  const stream = { type: 'stream', to: eg.general, topic: 'お昼', content: '@**佐藤 花子** 一' };
  const first = await tanaka.ok(sendMessage, stream);
  await sato.ok(sendMessage, { ...stream, to: eg.personnel, topic: '✔ Lunch', content: '二' });
  await tanaka.ok(sendMessage, { type: 'direct', to: `[${server.user('sato')}]`, content: '三' });
  await tanaka.ok(sendMessage, { type: 'stream', to: addressStream(eg.numbered), topic: 'お昼', content: 'not hers' });
  const { database } = fileOf(server);
  const { starred, mentioned, has_alert_word } = flagBits;
  const bits = starred | mentioned | has_alert_word;
  await database.write((tx) => messageFlags.put(tx, server.user('sato'), first.id, bits));
  const events = await queue.take();
  return events.map((event) => (event.type === 'message' ? event.message.content.slice(-1) : event.type));
}

it.each([
  ['stream', eg.general, ['一']],
  ['channel', eg.personnel, ['二']],
  ['stream', '１２３', []],
  ['topic', '✔ lunch', ['二']],
  ['sender', 'Tanaka@example.com', ['一', '三']],
  ['is', 'dm', ['三']],
  ['is', 'private', ['三']],
  ['is', 'resolved', ['二']],
  ['is', 'unread', ['一', '三']],
  ['is', 'starred', ['一']],
  ['is', 'mentioned', ['一']],
  ['is', 'alerted', ['一']],
])('A queue with a narrow (filter) for %s %s receives only the messages %j', async (operator, operand, contents) => {
  expect(await received(operator, operand)).toEqual(contents);
});

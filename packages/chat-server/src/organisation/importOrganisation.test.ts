import { getMessages, getSubscriptions, registerQueue } from '@engawa/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { NotEmptyError } from './importOrganisation.ts';

function empty() {
  const server = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock() });
  onTestFinished(() => server.close());
  return server;
}

it('An import creates the users and streams of the organisation', async () => {
  const server = empty();
  expect(server.isEmpty()).toBe(true);
  const { users, streams } = await server.import(eg.organisation());
  expect(server.isEmpty()).toBe(false);
  expect([...users.keys()]).toEqual(eg.organisation().users.map(({ email }) => email));
  expect([...streams.keys()]).toEqual([eg.general, eg.personnel, eg.board, eg.numbered]);
});

it('A server that already has an organisation refuses to import another', async () => {
  const server = empty();
  await server.import(eg.organisation());
  await expect(server.import(eg.organisation())).rejects.toThrow(NotEmptyError);
});

it('If one part of an organisation to import is invalid, the server imports nothing', async () => {
  const server = empty();
  const messages = [eg.pastMessage('good'), eg.pastMessage('lost', { stream: 'no such stream' })];
  await expect(server.import(eg.organisation({ messages }))).rejects.toThrow('no such stream');
  expect(server.isEmpty()).toBe(true);
  await server.import(eg.organisation());
});

it('An imported organisation has its message history, and only the messages given as unread are unread', async () => {
  const server = await eg.server({
    organisation: eg.organisation({
      messages: [
        eg.pastMessage('1'),
        eg.pastMessage('2', { by: 'sato' }),
        eg.pastMessage('3', { stream: eg.personnel }),
        eg.pastMessage('4'),
        eg.pastMessage('5', { by: 'sato' }),
        eg.pastMessage('6'),
      ],
      unread: [{ email: eg.emailOf('sato'), stream: eg.general, count: 2 }],
    }),
  });
  const unreadOf = async (name: string) => {
    const { messages } = await eg.signIn(server, name).ok(getMessages, {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      apply_markdown: false,
    });
    return messages.filter(({ flags }) => !flags?.includes('read')).map(({ content }) => content);
  };
  expect(await unreadOf('sato')).toEqual(['4', '6']);
  expect(await unreadOf('tanaka')).toEqual([]);
  const { unread_msgs } = await eg.signIn(server, 'sato').ok(registerQueue, {});
  expect(unread_msgs).toMatchObject({
    count: 2,
    streams: [{ stream_id: server.stream(eg.general), unread_message_ids: [server.messages[3], server.messages[5]] }],
  });
});

it('[R1.8] An import orders direct messages and stream messages together by their time', async () => {
  const [tanaka, sato] = [eg.emailOf('tanaka'), eg.emailOf('sato')];
  const first = eg.pastMessage('1');
  const then = first.timestamp;
  const server = await eg.server({
    organisation: eg.organisation({
      messages: [first, { ...eg.pastMessage('3'), timestamp: then + 20 }],
      directs: [
        {
          participants: [tanaka, sato],
          messages: [
            { sender: sato, content: '2', timestamp: then + 10 },
            { sender: sato, content: '4', timestamp: then + 30 },
          ],
          unread: [{ email: tanaka, count: 1 }],
        },
      ],
    }),
  });
  const { messages } = await eg.signIn(server, 'tanaka').ok(getMessages, {
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    apply_markdown: false,
  });
  expect(messages.map(({ content }) => content)).toEqual(['1', '2', '3', '4']);
  const { unread_msgs } = await eg.signIn(server, 'tanaka').ok(registerQueue, {});
  expect(unread_msgs?.pms).toEqual([
    { other_user_id: server.user('sato'), sender_id: server.user('sato'), unread_message_ids: [messages[3]?.id] },
  ]);
  expect((await eg.signIn(server, 'sato').ok(registerQueue, {})).unread_msgs).toMatchObject({ pms: [] });
});

it('[R4.9] An import stores no content of deleted messages', async () => {
  const server = await eg.server({
    organisation: eg.organisation({ messages: [eg.pastMessage('kept'), eg.pastMessage('the secret', { deleted: true })] }),
  });
  const tanaka = eg.signIn(server, 'tanaka');
  const query = { anchor: 'newest', num_before: '9', num_after: '0', include_deleted: 'true' };
  const { text } = await tanaka.raw({ path: '/messages', query });
  expect(text).not.toContain('the secret');
  const { messages } = getMessages.answer.parse(JSON.parse(text));
  expect(messages.map(({ deleted }) => deleted ?? false)).toEqual([false, true]);
});

it('An import stores the settings of streams', async () => {
  const server = await eg.server();
  const { subscriptions } = await eg.signIn(server, 'tanaka').ok(getSubscriptions, {});
  const settings = subscriptions.map(({ name, history_public_to_subscribers: shared }) => [name, shared]);
  expect(settings).toEqual([
    [eg.general, true],
    [eg.personnel, false],
    [eg.numbered, true],
  ]);
});

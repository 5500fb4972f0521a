import { expect, it, vi } from 'vitest';
import { chatServer, errorAnswer } from '../../test/chatServer.ts';
import { screenOf } from '../../test/screen.tsx';
import { en } from '../i18n/en.ts';
import { ja } from '../i18n/ja.ts';
import { selectConnection } from '../model/connection/state.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';

const away = () => errorAnswer(502, 'CHAT_SERVER_UNAVAILABLE', 'The chat server does not answer');

it.each([
  ['ja', ja],
  ['en', en],
] as const)('[R7.8] The screens say that the chat server does not answer, until it does (%s)', async (locale, { connection }) => {
  const server = await chatServer();
  const screen = await screenOf(() => <ConnectionNotice />, { server, locale });
  await vi.waitFor(() => expect(server.polling()).toBe(1));
  server.fail('GET /events', away());
  await server.endPolls();
  await screen.findByText(connection.chatServerAway);
  screen.wake();
  await vi.waitFor(() => expect(selectConnection(screen.model.state())).toBe('online'));
  await vi.waitFor(() => expect(screen.queryByText(connection.chatServerAway)).toBeNull());
});

it('[R7.8] A start without the chat server says so, and goes on when it answers', async () => {
  const server = await chatServer();
  const screen = await screenOf(() => <ConnectionNotice />, { server });
  await vi.waitFor(() => expect(server.polling()).toBe(1));
  server.fail('GET /events', errorAnswer(400, 'BAD_EVENT_QUEUE_ID', 'Bad event queue ID'));
  server.fail('POST /register', away());
  await server.endPolls();
  await screen.findByText(ja.connection.chatServerAway);
  screen.wake();
  await vi.waitFor(() => expect(screen.queryByText(ja.connection.chatServerAway)).toBeNull());
});

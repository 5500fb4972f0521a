import { fireEvent } from '@testing-library/react';
import { subscribe, unsubscribe, updateUser } from '@engawa/client';
import { roles, type User } from '@engawa/protocol';
import { describe, expect, it, vi } from 'vitest';
import { chatServer } from '../../../test/chatServer.ts';
import { ai, design, general, ken, mai } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { ModelProvider, useModel } from '../../hooks/model.ts';
import { selectConversation } from '../../model/conversations/selectors.ts';
import { directOf, type ConversationKey } from '../../model/streams/conversation.ts';
import { ChatHeader } from './ChatHeader.tsx';

const search = { open: () => undefined, preload: () => undefined };

/** The header of a conversation for 田中 愛. */
async function header(conversation: ConversationKey, guests: readonly User[] = [], calls = true) {
  const server = await chatServer();
  for (const { user_id } of guests) await updateUser(server.as(ai), { user_id, role: roles.guest });
  await server.send(ken, directOf([ai.user_id, ken.user_id, mai.user_id]), '三人で話しましょう');
  function Header() {
    const view = useModel(selectConversation, conversation);
    return view && <ChatHeader view={view} search={search} onBack={undefined} />;
  }
  const screen = await screenOf(
    ({ model }) => (
      <ModelProvider value={{ ...model, session: { ...model.session, calls } }}>
        <Header />
      </ModelProvider>
    ),
    { server },
  );
  return { ...screen, notice: () => screen.queryByRole('button', { name: /社外の方がいます/ }) };
}

describe('ChatHeader', () => {
  it('The header of a stream says at once when a guest joins or leaves, and names the guest', async () => {
    const { server, notice, findByRole } = await header(design.stream_id, [mai]);
    await findByRole('button', { name: 'その他の操作' });
    expect(notice()).toBeNull();

    await subscribe(server.as(ken), { subscriptions: [{ name: design.name }], principals: [mai.user_id] });
    const button = await findByRole('button', { name: '社外の方がいます 佐藤 舞さん' });
    fireEvent.click(button);
    const dialog = await findByRole('dialog', { name: '社外の方 (1)' });
    expect(dialog.textContent).toContain('佐藤 舞');

    await unsubscribe(server.as(ken), { subscriptions: [design.name], principals: [mai.user_id] });
    await vi.waitFor(() => expect(notice()).toBeNull());
  });

  it('The header of a stream says at once when a member of it becomes a guest', async () => {
    const { server, notice, findByRole } = await header(general.stream_id);
    await findByRole('button', { name: 'その他の操作' });
    expect(notice()).toBeNull();
    await updateUser(server.as(ai), { user_id: mai.user_id, role: roles.guest });
    await findByRole('button', { name: '社外の方がいます 佐藤 舞さん' });
  });

  it.each([
    ['a stream', design.stream_id],
    ['a direct conversation', directOf([ai.user_id, ken.user_id])],
  ])('[R2.10] The header of %s starts calls by two buttons, and has none with calls off', async (_, conversation) => {
    for (const calls of [true, false]) {
      const { findByRole, queryAllByRole, unmount } = await header(conversation, [], calls);
      await findByRole('button', { name: 'メッセージを検索' });
      expect(queryAllByRole('button', { name: /^(音声|ビデオ)通話$/ })).toHaveLength(calls ? 2 : 0);
      unmount();
    }
  });

  it('The header of a group conversation names its guests', async () => {
    const { findByRole } = await header(directOf([ai.user_id, ken.user_id, mai.user_id]), [mai]);
    await findByRole('button', { name: '社外の方がいます 佐藤 舞さん' });
  });
});

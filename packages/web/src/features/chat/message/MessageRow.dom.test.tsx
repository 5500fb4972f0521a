import { fireEvent } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { deleteMessage, subscribe, unsubscribe } from '@engawa/client';
import { chatServer, errorAnswer } from '../../../../test/chatServer.ts';
import { only, rows, type ExampleOptions } from '../../../../test/example.ts';
import { ai, general, ken, mai } from '../../../../test/organisation.ts';
import { screenOf } from '../../../../test/screen.tsx';
import { useModel } from '../../../hooks/model.ts';
import { selectTimeline } from '../../../model/outbox/selectors.ts';
import { MessageRow } from './MessageRow.tsx';

const conversation = general.stream_id;

/** All rows of a stream, with the first unread message of the member. */
async function messageRows(options?: ExampleOptions) {
  const onTakeBack = vi.fn();
  const onHistory = vi.fn();
  function Rows() {
    const { keys = [], firstUnread } = useModel(selectTimeline, conversation) ?? {};
    return keys.map((key, index) => (
      <MessageRow
        key={key}
        messageKey={key}
        previousKey={keys[index - 1]}
        isStart={index === 0}
        isFirstUnread={key === firstUnread}
        isMarked={false}
        onTakeBack={onTakeBack}
        onHistory={onHistory}
      />
    ));
  }
  const screen = await screenOf(() => <Rows />, options);
  const rowWith = async (text: string) => (await screen.findByText(text)).closest('article');
  return { ...screen, onTakeBack, onHistory, rowWith };
}

describe('MessageRow', () => {
  it('[R2.7.2] The line of the server about new members names them, and has no tools, no receipt and no bubble', async () => {
    const { server, findByText, queryByText } = await messageRows();
    await unsubscribe(server.as(mai), { subscriptions: [general.name] });
    await subscribe(server.as(ken), { subscriptions: [{ name: general.name }], principals: [mai.user_id] });
    const line = await findByText(`${ken.full_name}さんが${mai.full_name}さんを追加しました`);
    expect(line.closest('article')).toBeNull();
    expect(queryByText(/を追加しました。/)).toBeNull();
  });

  it('[R4.8.2] A message that the server refused shows the reason, and its button sends it again', async () => {
    const { model, server, findByRole, getByRole } = await messageRows();
    server.fail('POST /messages', errorAnswer(400, 'BAD_REQUEST', 'Message too long'));
    model.send(conversation, { text: '届きますか', file: undefined });
    expect((await findByRole('alert')).textContent).toContain('Message too long');
    fireEvent.click(getByRole('button', { name: 'もう一度送る' }));
    await vi.waitFor(() => expect(rows(model, conversation)).toContain('sent 届きますか'));
  });

  it('[R4.8.2] A button takes a refused message back into the composer', async () => {
    const { model, server, findByRole, onTakeBack } = await messageRows();
    server.fail('POST /messages', errorAnswer(400, 'BAD_REQUEST', 'no'));
    model.send(conversation, { text: '書き直します', file: undefined });
    fireEvent.click(await findByRole('button', { name: '入力欄に戻す' }));
    expect(onTakeBack.mock.calls).toMatchObject([[{ content: '書き直します', state: 'failed' }]]);
  });

  it('[R5.3] A message that mentions the member is highlighted and has a hidden text that says so to screen readers', async () => {
    const { server, rowWith, findByText } = await messageRows();
    await server.send(ken, conversation, `@**${ai.full_name}** 確認をお願いします`);
    const row = await rowWith('確認をお願いします');
    expect(row?.dataset['called']).toBe('mention');
    expect(await findByText('あなたへのメンション')).toBeTruthy();
    expect((await rowWith('おはようございます'))?.dataset['called']).toBeUndefined();
  });

  it('[R2.15] A deleted message keeps its row, which shows that it was deleted and none of its content', async () => {
    const { model, server, findByText, queryByText } = await messageRows();
    await deleteMessage(server.as(ken), { message_id: Number(only(model, conversation, 'おはようございます')) });
    expect(await findByText('削除した')).toBeTruthy();
    expect(queryByText('おはようございます')).toBeNull();
  });

  it('[R4.9] An edited message has a button that opens its versions', async () => {
    const { model, server, findByRole, onHistory } = await messageRows();
    const key = only(model, conversation, 'おはようございます');
    await server.edit(ken, Number(key), 'こんばんは');
    fireEvent.click(await findByRole('button', { name: '(編集済み)' }));
    expect(onHistory).toHaveBeenCalledWith(key);
  });

  it('[R2.14] A divider is shown at the start of the conversation, above the first unread message and at a new day', async () => {
    const server = await chatServer();
    await server.send(ken, conversation, '前日です');
    await server.clock.jump(24 * 60 * 60);
    const { rowWith, findAllByRole } = await messageRows({ server });
    const dividers = await findAllByRole('separator');
    const [start, unread, day, ...others] = dividers.map((divider) => divider.getAttribute('aria-label'));
    expect(start).toContain('はじまりました');
    expect(unread).toBe('新着メッセージ');
    expect(day).not.toContain('はじまりました');
    expect(others).toEqual([]);
    expect((await rowWith('おはようございます'))?.parentElement?.contains(dividers[2] ?? null)).toBe(true);
  });

  it('An arriving message renders only its own row', async () => {
    const { server, rowWith } = await messageRows();
    const before = await rowWith('おはようございます');
    const changed = vi.fn();
    const changes = new MutationObserver(changed);
    if (before) changes.observe(before, { attributes: true, childList: true, characterData: true, subtree: true });
    await server.send(ken, conversation, '次のメッセージ');
    await rowWith('次のメッセージ');
    expect(changed).not.toHaveBeenCalled();
    changes.disconnect();
  });
});

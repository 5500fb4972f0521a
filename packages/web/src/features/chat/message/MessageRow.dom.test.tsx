import { fireEvent } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { deleteMessage, subscribe, unsubscribe, updateUser } from '@engawa/client';
import { roles, type User } from '@engawa/protocol';
import { chatServer, errorAnswer } from '../../../../test/chatServer.ts';
import { only, rows, type ExampleOptions } from '../../../../test/example.ts';
import { ai, general, ken, mai } from '../../../../test/organisation.ts';
import { screenOf } from '../../../../test/screen.tsx';
import { useModel } from '../../../hooks/model.ts';
import { selectTimeline } from '../../../model/outbox/selectors.ts';
import { selectName } from '../../../model/people/selectors.ts';
import { MessageRow } from './MessageRow.tsx';

const conversation = general.stream_id;

/** All rows of a stream, with the first unread message of the member. */
async function messageRows({ isCompact = false, ...options }: ExampleOptions & { readonly isCompact?: boolean } = {}) {
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
        isCompact={isCompact}
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

  it('[R4.8.2] While a failed message is sent again, it and the one after it keep their reasons and buttons', async () => {
    const { model, server, clock, findByRole, getByRole, getAllByRole, findByText, onTakeBack } = await messageRows();
    server.fail('POST /messages', 'cut', 'late');
    for (const text of ['一つ目', '二つ目']) model.send(conversation, { text, file: undefined });
    const alert = await findByRole('alert');
    await findByText('送信待ち');
    const buttons = getAllByRole('button', { name: /もう一度送る|入力欄に戻す/ });
    expect(buttons).toHaveLength(3);

    await clock.pass(1000);
    await vi.waitFor(() => expect(server.called('POST /messages')).toHaveLength(2));
    expect(getByRole('alert')).toBe(alert);
    expect(getAllByRole('button', { name: /もう一度送る|入力欄に戻す/ })).toEqual(buttons);
    expect(buttons.map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', 'true', 'false']);
    for (const button of buttons.slice(-1)) fireEvent.click(button);
    expect(onTakeBack).toHaveBeenCalledWith(expect.objectContaining({ content: '二つ目' }));
    server.release();
    await vi.waitFor(() => expect(rows(model, conversation).at(-2)).toBe('sent 一つ目'));
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

  it('[R4.8.2] A message behind one that could not be sent says that it waits for that one, and what to do', async () => {
    const { model, server, findByText } = await messageRows();
    const busy = { result: 'error', msg: 'slow', code: 'RATE_LIMIT_HIT', 'retry-after': 7 };
    server.fail('POST /messages', Response.json(busy, { status: 429 }));
    model.send(conversation, { text: '一つ目', file: undefined });
    model.send(conversation, { text: '二つ目', file: undefined });
    const why = await findByText(/前のメッセージを待っています。/);
    expect(why.closest('article')?.textContent).toContain('二つ目');
    expect(why.textContent).toContain('もう一度送るか、入力欄に戻して');
  });

  it('A member’s own message is not marked as a mention of them, also after an edit', async () => {
    const { server, rowWith } = await messageRows();
    const [id = 0] = await server.sendEach(ai, conversation, [`@**${ai.full_name}** 自分へのメモ`]);
    await server.edit(ai, id, `@**${ai.full_name}** 自分へのメモ、第二版`);
    expect((await rowWith('自分へのメモ、第二版'))?.dataset['called']).toBeUndefined();
  });

  it('A deleted message has no star', async () => {
    const { model, server, findByText, queryByText } = await messageRows();
    const message_id = Number(only(model, conversation, 'おはようございます'));
    await model.star(message_id, true);
    expect(await findByText('スター付き')).toBeTruthy();
    await deleteMessage(server.as(ken), { message_id });
    expect(await findByText('削除した')).toBeTruthy();
    expect(queryByText('スター付き')).toBeNull();
  });

  it('A message keeps its sender’s name for a guest who no longer sees the sender', async () => {
    const server = await chatServer();
    await updateUser(server.as(ai), { user_id: mai.user_id, role: roles.guest });
    server.signInAs(mai);
    const { model, rowWith } = await messageRows({ server, member: mai });
    await unsubscribe(server.as(ken), { subscriptions: [general.name] });
    await vi.waitFor(() => expect(selectName(model.state(), ken.user_id)).toBeUndefined());
    const row = await rowWith('おはようございます');
    expect(row?.textContent).toContain(ken.full_name);
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

  it('[R2.14] A compact list shows picture and name once for messages that a member sends within five minutes of each other', async () => {
    const server = await chatServer();
    const sent: readonly (readonly [sender: User, seconds: number, text: string, isNamed: boolean])[] = [
      [ken, 0, '一通目', true],
      [ken, 0, 'すぐ後', false],
      [ken, 300, '五分後', false],
      [ken, 301, 'その後', true],
      [mai, 1, 'ほかの人', true],
      [ken, 1, '戻って', true],
      [ken, 1, `@**${ai.full_name}** 宛て`, true],
    ];
    for (const [sender, seconds, text] of sent) {
      await server.clock.jump(seconds);
      await server.send(sender, conversation, text);
    }
    const { rowWith } = await messageRows({ server, isCompact: true });
    for (const [{ full_name }, , text, isNamed] of sent) {
      const row = await rowWith(text.replace(/^.* /, ''));
      expect([text, row?.querySelector('[aria-haspopup=dialog]') !== null]).toEqual([text, isNamed]);
      expect(row?.textContent).toContain(full_name);
    }
  });

  it('[R2.14] A list in the standard density shows picture and name of every message', async () => {
    const { server, rowWith } = await messageRows();
    await server.send(ken, conversation, 'すぐ後');
    expect((await rowWith('すぐ後'))?.querySelectorAll('[aria-haspopup=dialog]')).toHaveLength(2);
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

import { fireEvent } from '@testing-library/react';
import { updateSettings } from '@engawa/client';
import { createRef } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { screenOf } from '../../../../test/screen.tsx';
import { rows } from '../../../../test/example.ts';
import { ai, general } from '../../../../test/organisation.ts';
import { newStorage } from '../../../../test/storage.ts';
import { Composer, type EmojiPickerSlot } from './Composer.tsx';
import { createDrafts } from '../../../model/drafts/drafts.ts';

const conversation = general.stream_id;
const emojiPicker: EmojiPickerSlot = {
  preload: () => undefined,
  reactionOf: () => Promise.reject(new Error('No test picks an emoji.')),
  Picker: () => null,
};

/** The composer of a stream, with a text that the member wrote before. */
async function composer(draft = '') {
  const drafts = createDrafts(
    { browser: newStorage(), tab: newStorage(), onOtherTab: () => () => undefined, now: () => 0 },
    ai.user_id,
  );
  drafts.keep(conversation, { text: draft, files: [] });
  const onEditLast = vi.fn(() => true);
  const screen = await screenOf(() => (
    <Composer
      ref={createRef()}
      conversation={conversation}
      streamName={general.name}
      drafts={drafts}
      emojiPicker={emojiPicker}
      onEditLast={onEditLast}
    />
  ));
  const field = () => {
    const found = screen.getByRole('textbox');
    if (found instanceof HTMLTextAreaElement) return found;
    throw new TypeError('The composer has no text area.');
  };
  return {
    ...screen,
    drafts,
    onEditLast,
    field,
    write: (text: string) => fireEvent.input(field(), { target: { value: text } }),
    press: (key: string, how: object = {}) => fireEvent.keyDown(field(), { key, ...how }),
    sent: () => rows(screen.model, conversation).filter((row) => !row.endsWith('おはようございます')),
    sendButton: () => screen.getByRole('button', { name: '送信' }),
  };
}

describe('Composer', () => {
  it('[R2.12, R4.7.1] Enter sends the text once, empties the field and the draft, and keeps the focus', async () => {
    const { write, press, sent, field, drafts } = await composer();
    field().focus();
    write('了解です');
    press('Enter');
    press('Enter');
    expect(sent()).toEqual(['sending 了解です']);
    expect(field().value).toBe('');
    expect(drafts.get(conversation).text).toBe('');
    expect(document.activeElement).toBe(field());
  });

  it.each([
    ['isComposing is set, as in Chrome and Firefox', { isComposing: true }],
    ['the key code is 229, as in Safari', { keyCode: 229 }],
  ])('[R4.8.1] The Enter that confirms a kana conversion does not send: %s', async (_, how) => {
    const { write, press, sent } = await composer();
    write('りょうかい');
    press('Enter', how);
    expect(sent()).toEqual([]);
  });

  it('[R4.8.1] Enter does not send between compositionstart and compositionend', async () => {
    const { write, press, sent, field } = await composer();
    fireEvent.compositionStart(field());
    write('りょうかい');
    press('Enter');
    expect(sent()).toEqual([]);
    fireEvent.compositionEnd(field());
    press('Enter');
    expect(sent()).toEqual(['sending りょうかい']);
  });

  it('[R4.7.1] Neither Shift+Enter nor Enter in an empty field sends', async () => {
    const { write, press, sent, sendButton } = await composer();
    write(' \n　');
    press('Enter');
    write('一行目');
    press('Enter', { shiftKey: true });
    expect(sent()).toEqual([]);
    expect(sendButton().getAttribute('aria-disabled')).toBe('false');
  });

  it('[R4.7.1] If the member chose Ctrl+Enter as the send key, Enter does not send', async () => {
    const { write, press, sent, server, findByText } = await composer();
    await updateSettings(server.as(ai), { enter_sends: false });
    await findByText(/Ctrl/);
    write('あとで送ります');
    press('Enter');
    expect(sent()).toEqual([]);
    press('Enter', { ctrlKey: true });
    expect(sent()).toEqual(['sending あとで送ります']);
  });

  it('[R4.8.2] The composer opens with the stored draft, and typing replaces the stored draft', async () => {
    const { field, write, drafts } = await composer('書きかけ');
    expect(field().value).toBe('書きかけ');
    write('書きかけの続き');
    expect(drafts.get(conversation).text).toBe('書きかけの続き');
  });

  it('[R4.8.2] Escape empties the composer, and the undo button of the toast restores the text', async () => {
    // happy-dom has no editing commands.
    Object.assign(document, { execCommand: () => false });
    const { field, press, findByRole } = await composer('長い文章');
    press('Escape', { keyCode: 27 });
    expect(field().value).toBe('');
    fireEvent.click(await findByRole('button', { name: '元に戻す' }));
    expect(field().value).toBe('長い文章');
  });

  it('[R4.7.2] One notice restores cleared texts, the last one first, and disappears when a message is sent', async () => {
    Object.assign(document, { execCommand: () => false });
    const { field, write, press, findByRole, queryAllByRole } = await composer('一つめ');
    const undo = () => queryAllByRole('button', { name: '元に戻す' });
    press('Escape', { keyCode: 27 });
    write('二つめ');
    press('Escape', { keyCode: 27 });
    expect(undo()).toHaveLength(1);
    fireEvent.click(await findByRole('button', { name: '元に戻す' }));
    expect(field().value).toBe('二つめ');
    expect(undo()).toHaveLength(1);
    fireEvent.click(await findByRole('button', { name: '元に戻す' }));
    expect(field().value).toBe('一つめ\n二つめ');
    expect(undo()).toEqual([]);
    press('Escape', { keyCode: 27 });
    write('三つめ');
    press('Enter');
    expect(undo()).toEqual([]);
  });

  it('[R4.7.2] The notice of a cleared text disappears when the text is written again', async () => {
    Object.assign(document, { execCommand: () => false });
    const { write, press, findByRole, queryAllByRole } = await composer('長い文章');
    press('Escape', { keyCode: 27 });
    expect(await findByRole('button', { name: '元に戻す' })).toBeTruthy();
    write('長い文章');
    expect(queryAllByRole('button', { name: '元に戻す' })).toEqual([]);
  });

  it('[R2.13] A chosen picture has a thumbnail, and another file an icon', async () => {
    const { container } = await composer();
    const files = [new File(['a'], '画面.png', { type: 'image/png' }), new File(['b'], '議事録.txt')];
    const input = container.querySelector('input[type=file]');
    if (input) fireEvent.change(input, { target: { files } });
    const [picture, text] = container.querySelectorAll('li');
    expect(picture?.querySelector('img')?.src).toMatch(/^blob:/);
    expect(text?.querySelector('img')).toBeNull();
  });

  it('ArrowUp edits the member’s last message only while the composer is empty', async () => {
    const { press, write, onEditLast } = await composer();
    write('まだ');
    press('ArrowUp');
    expect(onEditLast).not.toHaveBeenCalled();
    write('');
    press('ArrowUp');
    expect(onEditLast).toHaveBeenCalledOnce();
  });

  it('[R2.20.2] Sending a message ends the typing report of the member', async () => {
    const { write, press, server } = await composer();
    const reports = () => server.called('POST /typing').map(({ parameters }) => parameters['op']);
    write('いま書いて');
    await vi.waitFor(() => expect(reports()).toEqual(['start']));
    press('Enter');
    await vi.waitFor(() => expect(reports()).toEqual(['start', 'stop']));
  });

  it('[R2.13] The composer shows chosen files in place of the field, and says why it refuses a file that is too large', async () => {
    const { container, drafts, findByRole, queryByRole } = await composer('本文');
    const files = [new File(['a'], '議事録.txt'), new File(['x'.repeat(1001)], '大きい.zip')];
    const input = container.querySelector('input[type=file]');
    expect(input).not.toBeNull();
    if (input) fireEvent.change(input, { target: { files } });
    expect(drafts.get(conversation)).toEqual({ text: '本文', files: [files[0]] });
    expect(queryByRole('textbox')).toBeNull();
    expect((await findByRole('alert')).textContent).toContain('大きい.zip');
  });
});

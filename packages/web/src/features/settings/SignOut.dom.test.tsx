import { fireEvent, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { design, general } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { newStorage } from '../../../test/storage.ts';
import { SignOut } from './SignOut.tsx';

const question = 'このブラウザーからログアウトします。ご自分で選んだ操作でなければ、キャンセルしてください。';

async function signOut(asksToSignOut: boolean) {
  const onStay = vi.fn<() => void>();
  const screen = await screenOf(() => <SignOut logoutAddress="/logout" asksToSignOut={asksToSignOut} onStay={onStay} />);
  const dialog = () => screen.queryByRole('dialog', { name: 'ログアウト' });
  return { ...screen, onStay, dialog };
}

/** The sign-out of a member whose drafts the browser keeps. */
async function signOutWithDrafts() {
  const screen = await screenOf(() => <SignOut logoutAddress="/logout" asksToSignOut={false} onStay={() => undefined} />, {
    environment: { sharedStorage: newStorage() },
  });
  return {
    ...screen,
    write: (streamId: number, text: string) => screen.model.drafts.keep(streamId, { text, files: [] }),
    press: () => fireEvent.click(screen.getByRole('link', { name: 'ログアウト' })),
  };
}

describe('[R2.1] The sign-out', () => {
  it('asks a member whom a link led to /logout, and calls the server only after their consent', async () => {
    const { server, dialog, onStay, findByRole } = await signOut(true);
    const asked = await findByRole('dialog', { name: 'ログアウト' });
    expect(within(asked).getByText(question)).toBeTruthy();
    fireEvent.click(within(asked).getByRole('button', { name: 'キャンセル' }));
    expect(onStay).toHaveBeenCalledTimes(1);
    expect(server.called('POST /logout')).toEqual([]);

    server.fail('POST /logout', new Response(null, { status: 303, headers: { location: '/' } }));
    fireEvent.click(within(asked).getByRole('button', { name: 'ログアウトする' }));
    await vi.waitFor(() => expect(server.called('POST /logout')).toHaveLength(1));
    expect(dialog()).not.toBeNull();
  });

  it('asks nothing before the member presses its link', async () => {
    const { server, dialog } = await signOut(false);
    expect([dialog(), server.called('POST /logout')]).toEqual([null, []]);
  });

  it('asks before it deletes drafts that did not reach the server, and calls the server only after the consent', async () => {
    const { server, write, press, findByRole, findByText } = await signOutWithDrafts();
    server.fail('POST /drafts', errorAnswer(400, 'BAD_REQUEST', 'Too many drafts (limit: 1000).'));
    write(general.stream_id, '書きかけ');
    press();
    await findByText('サーバーに未保存の下書きが 1 件あります。ログアウトすると消えます。');
    expect(server.called('POST /logout')).toEqual([]);

    server.fail('POST /logout', new Response(null, { status: 303, headers: { location: '/' } }));
    fireEvent.click(await findByRole('button', { name: 'ログアウトする' }));
    await vi.waitFor(() => expect(server.called('POST /logout')).toHaveLength(1));
  });

  it('counts chosen files, which are only on this device', async () => {
    const { model, press, findByText } = await signOutWithDrafts();
    model.drafts.keep(design.stream_id, { text: '', files: [new File(['x'], 'x.txt')] });
    press();
    await findByText(/下書きが 1 件/);
  });

  it('asks nothing once all drafts are on the server', async () => {
    const { server, model, clock, write, press, queryByRole } = await signOutWithDrafts();
    await vi.waitFor(() => {
      write(general.stream_id, '書きかけ');
      expect(clock.waits()).toContain(1000);
    });
    await clock.pass(1000);
    await vi.waitFor(() => expect(model.state().drafts?.size).toBe(1));
    server.fail('POST /logout', new Response(null, { status: 303, headers: { location: '/' } }));
    press();
    await vi.waitFor(() => expect(server.called('POST /logout')).toHaveLength(1));
    expect(queryByRole('dialog')).toBeNull();
  });
});

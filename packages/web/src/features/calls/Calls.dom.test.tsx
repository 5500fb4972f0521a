import { fireEvent } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exampleCall, exampleCallState, exampleSelf } from '../../../test/exampleCall.ts';
import { callScreens as calls } from '../../../test/callScreens.tsx';
import { ai, ken, mai } from '../../../test/organisation.ts';
import { ja } from '../../i18n/calls.ja.ts';
import { directOf } from '../../model/streams/conversation.ts';

const conversation = directOf([ai.user_id, ken.user_id]);

const fromKen = exampleCallState();

const ringing = { calls: new Map([[conversation, fromKen]]) };

/** Notifications of the page, as titles that are shown. */
function watchedNotifications(): { readonly shown: Set<string> } {
  const shown = new Set<string>();
  vi.stubGlobal(
    'Notification',
    class extends EventTarget {
      static readonly permission = 'granted';
      readonly title: string;
      constructor(title: string) {
        super();
        this.title = title;
        shown.add(title);
      }
      close(): void {
        shown.delete(this.title);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return { shown };
}

describe('Calls', () => {
  it('[R2.10] A ringing call shows a notification, which goes when another device answers; a missed call leaves one', async () => {
    const { shown } = watchedNotifications();
    const silent = { settings: { enable_sounds: false } };
    const { become, findByRole } = await calls({ ...ringing, ...silent }, { polls: true });
    await findByRole('alertdialog');
    expect([...shown]).toEqual([`${ken.full_name}さんからの着信`]);
    await become({ ...silent, calls: new Map([[conversation, { ...fromKen, ringing: [] }]]) });
    expect([...shown]).toEqual([]);
    await become({ ...silent, missedCalls: [{ ...fromKen, ringing: [] }] });
    expect([...shown]).toEqual([expect.stringContaining('不在着信')]);
  });

  it('[R2.10] A member who accepts a ringing call joins as soon as the microphone is granted, without another question', async () => {
    const { commands, become, findByRole, queryByRole } = await calls(ringing);
    fireEvent.click(await findByRole('button', { name: '音声で出る' }));
    const accepted = { isAccepted: true, callId: undefined, participants: [] };
    expect(commands.open).toHaveBeenCalledWith(conversation, 'audio', { accepts: true });
    await become({ ...ringing, ownCall: exampleCall({ ...accepted, phase: 'asking' }) });
    expect(queryByRole('dialog')).toBeNull();
    expect(commands.join).not.toHaveBeenCalled();
    await become({ ...ringing, ownCall: exampleCall({ ...accepted, phase: 'ready' }) });
    expect(commands.join).toHaveBeenCalledExactlyOnceWith({});
  });

  it('[R2.10] A member who accepts a ringing call without a microphone is asked whether to listen only', async () => {
    const accepted = exampleCall({ isAccepted: true, phase: 'ready', problems: ['noMicrophone'], participants: [] });
    const { commands, findByRole } = await calls({ ...ringing, ownCall: accepted });
    fireEvent.click(await findByRole('button', { name: '聞くだけで参加' }));
    expect(commands.join).toHaveBeenCalledExactlyOnceWith({ listenOnly: true, move: false });
  });

  it('[R2.10] A member who left a call that they had accepted is asked again before they join it once more', async () => {
    const { commands, become, findByRole, queryByRole } = await calls(ringing);
    fireEvent.click(await findByRole('button', { name: '音声で出る' }));
    await become({ ...ringing, ownCall: exampleCall({ isAccepted: true }) });
    await become(ringing);
    await become({ ...ringing, ownCall: exampleCall({ phase: 'ready', callId: undefined, participants: [] }) });
    expect(queryByRole('dialog')).toBeTruthy();
    expect(commands.join).not.toHaveBeenCalled();
  });

  it('[R2.10] A declined call is declined for all devices of the member', async () => {
    const { commands, findByRole } = await calls(ringing);
    fireEvent.click(await findByRole('button', { name: '出ない' }));
    expect(commands.decline).toHaveBeenCalledWith(fromKen.id);
  });

  it('[R2.10] The notice of a missed call names the caller and the time, and stays until it is closed', async () => {
    const { commands, findByText, getByRole } = await calls({ missedCalls: [{ ...fromKen, ringing: [] }] });
    expect((await findByText(/不在着信/)).textContent).toMatch(new RegExp(`^不在着信（${ken.full_name}さん、.*07:13）$`));
    fireEvent.click(getByRole('button', { name: '閉じる' }));
    expect(commands.dismissMissed).toHaveBeenCalledWith(fromKen.id);
  });

  it('[R2.10] A missed call is called back by a button of its notice', async () => {
    const { commands, findByRole } = await calls({ missedCalls: [{ ...fromKen, ringing: [] }] });
    fireEvent.click(await findByRole('button', { name: 'かけ直す' }));
    expect(commands.dismissMissed).toHaveBeenCalledWith(fromKen.id);
    await vi.waitFor(() => expect(commands.open).toHaveBeenCalledWith(conversation, 'audio'));
  });

  it.each(['unanswered', 'declined', 'moved', 'removed', 'over', 'failed'] as const)(
    '[R2.10] A call that ended as %s says so, and the notice can be closed',
    async (ended) => {
      const { commands, findByText, getByRole } = await calls({ ownCall: exampleCall({ phase: 'ended', ended }) });
      await findByText(ja.ended[ended]);
      fireEvent.click(getByRole('button', { name: '閉じる' }));
      expect(commands.leave).toHaveBeenCalledOnce();
    },
  );

  it('[R2.10] A call that is full says how many may take part', async () => {
    const { findByText } = await calls({ ownCall: exampleCall({ phase: 'ended', ended: 'full' }) });
    await findByText('この通話は満員です（8 人まで）。');
  });

  it('[R2.10] A caller rings all who did not answer again by one request', async () => {
    const unanswered = [ken, mai].map(({ user_id }) => ({ user_id, answer: 'missed' }) as const);
    const { commands, findByRole } = await calls({
      calls: new Map([[conversation, { ...fromKen, participants: [ai.user_id], ringing: [], answers: unanswered }]]),
      ownCall: exampleCall({ phase: 'waiting', participants: [exampleSelf] }),
    });
    fireEvent.click(await findByRole('button', { name: 'もう一度呼び出す' }));
    expect(commands.ring).toHaveBeenCalledExactlyOnceWith([ken.user_id, mai.user_id]);
  });

  it('[R2.10] Before the first member has joined, the dialog shows the limits of a call through the server', async () => {
    const { findByText } = await calls({
      callEngines: [{ engine: 'sfu', participants: 16, cameras: 16 }],
      ownCall: exampleCall({ phase: 'ready', callId: undefined, participants: [] }),
    });
    await findByText('16 人まで参加できます。');
  });

  it('[R2.10] A tab without the call says that it is in another tab, and moves it here', async () => {
    const { commands, findByRole } = await calls({ callElsewhere: conversation });
    await findByRole('button', { name: '通話中のタブへ' });
    fireEvent.click(await findByRole('button', { name: 'このタブに切り替える' }));
    await vi.waitFor(() => expect(commands.open).toHaveBeenCalledWith(conversation, 'audio'));
  });
});

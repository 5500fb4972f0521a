import { fireEvent } from '@testing-library/react';
import type { CallAnswer } from '@engawa/protocol/calls';
import { describe, expect, it, vi } from 'vitest';
import { exampleCall, exampleCommands, exampleParticipant, exampleSelf } from '../../../test/exampleCall.ts';
import { ai, ken, mai } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { ja } from '../../i18n/calls.ja.ts';
import type { CallCommands, OwnCall } from '../../model/calls/ownCall.ts';
import { changesBetween } from './CallAnnouncer.tsx';
import { CallPanel } from './CallPanel.tsx';
import { elapsedText } from './useElapsed.ts';
import { waitingIn, type Waiting } from './useCallNotices.ts';
import { useCallKeys } from './useCallKeys.ts';

async function panel(change: Partial<OwnCall> = {}, waiting: Waiting = 'alone', given: Partial<CallCommands> = {}) {
  const onRingAgain = vi.fn();
  const commands = exampleCommands(given);
  const call = exampleCall(change);
  function Panel() {
    const isTalking = useCallKeys(call, commands);
    return (
      <>
        <input aria-label="field" />
        <CallPanel
          call={call}
          commands={commands}
          waiting={waiting}
          camerasUpTo={6}
          isTalking={isTalking}
          onRingAgain={onRingAgain}
        />
      </>
    );
  }
  const screen = await screenOf(() => <Panel />);
  return { ...screen, commands, onRingAgain };
}

describe('CallPanel', () => {
  it('[R2.10] The panel names the participants, and says in words who speaks, is muted or only listens', async () => {
    const { getAllByRole } = await panel({
      participants: [
        exampleSelf,
        exampleParticipant({ speaking: true }),
        exampleParticipant({ id: 'mai', userId: mai.user_id, muted: true }),
        exampleParticipant({ id: 'other', userId: mai.user_id, listenOnly: true, muted: true }),
      ],
    });
    const tiles = getAllByRole('listitem').map((tile) => tile.textContent);
    expect(tiles[0]).toContain('あなた');
    expect(tiles[1]).toContain(`${ken.full_name}発言中`);
    expect(tiles[2]).toContain(`${mai.full_name}マイクはオフ`);
    expect(tiles[3]).toContain(`${mai.full_name}聞くだけ`);
  });

  it('[R2.10] A tile says when it reconnects, and a participant without a path has a button that connects again', async () => {
    const { commands, getByText, getByRole } = await panel({
      participants: [
        exampleSelf,
        exampleParticipant({ link: 'noPath' }),
        exampleParticipant({ id: 'mai', userId: mai.user_id, link: 'reconnecting' }),
      ],
    });
    expect(getByText('つなぎ直しています…')).toBeTruthy();
    expect(getByText(ja.tile.noPath(ken.full_name), { selector: 'p' })).toBeTruthy();
    fireEvent.click(getByRole('button', { name: 'つなぎ直す' }));
    expect(commands.reconnect).toHaveBeenCalledWith('ken');
  });

  it('[R2.10] The panel says that the server is away, that cameras are off, and which device was lost', async () => {
    const { getByText } = await panel({
      serverAway: true,
      camerasAllowed: false,
      deviceLost: { lost: 'ヘッドセット', now: '内蔵マイク' },
    });
    for (const text of [
      'サーバーにつながりませんが、通話は続いています。',
      '7 人以上では音声と画面共有だけになります。',
      '「ヘッドセット」が外れました。「内蔵マイク」に切り替えました。',
    ])
      expect(getByText(text, { selector: 'p' })).toBeTruthy();
  });

  it('[R2.10] The keys M and V work outside of fields only, and Space held talks while the member is muted', async () => {
    const { commands, getByLabelText, getByText } = await panel({ muted: true });
    const field = getByLabelText('field');
    for (const key of ['m', 'v']) fireEvent.keyDown(field, { key });
    fireEvent.keyDown(field, { code: 'Space' });
    expect(commands.setMuted).not.toHaveBeenCalled();
    expect(commands.talk).not.toHaveBeenCalled();

    fireEvent.keyDown(document.body, { key: 'm' });
    expect(commands.setMuted).toHaveBeenCalledWith(false);
    fireEvent.keyDown(document.body, { key: 'v' });
    expect(commands.setCamera).toHaveBeenCalledWith(true);
    fireEvent.keyDown(document.body, { code: 'Space' });
    fireEvent.keyDown(document.body, { code: 'Space', repeat: true });
    expect(commands.talk).toHaveBeenCalledExactlyOnceWith(true);
    expect(getByText('話せます（スペースを離すと切れます）')).toBeTruthy();
    fireEvent.keyUp(document.body, { code: 'Space' });
    expect(commands.talk).toHaveBeenLastCalledWith(false);
  });

  it('[R2.10] A member whose microphone was unplugged can turn the camera off and choose another microphone', async () => {
    const silent = { ...exampleSelf, listenOnly: true };
    const microphone = { kind: 'microphone', id: 'a', label: '内蔵マイク', chosen: false } as const;
    const { commands, findByRole, getByRole, queryByRole } = await panel(
      { participants: [silent, exampleParticipant()], camera: true },
      'alone',
      { devices: async () => [microphone] },
    );
    expect(queryByRole('button', { name: 'マイクを切る' })).toBeNull();
    fireEvent.click(getByRole('button', { name: 'カメラを切る' }));
    fireEvent.keyDown(document.body, { key: 'v' });
    expect(commands.setCamera).toHaveBeenCalledTimes(2);
    fireEvent.click(getByRole('button', { name: 'マイク・カメラ・スピーカー' }));
    expect(await findByRole('combobox', { name: 'マイク' })).toBeTruthy();
  });

  it('[R2.10] Neither buttons nor keys turn on the microphone or camera of a member who joined to listen only', async () => {
    const listener = { ...exampleSelf, listenOnly: true };
    const { commands, queryByRole } = await panel({ participants: [listener], listensOnly: true, muted: true });
    for (const name of ['マイクを入れる', 'カメラを入れる']) expect(queryByRole('button', { name })).toBeNull();
    for (const key of ['m', 'v']) fireEvent.keyDown(document.body, { key });
    fireEvent.keyDown(document.body, { code: 'Space' });
    for (const command of [commands.setMuted, commands.setCamera, commands.talk]) expect(command).not.toHaveBeenCalled();
  });

  it('Space on a button presses the button and does not talk', async () => {
    const { commands, getByRole } = await panel({ muted: true });
    fireEvent.keyDown(getByRole('button', { name: '退出' }), { code: 'Space' });
    expect(commands.talk).not.toHaveBeenCalled();
  });

  it('[R2.10] A caller who is alone learns that the others declined or did not answer, and can ring again', async () => {
    const alone = { phase: 'waiting', participants: [exampleSelf] } as const;
    const declined = await panel(alone, 'declined');
    expect(declined.getByText('いまは出られないとのことです。', { selector: 'p' })).toBeTruthy();
    declined.unmount();
    const unanswered = await panel(alone, 'unanswered');
    expect(unanswered.getByText('応答がありませんでした。', { selector: 'p' })).toBeTruthy();
    fireEvent.click(unanswered.getByRole('button', { name: 'もう一度呼び出す' }));
    expect(unanswered.onRingAgain).toHaveBeenCalledOnce();
  });

  it('[R2.10] The panel becomes a strip and the whole window, and its buttons work in each size', async () => {
    const { commands, getByRole, queryByRole } = await panel();
    fireEvent.click(getByRole('button', { name: '小さくする' }));
    expect(queryByRole('list')).toBeNull();
    fireEvent.click(getByRole('button', { name: 'マイクを切る' }));
    expect(commands.setMuted).toHaveBeenCalledWith(true);
    fireEvent.click(getByRole('button', { name: /通話を開く$/ }));
    fireEvent.click(getByRole('button', { name: '大きくする' }));
    expect(getByRole('dialog')).toBeTruthy();
    fireEvent.click(getByRole('button', { name: 'カメラを入れる' }));
    expect(commands.setCamera).toHaveBeenCalledWith(true);
    fireEvent.click(getByRole('button', { name: '小さくする' }));
    expect(queryByRole('dialog')).toBeNull();
    expect(commands.leave).not.toHaveBeenCalled();
    fireEvent.click(getByRole('button', { name: '退出' }));
    expect(commands.leave).toHaveBeenCalledOnce();
  });
});

const nameOf = (userId: number) => (userId === ai.user_id ? ai : ken).full_name;

describe('changesBetween', () => {
  const kenIn = exampleParticipant();

  it('[R2.10] The live region says who joins, leaves, mutes and shares the screen', () => {
    const said = (before: readonly (typeof kenIn)[], after: readonly (typeof kenIn)[]) =>
      changesBetween(before, after, ja.said, nameOf);
    expect(said([exampleSelf], [exampleSelf, kenIn])).toEqual([`${ken.full_name}さんが参加しました`]);
    expect(said([exampleSelf, kenIn], [exampleSelf])).toEqual([`${ken.full_name}さんが退出しました`]);
    expect(said([kenIn], [{ ...kenIn, muted: true }])).toEqual([`${ken.full_name}さんがマイクを切りました`]);
    expect(said([exampleSelf], [{ ...exampleSelf, muted: true }])).toEqual(['マイクを切りました']);
    expect(said([kenIn], [{ ...kenIn, speaking: true, link: 'reconnecting' }])).toEqual([]);
  });
});

it('The time of a call has hours only after the first one', () => {
  expect([0, 7, 187, 3599, 3787].map(elapsedText)).toEqual(['0:00', '0:07', '3:07', '59:59', '1:03:07']);
});

const answered = (answer: CallAnswer) => ({ user_id: ken.user_id, answer });

it('A caller waits for those who are rung, until all have answered', () => {
  const own = { user_id: ai.user_id, answer: 'joined' } as const;
  expect(waitingIn({ ringing: [ken.user_id], answers: [own] }, ai.user_id)).toBe('ringing');
  expect(waitingIn({ ringing: [], answers: [own, answered('declined')] }, ai.user_id)).toBe('declined');
  expect(waitingIn({ ringing: [], answers: [own, answered('missed')] }, ai.user_id)).toBe('unanswered');
  expect(waitingIn({ ringing: [], answers: [own, answered('joined')] }, ai.user_id)).toBe('alone');
  expect(waitingIn(undefined, ai.user_id)).toBe('alone');
});

import { fireEvent } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { exampleCall, exampleCommands } from '../../../test/exampleCall.ts';
import { ken } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { en } from '../../i18n/calls.en.ts';
import { ja } from '../../i18n/calls.ja.ts';
import type { CallCommands, DeviceProblem, OwnCall } from '../../model/calls/ownCall.ts';
import type { Failure } from '../../model/connection/failure.ts';
import { JoinDialog } from './JoinDialog.tsx';

const limits = { participants: 8, cameras: 6 };

async function dialog(
  change: Partial<OwnCall>,
  commands: Partial<CallCommands> = {},
  present: readonly number[] = [],
  failure?: Failure,
) {
  const onJoin = vi.fn(async () => undefined);
  const given = exampleCommands(commands);
  const call = exampleCall({ phase: 'ready', participants: [], ...change });
  const screen = await screenOf(() => (
    <JoinDialog call={call} commands={given} limits={limits} present={present} failure={failure} onJoin={onJoin} />
  ));
  const button = (name: string) => screen.queryByRole('button', { name });
  return { ...screen, commands: given, onJoin, button };
}

const problems: readonly (readonly [problem: DeviceProblem, canSpeak: boolean, canListen: boolean, canRepeat: boolean])[] = [
  ['insecure', false, true, false],
  ['unsupported', false, false, false],
  ['refused', false, true, true],
  ['cameraRefused', true, true, true],
  ['noMicrophone', false, true, false],
  ['noCamera', true, true, false],
  ['microphoneInUse', false, true, true],
  ['cameraInUse', true, true, true],
];

describe('JoinDialog', () => {
  it.each(problems)(
    '[R2.10] The dialog says what to do about the problem %s and offers only what is possible (to speak: %s, to listen: %s)',
    async (problem, canSpeak, canListen, canRepeat) => {
      const { getByRole, button } = await dialog({ kind: 'video', problems: [problem] });
      expect(getByRole('alert').textContent).toBe(ja.problems[problem]);
      expect(en.problems[problem]).toMatch(/[a-z]/);
      expect(button('通話を始める') !== null).toBe(canSpeak);
      expect(button('聞くだけで参加') !== null).toBe(canListen);
      expect(button('もう一度試す') !== null).toBe(canRepeat);
    },
  );

  it('[R2.10] The dialog joins once the devices are granted, and not before', async () => {
    const { onJoin, button, rerender } = await dialog({ phase: 'asking' });
    fireEvent.click(button('通話を始める') ?? document.body);
    expect(onJoin).not.toHaveBeenCalled();
    rerender(<div />);
    const ready = await dialog({ phase: 'ready' });
    fireEvent.click(ready.button('通話を始める') ?? document.body);
    expect(ready.onJoin).toHaveBeenCalledWith({ listenOnly: false, move: false });
    fireEvent.click(ready.button('聞くだけで参加') ?? document.body);
    expect(ready.onJoin).toHaveBeenLastCalledWith({ listenOnly: true, move: false });
  });

  it('[R2.10] The dialog says how many may take part and who is in the call already', async () => {
    const { getByText, button } = await dialog({ kind: 'video' }, {}, [ken.user_id]);
    expect(getByText('8 人まで参加できます。')).toBeTruthy();
    expect(getByText('カメラは 6 人まで使えます。')).toBeTruthy();
    expect(getByText(`${ken.full_name}さんが参加しています。`)).toBeTruthy();
    expect(button('参加する')).toBeTruthy();
  });

  it('[R2.10] A member who is in a call on another device is asked, and moves the call by the button', async () => {
    const { onJoin, getByText, button } = await dialog({ elsewhere: 'otherDevice' });
    expect(getByText('別の端末で通話中です。こちらに切り替えますか？')).toBeTruthy();
    fireEvent.click(button('こちらに切り替える') ?? document.body);
    expect(onJoin).toHaveBeenCalledWith({ listenOnly: false, move: true });
  });

  it('[R2.10] The dialog lists the devices by their labels, chooses one, and tries speaker and microphone', async () => {
    const choose = vi.fn(async () => undefined);
    const { commands, findByRole, getByRole, button } = await dialog(
      {},
      {
        choose,
        devices: async () => [
          { kind: 'microphone', id: 'a', label: '内蔵マイク', chosen: true },
          { kind: 'microphone', id: 'b', label: '', chosen: false },
          { kind: 'speaker', id: 'c', label: 'ヘッドホン', chosen: true },
        ],
      },
    );
    const select = await findByRole('combobox', { name: 'マイク' });
    expect([...select.children].map(({ textContent }) => textContent)).toEqual(['内蔵マイク', 'マイク 2']);
    fireEvent.change(select, { target: { value: 'b' } });
    expect(choose).toHaveBeenCalledWith('microphone', 'b');
    expect(getByRole('meter', { name: 'マイクの音量' })).toBeTruthy();
    fireEvent.click(button('テスト音を鳴らす') ?? document.body);
    expect(commands.testSound).toHaveBeenCalledOnce();
    fireEvent.click(button('3 秒録って聞く') ?? document.body);
    expect(commands.recordAndPlay).toHaveBeenCalledOnce();
  });
});

import { fireEvent } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ken } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { Ring } from './Ring.tsx';

async function ring() {
  const onAccept = vi.fn();
  const onDecline = vi.fn();
  const screen = await screenOf(() => (
    <>
      <input aria-label="field" ref={(field) => field?.focus()} />
      <Ring kind="audio" callerId={ken.user_id} streamName={undefined} onAccept={onAccept} onDecline={onDecline} />
    </>
  ));
  return { ...screen, onAccept, onDecline };
}

describe('Ring', () => {
  it('[R2.10] A ringing call is an alert dialog that names the caller and does not take the focus', async () => {
    const { getByRole, getByLabelText } = await ring();
    expect(getByRole('alertdialog', { name: ken.full_name }).textContent).toContain('音声通話の着信');
    expect(document.activeElement).toBe(getByLabelText('field'));
  });

  it('[R2.10] A ringing call is accepted with audio or video, or declined', async () => {
    const { getByRole, onAccept, onDecline } = await ring();
    fireEvent.click(getByRole('button', { name: '音声で出る' }));
    fireEvent.click(getByRole('button', { name: 'ビデオで出る' }));
    expect(onAccept.mock.calls).toEqual([['audio'], ['video']]);
    fireEvent.click(getByRole('button', { name: '出ない' }));
    expect(onDecline).toHaveBeenCalledOnce();
  });

  it('[R2.10] Two keys accept and decline a ringing call from within a field', async () => {
    const { getByLabelText, onAccept, onDecline } = await ring();
    fireEvent.keyDown(getByLabelText('field'), { key: 'A', ctrlKey: true });
    expect(onAccept).not.toHaveBeenCalled();
    fireEvent.keyDown(getByLabelText('field'), { key: 'A', ctrlKey: true, shiftKey: true });
    expect(onAccept).toHaveBeenCalledExactlyOnceWith('audio');
    fireEvent.keyDown(getByLabelText('field'), { key: 'D', ctrlKey: true, shiftKey: true });
    expect(onDecline).toHaveBeenCalledOnce();
  });
});

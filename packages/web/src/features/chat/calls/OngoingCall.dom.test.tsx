import { fireEvent } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ken, mai } from '../../../../test/organisation.ts';
import { screenOf } from '../../../../test/screen.tsx';
import { CallCard, type CallCardProps } from './CallCard.tsx';
import { OngoingCall } from './OngoingCall.tsx';

describe('OngoingCall', () => {
  it('[R2.10] The banner names who is in the call and joins it', async () => {
    const onJoin = vi.fn();
    const { getByRole } = await screenOf(() => (
      <OngoingCall participants={[ken.user_id, mai.user_id, 901, 902, 903]} onJoin={onJoin} />
    ));
    expect(getByRole('status').textContent).toBe(`${ken.full_name}さん、${mai.full_name}さんほか 3 人が通話中です`);
    fireEvent.click(getByRole('button', { name: '参加する' }));
    expect(onJoin).toHaveBeenCalledOnce();
  });
});

describe('CallCard', () => {
  const cards: readonly (readonly [Omit<CallCardProps, 'onJoin' | 'kind'>, string])[] = [
    [{ state: 'ended', minutes: 12, people: 3 }, '音声通話・12 分・3 人'],
    [{ state: 'ended', minutes: 0, people: 2 }, '音声通話・1 分未満・2 人'],
    [{ state: 'ended', minutes: 75, people: 2 }, '音声通話・1 時間 15 分・2 人'],
    [{ state: 'unanswered', minutes: 0, people: 1 }, '音声通話・応答なし'],
    [{ state: 'ongoing', minutes: 0, people: 2 }, '音声通話・通話中・2 人'],
  ];

  it.each(cards)('[R2.10] The card of the call %o reads “%s”', async (card, text) => {
    const { getByText, queryByRole } = await screenOf(() => <CallCard kind="audio" {...card} onJoin={() => undefined} />);
    expect(getByText(text)).toBeTruthy();
    expect(queryByRole('button') !== null).toBe(card.state === 'ongoing');
  });
});

import { describe, expect, it } from 'vitest';
import { settingsFor } from './levelSettings.ts';
import { notificationLevel, notificationLevels } from './notifying.ts';

const usual = { is_muted: false, desktop_notifications: false };
const levelOf = (subscription: Parameters<typeof notificationLevel>[0]) => notificationLevel(subscription, {});

describe('The notification level of a stream', () => {
  it('The notification level of a stream is mentions by default', () => {
    expect(levelOf(usual)).toBe('mentions');
    expect(levelOf({ is_muted: false, desktop_notifications: null })).toBe('mentions');
    expect(levelOf({ is_muted: false })).toBe('mentions');
    expect(levelOf({ is_muted: false, desktop_notifications: true })).toBe('all');
  });

  it('[R7.8] The notification level of a stream without a choice is that of the member’s setting for all streams', () => {
    const unset = { is_muted: false, desktop_notifications: null };
    expect(notificationLevel(unset, { enable_stream_desktop_notifications: true })).toBe('all');
    expect(notificationLevel({ ...unset, is_muted: true }, { enable_stream_desktop_notifications: true })).toBe('none');
    expect(notificationLevel(usual, { enable_stream_desktop_notifications: true })).toBe('mentions');
  });

  it('[R2.11.2] The notification level of a muted stream is none, and unmuting restores the previous level', () => {
    const before = { ...usual, ...settingsFor('all') };
    const muted = { ...before, ...settingsFor('none') };
    expect(levelOf(muted)).toBe('none');
    expect(levelOf({ ...muted, is_muted: false })).toBe('all');
  });

  it.each(notificationLevels)(
    'The notification level of a stream becomes %s when the member chooses it, whatever the level was before',
    (level) => {
      for (const before of notificationLevels) {
        expect(levelOf({ ...usual, ...settingsFor(before), ...settingsFor(level) })).toBe(level);
      }
    },
  );
});

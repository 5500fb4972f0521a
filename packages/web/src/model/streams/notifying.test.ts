import { describe, expect, it } from 'vitest';
import { notificationLevel, notificationLevels, settingsFor } from './notifying.ts';

const usual = { is_muted: false, desktop_notifications: false };

describe('The notification level of a stream', () => {
  it('The notification level of a stream is mentions by default', () => {
    expect(notificationLevel(usual)).toBe('mentions');
    expect(notificationLevel({ is_muted: false, desktop_notifications: null })).toBe('mentions');
    expect(notificationLevel({ is_muted: false })).toBe('mentions');
    expect(notificationLevel({ is_muted: false, desktop_notifications: true })).toBe('all');
  });

  it('[R2.11.2] The notification level of a muted stream is none, and unmuting restores the previous level', () => {
    const before = { ...usual, ...settingsFor('all') };
    const muted = { ...before, ...settingsFor('none') };
    expect(notificationLevel(muted)).toBe('none');
    expect(notificationLevel({ ...muted, is_muted: false })).toBe('all');
  });

  it.each(notificationLevels)(
    'The notification level of a stream becomes %s when the member chooses it, whatever the level was before',
    (level) => {
      for (const before of notificationLevels) {
        expect(notificationLevel({ ...usual, ...settingsFor(before), ...settingsFor(level) })).toBe(level);
      }
    },
  );
});

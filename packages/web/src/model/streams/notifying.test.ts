import { describe, expect, it } from 'vitest';
import { notificationLevel, notificationLevels, settingsFor } from './notifying.ts';

const usual = { is_muted: false, desktop_notifications: false };

describe('the notifications of a stream', () => {
  it('are of what calls the member unless something else was chosen', () => {
    expect(notificationLevel(usual)).toBe('mentions');
    expect(notificationLevel({ is_muted: false, desktop_notifications: null })).toBe('mentions');
    expect(notificationLevel({ is_muted: false })).toBe('mentions');
    expect(notificationLevel({ is_muted: false, desktop_notifications: true })).toBe('all');
  });

  it('[R2.11.2] are none while it is muted, and what they were before when that ends', () => {
    const before = { ...usual, ...settingsFor('all') };
    const muted = { ...before, ...settingsFor('none') };
    expect(notificationLevel(muted)).toBe('none');
    expect(notificationLevel({ ...muted, is_muted: false })).toBe('all');
  });

  it.each(notificationLevels)('are %s when that was chosen, whatever they were', (level) => {
    for (const before of notificationLevels) {
      expect(notificationLevel({ ...usual, ...settingsFor(before), ...settingsFor(level) })).toBe(level);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { maxStatusSeconds } from '@engawa/protocol';
import { timesIn } from '../../hooks/times.ts';
import { ja } from '../../i18n/ja.ts';
import { presenceAt, statusAfter, statusAt } from './presence.ts';

const now = 1_000_000;

describe('Presence', () => {
  it.each([
    ['a hand moved just now', { active: now, idle: now }, { kind: 'online' }],
    ['online at the limit after the last input', { active: now - 200, idle: now }, { kind: 'online' }],
    ['idle with a visible tab and no recent input', { active: now - 201, idle: now - 10 }, { kind: 'idle' }],
    ['offline without reports', { active: now - 900, idle: now - 201 }, { kind: 'offline', lastSeen: now - 201 }],
    ['offline since the last input', { active: now - 300, idle: 0 }, { kind: 'offline', lastSeen: now - 300 }],
    ['offline without a last time', { active: 0, idle: 0 }, { kind: 'offline', lastSeen: undefined }],
  ])('[R2.20.2] The presence of a member depends on the time since their last input and report: %s', (_, seen, presence) => {
    expect(presenceAt(seen, now, 200)).toMatchObject(presence);
  });
});

describe('A status', () => {
  it('[R2.24.1] A status disappears when its end has passed, without any event', () => {
    const status = { text: '会議中', busy: true, until: now };
    expect(statusAt(status, now - 1)).toBe(status);
    expect(statusAt(status, now)).toBeUndefined();
  });

  it.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 8_640_000_000_000, 8_639_999_913_600, now + maxStatusSeconds])(
    '[R8.4] A status is shown even if its end is extremely late or early: %i',
    (scheduled_end_time) => {
      const { text, until } = statusAfter(undefined, { status_text: '休暇', scheduled_end_time });
      expect(text).toBe('休暇');
      for (const zone of ['Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        const { recent } = timesIn(ja, 0, zone);
        expect(() => until !== undefined && recent(until)).not.toThrow();
      }
    },
  );

  it('[R2.24.1] A status ends at the time that the event names, and an impossible time counts as no end', () => {
    expect(statusAfter(undefined, { scheduled_end_time: now }).until).toBe(now);
    expect(statusAfter(undefined, { scheduled_end_time: Number.MAX_SAFE_INTEGER }).until).toBeUndefined();
  });

  it('A status that has neither a text nor busy counts as no status', () => {
    expect(statusAt({ text: '', busy: false, until: undefined }, now)).toBeUndefined();
    expect(statusAt({ text: 'テレワーク', busy: false, until: undefined }, now)).toBeDefined();
    expect(statusAt({ text: '', busy: true, until: undefined }, now)).toBeDefined();
  });
});

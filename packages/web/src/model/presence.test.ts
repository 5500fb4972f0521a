import { describe, expect, it } from 'vitest';
import { presenceAt, statusAt } from './presence.ts';

const now = 1_000_000;

describe('who is there', () => {
  it.each([
    ['a hand moved just now', { active: now, idle: now }, { kind: 'online' }],
    ['a hand moved as long ago as counts', { active: now - 200, idle: now }, { kind: 'online' }],
    ['the screen is there and no hand moves', { active: now - 201, idle: now - 10 }, { kind: 'idle' }],
    ['nothing is heard any more', { active: now - 900, idle: now - 201 }, { kind: 'offline', lastSeen: now - 201 }],
    ['they worked until they left', { active: now - 300, idle: 0 }, { kind: 'offline', lastSeen: now - 300 }],
    ['they never were', { active: 0, idle: 0 }, { kind: 'offline', lastSeen: undefined }],
  ])('[R2.20.2] is told by the clock: %s', (_, seen, presence) => {
    expect(presenceAt(seen, now, 200)).toMatchObject(presence);
  });
});

describe('a status', () => {
  it('[R2.24.1] ends by itself at its time', () => {
    const status = { text: '会議中', busy: true, until: now };
    expect(statusAt(status, now - 1)).toBe(status);
    expect(statusAt(status, now)).toBeUndefined();
  });

  it('is none where somebody is available and says nothing', () => {
    expect(statusAt({ text: '', busy: false, until: undefined }, now)).toBeUndefined();
    expect(statusAt({ text: 'テレワーク', busy: false, until: undefined }, now)).toBeDefined();
    expect(statusAt({ text: '', busy: true, until: undefined }, now)).toBeDefined();
  });
});

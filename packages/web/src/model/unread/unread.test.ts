import { describe, expect, it } from 'vitest';
import { countUnread, firstUnread, totalUnread, withoutUnread, withUnread } from './unread.ts';

const unread = withUnread(withUnread(new Map(), 1, [12, 11]), 2, [20]);

describe('what is unread', () => {
  it('[R4.6] is counted without what is just being read', () => {
    expect(countUnread(unread, new Set(), 1)).toBe(2);
    expect(countUnread(unread, new Set([11, 20]), 1)).toBe(1);
    expect(countUnread(unread, new Set(), 3)).toBe(0);
  });

  it('[R2.20.1] begins with the oldest', () => {
    expect(firstUnread(unread, new Set(), 1)).toBe(11);
    expect(firstUnread(unread, new Set([11]), 1)).toBe(12);
    expect(firstUnread(unread, new Set([11, 12]), 1)).toBeUndefined();
  });

  it('[R4.6] falls wherever it stands', () => {
    expect(withoutUnread(unread, [11, 20])).toEqual(
      new Map([
        [1, new Set([12])],
        [2, new Set()],
      ]),
    );
  });

  it('[R3.1] [R2.11.3] calls for nothing in a total where it is muted, or put away', () => {
    expect(
      totalUnread([
        { unReadCount: 3, status: 'active', isAway: false },
        { unReadCount: 5, status: 'muted', isAway: false },
        { unReadCount: 7, status: 'active', isAway: true },
      ]),
    ).toBe(3);
  });
});

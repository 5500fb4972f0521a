import { describe, expect, it } from 'vitest';
import { countUnread, firstUnread, withoutUnread, withUnread } from './unread.ts';

const unread = withUnread(withUnread(new Map(), 1, [12, 11]), 2, [20]);

describe('Unread messages', () => {
  it('[R4.6] The unread count excludes messages that are being marked as read', () => {
    expect(countUnread(unread, new Set(), 1)).toBe(2);
    expect(countUnread(unread, new Set([11, 20]), 1)).toBe(1);
    expect(countUnread(unread, new Set(), 3)).toBe(0);
  });

  it('[R2.20.1] The first unread message of a conversation is the oldest one', () => {
    expect(firstUnread(unread, new Set(), 1)).toBe(11);
    expect(firstUnread(unread, new Set([11]), 1)).toBe(12);
    expect(firstUnread(unread, new Set([11, 12]), 1)).toBeUndefined();
  });

  it('[R4.6] Messages that are read are removed from the unread ones of every conversation', () => {
    expect(withoutUnread(unread, [11, 20])).toEqual(
      new Map([
        [1, new Set([12])],
        [2, new Set()],
      ]),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { ja, type Dictionary } from './ja.ts';

/** R2.19, each with something to put into it where it takes something. */
const labels: Readonly<Record<string, (words: Dictionary) => string>> = {
  'no rooms': (words) => words.noRooms,
  'new messages': (words) => words.newMessages,
  'this message was deleted': (words) => words.messageDeleted,
  'no messages': (words) => words.noMessages,
  'conversation started on': (words) => words.conversationStartedOn('2026-11-20'),
  search: (words) => words.search,
  'is online': (words) => words.isOnline,
  'last seen': (words) => words.lastSeen('09:58'),
  'is writing...': (words) => words.isWriting('佐藤 美咲'),
};

describe('the labels of the message input', () => {
  it.each(Object.entries(labels))('[R2.19] have “%s” in both languages', (_, label) => {
    expect(label(ja)).toMatch(/\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Han}/u);
    expect(label(en)).toMatch(/[a-z]/i);
    expect(label(en)).not.toBe(label(ja));
  });

  it('[R2.19] say in English what the specification says', () => {
    const said = Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, label(en).toLowerCase()]));
    for (const [name, text] of Object.entries(said)) {
      const words = name.replace('...', '…').replace('rooms', 'streams').split(' ');
      expect(
        words.every((word) => text.includes(word)),
        `${name}: ${text}`,
      ).toBe(true);
    }
  });
});

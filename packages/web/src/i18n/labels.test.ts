import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { ja, type Dictionary } from './ja.ts';

/** The labels of R2.19, with sample arguments. */
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

describe('the labels of the first screen', () => {
  it.each(Object.entries(labels))('[R2.19] Both languages have the label “%s”', (_, label) => {
    expect(label(ja)).toMatch(/\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Han}/u);
    expect(label(en)).toMatch(/[a-z]/i);
    expect(label(en)).not.toBe(label(ja));
  });

  it('The start of a conversation takes に after a date, not after 今日 or 昨日', () => {
    const said = ['今日', '昨日', '11月18日(水)'].map((day) => ja.conversationStartedOn(day));
    expect(said).toEqual(['今日はじまりました', '昨日はじまりました', '11月18日(水)にはじまりました']);
  });

  it('[R2.19] The English labels contain the words of the specification', () => {
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

import type { Message, User } from './model.ts';

/** Topics are equal if they differ only in case. */
export const sameTopic = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const mentionedNames = (content: string): string[] => [...content.matchAll(/@\*\*(.+?)\*\*/g)].map(([, name]) => name ?? '');

export const mentionsAll = (content: string): boolean => mentionedNames(content).includes('all');
export const mentionsUser = (content: string, { name }: User): boolean => mentionedNames(content).includes(name);

/** A Latin word must stand alone. A Japanese word can be part of the text. */
export function containsWord(content: string, word: string): boolean {
  const isLatin = /^[a-z]+$/.test(word);
  return isLatin
    ? content
        .toLowerCase()
        .split(/[^a-z\d]+/)
        .includes(word)
    : content.includes(word);
}

/** Whether the visible text or the topic contains all words. The topic of the web client is not searched. */
export function containsWords({ content, topic }: Pick<Message, 'content' | 'topic'>, query: string): boolean {
  const text = content.replaceAll(/@_\*\*(.+?)\|\d+\*\*/g, '@$1').replaceAll('**', '');
  const texts = [text, topic === 'stream events' ? '' : topic];
  return query.split(' ').every((word) => texts.some((text) => text.toLowerCase().includes(word.toLowerCase())));
}

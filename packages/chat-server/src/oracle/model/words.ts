import type { Message, User } from './model.ts';

/** Topics are the same when they differ only in case. */
export const sameTopic = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const names = (content: string): string[] => [...content.matchAll(/@\*\*(.+?)\*\*/g)].map(([, name]) => name ?? '');

export const callsAll = (content: string): boolean => names(content).includes('all');
export const calls = (content: string, { name }: User): boolean => names(content).includes(name);

/** A Latin word stands alone; a Japanese one may stand anywhere. */
export function holdsWord(content: string, word: string): boolean {
  const isLatin = /^[a-z]+$/.test(word);
  return isLatin
    ? content
        .toLowerCase()
        .split(/[^a-z\d]+/)
        .includes(word)
    : content.includes(word);
}

/** All words of a search, in what is read of a message or in its topic; nobody reads that of the screens. */
export function holdsWords({ content, topic }: Pick<Message, 'content' | 'topic'>, query: string): boolean {
  const texts = [content.replaceAll('**', ''), topic === 'stream events' ? '' : topic];
  return query.split(' ').every((word) => texts.some((text) => text.toLowerCase().includes(word.toLowerCase())));
}

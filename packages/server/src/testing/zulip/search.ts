import { type Fields } from './fields.ts';

/** Letters and digits between other characters: a run of Japanese text without spaces is one word. */
const wordsOf = (text: string): string[] =>
  Array.from(text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}_]+/gu), ([word]) => word.replace(/s$/, ''));

const stopWords = new Set(wordsOf('a an and are at by for from in is it of on or the to with'));
const textOf = ({ content, subject }: Fields) => `${String(subject)} ${String(content).replaceAll(/<[^>]*>/g, ' ')}`;

/** PostgreSQL's full-text search in a few lines: whole words, English endings, phrases in quotation marks. */
export function searcher(operand: string): (message: Fields) => boolean {
  const phrases = Array.from(operand.matchAll(/"([^"]*)"/g), ([, phrase = '']) => phrase.toLowerCase());
  const words = wordsOf(operand).filter((word) => !stopWords.has(word));
  return (message) => {
    const text = textOf(message);
    const found = new Set(wordsOf(text));
    const hasPhrases = phrases.every((phrase) => text.toLowerCase().includes(phrase));
    return words.length > 0 && hasPhrases && words.every((word) => found.has(word));
  };
}

const idOf = (message: Fields) => Number(message['id']);

export interface Page {
  readonly before: number;
  readonly after: number;
  readonly includesAnchor: boolean;
}

/** The matching messages of a wide answer around the same anchor, as an answer of the wanted size. */
export function searchAnswer(
  answer: Fields,
  messages: readonly Fields[],
  matches: (message: Fields) => boolean,
  page: Page,
): Fields {
  const anchor = Number(answer['anchor']);
  const found = messages.filter(matches);
  const older = found.filter((message) => idOf(message) < anchor);
  const at = page.includesAnchor ? found.filter((message) => idOf(message) === anchor) : [];
  const newer = found.filter((message) => idOf(message) > anchor);
  const shown = [...(page.before > 0 ? older.slice(-page.before) : []), ...at, ...newer.slice(0, page.after)];
  return {
    ...answer,
    found_anchor: at.length > 0,
    found_oldest: answer['found_oldest'] === true && older.length <= page.before,
    found_newest: answer['found_newest'] === true && newer.length <= page.after,
    messages: shown.map((message) => ({
      ...message,
      match_content: `<p>${String(message['content'])}</p>`,
      match_subject: String(message['subject']),
    })),
  };
}

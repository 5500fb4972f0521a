import { fold, wordsOf } from '@engawa/folding';
import { romaji } from '@engawa/folding/romaji';

const mostCharacters = 200;

/** Every word must occur in a text, in any width, case or kana; Latin letters also match readings. */
export function searchFor(query: string): (texts: readonly string[], readings?: readonly string[]) => boolean {
  const words = wordsOf(query.slice(0, mostCharacters)).map((word) => ({
    word,
    spoken: /^[a-z'-]+$/.test(word) ? romaji(word) : '',
  }));
  if (words.length === 0) return () => true;
  return (texts, readings = []) => {
    const folded = texts.map(fold);
    return words.every(
      ({ word, spoken }) =>
        folded.some((text) => text.includes(word)) ||
        (spoken !== '' && readings.some((reading) => romaji(reading).includes(spoken))),
    );
  };
}

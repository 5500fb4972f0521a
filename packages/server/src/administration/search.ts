import { fold, wordsOf } from '@engawa/folding';
import { romaji } from '@engawa/folding/romaji';

/** Characters of a query that are looked at. */
const mostCharacters = 200;

/**
 * Whether texts answer a query: every word of it stands in one of them, however it is written; and where it is written
 * in Latin letters, in one of the readings as it is spoken.
 */
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

/** All pairs of adjacent characters, which find longer words, and the last character of each run, for single characters. */
export function tokensOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => rowsOf(text).flatMap((row) => [...pairsOf(row), ...row.slice(-1)])));
}

/** The prefix of conversation ids: a private use character that is not used for punctuation. */
const conversationMark = '\ue100';
export const conversationToken = (conversationId: number): string => `${conversationMark}${conversationId}`;

/** Most pairs of a query. The first ones are selective enough. */
const mostPairs = 24;

/** A full-text query that finds every message with all words in one of the conversations, and possibly others. */
export function queryOf(words: readonly string[], conversationIds: readonly number[] | 'all'): string {
  const rows = words.flatMap(rowsOf);
  const pairs = [...new Set(rows.flatMap(pairsOf))].slice(0, mostPairs).map((pair) => `"${pair}"`);
  const alone = rows.filter((row) => row.length === 1).map(([character]) => `"${character}" *`);
  const inOneOf =
    conversationIds === 'all' ? [] : [`(${conversationIds.map((id) => `"${conversationToken(id)}"`).join(' OR ')})`];
  return [...pairs, ...new Set(alone), ...inOneOf].join(' AND ');
}

function rowsOf(text: string): string[][] {
  return text.split(/\s+/).flatMap((row) => (row === '' ? [] : [[...row].map(indexed)]));
}

/** The tokeniser treats ASCII punctuation as blanks, so it is mapped to the private use area. */
function indexed(character: string): string {
  const isPlain = character > '\x7f' || /[a-z\d]/.test(character);
  return isPlain ? character : String.fromCharCode(0xe000 + character.charCodeAt(0));
}

function pairsOf(row: readonly string[]): string[] {
  return row.slice(1).map((character, index) => `${row[index]}${character}`);
}

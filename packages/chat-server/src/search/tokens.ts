/**
 * What stands in the index for a text: every two characters that follow each other without a blank, and the last one of
 * a row alone. So two characters are found by themselves, a longer word by all its pairs, and one character by what
 * begins with it. Texts and words are folded (`@engawa/folding`).
 */
export function tokensOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => rowsOf(text).flatMap((row) => [...pairsOf(row), ...row.slice(-1)])));
}

/** Stands before a conversation's id; a character of the private use area that no punctuation becomes. */
const conversationMark = '\ue100';
export const conversationToken = (conversationId: number): string => `${conversationMark}${conversationId}`;

/** Most different pairs that a query asks for: the first ones tell enough. */
const mostPairs = 24;

/**
 * As a full-text query: what may hold all words, of which there is at least one, in one of the conversations. It never
 * leaves out a message that holds them.
 */
export function queryOf(words: readonly string[], conversationIds: readonly number[] | 'all'): string {
  const rows = words.flatMap(rowsOf);
  const pairs = [...new Set(rows.flatMap(pairsOf))].slice(0, mostPairs).map((pair) => `"${pair}"`);
  const alone = rows.filter((row) => row.length === 1).map(([character]) => `"${character}" *`);
  const inOneOf =
    conversationIds === 'all' ? [] : [`(${conversationIds.map((id) => `"${conversationToken(id)}"`).join(' OR ')})`];
  return [...pairs, ...new Set(alone), ...inOneOf].join(' AND ');
}

/** The characters that stand together without a blank, as the index writes them. */
function rowsOf(text: string): string[][] {
  return text.split(/\s+/).flatMap((row) => (row === '' ? [] : [[...row].map(indexed)]));
}

/** To the tokeniser ASCII punctuation is a blank, so it gets a place in the private use area. */
function indexed(character: string): string {
  const isKept = character > '\x7f' || /[a-z\d]/.test(character);
  return isKept ? character : String.fromCharCode(0xe000 + character.charCodeAt(0));
}

function pairsOf(row: readonly string[]): string[] {
  return row.slice(1).map((character, index) => `${row[index]}${character}`);
}

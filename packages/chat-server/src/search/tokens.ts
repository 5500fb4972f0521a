/** All pairs of neighbouring characters, and the last character of each run, because no pair begins with it. */
export function tokensOf(texts: readonly string[]): Set<string> {
  const tokens = new Set<string>();
  // Arrays of pairs would add a tenth to the cost of indexing a message.
  for (const row of texts.flatMap(rowsOf)) {
    for (const [index, character] of row.entries()) tokens.add(`${character}${row[index + 1] ?? ''}`);
  }
  return tokens;
}

/** Begins the token of a conversation id. `indexed` maps no punctuation to this private use character. */
const conversationMark = '\ue100';
export const conversationToken = (conversationId: number): string => `${conversationMark}${conversationId}`;

/** A query uses at most this many pairs of characters. The first ones already exclude nearly all messages that do not match. */
const mostPairs = 24;

/** The query finds every message that contains all words in one of the conversations, and possibly others. */
export function queryOf(words: readonly string[], conversationIds: readonly number[]): string {
  const rows = words.flatMap(rowsOf);
  const pairs = [...new Set(rows.flatMap(pairsOf))].slice(0, mostPairs).map((pair) => `"${pair}"`);
  const alone = rows.filter((row) => row.length === 1).map(([character]) => `"${character}" *`);
  const inOneOf = `(${conversationIds.map((id) => `"${conversationToken(id)}"`).join(' OR ')})`;
  return [...pairs, ...new Set(alone), inOneOf].join(' AND ');
}

function rowsOf(text: string): string[][] {
  return text.split(/\s+/).flatMap((row) => (row === '' ? [] : [[...row].map(indexed)]));
}

/** SQLite's tokeniser drops ASCII punctuation, so it is stored as private use characters. */
function indexed(character: string): string {
  const isPlain = character > '\x7f' || /[a-z\d]/.test(character);
  return isPlain ? character : String.fromCharCode(0xe000 + character.charCodeAt(0));
}

function pairsOf(row: readonly string[]): string[] {
  return row.slice(1).map((character, index) => `${row[index]}${character}`);
}

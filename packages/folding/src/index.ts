export { findAlertWords, isLatinOrDigit, isWordAt, wordKey } from './alertWords.ts';
export { fold } from './fold.ts';
export type { Range } from './find.ts';
export { findFolded } from './findFolded.ts';
export { graphemesOf } from './graphemes.ts';
export { isWholeWord, wordsOf } from './words.ts';

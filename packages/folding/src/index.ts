export { findAlertWords, isLatinOrDigit, isWordAt, wordKey } from './alertWords.ts';
export { fold } from './fold.ts';
export { type Range, findFolded } from './find.ts';
export { isWholeWord, wordsOf } from './words.ts';

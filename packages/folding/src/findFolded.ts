import { findAlike, type Range } from './find.ts';
import { fold } from './fold.ts';

/** @param words already folded. */
export const findFolded = (text: string, words: readonly string[]): Range[] => findAlike(text, words, fold);

import { graphemesOf } from './graphemes.ts';

/** A part of a text in UTF-16 code units; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Texts that it makes equal are alike. */
type Folding = (text: string) => string;

/** The places of the words in the typed text: whole graphemes, ascending, without overlaps. @param words already folded. */
export function findAlike(text: string, words: readonly string[], fold: Folding): Range[] {
  const whole = fold(text);
  const found = words.flatMap((word) => [...occurrences(whole, word)]);
  if (found.length === 0) return [];
  const typed = typedRanges(text, whole, fold);
  const ranges = found.map(({ start, end }) => ({ start: typed(start).start, end: typed(end - 1).end }));
  return mergeOverlapping(ranges.toSorted((one, other) => one.start - other.start));
}

function* occurrences(text: string, word: string): Generator<Range> {
  if (word === '') return;
  for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + word.length)) {
    yield { start, end: start + word.length };
  }
}

/** @param ranges ascending by start. */
export function mergeOverlapping(ranges: readonly Range[]): Range[] {
  const apart: Range[] = [];
  for (const range of ranges) {
    const last = apart.at(-1);
    if (!last || range.start >= last.end) apart.push(range);
    else apart.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
  }
  return apart;
}

function typedRanges(text: string, whole: string, fold: Folding): (at: number) => Range {
  const rangeAt: Range[] = [];
  let start = 0;
  for (const { typed, folded } of piecesOf(text, whole, fold)) {
    const range = { start, end: start + typed.length };
    for (let length = folded.length; length > 0; length -= 1) rangeAt.push(range);
    start = range.end;
  }
  return (at) => rangeAt[at] ?? { start, end: start };
}

/** The smallest part of a text that can be folded alone: a grapheme, or several that folding combines. */
interface Piece {
  readonly typed: string;
  readonly folded: string;
}

function piecesOf(text: string, whole: string, fold: Folding): Piece[] {
  const known = new Map<string, Piece>();
  const pieceOf = (typed: string) => {
    const piece = known.get(typed) ?? { typed, folded: fold(typed) };
    known.set(typed, piece);
    return piece;
  };
  const each = Array.from(graphemesOf(text), ({ segment }) => pieceOf(segment));
  if (each.map(({ folded }) => folded).join('') === whole) return each;
  const pieces: Piece[] = [];
  for (const next of each) {
    const last = pieces.at(-1);
    const together = last && pieceOf(last.typed + next.typed);
    if (!together || together.folded === last.folded + next.folded) pieces.push(next);
    else pieces.splice(-1, 1, together);
  }
  return pieces;
}

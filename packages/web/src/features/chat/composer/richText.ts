/** A text with chips, which stand for the syntax that is sent. Pure functions. */
import { type FoundReference, type QuoteCard, quotesIn, type Reference, referencesIn } from '@engawa/markup';
import { isMessageAddress } from '../../../model/streams/address.ts';

export interface Chip {
  /** The range of the chip in the text that the field shows. */
  readonly from: number;
  readonly to: number;
  /** The syntax that the chip stands for. */
  readonly raw: string;
  /** A quote takes whole lines. */
  readonly isQuote: boolean;
}

export interface RichText {
  readonly text: string;
  readonly chips: readonly Chip[];
}

export interface ChipLabels {
  /** The text of a reference; undefined if nobody and nothing is meant by it, so that it stays as typed. */
  reference(node: Reference): string | undefined;
  quote(raw: string, card: QuoteCard): string;
}

/** Characters. Longer texts, which cannot be sent, are shown as typed, so that a keystroke stays cheap. */
const longest = 20_000;

/** The text of a draft with chips for its references and quotes. `toRaw` turns it back into exactly the same draft. */
export function richTextOf(raw: string, labels: ChipLabels): RichText {
  if (raw.length > longest) return { text: raw, chips: [] };
  const quotes = quotesIn(raw, isMessageAddress);
  const isQuoted = ({ from }: FoundReference) => quotes.some((quote) => from >= quote.from && from < quote.to);
  const found = [
    ...quotes.map(({ card, from, to }) => ({ from, to, label: labels.quote(raw.slice(from, to), card), isQuote: true })),
    ...referencesIn(raw)
      .filter((reference) => !isQuoted(reference))
      .map(({ node, from, to }) => ({ from, to, label: labels.reference(node), isQuote: false })),
  ].toSorted((one, other) => one.from - other.from);

  let text = '';
  let at = 0;
  const chips: Chip[] = [];
  for (const { from, to, label, isQuote } of found) {
    if (label === undefined) continue;
    text += raw.slice(at, from);
    chips.push({ from: text.length, to: text.length + label.length, raw: raw.slice(from, to), isQuote });
    text += label;
    at = to;
  }
  return { text: text + raw.slice(at), chips };
}

/**
 * The draft of a text, and the chips that count in it. A chip to which the member has attached a letter or backtick, so that
 * no client would read it as a mention, is sent as the text that the field shows.
 */
export function toRaw(rich: RichText): { readonly raw: string; readonly counting: readonly Chip[] } {
  if (rich.chips.length === 0) return { raw: rich.text, counting: rich.chips };
  const { raw, places } = written(rich.text, rich.chips);
  const found = new Map(referencesIn(raw).map(({ from, to }) => [from, to]));
  const counting = rich.chips.filter((chip, index) => {
    const from = places[index] ?? 0;
    return chip.isQuote || found.get(from) === from + chip.raw.length;
  });
  if (counting.length === rich.chips.length) return { raw, counting };
  return { raw: written(rich.text, counting).raw, counting };
}

/** The text with the syntax of its chips, and the position of each. */
function written(text: string, chips: readonly Chip[]): { readonly raw: string; readonly places: readonly number[] } {
  let raw = '';
  let at = 0;
  const places: number[] = [];
  for (const chip of chips) {
    raw += text.slice(at, chip.from);
    if (chip.isQuote && raw !== '' && !raw.endsWith('\n')) raw += '\n';
    places.push(raw.length);
    raw += chip.raw;
    at = chip.to;
    if (chip.isQuote && at < text.length && text[at] !== '\n') raw += '\n';
  }
  return { raw: raw + text.slice(at), places };
}

/** The draft of a part of the text. A chip that is only partly in it counts as text. */
export function rawBetween({ text, chips }: RichText, from: number, to: number): string {
  const inside = chips
    .filter((chip) => chip.from >= from && chip.to <= to)
    .map((chip) => ({ ...chip, from: chip.from - from, to: chip.to - from }));
  return toRaw({ text: text.slice(from, to), chips: inside }).raw;
}

/** Moves the chips along with an edit. An edit within a chip makes it text. @param caret The end of what was written. */
export function afterEdit(before: RichText, text: string, caret: number): RichText {
  if (before.chips.length === 0) return { text, chips: before.chips };
  const shorter = Math.min(before.text.length, text.length);
  const after = commonLength(text.length - caret, (index) => before.text.at(-1 - index) === text.at(-1 - index), shorter);
  const start = commonLength(shorter - after, (index) => before.text[index] === text[index], shorter - after);
  const end = before.text.length - after;
  const moved = text.length - before.text.length;
  const chips = before.chips.flatMap((chip) => {
    if (chip.to <= start) return chip;
    return chip.from >= end ? { ...chip, from: chip.from + moved, to: chip.to + moved } : [];
  });
  return { text, chips };
}

function commonLength(wanted: number, isSame: (index: number) => boolean, most: number): number {
  const limit = Math.min(Math.max(0, wanted), most);
  let length = 0;
  while (length < limit && isSame(length)) length += 1;
  return length;
}

/** The text in which each chip is a row of `*`, so that nothing in a chip is taken for the beginning of a mention. */
export function maskChips({ text, chips }: RichText): string {
  return chips.reduce((masked, { from, to }) => masked.slice(0, from) + '*'.repeat(to - from) + masked.slice(to), text);
}

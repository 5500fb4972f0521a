import { type QuoteCard, quotesIn } from '@engawa/markup';
import { createSignal } from '../../../model/signal.ts';
import { isMessageAddress } from '../../../model/streams/address.ts';
import { afterEdit, type Chip, type ChipLabels, type RichText, maskChips, rawBetween, richTextOf, toRaw } from './richText.ts';

export interface LeadingQuote {
  readonly raw: string;
  readonly card: QuoteCard;
}

export interface ComposedView {
  /** The quotes at the beginning of the draft, which are shown above the field. */
  readonly quotes: readonly LeadingQuote[];
  /** The text of the field. */
  readonly text: string;
  readonly chips: readonly Chip[];
}

/** States of the field to which the browser's undo and redo may return. */
const mostRemembered = 100;

export type ComposedText = ReturnType<typeof createComposedText>;

/**
 * A draft as the member sees it while writing. The field holds plain text, so that input methods, undo and screen readers work
 * as in any text field; the syntax behind its chips is kept here, by their ranges.
 */
export function createComposedText(draft: string, labels: ChipLabels) {
  const changed = createSignal();
  const chipsByText = new Map<string, readonly Chip[]>();
  let quotes: readonly LeadingQuote[] = [];
  let rich: RichText = { text: '', chips: [] };
  let body = '';
  let view: ComposedView = { quotes, ...rich };
  let inserting: RichText | undefined;

  const show = () => {
    const { raw, counting } = toRaw(rich);
    body = raw;
    view = { quotes, text: rich.text, chips: counting };
    changed.emit();
  };

  const load = (raw: string) => {
    const split = splitQuotes(raw);
    quotes = split.quotes;
    rich = richTextOf(split.body, labels);
    chipsByText.clear();
    remember();
    show();
  };

  const remember = () => {
    if (rich.chips.length === 0) return;
    chipsByText.delete(rich.text);
    chipsByText.set(rich.text, rich.chips);
    const [oldest] = chipsByText.keys();
    if (chipsByText.size > mostRemembered && oldest !== undefined) chipsByText.delete(oldest);
  };

  load(draft);
  return {
    view: () => view,
    subscribe: changed.subscribe,
    /** The text that is stored and sent. */
    raw: () => joinQuotes(quotes, body),
    /** The part of the draft that is above the field, and the part that is in it. */
    parts: () => ({ quoted: joinQuotes(quotes, ''), body }),
    load,
    /** Takes over the text of the field after an input. */
    edit(text: string, caret: number, inputType: string) {
      const restored = inputType.startsWith('history') ? chipsByText.get(text) : undefined;
      const kept = restored ? { text, chips: restored } : afterEdit(rich, text, caret);
      const added = inserting ? shifted(inserting.chips, caret - inserting.text.length) : [];
      rich = { text, chips: [...kept.chips, ...added].toSorted((one, other) => one.from - other.from) };
      remember();
      show();
    },
    /** Inserts a draft by `insert`, which writes the text into the field. Returns false if the draft has no chips. */
    insert(raw: string, insert: (text: string) => void): boolean {
      inserting = richTextOf(raw, labels);
      const { text, chips } = inserting;
      if (chips.length > 0) insert(text);
      inserting = undefined;
      return chips.length > 0;
    },
    rawBetween: (from: number, to: number) => rawBetween(rich, from, to),
    masked: () => maskChips(rich),
    removeQuote(removed: LeadingQuote) {
      quotes = quotes.filter((quote) => quote !== removed);
      show();
    },
    removeQuotes() {
      quotes = [];
      show();
    },
  };
}

const shifted = (chips: readonly Chip[], by: number): readonly Chip[] =>
  chips.map((chip) => ({ ...chip, from: chip.from + by, to: chip.to + by }));

/** Splits a draft into the quotes at its beginning, with their line ends, and the rest. */
function splitQuotes(raw: string): { readonly quotes: readonly LeadingQuote[]; readonly body: string } {
  const quotes: LeadingQuote[] = [];
  let at = 0;
  for (const { card, from, to } of quotesIn(raw, isMessageAddress)) {
    if (from !== at) break;
    at = to;
    // The line end, and the blank line that divides the quote from what follows.
    for (let lineEnds = 0; lineEnds < 2 && raw[at] === '\n'; lineEnds += 1) at += 1;
    quotes.push({ raw: raw.slice(from, at), card });
  }
  return { quotes, body: raw.slice(at) };
}

/** A quote ends at the next line that is no quote, so the text behind it begins on a new line. */
function joinQuotes(quotes: readonly LeadingQuote[], body: string): string {
  const parts = [...quotes.map(({ raw }) => raw), body].filter((part) => part !== '');
  return parts.reduce((joined, part) => joined + divider(joined, part) + part, '');
}

function divider(before: string, after: string): string {
  if (before === '' || before.endsWith('\n\n')) return '';
  const continues = after.startsWith('>') && /(?:^|\n)>[^\n]*\n?$/.test(before);
  return `${before.endsWith('\n') ? '' : '\n'}${continues ? '\n' : ''}`;
}

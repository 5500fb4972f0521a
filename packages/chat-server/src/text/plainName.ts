/**
 * A name without what nobody sees and what would show it as another (U+202E turns it about, U+200B makes two of one).
 * Emoji keep what joins them, and characters the selectors that choose their shape, as the names of places do.
 */
export function plainName(name: string): string {
  return name.toWellFormed().replace(emojiOrUnseen, (found) => (isUnseen.test(found) ? '' : found));
}

const emojiOrUnseen = /\p{RGI_Emoji}|[\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}]/gv;
const isUnseen = /^\p{Default_Ignorable_Code_Point}/u;

/** Names are the same when they differ only in case, width or space around them. */
export const streamNameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/**
 * A name without what nobody sees and what would show it as another (U+202E turns it about, U+200B makes two of one).
 * Emoji keep what joins them, and characters the selectors that choose their shape, as the names of places do.
 */
export function plainStreamName(name: string): string {
  return name.toWellFormed().replace(emojiOrUnseen, (found) => (isUnseen.test(found) ? '' : found));
}

const emojiOrUnseen = /\p{RGI_Emoji}|[\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}]/gv;
const isUnseen = /^\p{Default_Ignorable_Code_Point}/u;

/**
 * A name without invisible characters, which could imitate another name (U+202E reverses it, U+200B hides a difference).
 * Joiners within emoji and variation selectors stay.
 */
export function plainName(name: string): string {
  return name.toWellFormed().replace(emojiOrInvisible, (found) => (isInvisible.test(found) ? '' : found));
}

const emojiOrInvisible = /\p{RGI_Emoji}|[\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}]/gv;
const isInvisible = /^\p{Default_Ignorable_Code_Point}/u;

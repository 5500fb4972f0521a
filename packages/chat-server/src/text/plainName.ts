/** Removes invisible characters that could imitate another name (U+202E, U+200B), except those within emoji. */
export function plainName(name: string): string {
  return name.toWellFormed().replace(emojiOrInvisible, (found) => (isInvisible.test(found) ? '' : found));
}

const emojiOrInvisible = /\p{RGI_Emoji}|[\p{Default_Ignorable_Code_Point}--\p{Variation_Selector}]/gv;
const isInvisible = /^\p{Default_Ignorable_Code_Point}/u;

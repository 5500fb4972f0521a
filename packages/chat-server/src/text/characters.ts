export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The position, in code points from 0, of the first character that names and topics may not contain. -1 if there is none. */
export const invalidCharacterAt = (text: string): number =>
  [...text].findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character));

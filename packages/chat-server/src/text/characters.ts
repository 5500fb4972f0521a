export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The position of the first character that no topic and no name may contain, from 0 in code points; -1 if there is none. */
export const invalidCharacterAt = (text: string): number =>
  [...text].findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character));

/** The hexadecimal code points joined by `-`, without FE0F. */
export function codeOf(emoji: string): string {
  const points = [...emoji].map((character) => character.codePointAt(0)?.toString(16).padStart(4, '0') ?? '');
  return points.filter((point) => point !== 'fe0f').join('-');
}

export interface MentionQuery {
  readonly from: number;
  readonly query: string;
}

/** Code points; longer than any name. */
const longest = 40;

/** The text after `@` in full or half width, also directly after Japanese; not in an address, code or a finished mention. */
export function mentionQueryAt(text: string, caret: number): MentionQuery | undefined {
  const start = Math.max(0, caret - longest);
  const found = /(?<![\w.%+-])[@＠](?!\s)([^@＠*`\n]*)$/.exec(text.slice(start, caret));
  if (!found) return undefined;
  const from = start + found.index;
  const before = text.slice(0, from);
  return isInCode(before) || isInAddress(before) ? undefined : { from, query: found[1] ?? '' };
}

function isInCode(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return before.split('```').length % 2 === 0 || line.split('`').length % 2 === 0;
}

/** Japanese letters end an address, because no space separates it from the next word. */
function isInAddress(before: string): boolean {
  const [word = ''] = before.split(/\s/).slice(-1);
  return /https?:\/\/[!-~]*$/i.test(word);
}

/** A mention that is being typed: from its sign up to the caret. */
export interface MentionQuery {
  /** Where the sign stands. */
  readonly from: number;
  /** What stands behind it. */
  readonly query: string;
}

/** Longer than any name that is typed to be found. */
const longest = 40;

/**
 * What is typed behind `@`, in either width, directly behind Japanese as well; not within an email address or another,
 * nor in code, nor in a mention that stands already.
 */
export function mentionQueryAt(text: string, caret: number): MentionQuery | undefined {
  const start = Math.max(0, caret - longest);
  const found = /(?<![\w.%+-])[@＠](?!\s)([^@＠*`\n]*)$/.exec(text.slice(start, caret));
  if (!found) return undefined;
  const from = start + found.index;
  const before = text.slice(0, from);
  return isInCode(before) || isInAddress(before) ? undefined : { from, query: found[1] ?? '' };
}

/** Whether a fence or a code span has begun and has not ended. */
function isInCode(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return before.split('```').length % 2 === 0 || line.split('`').length % 2 === 0;
}

/** Where Japanese follows an address, the sentence has gone on. */
function isInAddress(before: string): boolean {
  const [word = ''] = before.split(/\s/).slice(-1);
  return /https?:\/\/[!-~]*$/i.test(word);
}

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
 * What is typed behind `@`, in either width, directly behind Japanese as well; not within an email address, nor in code,
 * nor in a mention that stands already.
 */
export function mentionQueryAt(text: string, caret: number): MentionQuery | undefined {
  const start = Math.max(0, caret - longest);
  const found = /(?<![\w.%+-])[@＠](?!\s)([^@＠*`\n]*)$/.exec(text.slice(start, caret));
  if (!found) return undefined;
  const from = start + found.index;
  return isInCode(text.slice(0, from)) ? undefined : { from, query: found[1] ?? '' };
}

/** Whether a fence or a code span has begun and has not ended. */
function isInCode(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return before.split('```').length % 2 === 0 || line.split('`').length % 2 === 0;
}

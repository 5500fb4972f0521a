import type { QuoteCard } from '@engawa/markup';
import { selectMentionedUser } from '../../../model/people/mentions.ts';
import type { PeopleState } from '../../../model/people/state.ts';

/** The sender of a quoted message as the quote names them. Another client's quote names the member, whose name may have changed. */
export function selectQuoteAuthor(state: PeopleState, { about, author }: QuoteCard): string {
  if (!author) return about.slice(0, timeStart(about)).trimEnd();
  return selectMentionedUser(state, author.name, author.id)?.name ?? about;
}

/** The time in a quote of our clients, which write it in brackets behind the name. */
export function quoteTime({ about, author }: QuoteCard): string {
  return author ? '' : about.slice(timeStart(about) + 1, -1);
}

function timeStart(about: string): number {
  const bracket = about.endsWith('）') ? about.lastIndexOf('（') : about.endsWith(')') ? about.indexOf(' (') + 1 : 0;
  return bracket > 0 ? bracket : about.length;
}

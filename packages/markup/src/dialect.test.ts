import { expect, it } from 'vitest';
import { dialectOf, ownClient, parseMarkup } from './dialect.ts';
import { outline } from './testing/outline.ts';

it.each([
  [ownClient, 'engawa'],
  [`${ownClient}Mobile`, 'engawa'],
  ['website', 'zulip'],
  ['ZulipMobile', 'zulip'],
  ['Mozilla', 'zulip'],
] as const)('The dialect of a message from the client %s is %s', (client, dialect) => {
  expect(dialectOf(client)).toBe(dialect);
});

it('In our dialect *a* is bold and in Zulip’s it is emphasis, while **b** is bold in both', () => {
  const both = '*a* **b**';
  expect(outline(parseMarkup(both, 'engawa'))).toBe('[strong a] [strong b]');
  expect(outline(parseMarkup(both, 'zulip'))).toBe('[emphasis a] [strong b]');
});

it.each(['engawa', 'zulip'] as const)('parseMarkup ends a paragraph at a blank line in the dialect %s', (dialect) => {
  expect(outline(parseMarkup('一\n二\n \n\n三\n```\n四\n\n五\n```\n\n六', dialect))).toBe('一\n二¶三¶[block 四\n\n五]¶六');
});

it.each(['engawa', 'zulip'] as const)(
  'parseMarkup parses a quote of two paragraphs as one quote in the dialect %s',
  (dialect) => {
    expect(outline(parseMarkup('> 一\n>\n> 二\n\n答え', dialect))).toBe('(quote 一¶二)¶答え');
  },
);

import { describe, expect, it } from 'vitest';
import { dialectOf, ownClient, parseMarkup } from './dialect.ts';
import { outline } from './testing/outline.ts';

describe('the dialect of a message', () => {
  it.each([
    [ownClient, 'engawa'],
    [`${ownClient}Mobile`, 'engawa'],
    ['website', 'zulip'],
    ['ZulipMobile', 'zulip'],
    ['Mozilla', 'zulip'],
  ] as const)('that %s wrote is that of %s', (client, dialect) => {
    expect(dialectOf(client)).toBe(dialect);
  });

  it('decides what one star means, and nothing else about bold', () => {
    const both = '*a* **b**';
    expect(outline(parseMarkup(both, 'engawa'))).toBe('[strong a] [strong b]');
    expect(outline(parseMarkup(both, 'zulip'))).toBe('[emphasis a] [strong b]');
  });
});

it.each(['engawa', 'zulip'] as const)('a blank line ends a paragraph in the dialect of %s', (dialect) => {
  expect(outline(parseMarkup('一\n二\n \n\n三\n```\n四\n\n五\n```\n\n六', dialect))).toBe('一\n二¶三¶[block 四\n\n五]¶六');
});

it.each(['engawa', 'zulip'] as const)('a quote is one in the dialect of %s, with its paragraphs', (dialect) => {
  expect(outline(parseMarkup('> 一\n>\n> 二\n\n答え', dialect))).toBe('(quote 一¶二)¶答え');
});

import { expect, it } from 'vitest';
import { dialectOf, ownClient } from './dialect.ts';
import { parseMarkup, parseZulip } from './dialects.ts';
import { plainText } from './plainText.ts';
import { quoteCards } from './quoteCards.ts';
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

const address = 'https://chat.example.com/#narrow/stream/1-x/topic/y/near/7';
const isMessage = (href: string): boolean => href === address;

it('[R7.8] quoteCards shows the quote of a Zulip client as a card with its author', () => {
  const text = `@_**石川 健|11** [said](${address}):\n\`\`\`quote\n- 一\n- *二*\n\`\`\`\n了解`;
  expect(quoteCards(parseZulip(text), isMessage)).toMatchObject([
    { kind: 'quote-card', href: address, author: { name: '石川 健', id: 11 }, children: [{ kind: 'list' }] },
    { kind: 'paragraph' },
  ]);
});

it('[R7.8] plainText writes every block of a Zulip client on lines, and hides the text of a spoiler', () => {
  const text = [
    '# 見出し',
    '3. 三\n4. **四**',
    '- 項目',
    '```math\nx^2\n```',
    '```spoiler 結末\n犯人\n```',
    '| 名 | 数 |\n|--|--|\n| 甲 | 1 |',
    '> 引用',
    '---',
    ':tada: *斜体*',
  ].join('\n');
  expect(plainText(quoteCards(parseZulip(text), isMessage)).split('\n')).toEqual([
    '見出し',
    '3. 三',
    '4. 四',
    '• 項目',
    'x^2',
    '結末',
    '名 数',
    '甲 1',
    '引用',
    '',
    ':tada: 斜体',
  ]);
});

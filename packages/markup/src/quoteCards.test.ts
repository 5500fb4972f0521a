import { describe, expect, it } from 'vitest';
import { parseEngawa } from './parseEngawa.ts';
import { plainText } from './plainText.ts';
import { type QuotingBlock, quoteCards } from './quoteCards.ts';
import { quotesIn } from './quotesIn.ts';
import { inlineText } from './tree.ts';

const isMessage = (href: string): boolean => /\/(?:message|near)\/\d+$/.test(href);
const link = 'https://chat.example/#/stream/7/message/12';
const narrow = 'https://chat.example/#narrow/channel/7-x/topic/y/near/12';

function outline(blocks: readonly QuotingBlock[]): string {
  return blocks.map(outlineOf).join('¶');
}

function outlineOf(block: QuotingBlock): string {
  if (block.kind === 'paragraph') return block.children.map(inlineText).join('');
  if (block.kind === 'code-block') return `[block ${block.text}]`;
  if (block.kind !== 'quote' && block.kind !== 'quote-card') return `(${block.kind})`;
  const inside = outline(block.children);
  if (block.kind === 'quote') return `(quote ${inside})`;
  return `(card ${block.about}${block.author ? ` #${block.author.id}` : ''} ${/\d+$/.exec(block.href)?.[0]}: ${inside})`;
}

describe('A quote that names its message', () => {
  it.each([
    [
      'our own form',
      `> 佐藤 美咲（09:58） ${link}\n> 一行め\n> 二行め\n答え`,
      '(card 佐藤 美咲（09:58） 12: 一行め\n二行め)¶答え',
    ],
    [
      'our own form with code',
      `> 佐藤（09:58） ${link}\n> \`\`\`\n> a\n> \`\`\`\n答え`,
      '(card 佐藤（09:58） 12: [block a])¶答え',
    ],
    [
      'a quote in a quote',
      `> 佐藤（1） ${link}\n> > 田中（2） ${link}3\n> > 内\n>\n> 外\n`,
      '(card 佐藤（1） 12: (card 田中（2） 123: 内)¶外)',
    ],
    [
      'the form of Zulip',
      `@_**佐藤 美咲|9** [said](${narrow}):\n\`\`\`quote\n一行め\n\`\`\`\n答え`,
      '(card 佐藤 美咲 #9 12: 一行め)¶答え',
    ],
    [
      'the form of Zulip after text',
      `前\n\n@_**佐藤|9** [said](${narrow}):\n\`\`\`quote\n一\n\`\`\``,
      '前¶(card 佐藤 #9 12: 一)',
    ],
    [
      'the form of Zulip in Japanese',
      `@_**佐藤|9** さんが[書きました](${narrow})：\n\`\`\`quote\n一\n\`\`\``,
      '(card 佐藤 #9 12: 一)',
    ],
    ['a quote of an empty message', `> 佐藤（09:58） ${link}\n答え`, '(card 佐藤（09:58） 12: )¶答え'],
  ])('[R2.14] becomes a card: %s', (_, source, shown) => {
    expect(outline(quoteCards(parseEngawa(source), isMessage))).toBe(shown);
  });

  it.each([
    `> 佐藤（09:58） https://elsewhere.example/\n> 一`,
    `> 佐藤 ${link} です\n> 一`,
    `> ${link}\n> 一`,
    `> 一\n> 佐藤（09:58） ${link}`,
    `@**佐藤|9** [said](${narrow}):\n\`\`\`quote\n一\n\`\`\``,
    `@_**佐藤|9** [said](${narrow})\n\`\`\`quote\n一\n\`\`\``,
    `@_**佐藤|9** [said](https://elsewhere.example/):\n\`\`\`quote\n一\n\`\`\``,
  ])('[R2.14] No other quote becomes a card: %j', (source) => {
    expect(outline(quoteCards(parseEngawa(source), isMessage))).not.toContain('(card');
  });
});

it('[R2.14] quotesIn returns the positions of the quotes that name their message, and none inside code', () => {
  const own = `> 佐藤（09:58） ${link}\n> 一\n>\n> 二`;
  const theirs = `@_**田中|3** [said](${narrow}):\n\`\`\`quote\n三\n\`\`\``;
  const text = `${own}\n答え\n\n${theirs}\n> 手で書いた引用\n\`\`\`\n${own}\n\`\`\`\n${own}`;
  expect(quotesIn(text, isMessage).map(({ from, to }) => text.slice(from, to))).toEqual([own, theirs, own]);
});

it('[R2.14] quotesIn returns a quote after an opening code fence that nothing closes', () => {
  const quote = `> 佐藤（09:58） ${link}\n> 一`;
  const text = `\`\`\`閉じない\n${quote}`;
  expect(outline(quoteCards(parseEngawa(text), isMessage))).toContain('(card');
  expect(quotesIn(text, isMessage).map(({ from, to }) => text.slice(from, to))).toEqual([quote]);
});

it('[R2.6, R2.14] plainText leaves out the address of a quoted message', () => {
  expect(plainText(quoteCards(parseEngawa(`> 佐藤（09:58） ${link}\n> 一\n答え ${link}`), isMessage))).toBe(
    `佐藤（09:58）\n一\n答え ${link}`,
  );
});

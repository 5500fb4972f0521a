import { expect, it } from 'vitest';
import { foreignMarkdown, plainSource } from './plainSource.ts';
import { parseZulip } from './parseZulip.ts';
import type { Block, Inline } from './tree.ts';

const pieces = [
  '*',
  '**',
  '***',
  '~~',
  '`',
  '``',
  '```',
  '```quote\n',
  '$$',
  '@',
  '@_',
  '@**all**',
  '@*g*',
  '#',
  '#**a**',
  '# ',
  '> ',
  '- ',
  '1. ',
  '---',

  '[',
  ']',
  '(',
  ')',
  '[a](https://a.example)',
  '![x](/y)',
  '<time:1>',
  ':smile:',
  '|',
  '|-|',
  'a|b\n',
  '\n',
  ' ',
  'a',
  'あ',
  '_',

  'https://a.example/b_c',
  'https://a.example/**@**all**',
  'http://',
];

/** Numbers below `below`, always the same ones. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function randomTexts(count: number): string[] {
  const number = numbers(17);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + number(9) }, () => pieces[number(pieces.length)] ?? '').join(''),
  );
}

const kinds = (nodes: readonly Inline[]): string[] =>
  nodes.flatMap((node) => ('children' in node ? kinds(node.children) : node.kind));
const kindsOf = (block: Block): string[] => {
  if (block.kind === 'paragraph' || block.kind === 'heading') return kinds(block.children);
  if (block.kind === 'list') return block.items.flat().flatMap(kindsOf);
  if (block.kind === 'table') return [...block.head, ...block.rows.flat()].flatMap(kinds);
  if (block.kind === 'spoiler') return [...kinds(block.title), ...block.children.flatMap(kindsOf)];
  return 'children' in block ? block.children.flatMap(kindsOf) : [];
};

it('Text of another program that contains marks, mentions and fences becomes text, bare addresses, code, lists and rules only', () => {
  for (const text of randomTexts(3000)) {
    const blocks = parseZulip(plainSource(text));
    expect(
      blocks.map(({ kind }) => kind).filter((kind) => !['paragraph', 'list', 'rule'].includes(kind)),
      text,
    ).toEqual([]);
    expect(
      blocks.flatMap(kindsOf).filter((kind) => !['text', 'link', 'code'].includes(kind)),
      text,
    ).toEqual([]);
  }
});

it('Text of another program stays the same text if its wide characters are read as narrow ones', () => {
  for (const text of randomTexts(300)) expect(plainSource(text).normalize('NFKC')).toBe(text.normalize('NFKC'));
});

it('Text of another program without any markup is not changed', () => {
  const text = 'Disk at 95% on host_a_b (see https://a.example/b_c?d=1), 10*3 = 30、対応をお願いします';
  expect(plainSource(text)).toBe(text);
});

it('Markdown of another program mentions nobody and links to no stream and to no path of this server', () => {
  for (const text of [...randomTexts(3000), '[x](/y)', '[[a](/b)](/c)']) {
    const tree = parseZulip(foreignMarkdown(text));
    expect(JSON.stringify(tree).match(/"href":"(?!https?:|mailto:)/), text).toBeNull();
    const found = tree.flatMap(kindsOf);
    expect(
      found.filter((kind) => kind.endsWith('mention') || kind === 'stream-link' || kind === 'topic-link'),
      text,
    ).toEqual([]);
  }
});

it('A picture in the Markdown of another program becomes a link', () => {
  expect(foreignMarkdown('![x](https://a.example/x.png)')).toBe('[x](https://a.example/x.png)');
  expect(foreignMarkdown('!![x\ny [1]](https://a.example)')).toBe('[x\ny [1]](https://a.example)');
});

it('An exclamation mark before a bracket in the code of another program stays', () => {
  const code = '```\nif (![1, 2].includes(a)) b[0](c);\n```';
  expect(foreignMarkdown(code)).toBe(code);
});

it('Hostile Markdown of another program is written without quadratic work', () => {
  for (const piece of ['!', '![', '![a]', '![a', '[b]', '](/']) {
    // Quadratic work takes longer than the timeout of a test.
    expect(foreignMarkdown(`![${piece.repeat(300_000)}`)).not.toBe('');
  }
});

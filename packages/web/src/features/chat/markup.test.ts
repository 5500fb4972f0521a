import { describe, expect, it } from 'vitest';
import { parseMarkup, plainText, type Block, type Inline } from './markup.ts';

/** The tree in a line: [bold …] and so on, <address>, plain text as it is. */
function outline(source: string): string {
  const inline = (node: Inline): string => {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'link') return `<${node.href}>`;
    return 'children' in node ? `[${node.kind} ${node.children.map(inline).join('')}]` : `[code ${node.text}]`;
  };
  const block = (node: Block) =>
    node.kind === 'code-block' ? `[block ${node.text}]` : node.children.map(inline).join('');
  return parseMarkup(source).map(block).join('¶');
}

describe('[R5.3.1] marks', () => {
  it.each([
    ['*太字*', '[bold 太字]'],
    ['**bold**', '[bold bold]'],
    ['_斜体_', '[italic 斜体]'],
    ['~取消~', '[strike 取消]'],
    ['°下線°', '[underline 下線]'],
    ['`*code*`', '[code *code*]'],
    ['*_~重~_*', '[bold [italic [strike 重]]]'],
    ['```\nconst a = 1;\nb();\n```', '[block const a = 1;\nb();]'],
    ['前\n```ts\na\n```\n後', '前¶[block a]¶後'],
    ['```一行```', '[block 一行]'],
  ])('reads %j as %s', (source, shown) => {
    expect(outline(source)).toBe(shown);
  });
});

it.each([
  ['これは*太字*です', 'これは[bold 太字]です'],
  ['*「重要」*です', '[bold 「重要」]です'],
  ['確認します。~15 時~ 14 時まで', '確認します。[strike 15 時] 14 時まで'],
  ['（*重要*）', '（[bold 重要]）'],
])('[R5.3.2] marks work beside Japanese: %s', (source, shown) => {
  expect(outline(source)).toBe(shown);
});

it.each([
  '10~12時、13~15時',
  '最高25°、最低18°',
  '25°C と 30°C',
  'a_b_c.txt',
  'snake_case と __init__',
  '2*3*4',
  '* 項目 * 項目',
  '*改行を\n越えない*',
  '(*^_^*)',
  '***',
  '`閉じない',
  '```閉じない',
  '``````',
  '<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
])('[R5.3.2] everyday text stays text: %j', (source) => {
  expect(outline(source)).toBe(source);
});

it('[R5.3.2] pairs do not cross, and the nearest opening mark counts', () => {
  expect(outline('*a _b* c_')).toBe('[bold a _b] c_');
  expect(outline('*a (*b*')).toBe('*a ([bold b]');
});

it.each([
  ['リンクですhttps://example.com/を見て', 'リンクです<https://example.com/>を見て'],
  ['（https://example.com/a）。', '（<https://example.com/a>）。'],
  ['https://ja.wikipedia.org/wiki/日本語', '<https://ja.wikipedia.org/wiki/日本語>'],
  ['https://ja.wikipedia.org/wiki/のり', '<https://ja.wikipedia.org/wiki/のり>'],
  ['詳細はhttps://example.com/aです。', '詳細は<https://example.com/a>です。'],
  ['→https://example.com、次', '→<https://example.com>、次'],
  ['：https://example.com参照', '：<https://example.com>参照'],
  ['https://例え.jp/道', '<https://例え.jp/道>'],
  ['http://localhost:5173/#/stream/7', '<http://localhost:5173/#/stream/7>'],
  ['(https://en.wikipedia.org/wiki/Cat_(animal))', '(<https://en.wikipedia.org/wiki/Cat_(animal)>)'],
  ['https://example.com/a?b=1&c=2.', '<https://example.com/a?b=1&c=2>.'],
  ['*https://example.com/a_b_c*', '[bold <https://example.com/a_b_c>]'],
  ['「https://example.com/」！', '「<https://example.com/>」！'],
  ['https://', 'https://'],
  ['xhttps://example.com', 'xhttps://example.com'],
  ['ftp://example.com', 'ftp://example.com'],
])('[R5.3.2] finds the link in %s', (source, shown) => {
  expect(outline(source)).toBe(shown);
});

it('[R5.3.2] reads hostile text in a time that grows with its length', () => {
  const hostile = ['*a ', '_*~°', '`', '```', 'https://', 'https://a)', '(', '*_a_', 'https://..:9/ '];
  const started = performance.now();
  for (const part of hostile) parseMarkup(part.repeat(100_000 / part.length));
  expect(performance.now() - started).toBeLessThan(2000);
});

it('[R2.6] gives the text without its marks', () => {
  expect(plainText('これは*太字*と`code`、https://example.com/ です')).toBe('これは太字とcode、https://example.com/ です');
});

import { expect, it } from 'vitest';
import { parseEngawa } from './parseEngawa.ts';
import { plainText } from './plainText.ts';
import { quoteCards } from './quoteCards.ts';
import { outline } from './testing/outline.ts';

const shownAs = (source: string) => outline(parseEngawa(source));

it.each([
  ['*太字*', '[strong 太字]'],
  ['**bold**', '[strong bold]'],
  ['_斜体_', '[emphasis 斜体]'],
  ['~取消~', '[strike 取消]'],
  ['°下線°', '[underline 下線]'],
  ['`*code*`', '[code *code*]'],
  ['*_~重~_*', '[strong [emphasis [strike 重]]]'],
  ['```\nconst a = 1;\nb();\n```', '[block const a = 1;\nb();]'],
  ['前\n```ts\na\n```\n後', '前¶[block ts: a]¶後'],
  ['```一行```', '[block 一行]'],
])('[R5.3.1] parseEngawa parses the marks of %j to %s', (source, shown) => {
  expect(shownAs(source)).toBe(shown);
});

it.each([
  ['これは*太字*です', 'これは[strong 太字]です'],
  ['*「重要」*です', '[strong 「重要」]です'],
  ['確認します。~15 時~ 14 時まで', '確認します。[strike 15 時] 14 時まで'],
  ['（*重要*）', '（[strong 重要]）'],
])('[R5.3.2] parseEngawa parses formatting marks that touch Japanese text: %s', (source, shown) => {
  expect(shownAs(source)).toBe(shown);
});

it.each([
  '10~12時、13~15時',
  '最高25°、最低18°',
  '25°C と 30°C',
  'a_b_c.txt',
  '＊強調＊ 10～12時',
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
])('[R5.3.2] parseEngawa leaves everyday text unchanged: %j', (source) => {
  expect(shownAs(source)).toBe(source);
});

it('[R5.3.2] parseEngawa pairs a closing mark with the nearest opening mark, and pairs never cross', () => {
  expect(shownAs('*a _b* c_')).toBe('[strong a _b] c_');
  expect(shownAs('*a (*b*')).toBe('*a ([strong b]');
});

it.each([
  ['リンクですhttps://example.com/を見て', 'リンクです<https://example.com/>を見て'],
  ['（https://example.com/a）。', '（<https://example.com/a>）。'],
  ['https://ja.wikipedia.org/wiki/日本語', '<https://ja.wikipedia.org/wiki/日本語>'],
  ['https://ja.wikipedia.org/wiki/日本#歴史', '<https://ja.wikipedia.org/wiki/日本#歴史>'],
  ['『https://example.com/a』【https://example.com/b】', '『<https://example.com/a>』【<https://example.com/b>】'],
  ['カタカナhttps://example.com/a、漢字', 'カタカナ<https://example.com/a>、漢字'],
  ['https://ja.wikipedia.org/wiki/のり', '<https://ja.wikipedia.org/wiki/のり>'],
  ['詳細はhttps://example.com/aです。', '詳細は<https://example.com/a>です。'],
  ['→https://example.com、次', '→<https://example.com>、次'],
  ['：https://example.com参照', '：<https://example.com>参照'],
  ['https://例え.jp/道', '<https://例え.jp/道>'],
  ['http://localhost:5173/#/stream/7', '<http://localhost:5173/#/stream/7>'],
  ['(https://en.wikipedia.org/wiki/Cat_(animal))', '(<https://en.wikipedia.org/wiki/Cat_(animal)>)'],
  ['https://example.com/a?b=1&c=2.', '<https://example.com/a?b=1&c=2>.'],
  ['*https://example.com/a_b_c*', '[strong <https://example.com/a_b_c>]'],
  ['「https://example.com/」！', '「<https://example.com/>」！'],
  ['https://', 'https://'],
  ['xhttps://example.com', 'xhttps://example.com'],
  ['ftp://example.com', 'ftp://example.com'],
])('[R5.3.2] parseEngawa finds the link in %s', (source, shown) => {
  expect(shownAs(source)).toBe(shown);
});

it.each([
  ['@**田中 翔** さん', '{user-mention @田中 翔} さん'],
  ['@**田中 翔|12**', '{user-mention @田中 翔}'],
  ['@_**田中 翔**', '{user-mention @田中 翔}'],
  ['@**|12**', '{user-mention @12}'],
  ['お知らせ@**all**', 'お知らせ{wildcard-mention @all}'],
  ['@*営業*へ', '{group-mention @営業}へ'],
  ['#**総務部**', '{stream-link #総務部}'],
  ['#**総務部>忘年会**', '{topic-link #総務部 > 忘年会}'],
  ['#**総務部>忘年会@77**', '{topic-link #総務部 > 忘年会}'],
  ['了解です:thumbs_up:', '了解です{emoji :thumbs_up:}'],
  ['<time:2026-11-20T10:00:00+09:00>', '{time 2026-11-20T10:00:00+09:00}'],
  ['$$a_1 * b_2 * c$$', '{math $$a_1 * b_2 * c$$}'],
  ['[見積.pdf](/user_uploads/1/ab/x.pdf)', '<見積.pdf /user_uploads/1/ab/x.pdf>'],
  ['[社内*報*](https://example.com/a_(b)_c)です', '<社内*報* https://example.com/a_(b)_c>です'],
  ['[書く](mailto:soumu@example.com)', '<書く mailto:soumu@example.com>'],
  ['***重要***', '[strong [emphasis 重要]]'],
  ['~~取消~~', '[strike 取消]'],
  ['``a`b``', '[code a`b]'],
])('[R5.3.2] parseEngawa also parses mentions and other inlines of Zulip’s clients: %j to %s', (source, shown) => {
  expect(shownAs(source)).toBe(shown);
});

it.each([
  '@**',
  '@** **',
  '@**topic** と @_**topic**',
  'soumu@**example**.com',
  '10:30:45',
  '比率は3:100:5',
  '[1](注)',
  '[罠](javascript:alert(1))',
  '[罠](//elsewhere.example/)',
  '[罠](/\\elsewhere.example/)',
  '[罠](data:text/html,x)',
  '<time:明日>',
  '<time:2026-13-40T10:00:00Z>',
  '- 項目\n- 項目',
  '1. 項目',
  '# 見出し',
  '---',
  '| a | b |\n|---|---|\n| 1 | 2 |',
])('[R5.3.2] parseEngawa leaves %j as text', (source) => {
  const blocks = parseEngawa(source);
  expect(plainText(quoteCards(parseEngawa(source), () => false))).toBe(source.replace('**example**', 'example'));
  expect(blocks).toHaveLength(1);
});

it.each([
  ['> 引用', '(quote 引用)'],
  ['> 一\n> *二*\n答え', '(quote 一\n[strong 二])¶答え'],
  ['前\n> 引用\n\n後', '前¶(quote 引用)¶後'],
  ['>\n> 一\n>\n> 二\n>', '(quote \n一\n\n二\n)'],
  ['> 一\n\n> 二', '(quote 一)¶(quote 二)'],
  ['> > 一\n> >\n> > 二\n> 三', '(quote (quote 一\n\n二)¶三)'],
  ['>\u3000一\n>\t二', '(quote 一\n二)'],
  ['> - 項目\n>   続き', '(quote - 項目\n  続き)'],
  ['> ```ts\n> const a = 1;\n>\n>   b();\n> ```\n答え', '(quote [block ts: const a = 1;\n\n  b();])¶答え'],
  ['> ```閉じない\nb ```c```', '(quote ```閉じない)¶b ¶[block c]'],
  ['```\n> a\n```\n> b', '[block > a]¶(quote b)'],
  ['```閉じない\n> a', '```閉じない¶(quote a)'],
  ['> @**田中 翔** https://example.com/', '(quote {user-mention @田中 翔} <https://example.com/>)'],
  ['言った:\n```quote\n一\n*二*\n```\n答え', '言った:¶(quote 一\n[strong 二])¶答え'],
  ['````quote\n```quote\n一\n```\n二\n````\n三', '(quote (quote 一)¶二)¶三'],
  ['```quote\n```ts\na\n```\n```\n答え', '(quote [block ts: a])¶答え'],
  ['```quote\n閉じない', '(quote 閉じない)'],
  ['a ```quote\nb\n```', 'a ¶[block quote: b]'],
])('[R2.14] parseEngawa parses the quote %j to %s', (source, shown) => {
  expect(shownAs(source)).toBe(shown);
});

it.each(['>', '>\n> ', '>>12 さん', '>_<', '>1 件', ' > 引用', '5 > 3', '＞ 引用', 'a\u2028> b'])(
  '[R2.14] parseEngawa finds no quote in %j',
  (source) => {
    expect(shownAs(source)).toBe(source);
  },
);

it('[R2.14] parseEngawa nests quotes at most eight deep and leaves deeper ones as text', () => {
  expect(shownAs('> '.repeat(10) + '深い')).toBe('(quote '.repeat(8) + '> > 深い' + ')'.repeat(8));
});

it('[R2.14] plainText returns the text of quotes without the mark >', () => {
  expect(plainText(quoteCards(parseEngawa('> 一\n> > *二*\n> ```\n> 三\n> ```\n\n答え'), () => false))).toBe('一\n二\n三\n答え');
});

it('[R2.6] plainText returns the text of a message without its formatting marks', () => {
  expect(plainText(quoteCards(parseEngawa('これは*太字*と`code`、https://example.com/ です'), () => false))).toBe(
    'これは太字とcode、https://example.com/ です',
  );
});

it('[R2.6, I5.5] plainText formats mentions with the given function, also inside bold text and quotes', () => {
  const names: Readonly<Record<string, string>> = { all: '@全員', '旧姓 愛': '@田中 愛' };
  const text = '> @**all** @**旧姓 愛**\n_@**旧姓 愛|2** さん_ @**誰か** `@**all**`';
  expect(
    plainText(
      quoteCards(parseEngawa(text), () => false),
      ({ name }) => names[name],
    ),
  ).toBe('@全員 @田中 愛\n@田中 愛 さん @誰か @**all**');
});

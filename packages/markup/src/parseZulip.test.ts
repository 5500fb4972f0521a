import { expect, it } from 'vitest';
import { parseZulip } from './parseZulip.ts';
import { outline } from './testing/outline.ts';

const shownAs = (source: string) => outline(parseZulip(source));

it.each([
  ['*斜体*', '[emphasis 斜体]'],
  ['**太字**です', '[strong 太字]です'],
  ['***両方***', '[strong [emphasis 両方]]'],
  ['~~取消~~', '[strike 取消]'],
  ['**a *b* ~~c~~**', '[strong a [emphasis b] [strike c]]'],
  ['**Note:**text', '[strong Note:]text'],
  ['2 * 3 * 4', '2 * 3 * 4'],
  ['_x_ ~x~ °x° __x__', '_x_ ~x~ °x° __x__'],
  ['10~12時、13~15時', '10~12時、13~15時'],
  ['**閉じない', '**閉じない'],
  ['*越え\nない*', '*越え\nない*'],
  ['```x``` と ``a`b``', '[code x] と [code a`b]'],
  ['@**佐藤 花子** https://example.com/を見て', '{user-mention @佐藤 花子} <https://example.com/>を見て'],
])('parseZulip parses the marks of %j to %s', (source, shown) => {
  expect(shownAs(source)).toBe(shown);
});

it.each([
  ['一\n二\n\n\n三', '一\n二¶三'],
  ['前\n```js\na * b * c\n```\n後', '前¶[block js: a * b * c]¶後'],
  ['~~~\n```\n~~~', '[block ```]'],
  ['````\n```\n````', '[block ```]'],
  ['```\nx\n`````', '[block x]'],
  ['```\n閉じない\n\n次', '[block 閉じない\n\n次]'],
  ['```quote\n**引用**\n```js\nx\n```\n```\n答え', '(quote [strong 引用]¶[block js: x])¶答え'],
  ['```spoiler *結末*\n犯人\n```', '(spoiler [emphasis 結末]: 犯人)'],
  ['```math\nx^2\n```', '(math x^2)'],
  ['> 一\n> > 二\n答え', '(quote 一¶(quote 二))¶答え'],
  ['- 一\n- 二', '(list • 一 | 二)'],
  ['文\n* 一\n* 二\n\n文', '文¶(list • 一 | 二)¶文'],
  ['3. 三\n4. 四', '(list 3 三 | 四)'],
  ['- 一\n  - 二\n    続き\n- 三', '(list • 一¶(list • 二\n続き) | 三)'],
  ['1. 一\n   - 二\n2. 三', '(list 1 一¶(list • 二) | 三)'],
  ['- 一\n続き\n\n- 二', '(list • 一\n続き | 二)'],
  ['- 一\n  ```\n  a\n\n\n  b\n  ```', '(list • 一¶[block a\n\n\nb])'],
  ['- 一\n> 引用', '(list • 一)¶(quote 引用)'],
  ['- 一\n1. 二', '(list • 一)¶(list 1 二)'],
  ['## *見出し*', '(h2 [emphasis 見出し])'],
  ['#見出しではない', '#見出しではない'],
  ['---', '(rule)'],
  ['* * *', '(rule)'],
  ['-項目ではない', '-項目ではない'],
  ['| 名 | 数 |\n|:--|--:|\n| **a** | 1 |\n|b|2|3|\n後', '(table 名 | 数 / [strong a] | 1 / b | 2 | 3)¶後'],
  ['a | b\nc | d', 'a | b\nc | d'],
])('parseZulip parses the blocks of %j to %s', (source, shown) => {
  expect(shownAs(source)).toBe(shown);
});

it('parseZulip nests blocks at most eight deep and leaves deeper ones as text', () => {
  expect(shownAs('>'.repeat(10) + ' 深い')).toBe('(quote '.repeat(8) + '>> 深い' + ')'.repeat(8));
  expect(shownAs('```quote\n'.repeat(10))).toMatch(/^(\(quote ){8}\[block ```quote\n/);
});

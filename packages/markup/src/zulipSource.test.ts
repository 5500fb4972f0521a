import { expect, it } from 'vitest';
import { parseEngawa } from './parseEngawa.ts';
import { parseZulip } from './parseZulip.ts';
import { outline } from './testing/outline.ts';
import { zulipSource } from './zulipSource.ts';

const names = new Map([[12, '田中 太郎']]);
const source = (text: string, dialect: 'engawa' | 'zulip' = 'engawa') =>
  zulipSource(text, dialect, ({ name, id }) => (id === undefined ? undefined : names.get(id)) ?? name);

it.each([
  ['これは*太字*です', 'これは**太字**です'],
  ['**太字** ***両方*** _斜体_', '**太字** ***両方*** *斜体*'],
  ['~取り消し~ ~~取り消し~~', '~~取り消し~~ ~~取り消し~~'],
  ['°下線° 25°', '下線 25°'],
  ['`a*b*c` ``a`b``', '`a*b*c` ``a`b``'],
  ['一\n\n\n二\n三', '一\n\n\n二\n三'],
  ['> 引用\n答え', '```quote\n引用\n```\n答え'],
  ['> 一\n> > 二\n三', '````quote\n一\n```quote\n二\n```\n````\n三'],
  ['```ts\n*a*\n```\n後', '```ts\n*a*\n```\n後'],
  ['見て https://example.com/a です', '見て https://example.com/a です'],
  ['https://example.com/aです', '[https://example.com/a](https://example.com/a)です'],
  ['*https://example.com/*', '**[https://example.com/](https://example.com/)**'],
  ['（https://example.com/a_(b)）', '（[https://example.com/a_(b)](https://example.com/a_%28b%29)）'],
  ['[見積](https://example.com/x)', '[見積](https://example.com/x)'],
  [':tada: $$x^2$$ <time:1700000000>', ':tada: $$x^2$$ <time:1700000000>'],
  ['@**田中|12** @_**旧姓|12** @**鈴木|9**', '@**田中 太郎** @_**田中 太郎** @**鈴木**'],
  ['@**channel** @**all** @_**everyone** @*営業部*', '@**all** @**all** @_**everyone** @*営業部*'],
  ['#**総務** #**総務>予定** #**総務>予定@12**', '#**総務** #**総務>予定** #**総務>予定**'],
])('zulipSource writes %j as %j', (engawa, zulip) => {
  expect(source(engawa)).toBe(zulip);
});

it('zulipSource changes only the references of a text that is in the syntax of Zulip', () => {
  expect(source('*斜体* > 引用\n- @**田中|12** `@**田中|12**` #**総務>予定@12**', 'zulip')).toBe(
    '*斜体* > 引用\n- @**田中 太郎** `@**田中|12**` #**総務>予定**',
  );
});

const withoutBlocks = (blocks: string) => blocks.replaceAll('¶', '\n').replaceAll('|9', '');

it.each([
  'これは*太字*と_斜体_と~取り消し~です。`コード`',
  '*太字の_斜体_も~あり~*',
  '一\n> 引用の*中*\n> 二行\n後',
  '```\nコード\n```\n後',
  '見て https://example.com/aです。[名](https://example.com/b) @_**田中|9**',
  ':tada: #**総務>予定** 終わり',
])('Zulip’s parser reads what zulipSource wrote like our parser reads %j', (text) => {
  expect(withoutBlocks(outline(parseZulip(source(text))))).toBe(withoutBlocks(outline(parseEngawa(text))));
});

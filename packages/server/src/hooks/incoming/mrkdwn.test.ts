import { parseZulip } from '@engawa/markup/dialects';
import { expect, it } from 'vitest';
import { mrkdwnSource } from './mrkdwn.ts';

it.each([
  ['bold, italics and strike', '*太字* _斜体_ ~取り消し~ *a _b_ c*', '**太字** *斜体* ~~取り消し~~ **a *b* c**'],
  ['a mark inside a word as text', 'a_b_c 2*3*4', 'a_b_c 2＊3＊4'],
  ['code as it is', 'run `a *b* &lt;c&gt;` now', 'run `a *b* <c>` now'],
  ['a block of code', 'before\n```\n*a* &amp; b\n```\nafter', 'before\n```\n*a* & b\n```\nafter'],
  ['a link with a label', '<https://a.example/?b=1&amp;c=2|the *label*>', '[the *label*](https://a.example/?b=1&c=2)'],
  ['a link whose label has brackets', '<https://a.example/1|[FIRING:1] disk>', '[FIRING:1] disk https://a.example/1'],
  ['a bare link', '<https://a.example/1>', 'https://a.example/1'],
  ['a mail address', '<mailto:a@b.example|a@b.example>', '[a@b.example](mailto:a@b.example)'],
  ['a script as its label', '<javascript:alert(1)|press>', 'press'],
  ['escaped characters', 'a &amp;lt; b &gt; c', 'a &lt; b > c'],
  ['a quote, and the text after it', '&gt; one\ntwo', '> one\n\ntwo'],
  ['a quote of the rest', '&gt;&gt;&gt; one\ntwo', '> one\n> two'],
  ['an emoji', ':tada: done', ':tada: done'],
  ['mentions of everybody as text', '<!channel> <!here> <!everyone>', '@channel @here @everyone'],
  ['a mention of a member as their name', '<@U024BE7LH|bob> <@U1>', '@bob @U1'],
  ['a channel as its name', '<#C024BE7LR|general>', '#general'],
  ['a group as its name', '<!subteam^S0614TZR7|@devs>', '@devs'],
  ['a date as its text', '<!date^1392734382^{date}|2014-02-18>', '2014-02-18'],
  [
    ['a mention in our own syntax as text', '@**all** and @*group*', '＠＊＊all＊＊ and ＠**group**'],
    '@**all** and @*group*',
    '＠＊＊all＊＊ and ＠**group**',
  ],
])('Slack’s mrkdwn is translated: %s', (_, mrkdwn, source) => {
  expect(mrkdwnSource(mrkdwn)).toBe(source);
});

const pieces = [
  '*',
  '_',
  '~',
  '`',
  '```',
  '@',
  '#',
  '*all*',
  '**all**',
  '@**all**',
  '_@_*x*',
  '<!channel>',
  '<@U1|**all**>',
  '<#C1|**a**>',

  '<https://a.example|@**all**>',
  '<javascript:x|y>',
  '<data:x|y>',
  '</path|y>',
  '&gt; ',
  '&gt;&gt;&gt;',
  '\n',
  ' ',
  'a',
  'あ',
  '!',
  '[',
];

it('No text in mrkdwn mentions anybody, links to a stream or to an unsafe address', () => {
  let state = 29;
  const number = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let times = 0; times < 5000; times += 1) {
    const mrkdwn = Array.from({ length: 1 + number(10) }, () => pieces[number(pieces.length)] ?? '').join('');
    const tree = JSON.stringify(parseZulip(mrkdwnSource(mrkdwn)));
    expect(tree, mrkdwn).not.toMatch(/"kind":"(?:[a-z]+-mention|stream-link|topic-link)"/);
    expect(tree.match(/"href":"(?!https?:|mailto:)/), mrkdwn).toBeNull();
  }
});

it('A long hostile text is translated without quadratic work', () => {
  for (const piece of ['*', '*a', '_*~', '<', '`a', '&gt;', 'あ*い* ']) expect(mrkdwnSource(piece.repeat(30_000))).not.toBe('');
  // Quadratic work takes longer than the timeout of a test.
  const gap = `a${'\n'.repeat(200_000)}a`;
  expect(mrkdwnSource(gap)).toBe(gap);
});

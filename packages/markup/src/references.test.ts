import { expect, it } from 'vitest';
import { referencesIn } from './references.ts';
import { inlineText } from './tree.ts';

it('[I5.5] referencesIn returns mentions and links to streams with their positions', () => {
  const text =
    '@**田中 翔|12**さんと@_**佐藤** @*営業* @**all** #**総務部** #**総務部>忘年会@77** :smile: https://a.example/@**x**';
  const found = referencesIn(text);
  expect(found.map(({ from, to }) => text.slice(from, to))).toEqual([
    '@**田中 翔|12**',
    '@_**佐藤**',
    '@*営業*',
    '@**all**',
    '#**総務部**',
    '#**総務部>忘年会@77**',
  ]);
  expect(found.map(({ node }) => inlineText(node))).toEqual([
    '@田中 翔',
    '@佐藤',
    '@営業',
    '@all',
    '#総務部',
    '#総務部 > 忘年会',
  ]);
});

it.each(['`@**田中 翔**`', '```\n@**田中 翔**\n```', 'a@**田中 翔**', '@**田中', '@**topic**', '@** **'])(
  '[I5.5] referencesIn finds no mention in %j',
  (text) => {
    expect(referencesIn(text)).toEqual([]);
  },
);

it.each(['```', '`', '@**', '@**a**', '#**a>', '```a```', '@*'])(
  'referencesIn reads each character of a text that repeats %j at most eight times',
  (part) => {
    const work = { charactersRead: 0 };
    const text = part.repeat(1000);
    referencesIn(text, work);
    expect(work.charactersRead / text.length).toBeLessThan(8);
  },
);

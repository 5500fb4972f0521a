import { parseEngawa } from '@engawa/markup';
import { describe, expect, it } from 'vitest';
import { quoteOf, withQuote } from './quote.ts';

it('[R2.14] quoteOf puts > before each line and ends with an empty line for the answer', () => {
  expect(quoteOf('佐藤 美咲（09:58）', '一行め\n\n二行め')).toBe('> 佐藤 美咲（09:58）\n> 一行め\n>\n> 二行め\n');
});

it('[R2.14] quoteOf keeps the code, mentions and quotes inside the quoted message', () => {
  const said = '> 田中 翔（09:30）\n> どうですか\n\n@**田中 翔** こうです\n```ts\nconst a = 1;\n\n  b();\n```';
  const [quote, answer, ...others] = parseEngawa(`${quoteOf('佐藤 美咲（09:58）', said)}了解`);
  const [about] = parseEngawa('佐藤 美咲（09:58）');
  expect(quote).toEqual({ kind: 'quote', children: [about, ...parseEngawa(said)] });
  expect([answer, ...others]).toEqual(parseEngawa('了解'));
});

describe('[R2.14] a draft with a quote', () => {
  it.each([
    ['', '> 一\n'],
    ['\n', '> 一\n'],
    ['書きかけ', '> 一\n\n書きかけ'],
    ['> 〇\n', '> 〇\n\n> 一\n'],
    ['> 〇\n返事', '> 〇\n返事\n\n> 一\n'],
    ['書きかけ\n> 〇', '書きかけ\n> 〇\n\n> 一\n'],
  ])('[R2.14] withQuote turns the draft %j into %j', (draft, text) => {
    expect(withQuote(draft, '> 一\n')).toBe(text);
  });
});

import { describe, expect, it } from 'vitest';
import { mentionQueryAt } from './mentionQuery.ts';

const at = (text: string) => {
  const caret = text.indexOf('|');
  return mentionQueryAt(text.replace('|', ''), caret);
};

describe('mentionQuery', () => {
  it.each([
    ['@|', 0, ''],
    ['@たなか|', 0, 'たなか'],
    ['＠たなか|さん', 0, 'たなか'],
    ['お疲れ様です@tana|', 6, 'tana'],
    ['確認してください。@山田 太|', 9, '山田 太'],
    ['(@佐藤|)', 1, '佐藤'],
    ['一行目\n@佐|', 4, '佐'],
    ['`code` @佐|', 7, '佐'],
    ['```\ncode\n```\n@佐|', 13, '佐'],
    ['@**佐藤 花子** と @鈴|', 13, '鈴'],
    ['https://a.example/ @佐|', 19, '佐'],
    ['https://a.example/をご覧ください@佐|', 25, '佐'],
  ])('[I5.5] mentionQueryAt detects a mention that is being typed in %j', (text, from, query) => {
    expect(at(text)).toEqual({ from, query });
  });

  it.each([
    ['tanaka@exa|'],
    ['https://a.example/@sa|'],
    ['（HTTP://a.example/~b?c=@sa|'],
    [`https://a.example/${'b'.repeat(50)}/@sa|`],
    ['first.last@|'],
    ['@ |'],
    ['@佐藤\n|'],
    ['@**佐藤 花子** |'],
    ['@**佐|'],
    ['`@佐|'],
    ['```ts\n@佐|'],
    ['佐藤|'],
    ['|@佐藤'],
    [`@${'あ'.repeat(50)}|`],
  ])('[I5.5] mentionQueryAt detects no mention in %j', (text) => {
    expect(at(text)).toBeUndefined();
  });

  it('[I5.5] mentionQueryAt returns the position of @ in a long text', () => {
    expect(at(`${'あ'.repeat(100)}@佐藤|`)).toEqual({ from: 100, query: '佐藤' });
  });
});

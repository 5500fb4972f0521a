import { expect, it } from 'vitest';
import { findAlertWords } from './alertWords.ts';

it.each([
  ['本日障害が発生しました', ['障害'], ['障害']],
  ['ｱﾗｰﾄとアラート', ['アラート'], ['ｱﾗｰﾄ', 'アラート']],
  ['あらーと', ['アラート'], []],
  ['Ｅｎｇａｗａを使う engawas', ['engawa'], ['Ｅｎｇａｗａ']],
  ['第3回と第13回', ['3回'], ['3回']],
  ['髙橋と高橋', ['高橋'], ['高橋']],
  ['障害対応の障害', ['障害対応', '障害'], ['障害対応', '障害']],
  ['いつもどおり', ['障害'], []],
  ['障害', [], []],
])('[I5.5] findAlertWords finds in %j, out of the alert words %j, these: %j', (text, words, found) => {
  expect(findAlertWords(text, words).map(({ start, end }) => text.slice(start, end))).toEqual(found);
});

import { expect, it } from 'vitest';
import { seeded } from '../testing/random.ts';
import { WordFinder } from './wordFinder.ts';

const isSpaced = (character: string) => /[ab1]/.test(character);
function found(words: Iterable<string>, text: string): string[] {
  const finder = new WordFinder();
  for (const word of words) finder.add(word);
  return [...finder.wordsIn(text)].toSorted();
}

it.each([
  ['障害', '本日障害が発生', true],
  ['障害', '障 害', false],
  ['api', 'apiを直す', true],
  ['api', '新apiです', true],
  ['api', 'the api.', true],
  ['api', 'rapid', false],
  ['api', 'apis', false],
  ['api', 'api2', false],
  ['404', 'error 404: not found', true],
  ['404', '14045', false],
  ['c++', 'c++で書く', true],
  ['c++', 'abc++', false],
  ['db障害', 'mydb障害', false],
  ['db障害', '本番db障害中', true],
  ['café', 'un café noir', true],
  ['caf', 'café', false],
  ['😀', 'はい😀です', true],
])('WordFinder searches for %s in “%s” (found: %s)', (word, text, isFound) => {
  expect(found([word], text)).toEqual(isFound ? [word] : []);
});

it('WordFinder finds words that contain or overlap each other', () => {
  expect(found(['東京', '東京都', '京都', '京都府', '都'], '東京都庁')).toEqual(['京都', '東京', '東京都', '都'].toSorted());
  expect(found(['ああい'], 'あああい')).toEqual(['ああい']);
  expect(found(['he', 'she', 'hers'], 'she')).toEqual(['she']);
});

it('WordFinder finds a word that stands alone after the same letters occurred inside another word', () => {
  expect(found(['cats', 'cat'], 'xcat、cat、猫cat')).toEqual(['cat']);
  expect(found(['猫cats', 'cat'], 'xcat 猫cat')).toEqual(['cat']);
  expect(found(['猫cat', 'cat'], '猫cats 猫cat')).toEqual(['cat', '猫cat']);
});

it('WordFinder finds in random texts the same words as a separate search for each word', () => {
  const random = seeded(7);
  const letters = [...'aあb1い '];
  const some = (most: number) => Array.from({ length: 1 + random.below(most) }, () => random.pick(letters)).join('');
  for (let times = 0; times < 2000; times += 1) {
    const words = new Set(Array.from({ length: 1 + random.below(8) }, () => some(4)));
    const text = some(30);
    const isInsideWord = (at: number) => isSpaced(text.charAt(at - 1)) && isSpaced(text.charAt(at));
    const expected = [...words].filter((word) =>
      [...text].some((_, at) => text.startsWith(word, at) && !isInsideWord(at) && !isInsideWord(at + word.length)),
    );
    expect(found([...words], text), text).toEqual(expected.toSorted());
  }
});

it('WordFinder finds after random additions and deletions the same words as one that never had the deleted words', () => {
  const random = seeded(8);
  const letters = [...'aあ1い'];
  const some = (most: number) => Array.from({ length: 1 + random.below(most) }, () => random.pick(letters)).join('');
  const finder = new WordFinder();
  const words = new Set<string>();
  for (let times = 0; times < 2000; times += 1) {
    const word = random.chance(0.5) && words.size > 0 ? random.pick([...words]) : some(5);
    if (words.delete(word)) finder.delete(word);
    else {
      words.add(word);
      finder.add(word);
    }
    const text = some(30);
    expect([...finder.wordsIn(text)].toSorted(), `${[...words].join()} in ${text}`).toEqual(found(words, text));
  }
});

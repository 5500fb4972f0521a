import { expect, it } from 'vitest';
import { admitted, holdsFolder, pastedFiles } from './attachments.ts';
import { mostFiles } from '../../../model/drafts/drafts.ts';

const pasteOf = (files: File[], text = '') => ({ files, getData: () => text });
const file = (name: string, type: string) => new File(['x'], name, { type });
const namesOf = (paste: ReturnType<typeof pasteOf>) => pastedFiles(paste, '貼り付けた画像').map(({ name }) => name);

it('[R2.13] pastedFiles names a copied picture after the type of its content', () => {
  expect(namesOf(pasteOf([file('image.png', 'image/png')]))).toEqual(['貼り付けた画像.png']);
  expect(namesOf(pasteOf([file('image.png', 'image/jpeg')]))).toEqual(['貼り付けた画像.jpg']);
  expect(namesOf(pasteOf([file('image.heic', 'image/heic')]))).toEqual(['image.heic']);
});

it('[R2.13] pastedFiles returns a copied file with its name, even if the paste contains that name as text', () => {
  expect(namesOf(pasteOf([file('図.png', 'image/png')]))).toEqual(['図.png']);
  expect(namesOf(pasteOf([file('ガ.pdf', 'application/pdf')], 'ガ.pdf'))).toEqual(['ガ.pdf']);
  expect(namesOf(pasteOf([file('一.txt', ''), file('二.txt', '')], '一.txt\n二.txt\n'))).toEqual(['一.txt', '二.txt']);
});

it('[R2.12] pastedFiles returns no file for copied text that comes with a picture of itself', () => {
  expect(namesOf(pasteOf([file('image.png', 'image/png')], '売上\t1,200'))).toEqual([]);
  expect(namesOf(pasteOf([], 'ただの文章'))).toEqual([]);
});

it('holdsFolder detects a folder among dropped items', () => {
  const text = { webkitGetAsEntry: () => null };
  const folder = { webkitGetAsEntry: () => ({ isDirectory: true }) };
  const picture = { webkitGetAsEntry: () => ({ isDirectory: false }) };
  expect(holdsFolder([text, picture])).toBe(false);
  expect(holdsFolder([picture, folder])).toBe(true);
});

it('[R2.13] admitted accepts chosen files in order up to their maximum number, and names files that are too large', () => {
  const small = Array.from({ length: mostFiles }, (_, index) => new File(['x'], `${index}.txt`));
  const large = new File(['大きい'], '大.zip');
  const [first, ...others] = small;
  expect(admitted([large, ...small], 0, 3)).toEqual({ taken: small, tooLarge: [large], beyond: [] });
  expect(admitted(small, mostFiles - 1, 3)).toEqual({ taken: [first], tooLarge: [], beyond: others });
  expect(admitted(small, mostFiles + 1, 3)).toEqual({ taken: [], tooLarge: [], beyond: small });
  expect(admitted([], 0, 3)).toEqual({ taken: [], tooLarge: [], beyond: [] });
});

import { expect, it } from 'vitest';
import {
  composeFileMessage,
  extensionOf,
  fileMarker,
  parseFileMessage,
  sanitizeFileName,
  storedNameAlphabet,
  storedNameLength,
  storedNamePattern,
  withoutPictureSize,
} from './fileMessage.ts';

const stem = 'abcdefghij0123456789';
const names = [
  '見積.xlsx',
  '見積,最終.xlsx',
  ',',
  ',,,',
  'a,b,c.tar.gz',
  '🍵.png',
  '.bashrc',
  'no extension',
  'ends with a dot.',
  `${fileMarker},x,${stem},1`,
  ' 空白 .txt',
  '１２３',
  `<b>"'&.html`,
];

it.each(names)('[R3.3.1] parseFileMessage returns the values from which the text of a file message was composed: %s', (name) => {
  for (const size of [0, 1, 1023, 104_857_600, 999_999_999_999_999]) {
    const file = { name, storedName: stem + extensionOf(name), size };
    expect(parseFileMessage(composeFileMessage(file))).toEqual(file);
  }
});

it('[R3.3.1] The text of a file message consists of marker, original name, stored name and size', () => {
  const written = composeFileMessage({ name: '見積,最終.xlsx', storedName: `${stem}.xlsx`, size: 7 });
  expect(written).toBe(`${fileMarker},見積,最終.xlsx,${stem}.xlsx,7`);
});

it('[R2.17] The size of a picture follows its stored name as the fragment of a link', () => {
  const picture = { name: '庭,春.png', storedName: `${stem}.png`, size: 7, picture: { width: 1200, height: 200 } };
  const written = composeFileMessage(picture);
  expect(written).toBe(`${fileMarker},庭,春.png,${stem}.png#1200x200,7`);
  expect(parseFileMessage(written)).toEqual(picture);
  expect(parseFileMessage(`${fileMarker},庭.png,${stem}.png,7`)?.picture).toBeUndefined();
  expect(withoutPictureSize(`${stem}.png#1200x200`)).toBe(`${stem}.png`);
  expect(withoutPictureSize(`${stem}.png`)).toBe(`${stem}.png`);
});

it.each([
  ['', 'nothing'],
  ['見積もりを送ります', 'text'],
  ['a,b,c,1', 'text with commas'],
  [fileMarker, 'the marker alone'],
  [`${fileMarker},a.png,${stem}.png`, 'no size'],
  [`${fileMarker},,${stem}.png,7`, 'no name'],
  [`${fileMarker},${stem}.png,7`, 'three parts'],
  [` ${fileMarker},a.png,${stem}.png,7`, 'space before the marker'],
  [`${fileMarker.toUpperCase()},a.png,${stem}.png,7`, 'another marker'],
  [`${fileMarker},a.png,${stem}.png,-7`, 'a negative size'],
  [`${fileMarker},a.png,${stem}.png,7.5`, 'a broken size'],
  [`${fileMarker},a.png,${stem}.png,`, 'an empty size'],
  [`${fileMarker},a.png,${stem}.png,7\n`, 'a line after it'],
  [`${fileMarker},a.png,${stem}.png,${'9'.repeat(16)}`, 'a size beyond numbers'],
  [`${fileMarker},a\nb.png,${stem}.png,7`, 'a name of two lines'],
  [`${fileMarker},a.png,${stem.slice(1)}.png,7`, 'a stored name that is too short'],
  [`${fileMarker},a.png,${stem}a.png,7`, 'a stored name that is too long'],
  [`${fileMarker},a.png,${stem.toUpperCase()}.png,7`, 'a stored name in capitals'],
  [`${fileMarker},a.png,../../../etc/passwd,7`, 'a stored name that is a path'],
  [`${fileMarker},a.png,${stem}./../x,7`, 'a stored name that leads elsewhere'],
  [`${fileMarker},a.png,${stem}.a.b,7`, 'a stored name with two dots'],
  [`${fileMarker},a.png,${stem}.png#0x5,7`, 'a picture without pixels'],
  [`${fileMarker},a.png,${stem}.png#100000x5,7`, 'a picture with a side of six digits'],
  [`${fileMarker},a.png,${stem}.png#5x5#5x5,7`, 'two sizes of a picture'],
])('[R3.3.2] parseFileMessage does not accept %j as a file message (%s)', (content) => {
  expect(parseFileMessage(content)).toBeUndefined();
});

it('[R9.3] A stored name of 20 letters a to z and digits is valid', () => {
  expect(storedNameAlphabet).toMatch(/^[a-z0-9]{36}$/);
  expect(new Set(storedNameAlphabet).size).toBe(36);
  expect(storedNameAlphabet.slice(0, storedNameLength)).toMatch(storedNamePattern);
});

it.each([
  ['a.png', '.png'],
  ['a.tar.gz', '.gz'],
  ['A.PNG', '.PNG'],
  ['写真.画像', '.画像'],
  ['a', ''],
  ['.bashrc', ''],
  ['a.', ''],
  ['a.b c', ''],
  ['a.b,c', ''],
  ['a.png#5x5', ''],
  ['a.png#0x0', ''],
  ['a.c#', '.c#'],
  [`a.${'x'.repeat(21)}`, ''],
  [`a.${'x'.repeat(20)}`, `.${'x'.repeat(20)}`],
])('[R9.3] A file named %s gets a stored name with the extension “%s”', (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
  expect(stem + extension).toMatch(storedNamePattern);
});

it.each([
  ['カ\u3099イド.txt', 'ガイド.txt'],
  ['見積,最終.xlsx', '見積,最終.xlsx'],
  ['😀.pdf', '😀.pdf'],
  ['👩‍💻.png', '👩‍💻.png'],
  ['👨‍👩‍👧‍👦 ❤️ ☎︎ 👍🏽 🧑🏽‍🚀 1️⃣ 🇯🇵.png', '👨‍👩‍👧‍👦 ❤️ ☎︎ 👍🏽 🧑🏽‍🚀 1️⃣ 🇯🇵.png'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿 支社.png', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 支社.png'],
  ['葛\u{e0100}城支店 神\ufe00.pdf', '葛\u{e0100}城支店 神\ufe00.pdf'],
  ['  報告書.pdf ', '報告書.pdf'],
])('[R3.3.1] sanitizeFileName turns %j into %j', (name, shown) => {
  expect(sanitizeFileName(name)).toBe(shown);
});

it.each([
  ['請求\u202egpj.exe', '請求_gpj.exe'],
  ['請求\u2067gpj\u2069.exe', '請求_gpj_.exe'],
  ['請求\u200fgpj.exe', '請求_gpj.exe'],
  ['請求\u061cgpj.exe', '請求_gpj.exe'],
  ['a\r\nb\0.txt', 'a__b_.txt'],
  ['a\u2028b\u2029.txt', 'a_b_.txt'],
  ['\ud83d.txt', '\ufffd.txt'],
  ['請\u200b求\u2060書\ufeff.pdf', '請求書.pdf'],
  ['請求\u3164\u115f\u1160\uffa0\u034f\u00ad書.pdf', '請求書.pdf'],
  ['a\u200db\u200c.pdf', 'ab.pdf'],
  ['a\ufe0f\u{e0100}b\u{e0041}.pdf', 'ab.pdf'],
  ['e\u200b\u0301.pdf', 'é.pdf'],
  ['👩\u2060\u200d💻.png', '👩💻.png'],
])('[R2.17] sanitizeFileName replaces characters that can disguise the type of a file: %j to %j', (name, shown) => {
  expect(sanitizeFileName(name)).toBe(shown);
  expect(sanitizeFileName(shown)).toBe(shown);
});

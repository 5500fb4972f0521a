import { expect, it } from 'vitest';
import { sanitizeFileName } from './fileMessage.ts';

it.each([
  ['カ\u3099イド.txt', 'ガイド.txt'],
  ['見積,最終.xlsx', '見積,最終.xlsx'],
  ['😀.pdf', '😀.pdf'],
  ['👩‍💻.png', '👩‍💻.png'],
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
])('[R2.17] sanitizeFileName replaces the disguising characters in %j', (name, shown) => {
  expect(sanitizeFileName(name)).toBe(shown);
  expect(sanitizeFileName(shown)).toBe(shown);
});

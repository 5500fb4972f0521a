import { maxAlertWordLength, maxAlertWords } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { complaintAbout } from './alertWordDraft.ts';

const many = Array.from({ length: maxAlertWords }, (_, index) => `言葉${index}`);

it.each([
  ['障害', [], undefined],
  ['  ', [], 'missing'],
  ['𠮷'.repeat(maxAlertWordLength), [], undefined],
  ['𠮷'.repeat(maxAlertWordLength + 1), [], 'tooLong'],
  [' Ｅｎｇａｗａ', ['engawa'], 'known'],
  ['障害対応', ['障害'], undefined],
  ['障害', many, 'tooMany'],
  ['障害', many.slice(1), undefined],
] as const)('[I5.5] The complaint about the alert word %j next to the existing words %j is %j', (word, known, complaint) => {
  expect(complaintAbout(word, known)).toBe(complaint);
});

import { expect, it } from 'vitest';
import { announces, type Situation } from './announces.ts';

const me = 1;
const usual: Situation = { memberId: me, wanted: true, level: 'mentions', isBeingRead: false };
const direct = { ...usual, level: undefined };
const all = { ...usual, level: 'all' } as const;
const none = { ...usual, level: 'none' } as const;
const mentioned = ['mentioned'];

it.each([
  ['a direct message', 2, [], direct, true],
  ['a mention', 2, mentioned, usual, true],
  ['a mention of all', 2, ['wildcard_mentioned'], usual, true],
  ['an alert word', 2, ['has_alert_word'], usual, true],
  ['anything else where only mentions are wanted', 2, [], usual, false],
  ['anything where all is wanted', 2, [], all, true],
  ['nothing of a muted stream, also no mention', 2, mentioned, none, false],
  ['nothing of one’s own', me, mentioned, all, false],
  ['nothing of one’s own in a direct conversation', me, [], direct, false],
  ['nothing that is read already', 2, ['read', 'mentioned'], all, false],
  ['nothing that is being read', 2, mentioned, { ...all, isBeingRead: true }, false],
  ['nothing that is being read in a direct conversation', 2, [], { ...direct, isBeingRead: true }, false],
  ['nothing while notifications are off', 2, mentioned, { ...all, wanted: false }, false],
  ['no direct message while notifications are off', 2, [], { ...direct, wanted: false }, false],
] as const)('[R2.25.4] announces %s', (_, senderId, flags, situation, expected) => {
  expect(announces({ senderId, flags, corrected: false }, situation)).toBe(expected);
});

it.each([
  ['a mention where only mentions are told of', 2, mentioned, usual, true],
  ['nothing where the message was told of when it came', 2, mentioned, all, false],
  ['nothing in a direct conversation, where all was told of', 2, mentioned, direct, false],
  ['nothing of a muted stream', 2, mentioned, none, false],
  ['nothing of one’s own', me, mentioned, usual, false],
  ['nothing that is read already', 2, ['read', 'mentioned'], usual, false],
] as const)('[R2.25.4] announces of a correction %s', (_, senderId, flags, situation, expected) => {
  expect(announces({ senderId, flags, corrected: true }, situation)).toBe(expected);
});

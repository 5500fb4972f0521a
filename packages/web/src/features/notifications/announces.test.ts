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
  ['no other message at the level mentions', 2, [], usual, false],
  ['every message at the level all', 2, [], all, true],
  ['no mention in a muted stream', 2, mentioned, none, false],
  ['no own message', me, mentioned, all, false],
  ['no own message in a direct conversation', me, [], direct, false],
  ['no message that was read', 2, ['read', 'mentioned'], all, false],
  ['no message in a visible conversation', 2, mentioned, { ...all, isBeingRead: true }, false],
  ['no message in a visible direct conversation', 2, [], { ...direct, isBeingRead: true }, false],
  ['no mention while notifications are off', 2, mentioned, { ...all, wanted: false }, false],
  ['no direct message while notifications are off', 2, [], { ...direct, wanted: false }, false],
] as const)('[R2.25.4] A member is notified of %s', (_, senderId, flags, situation, expected) => {
  expect(announces({ senderId, flags, corrected: false }, situation)).toBe(expected);
});

it.each([
  ['being added to a stream', [], usual, true],
  ['nothing when others are added', ['read'], usual, false],
  ['nothing in a muted stream', [], none, false],
  ['nothing while notifications are off', [], { ...usual, wanted: false }, false],
] as const)('[R2.25.4] By a line of the server about a stream, a member is notified of %s', (_, flags, situation, expected) => {
  expect(announces({ senderId: 2, flags, corrected: false, notice: { kind: 'created' } }, situation)).toBe(expected);
});

it.each([
  ['a new mention at the level mentions', 2, mentioned, usual, true],
  ['nothing at the level all, because the message was announced', 2, mentioned, all, false],
  ['nothing in a direct conversation, because the message was announced', 2, mentioned, direct, false],
  ['nothing in a muted stream', 2, mentioned, none, false],
  ['nothing for an own message', me, mentioned, usual, false],
  ['nothing for a message that was read', 2, ['read', 'mentioned'], usual, false],
] as const)('[R2.25.4] After an edit, a member is notified of %s', (_, senderId, flags, situation, expected) => {
  expect(announces({ senderId, flags, corrected: true }, situation)).toBe(expected);
});

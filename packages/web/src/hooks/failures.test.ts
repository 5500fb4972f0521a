import { ApiError, ServerError } from '@engawa/client';
import { expect, it } from 'vitest';
import { en } from '../i18n/en.ts';
import { ja } from '../i18n/ja.ts';
import { failureOf, isTemporary } from '../model/connection/failure.ts';
import { failureText, unsentText } from './failures.ts';

it('[R1.8] failureText says that some of the members do not want to be added to a group', () => {
  const failure = { kind: 'refused', code: 'GROUP_NOT_WANTED', message: 'Not wanted' } as const;
  for (const { failures } of [ja, en]) {
    expect(failureText(failures, failure)).toBe(failures.groupNotWanted);
    expect(failureText(failures, { ...failure, code: 'BAD_REQUEST' })).toContain('Not wanted');
  }
});

it('[R8.4] [R2.25.3] The text for a refused message to a group names the members who do not want to be in it, and says what the sender can do', () => {
  const names = new Map([
    [2, '佐藤 美咲'],
    [3, '鈴木 一郎'],
  ]);
  const said = (words: Parameters<typeof unsentText>[0], ...userIds: number[]) =>
    unsentText(words, { kind: 'not-wanted', userIds }, (userId) => names.get(userId));
  expect(said(ja, 2)).toBe(
    '佐藤 美咲さんは、あなたからグループに加えられない設定にしています。外して、新しい会話を始めてください。',
  );
  expect(said(ja, 2, 3)).toContain('佐藤 美咲さん、鈴木 一郎さんは');
  expect(said(en, 2, 3)).toContain('佐藤 美咲, 鈴木 一郎');
  // An unknown user cannot be named.
  expect(said(ja, 9)).toBe(ja.failures.notWanted(1));
  expect(unsentText(ja, { kind: 'network' }, () => undefined)).toBe(ja.failures.network);
});

it('[R7.8] failureText says in both languages that the chat server does not answer and that the draft is kept', () => {
  const failure = failureOf(new ServerError(502, 'The chat server does not answer', 'CHAT_SERVER_UNAVAILABLE'));
  expect(failureText(ja.failures, failure)).toMatch(/チャットサーバーが応答しません。.*残っています。/);
  expect(failureText(en.failures, failure)).toMatch(/The chat server does not answer\. .*is kept\./);
});

it.each([
  ['STORAGE_FULL', ja.failures.storage, true],
  ['STORAGE_READ_ONLY', ja.failures.storage, true],
  ['STORAGE_FAILING', ja.failures.storage, true],
  ['STORAGE_LOCKED', ja.failures.locked, true],
  ['INTERNAL', ja.failures.server, true],
  ['CHAT_SERVER_UNAVAILABLE', ja.failures.chatServerAway, true],
  ['TO_BE_COMPLETED', ja.failures.toBeCompleted, false],
])('[R8.4] failureText explains the server error %s', (code, words, isTriedAgain) => {
  const failure = failureOf(new ServerError(503, 'Nothing can be kept', code));
  expect(failureText(ja.failures, failure)).toBe(words);
  expect(isTemporary(failure)).toBe(isTriedAgain);
});

it('[R7.8] [R8.4] The text for an administrator who is not in private streams of departments names the streams', () => {
  const streams = '監査室, 秘書室';
  const failure = failureOf(new ApiError(400, 'STREAM_NOT_JOINED', 'You are not in these streams.', { streams }));
  for (const { failures } of [ja, en]) expect(failureText(failures, failure)).toContain(streams);
});

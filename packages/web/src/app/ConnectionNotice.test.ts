import { expect, it } from 'vitest';
import { ja } from '../i18n/ja.ts';
import { noticeOf } from './ConnectionNotice.tsx';

const words = ja.connection;

it('[R8.4] The connection notice states the connection problem, and offers a reload if waiting does not help', () => {
  expect(noticeOf(words, 'online', true)).toBeUndefined();
  expect(noticeOf(words, 'reconnecting', true)).toEqual({ text: words.reconnecting });
  expect(noticeOf(words, 'reconnecting', false)).toEqual({ text: words.offline });
  expect(noticeOf(words, 'chat-server-away', true)).toEqual({ text: words.chatServerAway });
  expect(noticeOf(words, 'signed-out', false)).toEqual({ text: words.signedOut, reload: words.signInAgain });
  expect(noticeOf(words, 'broken', false)).toEqual({ text: words.broken, reload: words.reload });
});
